"""The release of a stable value in Coq and in Python, on small data."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from provado.proofs.algebra.exppoly import ExpSum
from provado.proofs.algebra.laplace_programs.propose_test_release import PassTest, pass_probability

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
POWERS = range(-4, 5)
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
