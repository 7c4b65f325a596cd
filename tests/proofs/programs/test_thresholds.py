"""What a program does from some number on: the search for a counterexample looks there, too."""

import math
import operator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import decide
from provado.proofs.programs.refutation import refute
from tests.proofs.programs.written import function

F = Fraction
SUPPRESSED = """
def f(x: {kind}, epsilon):
    if {left} {op} {right}:
        output(x + laplace(1 / epsilon))
    else:
        output(0)
"""
THRESHOLDS = st.one_of(st.integers(-5000, 5000), st.sampled_from([0.3, -2.75, 26.5, 12345.5]))
FEW = settings(max_examples=12, deadline=None)


@FEW
@given(THRESHOLDS, st.sampled_from(["<", "<=", ">", ">=", "=="]), st.integers(1, 4), st.booleans())
def test_an_exact_answer_beyond_any_threshold_is_found(threshold, op, factor, swapped):
    sides = (f"{factor} * x", str(threshold))
    left, right = sides[::-1] if swapped else sides
    found = decide(function(SUPPRESSED.format(kind="float", left=left, op=op, right=right)))
    assert found.verdict is ProgramVerdict.REFUTED
    assert found.counterexample.unbounded
    ((d,), (d_prime,)) = found.counterexample.d, found.counterexample.d_prime
    assert min(d, d_prime) <= F(str(threshold)) / factor <= max(d, d_prime)


@FEW
@given(THRESHOLDS, st.sampled_from(["<", ">="]))
def test_a_threshold_that_changes_nothing_is_never_refuted(threshold, op):
    text = SUPPRESSED.replace("output(0)", "output(x + laplace(1 / epsilon))")
    found = decide(function(text.format(kind="float", left="x", op=op, right=threshold)))
    assert found.verdict is not ProgramVerdict.REFUTED


WHOLE = SUPPRESSED.replace("laplace(1 / epsilon)", "{factor} * discrete_laplace(1 / {rate})")


def whole(left="x", op=">=", right=0, factor=1, rate="epsilon", other="0"):
    text = WHOLE.replace("output(0)", f"output({other})")
    of = text.format(kind="int", left=left, op=op, right=right, factor=factor, rate=rate)
    return function(of)


@FEW
@given(st.integers(-5000, 5000), st.sampled_from(["<", "<=", ">", ">=", "=="]), st.booleans())
def test_a_threshold_before_noise_of_whole_numbers_is_found(threshold, op, swapped):
    left, right = ("x", threshold)[:: -1 if swapped else 1]
    found = decide(whole(left, op, right)).counterexample
    assert abs(found.d[0] - found.d_prime[0]) == 1
    assert found.loss > found.epsilon
    # As often as the program's own noise gives the event, times the coin that the event names.
    ((number, _),) = found.event.numbers
    a = math.exp(-float(dict(found.parameters)["epsilon"]))
    compare = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
    for data, chance in zip((found.d, found.d_prime), found.chances, strict=True):
        sides = (data[0], threshold)[:: -1 if swapped else 1]
        noisy = compare.get(op, operator.eq)(*sides)
        told = (1 - a) / (1 + a) * a ** abs(number - data[0]) if noisy else number == 0
        assert float(chance) == pytest.approx(told * (1 + a) / 2)
    assert found.event.words().startswith(f"({number}), kept with probability 1/2·e^(")


@pytest.mark.parametrize(
    ("program", "verdict"),
    [
        (whole(factor=1, other="x + discrete_laplace(1 / epsilon)"), None),
        (whole(factor=1, rate="(2 * epsilon)", other="x + discrete_laplace(1 / epsilon)"), 2),
        (whole(factor=2, other="x + 2 * discrete_laplace(1 / epsilon)"), math.inf),
        (whole(factor=1, other="2 * x + discrete_laplace(1 / epsilon)"), 2),
    ],
)
def test_noise_of_whole_numbers_is_refuted_where_it_is_too_small(program, verdict):
    found = decide(program)
    assert (found.verdict is ProgramVerdict.REFUTED) is (verdict is not None)
    if verdict is not None:
        assert found.counterexample.loss >= verdict * found.counterexample.epsilon - 1e-9


def test_the_coin_of_an_event_is_left_out_where_it_is_certain():
    found = decide(function(SUPPRESSED.format(kind="int", left="x", op=">=", right=26)))
    assert found.counterexample.event.kept == ""
    assert found.counterexample.event.words() == "(0)"


def test_without_its_own_numbers_the_search_finds_nothing_at_26(monkeypatch):
    text = SUPPRESSED.format(kind="int", left="x", op=">=", right=26)
    found = decide(function(text)).counterexample
    assert {*found.d, *found.d_prime} == {25, 26}
    monkeypatch.setattr(refute.exact, "regions", lambda *_: iter(()))
    assert decide(function(text)).verdict is ProgramVerdict.UNDECIDED


BRANCHES = {
    "two thresholds, one inside of the other": (
        """
        def f(q, epsilon):
            if q[0] > 5:
                if q[1] > 8:
                    output(q[0])
                else:
                    output(laplace(1 / epsilon))
            else:
                output(laplace(1 / epsilon))
        """,
        "one",
    ),
    "a narrow band": (
        """
        def f(x: float, epsilon):
            if x >= 50 and x < 50.25:
                output(1)
            else:
                output(laplace(1 / epsilon))
        """,
        "all",
    ),
    "three in a row": (
        """
        def f(q, epsilon):
            run = 0
            for x in q:
                if x > 30:
                    run += 1
                if run >= 3:
                    output(x)
                    break
        """,
        "one",
    ),
    "a sum": (
        """
        def f(q, epsilon):
            total = 0
            for x in q:
                total += x
            if total >= 40:
                output(total)
            else:
                output(laplace(1 / epsilon))
        """,
        "increasing",
    ),
    "too little noise from 40 on": (
        """
        def f(x: float, epsilon):
            if x < 40:
                output(x + laplace(1 / epsilon))
            else:
                output(40 + 2 * (x - 40) + laplace(1 / epsilon))
        """,
        "all",
    ),
    "a parameter": (
        """
        def f(x: float, epsilon, count: int, high):
            assert high >= 40
            if count >= 20 and high > 50:
                output(x + laplace(1 / (2 * epsilon)))
            else:
                output(x + laplace(1 / epsilon))
        """,
        "all",
    ),
    "parameters in order": (
        """
        def f(x: float, epsilon, low, high):
            assert low < high
            if x > high:
                output(1)
            else:
                output(laplace(1 / epsilon))
        """,
        "all",
    ),
    "a large epsilon": (
        """
        def f(x: float, epsilon):
            if epsilon >= 6:
                output(x)
            else:
                output(x + laplace(1 / epsilon))
        """,
        "all",
    ),
    "4 others above 0": (
        """
        def f(q, epsilon):
            n = 0
            for x in q:
                if x > 0:
                    n += 1
            if n >= 5:
                output(n)
            else:
                output(laplace(1 / epsilon))
        """,
        "one",
    ),
    "4 others below 7": (
        """
        def f(q, epsilon):
            n = 0
            for x in q:
                if x >= 7:
                    n += 0
                else:
                    n += 1
            if n >= 5:
                output(n)
            else:
                output(laplace(1 / epsilon))
        """,
        "one",
    ),
    "26 queries": (
        """
        def f(q, epsilon):
            if len(q) >= 26:
                output(q[0])
            else:
                output(laplace(1 / epsilon))
        """,
        "one",
    ),
}


@pytest.mark.parametrize("name", BRANCHES)
def test_what_a_program_does_beyond_its_numbers_is_found(name):
    text, neighbors = BRANCHES[name]
    found = decide(function(text), neighbors=neighbors)
    assert found.verdict is ProgramVerdict.REFUTED
    wrong = found.counterexample
    assert wrong.unbounded or wrong.loss > float(wrong.epsilon)


MAJORITY = """
def f(q, epsilon):
    total = 0
    for x in q:
        total += x
    if {total} == 1:
        output(1 if bernoulli(exp(epsilon) / (1 + exp(epsilon))) else 0)
    else:
        output(0 if bernoulli(exp(epsilon) / (1 + exp(epsilon))) else 1)
"""


@pytest.mark.parametrize(
    ("values", "total", "proved"),
    [
        ([0, 1], "q[0] + q[1]", True),
        ([0.0, 1.0], "q[0] + q[1]", True),
        ([0, 0.1], "q[0] + q[1]", False),
        ([0, 10**15], "q[0] + q[1]", False),
        ([0, 1], "total", True),
        ([0, 0.5], "total", False),
        ([0, 1], "0.1 * q[0] + 0.1 * q[1]", False),
    ],
)
def test_sums_of_small_whole_data_are_exact(values, total, proved):
    found = decide(function(MAJORITY.format(total=total)), domain=values, size=2)
    assert (found.verdict is ProgramVerdict.PROVED) is proved
    assert proved or "rounded" in found.reason or "too large" in found.reason
