from fractions import Fraction

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic import low_rank
from provado.mechanisms.scores.hsic import permuted as module
from provado.mechanisms.scores.hsic.hsic import hsic
from provado.mechanisms.scores.hsic.permuted import (
    draw_permutations,
    hsic_permuted,
    hsic_permuted_gathered,
)
from tests.mechanisms.regression.matern import Matern


def tent(x, y):
    return np.maximum(0.0, 1 - np.abs(x - y))


WIDE, NARROW, ROUGH = SquaredExponential(1.0), SquaredExponential(0.2), Matern(0.5, 0.5)
PAIRS = [(ROUGH, ROUGH), (tent, NARROW), (WIDE, Matern(1.5, 1.0)), (WIDE, NARROW)]


def table(m, seed=3):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=m)
    return a, np.abs(a) + rng.normal(size=m)


def naive(u, v, k, l):  # noqa: E741
    m = len(u)
    H = np.eye(m) - 1 / m
    return np.trace(k(u[:, None], u) @ H @ l(v[:, None], v) @ H) / (m - 1) ** 2


def naive_permuted(u, v, orders, k, l):  # noqa: E741
    return [naive(u[order], v, k, l) for order in orders]


@pytest.mark.parametrize("function", [hsic_permuted, hsic_permuted_gathered])
@pytest.mark.parametrize(("k", "l"), PAIRS)
@pytest.mark.parametrize("m", [2, 3, 64, 65, 300])
def test_agrees_with_the_trace_of_permuted_columns(function, k, l, m):  # noqa: E741
    u, v = table(m)
    orders = draw_permutations(m, 6, np.random.default_rng(4))
    found = function(u, v, orders, k, l)
    wanted = naive_permuted(u, v, orders, k, l)
    assert found.permuted == pytest.approx(wanted, rel=1e-11, abs=1e-14)
    assert found.score == pytest.approx(naive(u, v, k, l), rel=1e-11, abs=1e-14)
    if m > 3:
        # Permuting the other column instead gives the scores of the inverse permutations.
        other = naive_permuted(v, u, orders, l, k)
        assert found.permuted != pytest.approx(other, rel=1e-3)
        inverse = np.argsort(orders, axis=1)
        assert function(u, v, inverse, k, l).permuted == pytest.approx(other, rel=1e-11)


def test_without_stored_matrix_and_in_blocks_of_any_height(monkeypatch):
    u, v = table(90)
    orders = draw_permutations(90, 5, np.random.default_rng(6))
    whole = hsic_permuted_gathered(u, v, orders, ROUGH, tent)
    for entries, stored in ((270, 90), (270, 89), (1, 89)):
        monkeypatch.setattr(low_rank, "_ENTRIES", entries)
        monkeypatch.setattr(module, "MOST_STORED", stored)
        found = hsic_permuted_gathered(u, v, orders, ROUGH, tent)
        assert np.abs(found.permuted - whole.permuted).max() <= found.error + whole.error
        assert found.permuted == pytest.approx(whole.permuted, rel=1e-12)


def exact(u, v, orders, k, l):  # noqa: E741
    """Return the scores of the computed kernel values in exact arithmetic."""
    m = len(u)
    K, L = (
        [[Fraction(float(z)) for z in row] for row in f(x[:, None], x)] for f, x in ((k, u), (l, v))
    )
    rows_k, rows_l = [sum(r) for r in K], [sum(r) for r in L]
    ends = sum(rows_k) * sum(rows_l) / Fraction(m**2)
    return [
        (
            sum(K[p[i]][p[j]] * L[i][j] for i in range(m) for j in range(m))
            - Fraction(2, m) * sum(rows_k[p[i]] * rows_l[i] for i in range(m))
            + ends
        )
        / (m - 1) ** 2
        for p in orders.tolist()
    ]


@pytest.mark.parametrize(("k", "l"), [(ROUGH, tent), (SquaredExponential(1e4), ROUGH)])
def test_the_exact_scores_lie_within_the_error(k, l):  # noqa: E741
    u, v = table(40)
    orders = draw_permutations(40, 4, np.random.default_rng(7))
    found = hsic_permuted_gathered(u, v, orders, k, l)
    wanted = exact(u, v, orders, k, l)
    apart = [abs(Fraction(float(a)) - b) for a, b in zip(found.permuted, wanted, strict=True)]
    assert max(apart) <= found.error < 1e-12
    moved = u.copy()
    moved[0] += 0.1
    broken = hsic_permuted_gathered(moved, v, orders, k, l)
    assert abs(Fraction(float(broken.permuted[0])) - wanted[0]) > broken.error


def test_permutations_that_change_nothing_tie_with_the_score():
    """Columns of two levels: many permutations give the very same table."""
    u, v = np.repeat([0.0, 1.0], 30), np.tile([0.0, 1.0, 1.0], 20)
    swap = np.arange(60)
    swap[[0, 3]] = [3, 0]  # Rows 0 and 3 are equal in both columns.
    turn = np.roll(np.arange(60), 3)
    turn[[0, 1, 2, 30, 31, 32]] = [27, 28, 29, 57, 58, 59]
    turn[3:30], turn[33:] = np.arange(27), np.arange(30, 57)
    for function in (hsic_permuted, hsic_permuted_gathered):
        found = function(u, v, [swap, turn], ROUGH, WIDE)
        assert (found.p_printed, found.p_valid) == (0, 1)


def test_a_constant_column_scores_zero_and_is_not_dependent():
    m = 200
    orders = draw_permutations(m, 9, np.random.default_rng(8))
    for k in (WIDE, ROUGH):
        for u, v in ((table(m)[0], np.ones(m)), (np.ones(m), table(m)[0])):
            found = hsic_permuted(u, v, orders, k, k)
            assert found.score == 0
            assert not found.permuted.any()
            assert found.p_valid == 1


def test_falls_back_where_the_certificate_is_too_weak(monkeypatch):
    u, v = table(300)
    orders = draw_permutations(300, 3, np.random.default_rng(9))
    low_rank = hsic_permuted(u, v, orders, WIDE, WIDE)
    gathered = hsic_permuted_gathered(u, v, orders, WIDE, WIDE)
    assert low_rank.score != gathered.score
    monkeypatch.setattr(module, "TOLERANCE", 0.0)
    assert hsic_permuted(u, v, orders, WIDE, WIDE).score == gathered.score


def test_the_score_is_that_of_hsic():
    u, v = table(400)
    orders = draw_permutations(400, 2, np.random.default_rng(10))
    for k, l in PAIRS:  # noqa: E741
        assert hsic_permuted(u, v, orders, k, l).score == pytest.approx(hsic(u, v, k, l), rel=1e-10)


def test_results_do_not_change_and_bad_input_is_refused():
    u, v = table(20)
    orders = draw_permutations(20, 2, np.random.default_rng(11))
    before = orders.copy()
    found = hsic_permuted(u, v, orders, ROUGH, ROUGH)
    with pytest.raises(ValueError, match="read-only"):
        found.permuted[0] = 0
    assert np.array_equal(orders, before)
    with pytest.raises(UsageError, match="permutations has shape"):
        hsic_permuted(u, v, orders[:, :19], ROUGH, ROUGH)
    with pytest.raises(UsageError, match="must be equally long"):
        hsic_permuted(u, v[:19], orders, ROUGH, ROUGH)
    with pytest.raises(UsageError, match="it must broadcast"):
        hsic_permuted(u, v, orders, ROUGH, lambda x, y: np.ones(3))
