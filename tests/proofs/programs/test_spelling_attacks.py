"""Programs in which what is written instead could mean another thing: order, names, lists."""

import random
import re
from fractions import Fraction

import numpy as np
import pytest

from provado.mechanisms.definitions import UsageError
from provado.proofs.programs.agreement import compare
from provado.proofs.programs.claim import AnswerRelation, ProgramClaim
from provado.proofs.programs.decide import decide
from provado.proofs.programs.read import forms
from provado.proofs.programs.read.expressions import LanguageError
from provado.proofs.programs.read.ir import Constant, UndecidedProgramError
from provado.proofs.programs.read.parse import read_program
from provado.proofs.programs.read.polynomial import ratio
from provado.proofs.programs.read.spellings import Spellings
from provado.proofs.programs.read.symbolic_execution import enumerate_paths
from tests.proofs.programs.agreement import agrees
from tests.proofs.programs.attacks import ATTACKS
from tests.proofs.programs.spellings import HEAD
from tests.proofs.programs.written import function

NOT_PRIVATE = {
    "closure walrus": """
def f(q, epsilon):
    def g():
        return y
    y = 1000 * q[0]
    output(g() + (y := laplace(1 / epsilon)))
""",
    "import shadows": """
def f(q, epsilon):
    from numpy import clip as limit
    output(h(q[0]) + laplace(1 / epsilon) + limit(0, 0, 1))


def limit(x, a, b):
    return 1000 * x
def h(x):
    return limit(x, 0, 1)
""",
    "default acts": """
def f(q, epsilon):
    def g(a=output(1000 * q[0])):
        return 1
    output(laplace(1 / epsilon))
""",
    "annotation acts": """
def f(q, epsilon):
    def g() -> output(1000 * q[0]):
        return 1
    output(laplace(1 / epsilon))
""",
    "lambda default acts": """
def f(q, epsilon):
    g = lambda a=output(1000 * q[0]): 1
    output(laplace(1 / epsilon))
""",
    "raise of len ==": """
def f(q, epsilon):
    if len(q) == 5:
        raise ValueError
    i = 0
    for k, x in enumerate(q):
        i = k
    if i < 3:
        output(1000 * q[0])
    output(laplace(1 / epsilon))
""",
    "i, i raw": """
def f(q, epsilon):
    for i, i in enumerate(q, 1):
        output(i)
""",
    "while walrus first": """
def f(q, epsilon):
    z = 0
    y = 0
    i = 0
    while (y := z) < 100 and i < len(q):
        if i > 0:
            z = 0
        else:
            z = q[i]
        i += 1
    output(y)
""",
    "match guard walrus": """
def f(q, epsilon):
    y = 0
    if q[0] > 0:
        y = 1
    match y:
        case _ if (y := 3) > 5:
            output(7)
        case 1:
            output(8)
        case _:
            output(9)
""",
    "enum ne": """
class A(enum.Enum):
    X = 1
    Y = 2
    def __ne__(self, other):
        return False
def f(q, epsilon):
    s = A.X
    s = A.Y if q[0] > 0 else A.X
    output(1 if s != A.X else 0)
""",
    "intenum add": """
class A(enum.IntEnum):
    X = 1
    def __radd__(self, other):
        return other * 1000
def f(q, epsilon):
    output(q[0] + A.X + laplace(1 / epsilon))
""",
    "helper param named as constant": """
def f(q, epsilon):
    output(h(0, q[0]))


def h(x, LOW):
    return LOW
""",
    "output in dropped argument": """
def f(q, epsilon):
    output(h(output(q[0])))


def h(x):
    return 1
""",
    "append in dropped argument": """
def f(q, epsilon):
    a = []
    a.append(h(a.append(q[0])))
    return a


def h(x):
    return 1
""",
    "walrus in dropped argument": """
def f(q, epsilon):
    y = 0
    z = h(y := q[0])
    output(y)


def h(x):
    return 1
""",
    "walrus in skipped argument": """
def f(q, epsilon):
    y = 0
    z = h((y := q[0]), -1)
    output(y)


def h(x, c):
    return x if c > 0 else 0
""",
    "helper in dropped argument": """
def f(q, epsilon):
    output(h(g(q[0])))


def h(x):
    return 1
def g(x):
    output(x)
    return x
""",
    "helper local dropped": """
def f(q, epsilon):
    output(h(q[0]))


def h(x):
    y = output(x)
    return 0
""",
    "parameter reassigned": """
def f(q, epsilon):
    output(h(1000 * q[0], epsilon))


def h(x, epsilon):
    y = x
    x = laplace(1 / epsilon)
    return y + x
""",
    "parameter reassigned deep": """
def f(q, epsilon):
    output(h(q[0], epsilon))


def h(x, epsilon):
    y = x
    x = 0
    if epsilon > 0:
        return y
    return x
""",
    "walrus in helper": """
def f(q, epsilon):
    output(h(1000 * q[0], epsilon))


def h(y, epsilon):
    return y + (y := laplace(1 / epsilon))
""",
    "any of list with outputs": """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    found = any([told(x, level, epsilon) for x in q])


def told(x, level, epsilon):
    above = x + laplace(4 / epsilon) >= level
    output(above)
    return above
""",
    "any of list walrus": """
def f(q, epsilon):
    y = 0
    level = laplace(2 / epsilon)
    z = any([(y := x) + 1000 > 1000 + x - 1 for x in q])
    output(y)
""",
    "key default": """
def f(q, epsilon):
    noisy = [x + laplace(2 / epsilon) for x in q]
    return max(enumerate(noisy), key=lambda p=output(q[0]): p[1])[0]
""",
    "key kwdefault": """
def f(q, epsilon):
    noisy = [x + laplace(2 / epsilon) for x in q]
    return max(range(len(noisy)), key=lambda i, *, k=output(q[0]): noisy[i])
""",
    "len of other 2": """
def f(q, epsilon):
    found = []
    for x in q:
        if x > 0:
            found.append(1)
    noisy = [x + laplace(2 / epsilon) for x in q]
    return max(range(len(found)), key=noisy.__getitem__)
""",
    "is chain": """
def f(q, epsilon):
    s = Answer.ABOVE
    t = Answer.BELOW
    if q[0] > 0:
        t = Answer.ABOVE
    output(1 if s is Answer.ABOVE is t else 0)
""",
    "underscore read": """
def f(q, epsilon):
    _ = 0
    noisy = [x + laplace(2 / epsilon) for x in q]
    i, _ = max(enumerate(noisy), key=lambda p: p[1])
    output(i)
    output(_)
""",
    "len before append in helper": """
def f(q, epsilon):
    found = []
    def pad(n):
        if not found:
            found.append(1)
        return n
    if q[0] > 0:
        found.append(1)
    output(pad(len(found)))
""",
    "not found before append in helper": """
def f(q, epsilon):
    found = []
    def pad(n):
        if not found:
            found.append(1)
        return n
    if q[0] > 0:
        found.append(1)
    output(pad(not found))
""",
    "len beside helper": """
def f(q, epsilon):
    found = []
    def pad():
        if not found:
            found.append(1)
        return 0
    if q[0] > 0:
        found.append(1)
    output(len(found) + pad())
""",
    "len local in helper": """
def f(q, epsilon):
    found = []
    def pad():
        n = len(found)
        if not found:
            found.append(1)
        return n
    if q[0] > 0:
        found.append(1)
    output(pad())
""",
    "while walrus step": """
def f(q, epsilon):
    i = 0
    while i < len(q):
        if (i := i + 1) > 100:
            output(q[0])
        i += 1
    output(i)
""",
    "helper list +=": """
def f(q, epsilon):
    a = []
    add(a, q[0])
    return a


def add(a, x):
    a += [x]
""",
    "helper list append": """
def f(q, epsilon):
    a = []
    add(a, q[0])
    return a


def add(a, x):
    a.append(x)
""",
    "late binding": """
def f(q, epsilon):
    y = laplace(1 / epsilon)
    g = lambda: y
    y = q[0]
    output(g())
""",
    "alias": """
def f(q, epsilon):
    a = []
    b = a
    b.append(q[0])
    return a
""",
    "one draw": """
def f(q, epsilon):
    a = b = laplace(1 / epsilon)
    output(q[0] + a)
    output(b)
""",
    "swap": """
def f(q, epsilon):
    a, b = q[0], laplace(1 / epsilon)
    a, b = b, a
    output(b)
""",
    "arguments out of order": """
def f(q, epsilon):
    y = 0
    z = h(b=(y := 0), a=(y := q[0]))
    output(y)


def g(x):
    output(x)
    return 0
def h(a, b):
    return a + b
""",
    "helper walrus dropped local": """
def f(q, epsilon):
    output(h(q[0]))


def h(x):
    a = (b := x)
    return b
""",
    "param named max": """
def f(q, epsilon):
    g = lambda a, b, c=0: c
    output(h(g, 1, 2, q[0]))


def h(max, a, b, c):
    return max(a, b, c)
""",
    "comprehension steps": """
def f(q, epsilon):
    z = q[0]
    noisy = []
    for x in q:
        y = z
        z = 0
        noisy.append(x + y * 1000 + laplace(2 / epsilon))
    return noisy.index(max(noisy))
""",
    "found lens in branches": """
def f(q, epsilon):
    a = []
    for x in q:
        if x > 0:
            a.extend([1, 2])
        else:
            a += [1]
    output(len(a))
""",
    "list reset": """
def f(q, epsilon):
    a = []
    for x in q:
        if x > 0:
            a = []
        a.append(1)
    output(len(a))
""",
}
READ = {
    "evaluation order of outputs": """
def f(q, epsilon):
    output(h(g(q[0]), g(2)))


def g(x):
    output(x)
    return x
def h(a, b):
    return b - a
""",
    "keyword order of outputs": """
def f(q, epsilon):
    output(h(b=g(q[0]), a=g(2)))


def g(x):
    output(x)
    return x
def h(a, b):
    return b - a
""",
    "augmented": """
def f(q, epsilon):
    a = q[0]
    a += g(a)
    output(a)


def g(a):
    a = a + 1
    return a
""",
    "and short": """
def f(q, epsilon):
    y = 3
    if q[0] > 0 and (y := laplace(1)) > 0:
        output(1)
    output(y)
""",
    "or short": """
def f(q, epsilon):
    y = 3
    if q[0] > 0 or (y := laplace(1)) > 0:
        output(1)
    output(y)
""",
    "enumerate 5": """
def f(q, epsilon):
    for i, x in enumerate(q, 5):
        if x > 0:
            output(i)
            break
    else:
        output(0)
""",
    "range 1": """
def f(q, epsilon):
    for i in range(1, len(q) + 1):
        if q[i - 1] > 0:
            output(i)
""",
    "while continue": """
def f(q, epsilon):
    i = 0
    while i < len(q):
        x = q[i]
        i += 1
        if x > 0:
            continue
        output(i)
    output(i)
""",
    "while and": """
def f(q, epsilon):
    c = 0
    i = 0
    while i < len(q) and c < 2:
        if q[i] > 0:
            c += 1
        i += 1
    output(i)
    output(c)
""",
    "while true": """
def f(q, epsilon):
    i = 0
    while True:
        if i == len(q):
            output(5)
            break
        if q[i] > 0:
            break
        i += 1
    output(i)
""",
    "match": """
def f(q, epsilon):
    y = 0
    if q[0] > 0:
        y = 2
    match y:
        case 0 if q[1] > 0:
            output(1)
        case 0 | 1:
            output(2)
        case 2:
            output(3)
        case _:
            output(4)
""",
    "closure late": """
def f(q, epsilon):
    y = 1
    g = lambda x: x + y
    a = g(q[0])
    y = 5
    output(a)
    output(g(q[0]))
""",
    "shared names": """
def f(q, epsilon):
    x = q[0]
    y = 7
    output(g(y) + g(x) + x + y)


def g(x):
    y = x
    if x > 0:
        y = 1
    x = 9
    return y + x
""",
    "lens": """
def f(q, epsilon):
    a = []
    for x in q:
        if x > 0:
            a.extend([x, 1])
        else:
            a.append(0)
        if len(a) > 3:
            break
    output(len(a))
    output(1 if a else 0)
""",
    "list and return": """
def f(q, epsilon):
    a = []
    for x in q:
        a.append(x > 0)
        if len(a) >= 2:
            break
    return a + [5]
""",
    "early": """
def f(q, epsilon):
    output(h(q[0]))
    output(h(q[1]))


def h(x):
    if x > 0:
        return 1
    if x > -1:
        x = 5
    else:
        return 3
    return x
""",
}


def made(text):
    head = "import enum\n" if text.lstrip().startswith("class") else ""
    return function(f"{head}{text}\n{HEAD}")


def misread(text, read=""):
    """Return in how many of 24 runs a program tells another thing than is read."""
    of, ways = made(text), enumerate_paths(read_program(made(read or text), {"epsilon": 1.0}))
    return sum(not follows(of, ways, seed) for seed in range(24))


def follows(of, ways, seed):
    rng = random.Random(seed)
    data = [rng.choice([-1.0, 0.25, 1.0, 3.0]) for _ in range(2 + seed % 4)]
    return agrees(of, ways, data, seed, epsilon=1.0)


@pytest.mark.parametrize("name", READ)
def test_it_is_read_as_it_runs(name):
    text = READ[name]
    assert misread(text) == 0
    assert misread(text.replace("> 0", "> 2").replace("q[0]", "q[1]"), text) > 0


@pytest.mark.parametrize("name", NOT_PRIVATE)
def test_it_is_read_as_it_runs_or_refused_and_never_proved(name):
    text = NOT_PRIVATE[name]
    try:
        assert misread(text) == 0
        assert decide(made(text), epsilon="epsilon", steps=3000).verdict != "proved"
    except LanguageError:
        return


BROKEN = {"_is_pure": True, "_is_output": True, "_check_walrus": None}


@pytest.mark.parametrize("part", BROKEN)
def test_without_a_check_something_is_misread(part, monkeypatch):
    monkeypatch.setattr(Spellings, part, lambda *_: BROKEN[part])
    wrong = 0
    for text in NOT_PRIVATE.values():
        try:
            wrong += misread(text) > 0
        except LanguageError:
            continue
    assert wrong


SMALL = dict(re.findall(r"# (.*)\n([^#]*)", ATTACKS))
KINDS = "list times|times list|plus list|tolist|q plus q"
LONGER = [name for name in SMALL if re.search(KINDS, name)]


def difference(name):
    """Return what differs between a program and what is read of it; raises ``UsageError``."""
    of = function(f"import numpy as np\nfrom provado.mechanisms.programs import *\n{SMALL[name]}")
    ways = enumerate_paths(read_program(of, {"epsilon": 1}))
    claim = ProgramClaim.made(ways, AnswerRelation(Fraction(1)), ratio(Constant(Fraction(1))))
    return compare(of, claim, {"epsilon": Fraction(1)}, np.random.default_rng(0)).difference


def test_small_programs_are_read_as_they_run_or_refused():
    refused, wrong = set(), {}
    for name in SMALL:
        try:
            wrong |= {name: found} if (found := difference(name)) else {}
        except (UsageError, UndecidedProgramError):
            refused.add(name)
    assert not wrong
    assert len(SMALL) > 200
    assert len(refused) < len(SMALL) / 2


def test_without_the_check_of_lists_they_are_misread(monkeypatch):
    monkeypatch.setattr(forms.Forms, "_is_list", lambda *_: False)
    wrong = 0
    for name in LONGER:
        try:
            wrong += difference(name) != ""
        except LanguageError:
            continue
    assert wrong > 5


def test_without_the_check_of_keys_they_are_misread(monkeypatch):
    with pytest.raises(LanguageError):
        difference("dict dup")
    several = forms.several
    monkeypatch.setattr(forms, "several", lambda one: several(one) or getattr(one, "values", []))
    assert difference("dict dup")


def test_a_function_that_reads_a_name_of_a_list_is_refused():
    with pytest.raises(LanguageError, match="g reads x, which is not that of this list"):
        difference("inner g reads x comp 2")
