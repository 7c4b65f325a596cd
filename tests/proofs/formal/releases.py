"""The release of a stable value in Coq and in Python, on small data."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from provado.proofs.algebra import ExpSum
from provado.proofs.ledger.kusner2016._exact import PassTest, pass_probability

from .coq import listed, number

Values = tuple[int, ...]
Checks = tuple[list[str], list[str]]
DATASETS: tuple[Values, ...] = tuple(product((0, 1), (0, 1), (0, 1, 2)))
FUNCTIONS: dict[str, Callable[[Values], int]] = {
    "all (fun v => v != 0%N) d": lambda d: int(all(d)),
    "odd (sumn d)": lambda d: sum(d) % 2,
    "size d == 3%N": lambda d: 1,
}
"""Boolean functions in both languages; the last one is stable everywhere."""
DELTA = Fraction(1, 2)
POWERS = range(-7, 8)
LINES = [
    "From Provado.definitions Require Import finite mechanism release.",
    f"Definition domains : seq (seq nat) := {listed([(0, 1), (0, 1), (0, 1, 2)])}.",
    "Definition two_to (x : Q) : Q := "
    + " ".join(f"if x == {number(x)} then {number(Fraction(2) ** x)} else" for x in POWERS)
    + " 0.",
]
"""2 to whole powers: an exponential function that Coq computes."""


def substitutions(d: Values, e: Values) -> int:
    """Return in how many data points two datasets differ."""
    return sum(a != b for a, b in zip(d, e, strict=True))


def stable(f: Callable[[Values], int], k: int, d: Values) -> bool:
    """Return whether no k substitutions, or fewer, alter f."""
    return all(f(e) == f(d) for e in DATASETS if substitutions(d, e) <= k)


def distance(f: Callable[[Values], int], d: Values) -> int | None:
    """Return the distance to the nearest dataset on which f is not 1-stable."""
    return min((substitutions(d, e) for e in DATASETS if not stable(f, 1, e)), default=None)


def with_two_for_e(chance: ExpSum) -> Fraction:
    """Return a sum of powers of e at 2 in place of e."""
    return sum((c * Fraction(2) ** int(q) for q, c in chance.as_data()), Fraction(0))


def stable_releases() -> Checks:
    """Compare distances, stability, and chances at ε = 1, δ = 1/2 with 2 for e: level 1."""
    checks = []
    for term, f in FUNCTIONS.items():
        f_, mechanism = f"(fun d : seq nat => {term})", "(stable_release domains f two_to 1 1)"
        for d in DATASETS:
            shown = listed(d)
            far = distance(f, d)
            said = "None" if far is None else f"Some {far}%N"
            found = [f"to_instability domains f {shown} == {said}"]
            for k in range(4):
                found.append(f"stable domains f {k} {shown} == {str(stable(f, k, d)).lower()}")
            passing = Fraction(1)
            if far is not None:
                passing = with_two_for_e(pass_probability(PassTest(1, 0, DELTA, 1), far))
            for v in (0, 1):
                value = number(passing if v == f(d) else 0)
                shown_v = f"Some {'true' if v else 'false'}"
                found.append(f"chance {mechanism} {shown} ({shown_v}) == {value}")
            found.append(f"chance {mechanism} {shown} None == {number(1 - passing)}")
            checks += [f"let f := {f_} in {check}" for check in found]
    for d, e in product(DATASETS[:4], DATASETS):
        checks.append(f"hamming {listed(d)} {listed(e)} == {substitutions(d, e)}%N")
    return LINES, checks


INTERVALS: dict[str, Callable[[Values], int]] = {
    "(sumn d <= 1)%N": lambda d: int(sum(d) <= 1),
    "odd (sumn d)": lambda d: sum(d) % 2,
}
PROPOSED = PassTest(1, 1, DELTA, 1)
NUMBERS = ((Fraction(-1), Fraction(0)), (Fraction(1), Fraction(3)))


def to_leave(interval: Callable[[Values], int], d: Values) -> int:
    """Return how many data points must change to leave the interval."""
    return min(substitutions(d, e) for e in DATASETS if interval(e) != interval(d))


def mass(value: int, low: Fraction, high: Fraction) -> Fraction:
    """Return what value + Lap(1) gives to an interval."""
    above = [with_two_for_e(pass_probability(PassTest(1, end), value)) for end in (low, high)]
    return above[0] - above[1]


def proposals() -> Checks:
    """Compare distances and chances of propose-test-release, at ε = 1, δ = 1/2: level 2."""
    first, second = (f"(fun d : seq nat => {term})" for term in INTERVALS)
    given = f"two_to 1 2%:R domains (fun d : seq nat => (sumn d)%:R) {first} {second}"
    ivs = "[:: " + "; ".join(f"({number(a)}, {number(b)})" for a, b in NUMBERS) + "]"
    checks = []
    for d in DATASETS:
        shown = listed(d)
        silent = Fraction(1)
        for term, interval in INTERVALS.items():
            far = to_leave(interval, d)
            checks.append(f"to_leave domains (fun d => {term}) {shown} == Some {far}%N")
            silent *= 1 - with_two_for_e(pass_probability(PROPOSED, far))
        inside = (1 - silent) * sum((mass(sum(d), *iv) for iv in NUMBERS), Fraction(0))
        for none in (False, True):
            term = f"propose_test_release {given} {shown} {str(none).lower()} {ivs}"
            checks.append(f"{term} == {number(inside + none * silent)}")
    for ends, good in (("(0, 1); (1, 2%:R)", True), ("(0, 1); (0, 2%:R)", False)):
        checks.append(f"in_a_row (0 : Q) [:: {ends}] == {str(good).lower()}")
    lines = [line.replace("mechanism release.", "mechanism release propose.") for line in LINES]
    return lines, checks
