"""Each entry of Zhang et al. (2023), and its evidence recomputed with floats."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from provado.audit import audit
from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.graph_discovery.edges.pcd_edge import PAIR, pcd_deletion
from provado.mechanisms.graph_discovery.independence_tests.rcit import (
    p_value_bounds,
    rcit_score,
    rcit_sensitivity,
    rcit_sensitivity_printed,
)
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic.hsic import hsic_blocked
from provado.proofs.algebra import ExpSum
from provado.proofs.ledger import LedgerVerdict, decide, ledger
from provado.proofs.ledger.zhang2023 import hsic_scores, p_values, pcd
from tests.mechanisms.scores.rcit_p_values import residuals

ENTRIES = [entry for entry in ledger() if entry.id.startswith("zhang2023/")]
NUMBERED = {
    "thm1",
    "thm2",
    "thm3-eq3",
    "thm3-eq4",
    "thm4",
    "corollary1",
    "improved-sensitivity",
    "thm5",
}
UNIT = SquaredExponential(1.0)


def value(exact):
    return float(ExpSum(exact))


def columns(table):
    """Return the columns of a table of counts, one row a record."""
    rows = [cell for cell, count in hsic_scores.cells(table) for _ in range(count)]
    return np.array(rows, dtype=float).T


def test_all_statements_are_there():
    assert {entry.id for entry in ENTRIES} == {f"zhang2023/{name}" for name in NUMBERED}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_the_verdict_is_the_recorded_one_and_the_twin_is_refused(entry):
    decision = decide(entry)
    assert decision.reason == ""
    assert decision.twin is not None
    assert decision.as_expected
    assert decision.evidence.argument
    if decision.verdict is LedgerVerdict.REFUTED:
        assert decision.evidence.correction


def trace(first, second):
    h = np.eye(len(first)) - 1 / len(first)
    return np.trace(first @ h @ second @ h)


@pytest.mark.parametrize("apart", [False, True])
def test_theorem_1_on_all_corners_of_three_records(apart):
    """The trace is affine in each entry, so that for m = 3 the corners decide."""
    i, j = 0, 2 if apart else 0
    cells = [(0, 1), (0, 2), (1, 2)]
    worst = 0.0

    def changed(entries, row):
        for bits in itertools.product((0.0, 1.0), repeat=2):
            other = dict(entries)
            mine = [c for c in cells if row in c]
            other.update(zip(mine, bits, strict=True))
            yield other

    def matrix(entries):
        found = np.eye(3)
        for (a, b), entry in entries.items():
            found[a, b] = found[b, a] = entry
        return found

    corners = [
        dict(zip(cells, bits, strict=True)) for bits in itertools.product((0.0, 1.0), repeat=3)
    ]
    for one, two in itertools.product(corners, repeat=2):
        before = trace(matrix(one), matrix(two))
        for one2, two2 in itertools.product(changed(one, i), changed(two, j)):
            worst = max(worst, abs(trace(matrix(one2), matrix(two2)) - before))
    assert 1 < worst <= 8 * 2 + 1e-12


def test_theorem_1_for_permuted_scores_on_random_data():
    rng, worst = np.random.default_rng(1), 0.0
    for _ in range(300):
        m = int(rng.integers(3, 12))
        u, v = rng.integers(0, 3, (2, m)) * 3.0
        order = rng.permutation(m)
        u2, v2 = u.copy(), v.copy()
        u2[0], v2[0] = rng.integers(0, 3, 2) * 3.0
        change = abs(
            hsic_blocked(u2[order], v2, UNIT, UNIT) - hsic_blocked(u[order], v, UNIT, UNIT)
        )
        worst = max(worst, change * (m - 1) / 8)
    assert 0.05 < worst <= 1


def test_theorem_2_with_the_regression_of_the_mechanisms():
    pair = pcd._pair()
    moved = []
    found = []
    for records in pair:
        x, z = np.array(records, dtype=float).T
        u = residuals(x, z, kernel=UNIT, lam=1.0)
        found.append(u)
        assert u[0] == pytest.approx(float(pcd.first_residual(records)), abs=1e-12)
    moved = np.abs(found[0] - found[1])
    assert moved[0] > 8 / 10
    assert moved[1:].max() <= 8 / 10


def test_the_other_residuals_stay_within_the_bound():
    rng, worst = np.random.default_rng(2), 0.0
    for _ in range(100):
        m, lam = 12, float(rng.uniform(0.05, 1))
        x, z = rng.choice([-1.0, 0.0, 1.0], (2, m))
        x2, z2 = x.copy(), z.copy()
        x2[0], z2[0] = -x[0] or 1.0, rng.choice([-1.0, 0.0, 1.0])
        one, two = (residuals(a, b, kernel=UNIT, lam=lam) for a, b in ((x, z), (x2, z2)))
        bound = 4 * (1 + 1 / math.sqrt(2 * lam)) / (m * lam)
        assert bound <= 8 / (m * lam**1.5)
        worst = max(worst, float(np.abs(one - two)[1:].max()) / bound)
    assert 0.05 < worst <= 1


def test_equation_3_with_the_score_of_the_mechanisms():
    found = []
    for table in (hsic_scores._D, hsic_scores._D_PRIME):
        x, y = columns(table)
        score = rcit_score(
            x, y, np.zeros_like(x), kernel_x=UNIT, kernel_y=UNIT, ridge_kernel=UNIT, lam=1.0
        )
        assert score == pytest.approx(value(hsic_scores.score(table)), abs=1e-9)
        found.append(score)
    printed = rcit_sensitivity_printed(700, 1.0, 1.0, 1.0)
    assert printed == pytest.approx(
        value(hsic_scores.PRINTED_BOUND.bound(700).as_data()), rel=1e-12
    )
    assert printed < 21 / 20000 < abs(found[0] - found[1])
    assert abs(found[0] - found[1]) < rcit_sensitivity(700, 1.0, UNIT.lipschitz, UNIT.lipschitz)


def test_the_corrected_bound_holds_on_random_neighbors():
    rng = np.random.default_rng(3)
    for _ in range(60):
        m = 10
        x, y, z = rng.uniform(-1, 1, (3, m))
        moved = [column.copy() for column in (x, y, z)]
        for column in moved:
            column[0] = rng.choice([-1.0, 1.0])
        kernels = {"kernel_x": UNIT, "kernel_y": UNIT, "ridge_kernel": UNIT}
        change = abs(rcit_score(x, y, z, **kernels) - rcit_score(*moved, **kernels))
        assert change <= rcit_sensitivity(m, 1.0, UNIT.lipschitz, UNIT.lipschitz)


def test_theorem_4_from_kernel_matrices():
    scores = []
    for table in (p_values._D, p_values._D_PRIME):
        s, t, after = columns(table)
        assert sorted(s) == sorted(after)
        scores.append([hsic_blocked(one, t, UNIT, UNIT) for one in (s, after)])
    (score, permuted), (score2, permuted2) = scores
    change = rcit_sensitivity_printed(700, 1.0, 1.0, 1.0)
    assert p_value_bounds(score, [permuted], change) == (1, 1, 1)
    assert score2 == pytest.approx(permuted2, rel=1e-12)
    assert p_value_bounds(score2, [permuted2 - 1e-12], change)[0] == 0


def test_theorem_4_holds_with_a_bound_that_holds():
    rng = np.random.default_rng(4)
    for _ in range(40):
        m = 14
        u, v = rng.choice([-1.0, 1.0], (2, m))
        u2, v2 = u.copy(), v.copy()
        u2[0], v2[0] = rng.choice([-1.0, 1.0], 2)
        orders = [rng.permutation(m) for _ in range(8)]

        def scores(a, b, orders=orders):
            return [hsic_blocked(a[order], b, UNIT, UNIT) for order in orders]

        h, other = (hsic_blocked(a, b, UNIT, UNIT) for a, b in ((u, v), (u2, v2)))
        p, low, high = p_value_bounds(h, scores(u, v), 8 / (m - 1))
        moved, _, _ = p_value_bounds(other, scores(u2, v2), 8 / (m - 1))
        assert abs(p - moved) <= max(p - low, high - p)


def test_the_improved_bound_from_kernel_matrices():
    kernel = SquaredExponential(0.8)
    found = []
    for table in (p_values._FAR, p_values._FAR_PRIME):
        s, t, near, far = columns(table)
        assert sorted(s) == sorted(near) == sorted(far)
        score, near_score, far_score = (hsic_blocked(a, t, kernel, kernel) for a in (s, near, far))
        found.append((score, near_score, far_score))
    m = len(s)
    assert m == 120
    change = (12 * m - 11) / (m - 1) ** 2
    score, near_score, far_score = found[0]
    p, _, high = p_value_bounds(score, [near_score] + [far_score] * 19, change)
    assert (p, high - p) == (Fraction(1, 20), 0)
    score, near_score, far_score = found[1]
    assert near_score == pytest.approx(score, rel=1e-12)
    assert p_values.improved_p_value(p_values._FAR_PRIME) == 0


def test_the_probability_of_deletion_in_floats():
    setting = {"epsilon": 1.0, "alpha": 0.05, "permutations": 1, "bandwidth": 0.8}
    exact = [value(pcd.deletion(records)) for records in PAIR]
    assert exact == pytest.approx([pcd_deletion(records, **setting) for records in PAIR], abs=1e-12)
    assert 3 < math.log(exact[1] / exact[0]) < 4


def test_the_work_of_corollary_1_by_counting():
    class Counted(Fraction):
        count = 0

        def __lt__(self, other):
            Counted.count += 1
            return super().__lt__(other)

    for k in (1, 7, 40):
        Counted.count = 0
        p_value_bounds(Counted(1), [Counted(i) for i in range(k)], Counted(1))
        assert Counted.count == 3 * k


@pytest.mark.parametrize(
    "mechanism",
    [m for m in catalogue() if m.source.work.startswith("Zhang")],
    ids=lambda mechanism: mechanism.name,
)
@pytest.mark.parametrize("samples", [10_000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_the_auditor_agrees(mechanism, samples):
    assert audit(mechanism, samples=samples).verdict is mechanism.expected
