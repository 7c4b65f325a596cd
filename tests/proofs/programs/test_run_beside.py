"""What was read is run beside the function: a misreading is undecided, and never proved."""

# ruff: noqa: NPY002
import ast
import random
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from provado.mechanisms.programs import Program
from provado.proofs.programs import decide as deciding
from provado.proofs.programs.agreement import Agreement
from provado.proofs.programs.decide import decide
from provado.proofs.programs.read import ir
from provado.proofs.programs.read.expressions import ExpressionReader
from provado.proofs.programs.read.forms import Forms
from provado.proofs.programs.read.given_noise import GivenNoise
from provado.proofs.programs.read.parse import _Reader
from provado.proofs.programs.read.spellings import Spellings
from provado.proofs.programs.read.symbolic_execution import _Walker
from tests.proofs.programs.written import function

HEAD = "from provado.mechanisms.programs import bernoulli, integers, laplace, output\n"


def made(text):
    return function(f"{HEAD}{text.lstrip()}")


def changed(owner, name, change):
    """Return what plants a fault: a method whose result, or arguments, are changed."""
    real = getattr(owner, name)

    def method(self, *args, **options):
        return change(real, self, *args, **options)

    return owner, name, method


def swapped(real, self, test, body, orelse, node):
    return real(self, test, orelse, body, node) if orelse else real(self, test, body, orelse, node)


def dropped(real, self, node):
    counts = isinstance(node, ast.Assign) and ast.unparse(node) == "i = i + 1"
    return None if counts else real(self, node)


def larger(real, self, node):
    found = real(self, node)
    number = isinstance(node, ast.Constant) and found == ir.Constant(5)
    return ir.Constant(found.value + 1) if number else found


def fewer(real, self, node):
    times = real(self, node)
    return times and times - 1


def turned(real, self, helper, node):
    arguments, body = real(self, helper, node)
    return dict(zip(arguments, [*arguments.values()][::-1], strict=True)), body


def not_strict(real, self, node):
    found = real(self, node)
    return replace(found, op=">=") if isinstance(found, ir.Compare) and found.op == ">" else found


def noisier(real, self, node):
    found = real(self, node)
    return found and (found[0], found[1], ast.BinOp(found[2], ast.Mult(), ast.Constant(2)))


def wider(real, self, node, kind, scale):
    found = real(self, node, kind, scale)
    return replace(found, scale=ir.Binary("*", ir.Constant(2), found.scale))


def least(real, self, node, most):
    return real(self, node, not most)


def unlikely(real, self, node):
    found = real(self, node)
    return replace(found, p=ir.Binary("-", ir.Constant(1), found.p))


def next_one(real, self, index, node):
    found = real(self, index, node)
    return ir.Name("answer at 1") if found == ir.Name("answer at 0") else found


def added(real, self, op, a, b, state):
    return real(self, "+" if op == "-" else op, a, b, state)


def one_fewer(real, self, step, state):
    found = real(self, step, state)
    return [replace_told(one) for one in found]


def replace_told(state):
    state.way = replace(state.way, told=state.way.told[:1])
    return state


def untold(real, self, node, statement):
    if self.tells == 0:
        real(self, node, statement)


COUNTS = """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    i = 0
    for x in q:
        i += 1
        if i > 5:
            output(9)
            break
        if x + laplace(4 / epsilon) > level:
            output(True)
            break
        output(False)
"""
FIRST = "def f(q, epsilon):\n    output({})\n"
LIBRARY = """
import numpy as np
def f(q, epsilon):
    return np.random.laplace(q[0], 1 / epsilon)
"""
PLANTED = {
    "branches swapped": (
        _Reader,
        "_if",
        swapped,
        """
def f(q, epsilon):
    level = laplace(2 / epsilon)
    i = 0
    for x in q:
        i += 1
        if i >= 5:
            output(9)
            break
        if x + laplace(4 / epsilon) > level:
            output(True)
            break
        else:
            output(False)
""",
    ),
    "a statement dropped": (_Reader, "_statement", dropped, COUNTS),
    "a constant changed": (ExpressionReader, "expression", larger, COUNTS),
    "a loop too short": (
        _Reader,
        "_times",
        fewer,
        """
def f(q, epsilon):
    for k in range(3):
        output(k)
""",
    ),
    "arguments turned": (
        Spellings,
        "_definition",
        turned,
        """
def f(q, epsilon):
    output(h(q[0] + laplace(1 / epsilon), 3))
def h(a, b):
    return a - b
""",
    ),
    "ties on the other side": (
        ExpressionReader,
        "condition",
        not_strict,
        """
def f(q: list[int], epsilon, t: int):
    for i, x in enumerate(q):
        output(1 if i > t else 0)
""",
    ),
    "the scale of a library": (Forms, "_draw_of", noisier, LIBRARY),
    "the scale": (
        ExpressionReader,
        "_draw",
        wider,
        """
def f(q, epsilon):
    output(q[0] + laplace(1 / epsilon))
""",
    ),
    "max for min": (
        ExpressionReader,
        "_larger",
        least,
        """
def f(q, epsilon):
    output(min(q[0] + laplace(1 / epsilon), 2))
""",
    ),
    "the chance of a coin": (
        ExpressionReader,
        "_coin",
        unlikely,
        """
def f(q, epsilon):
    output(bernoulli(0.25))
""",
    ),
    "another answer": (
        ExpressionReader,
        "_answer",
        next_one,
        """
def f(q, epsilon):
    output(q[0] + laplace(1 / epsilon))
""",
    ),
    "minus for plus": (
        _Walker,
        "_combined",
        added,
        """
def f(q, epsilon):
    output(laplace(1 / epsilon) - q[0])
""",
    ),
    "an output lost": (
        _Reader,
        "_tell",
        untold,
        """
def f(q, epsilon):
    output(q[0] + laplace(1 / epsilon))
    output(7)
""",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_misreading_is_undecided_and_would_be_proved(name, monkeypatch):
    owner, method, change, text = PLANTED[name]
    of = made(text)
    assert decide(of, epsilon="epsilon").verdict == "proved"
    monkeypatch.setattr(*changed(owner, method, change))
    found = decide(of, epsilon="epsilon")
    assert found.verdict == "undecided"
    assert "f does not do what was read of it: with q = " in found.reason
    assert "it outputs" in found.reason
    monkeypatch.setattr(deciding, "compare", lambda *_: Agreement(1, 1, 1))
    assert decide(of, epsilon="epsilon").verdict == "proved"


COIN = "def f(x: int, epsilon=1.0):\n    output(x if bernoulli(0.75) else 1 - x)\n"
ABOVE = "def f(x: int, scale=1.0):\n    output(x + gaussian(scale) > 0)\n"
CLAIMS = {
    "answers": (FIRST.format("q[0] + laplace(1 / epsilon)"), {"epsilon": "epsilon"}),
    "refuted answers": (FIRST.format("q[0] + laplace(2 / epsilon)"), {"epsilon": "epsilon / 4"}),
    "a domain": (COIN, {"epsilon": 2, "domain": [0, 1]}),
    "a refuted domain": (COIN, {"epsilon": 1, "domain": [0, 1]}),
    "a delta": (ABOVE, {"epsilon": 1, "delta": "1/2", "domain": [0, 1]}),
}


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize("error", [ir.UndecidedProgramError, ir.WorkIsOverError])
def test_what_cannot_be_run_beside_the_function_is_no_evidence(name, error, monkeypatch):
    text, options = CLAIMS[name]
    if "delta" in options:
        pytest.importorskip("flint")

    def beyond(*_):
        raise error("it cannot be run")

    of = function(f"{HEAD.replace('laplace', 'gaussian, laplace')}{text}")
    assert decide(of, **options).verdict == ("refuted" if "refuted" in name else "proved")
    monkeypatch.setattr(deciding, "compare", beyond)
    found = decide(of, **options)
    assert found.verdict == "undecided"
    assert "it cannot be run" in found.reason


PRIVATE = "def f(q, epsilon):\n    output(q[0] + laplace(1 / epsilon))\n"
ELSE = {
    "it raises ZeroDivisionError": "    return q[0] / 0\n",
    "it comes to no end": "    while True:\n        pass\n",
    "comes to no end": "    while True:\n        laplace(1)\n",
    "it changes its data": "    q[0] = 5\n    output(q[0] + laplace(1 / epsilon))\n",
    "it outputs 0.": "    output(q[0] + laplace(2 / epsilon))\n",
    "it outputs 'a'": "    output('a')\n",
    "it outputs nothing": "    pass\n",
}


def beside(of, read):
    """Return what running a function beside what was read of another one shows."""
    claim = decide(read, epsilon="epsilon").proofs[0].claim
    return deciding.compare(of, claim, {}, np.random.default_rng(1))


@pytest.mark.parametrize("words", ELSE)
def test_what_a_function_does_else_is_told(words):
    found = beside(made(f"def f(q, epsilon):\n{ELSE[words]}"), made(PRIVATE))
    assert words.rstrip("0.") in found.difference
    assert "what was read outputs" in found.difference or "has no path" in found.difference


def test_longer_runs_reach_the_ends_of_counters():
    late = COUNTS.replace("output(9)", "output(8)")
    assert "outputs 0, 0, 0, 0, 0, 8" in beside(made(late), made(COUNTS)).difference
    later = COUNTS.replace("i > 5", "i > 6")
    assert beside(made(later), made(COUNTS)).difference
    assert beside(made(COUNTS), made(COUNTS)).difference == ""


SOURCES = {
    "numpy": (LIBRARY, {}),
    "generator": (
        """
import numpy as np
def f(q, epsilon, rng):
    return rng.laplace(q[0], 1 / epsilon)
""",
        {},
    ),
    "none": (
        """
import numpy as np
def f(q, epsilon, rng=None):
    rng = rng or np.random.default_rng()
    return rng.laplace(q[0], 1 / epsilon)
""",
        {},
    ),
    "old": (
        """
import numpy as np
def f(q, epsilon):
    return np.random.RandomState().laplace(q[0], 1 / epsilon)
""",
        {},
    ),
    "array": (
        """
def f(q, epsilon, rng):
    return q + rng.laplace(0, 1 / epsilon, size=len(q))
""",
        {"neighbors": "one"},
    ),
    "array of one place": (
        """
def f(q, epsilon, rng):
    return rng.laplace(q, 1 / epsilon)
""",
        {"neighbors": "one"},
    ),
    "scipy": (
        """
import scipy.stats
def f(q, epsilon):
    return scipy.stats.laplace.rvs(q[0], 1 / epsilon)
""",
        {},
    ),
    "scipy name": (
        """
from scipy.stats import laplace as drawn
def f(q, epsilon):
    return drawn.rvs(q[0], 1 / epsilon)
""",
        {},
    ),
    "inside": (
        """
def f(q, epsilon):
    from numpy.random import laplace as drawn
    return drawn(q[0], 1 / epsilon)
""",
        {},
    ),
    "inside module": (
        """
def f(q, epsilon):
    import numpy as np
    return np.random.laplace(q[0], 1 / epsilon)
""",
        {},
    ),
    "diffprivlib": (
        """
from diffprivlib.mechanisms import Laplace
def f(q, epsilon):
    return Laplace(epsilon=epsilon, sensitivity=1).randomise(q[0])
""",
        {},
    ),
    "opendp": (
        """
import opendp.prelude as dp
def f(q, epsilon):
    made = dp.m.make_laplace(
        dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=1 / epsilon
    )
    return made(q[0])
""",
        {},
    ),
    "geometric": (
        """
import numpy as np
def f(x: int, epsilon, rng):
    p = 1 - np.exp(-epsilon)
    return x + rng.geometric(p) - rng.geometric(p)
""",
        {},
    ),
    "two exponentials": (
        """
import random
def f(q, epsilon):
    return q[0] + random.expovariate(epsilon) - random.expovariate(epsilon)
""",
        {},
    ),
    "discrete": (
        """
from provado.mechanisms.programs import discrete_laplace
def f(x: int, epsilon):
    return x + discrete_laplace(1 / epsilon)
""",
        {},
    ),
    "uniform": (
        """
import random
def f(q, epsilon):
    output(0.25 > random.random())
    output(random.uniform(0, 1) > 0.25)
    return q[0] + laplace(1 / epsilon)
""",
        {},
    ),
    "whole": (
        """
import random
import numpy as np
def f(q, epsilon):
    output(random.randint(2, 3))
    output(np.random.randint(0, 2) + integers(3))
    return q[0] + laplace(1 / epsilon)
""",
        {},
    ),
    "finite": (
        """
import random
def f(x: int):
    u = random.random()
    return x if u < 0.75 else 1 - x
""",
        {"epsilon": 1.1, "domain": [0, 1]},
    ),
    "gauss": (
        """
import random
def f(x: float):
    return 1 if random.gauss(x, 4) > 1 else 0
""",
        {"epsilon": 1, "delta": 0.1, "domain": [0, 1]},
    ),
    "normal": (
        """
import scipy.stats
def f(q):
    return np.random.default_rng().normal(q[0], 4) > scipy.stats.norm.rvs(scale=4)
import numpy as np
""",
        {"epsilon": 1, "delta": 0.1, "domain": [0, 1], "size": 2},
    ),
}


@pytest.mark.parametrize("name", SOURCES)
def test_noise_of_each_source_is_given(name):
    text, options = SOURCES[name]
    of = made(text)
    before = np.random.get_state()[1].tolist(), random.getstate(), {**of.__globals__}
    found = decide(of, **{"epsilon": "epsilon", **options})
    assert found.verdict == "proved", found.reason
    assert found.agreement.runs >= 16
    assert 2 * found.agreement.taken > found.agreement.paths
    assert before == (np.random.get_state()[1].tolist(), random.getstate(), {**of.__globals__})
    assert scipy.stats.laplace.rvs(size=2).shape == (2,)


def test_the_values_of_a_program_are_given_to_it():
    of = Program(made(FIRST.format("q[0] + t + laplace(1 / epsilon)").replace(")", ", t)", 1)), t=3)
    assert decide(of, epsilon="epsilon").agreement.runs >= 16


def test_without_its_noise_a_function_is_not_proved(monkeypatch):
    monkeypatch.setattr(GivenNoise, "of", lambda _, value: value)
    assert decide(made(LIBRARY), epsilon="epsilon").verdict == "undecided"
