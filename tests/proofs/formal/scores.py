"""Coq's scores and Python's on the same small data, as goals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.graph_discovery.independence_tests.rcit import p_value_bounds
from provado.mechanisms.scores.conditional_ranks import (
    conditional_tau_average,
    conditional_tau_sums,
)
from provado.mechanisms.scores.hsic.hsic import hsic_blocked
from provado.mechanisms.scores.hsic.permuted import hsic_permuted
from provado.proofs.ledger.kusner2016._exact import kendall, spearman
from tests.mechanisms.scores.score_variants import kendall_a, tau_a

from .goals import Goal, columns, numbers, rational, stratified

PAIRS = [
    [(1, 2), (3, 1), (2, 5), (4, 4)],
    [(1, 1), (1, 2), (0, 0)],
]
STRATA = [
    [(1, 2, 0), (3, 1, 0), (2, 5, 1), (4, 4, 1)],
    [(1, 1, 0), (2, 0, 1)],
]
"""Strata of one size: mathcomp counts in unary, and the averages of others have long fractions."""
MIXED = [(1, 2, 0), (3, 1, 0), (2, 5, 0), (4, 4, 1)]
SCORES = [Fraction(n, 2) for n in (3, 1, 7, 4, 4)]


def exact(value: float) -> Fraction:
    """Return the fraction of a small denominator that a float stands for."""
    found = Fraction(value).limit_denominator(10_000)
    assert abs(found - Fraction(value)) < Fraction(1, 10**12)
    return found


def both(term: str, value: Fraction) -> list[Goal]:
    """Return that the term is the value, and that it is not another one."""
    return [(term, value, True), (term, value + Fraction(1, 7), False)]


def product(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    return x * y


def near(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(x == y, 1.0, 0.5)


def ranks() -> list[Goal]:
    goals: list[Goal] = []
    for rows in PAIRS:
        data, (a, b) = columns(rows), map(list, zip(*rows, strict=True))
        goals += both(f"kendall {data}", kendall(a, b))
        goals.append((f"kendall_a {data}", exact(kendall_a(a, b)), True))
        goals += both(f"spearman {data}", spearman(a, b))
    return goals


def conditional() -> list[Goal]:
    goals = [(f"weight rat_realFieldType {n}", weight(n), True) for n in range(5)]
    for rows in STRATA:
        x, y, z = map(list, zip(*rows, strict=True))
        data = stratified(rows, max(z) + 1)
        goals += both(f"conditional_tau {data}", conditional_tau_average(x, y, z))
    data, part = stratified(MIXED, 2), [(x, y) for x, y, z in MIXED if z == 0]
    found = exact(tau_a(*map(list, zip(*part, strict=True))))
    return [*goals, (f"stratum_tau {data} ord0", found, True)]


def weight(n: int) -> Fraction:
    """Return the weight of a stratum of n records in agreement."""
    same = list(range(n))
    return conditional_tau_sums(same, same, [0] * n)[1] if n > 1 else Fraction(0)


def criterion() -> list[Goal]:
    data = columns([(1, 2), (3, 1)])
    a, b = np.array([(1, 2), (3, 1)], dtype=float).T
    goals = both(
        f"hsic near near (first {data}) (second {data})", exact(hsic_blocked(a, b, near, near))
    )
    rows = [(1, 0), (2, 1), (0, 0)]
    data, (a, b) = columns(rows), np.array(rows, dtype=float).T
    found = hsic_permuted(a, b, [[2, 0, 1]], product, product)
    turn = "(fun i : 'I_3 => nth ord0 [:: lift ord0 (lift ord0 ord0); ord0; lift ord0 ord0] i)"
    term = f"hsic_permuted product product {turn} (first {data}) (second {data})"
    assert exact(found.permuted[0]) != exact(found.score)
    return [*goals, (term, exact(found.permuted[0]), True)]


def permutation() -> list[Goal]:
    goals: list[Goal] = []
    for score, change in ((Fraction(2), Fraction(1, 2)), (Fraction(1, 2), Fraction(3, 2))):
        p, low, high = p_value_bounds(score, SCORES, change)
        s, d = rational(score), rational(change)
        values = numbers(SCORES)
        goals += both(f"p_value {s} {values}", p)
        goals.append((f"p_low {s} {values} {d}", low, True))
        goals.append((f"p_high {s} {values} {d}", high, True))
        listed = "[:: " + "; ".join(map(rational, SCORES)) + "]"
        program = f"(bound_program {s} {listed} {rational(p)} {d}).1"
        goals += both(program, max(p - low, high - p))
        k = len(SCORES)
        # One doubling, five operations at the end, and for each score four and its counters' steps.
        cost = 6 + 4 * k + (low + high) * k
        goals.append((f"(bound_program {s} {listed} {rational(p)} {d}).2%:Q", cost, True))
    for rank in range(1, len(SCORES) + 1):
        largest = sorted(SCORES, reverse=True)[rank - 1]
        goals += both(f"largest {rank} {values}", largest)
        goals += both(f"rank_margin {rank} (1 / 3%:Q) {values}", largest - Fraction(1, 3))
    return goals


SCORES_COMPARED = (
    "definitions.kendall",
    "definitions.spearman",
    "definitions.conditional",
    "definitions.hsic",
    "definitions.permutation",
    "definitions.counted",
)
GOALS: dict[str, Callable[[], list[Goal]]] = {
    "ranks": ranks,
    "strata": conditional,
    "criterion": criterion,
    "permutation": permutation,
}
