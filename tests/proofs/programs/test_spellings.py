"""Programs as people spell them: they are read as they run, proved, and not with less noise."""

import random
import re

import pytest

from provado.mechanisms.programs import Program
from provado.proofs.programs.alignment.prove import Proof, prove
from provado.proofs.programs.decide import decide
from provado.proofs.programs.read.expressions import LanguageError
from provado.proofs.programs.read.parse import read_program
from provado.proofs.programs.read.symbolic_execution import enumerate_paths
from tests.proofs.programs.agreement import agrees
from tests.proofs.programs.spellings import HEAD, LEVEL, SPELLINGS
from tests.proofs.programs.written import claim, function

QUICK = {"any", "helper two returns", "len(found) counter", "while True break", "yield"}


def written(name):
    text = SPELLINGS[name].strip().replace("    ...\n", LEVEL)
    return f"{text}\n{HEAD}"


def compared(text, read):
    """Return in how many of 30 runs a program tells what is read of another one."""
    rng, of = random.Random(3), function(text)
    given = {"epsilon": 1.0, "t": 0.5, "count": 2}
    values = {name: v for name, v in given.items() if name in of.__code__.co_varnames[:4]}
    ways = enumerate_paths(read_program(function(read), values))
    found = 0
    for seed in range(30):
        data = [rng.choice([-1.0, 0.25, 1.0, 3.0]) for _ in range(2 + seed % 4)]
        found += agrees(of, ways, data, seed, **values)
    return found


@pytest.mark.parametrize("name", SPELLINGS)
def test_it_is_read_as_it_runs(name):
    text = written(name)
    # None is no output; where only a place comes out it is read as -1.
    least = 20 if name == "next" else 30
    assert compared(text, text) >= least
    changed = text.replace(">= level", "< level").replace("x + laplace", "laplace")
    assert changed == text or compared(text, changed) < least


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("last answer", {"q[-1]": "q[0]"}),
        ("largest by max", {"best = max(noisy, best)": "best = noisy"}),
        ("while else", {"else:": "if len(q) < 4:"}),
        ("while else that a break leaves out", {"else:": "if True:"}),
    ],
)
def test_another_end_is_told_apart(name, changes):
    text = changed = written(name)
    for old, new in changes.items():
        assert old in changed
        changed = changed.replace(old, new)
    assert compared(changed, text) < 30


def every(names):
    slow = [pytest.param(n, marks=pytest.mark.slow) for n in SPELLINGS if n not in names]
    return pytest.mark.parametrize("name", [*sorted(names), *slow])


@every(QUICK)
def test_it_is_proved(name):
    found = prove(claim(function(written(name)), "epsilon"), steps=900_000)
    assert isinstance(found, Proof)


@every({"any"})
def test_with_a_hundredth_less_noise_it_is_not(name):
    text = written(name)
    scales = list(re.finditer(r" / epsilon", text))
    assert scales
    for one in scales:
        less = f"{text[: one.start()]} * 99 / 100 / epsilon{text[one.end() :]}"
        found = decide(function(less), epsilon="epsilon", steps=300_000)
        assert found.verdict != "proved"


WORDS = ("answer", "noise", "moved", "paid", "shift", "iteration", "value", "largest", "outcome")
CARRIED = {
    "a parameter": "def f(q, epsilon, {0}=0.0):\n    for x in q:\n        {0} = {0} + x\n",
    "a helper": """def f(q, epsilon):
    y = 0
    for x in q:
        y = add(y, x)
    {0} = y

def add({0}, x):
    if x < -1000:
        return {0}
    {0} = {0} + x
    return {0}
""",
    "a position": """def f(q, epsilon):
    y = 0
    {0} = 0
    while {0} < len(q):
        y = y + q[{0}]
        {0} += 1
    {0} = y
""",
    "None": """def f(q, epsilon):
    {0} = None
    for x in q:
        {0} = x if {0} is None else {0} + x
    if {0} is None:
        {0} = 0
""",
}


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("form", CARRIED)
def test_no_name_of_a_variable_makes_a_sum_private(word, form):
    # What is written in its place must not be taken for an answer, or for noise.
    head, *rest = CARRIED[form].format(word).split("\n\n")
    text = "\n\n".join([head.rstrip() + f"\n    output({word} + laplace(1 / epsilon))\n", *rest])
    if form == "a position":
        text = text.replace(f"    {word} = y\n", "").replace(f"output({word} +", "output(y +")
    found = decide(function(text), epsilon="epsilon", steps=100_000)
    assert found.verdict != "proved"


REFUSED = {
    "while is not": "i = 0\nwhile i < len(q):\n    if q[i] > 0:\n        i += 1\n    i += 1",
    "while is": "i = 0\nwhile i < len(q):\n    i += 1\n    output(q[i] + laplace(1))",
    "y is read before": "y = q[0]\noutput(y + (y := laplace(1)))",
    "is read before :=": "y = q[0]\ny += (y := laplace(1))\noutput(y)",
    "output is not a function": "a = []\nfor x in q:\n    if x > 0:\n        a.append(output(1))",
    "Tuple is not": "for x in q:\n    if x > 0:\n        output((1, 1))\n    output(1)",
    "Tuple": "for x in q:\n    yield (1, x) if x > 0 else (x,)",
    "returns nothing": "yield laplace(1)\nreturn q[0]",
    "output() or yield": "yield laplace(1)\noutput(q[0])",
    "yield from": "yield from q",
    "assert is not": "output(laplace(1))\nif q[0] > 5:\n    raise ValueError",
    "assert may compare parameters": "if q[0] > 5:\n    raise ValueError",
    "the last line is: return a": "a = []\nb = [a]\na.append(1)\noutput(len(b))",
    "what is returned is a": "a = []\nfor x in q:\n    if x > 0:\n        a.append(x)\n"
    "return a.index(max(a))",
    "BinOp is not": "hits = 1\nfor x in q:\n    hits |= x > 0\noutput(hits)",
    "defaults of g are numbers": "s = q[0]\ng = lambda x=s: x\noutput(g())",
    "next takes what": "output(next(i for i, x in enumerate(q) if x > 0))",
    "case takes": "match q[0]:\n    case [1]:\n        output(1)",
    "g is made once": "g = lambda x: x\nfor g in q:\n    output(1)",
}


@pytest.mark.parametrize("rule", REFUSED)
def test_what_would_be_read_wrongly_is_refused(rule):
    body = "\n".join(f"    {line}" for line in REFUSED[rule].splitlines())
    with pytest.raises(LanguageError) as refused:
        read_program(function(f"def f(q, epsilon):\n{body}\n"))
    assert rule in str(refused.value)


def test_members_that_look_alike_are_refused():
    text = written("enum members").replace("    BELOW = 0", "    BELOW = 0\n    __repr__ = str")
    with pytest.raises(LanguageError, match="no plain enumeration"):
        read_program(function(text))


def test_a_generator_runs_as_a_program():
    import numpy as np

    one = Program(function(written("yield")), epsilon=1.0, t=0.5)
    outcomes = one([0.0, 4.0], size=50, rng=np.random.default_rng(0))
    assert {type(v) for told in outcomes for v in told} == {int}
    assert {len(told) for told in outcomes} == {1, 2}
