from __future__ import annotations

import math
from itertools import combinations_with_replacement, permutations, product

import numpy as np
import pytest
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.noise.quadrature import laplace_below, laplace_density, line_nodes
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic.permuted import (
    dphsic,
    draw_permutations,
    hsic_permuted,
    noise_scale,
    p_value_allows,
    rejects,
    root_hsic_sensitivity,
    roots,
    rounding,
)

UNIT = SquaredExponential(1.0)


def equal(x, y):
    """Return 1 where two values are the same: the limit of narrow kernels."""
    return (np.asarray(x) == np.asarray(y)).astype(float)


def plain_root(u, v, order, kernel_u, kernel_v):
    """Return √(trace(K_π·H·L·H))/m from whole matrices: the slow twin."""
    u, v, m = np.asarray(u, float)[list(order)], np.asarray(v, float), len(u)
    h = np.eye(m) - 1 / m
    k, l = kernel_u(u[:, None], u[None]), kernel_v(v[:, None], v[None])  # noqa: E741
    return math.sqrt(max(np.trace(k @ h @ l @ h), 0.0)) / m


@pytest.mark.parametrize("m", [2, 5, 40, 400])
def test_the_roots_are_those_of_the_plain_trace(m):
    rng = np.random.default_rng(m)
    u, v = rng.uniform(-1, 1, (2, m))
    orders = draw_permutations(m, 7, rng)
    score, permuted = roots(hsic_permuted(u, v, orders, UNIT, UNIT), m)
    slow = [plain_root(u, v, o, UNIT, UNIT) for o in (range(m), *orders)]
    assert [score, *permuted] == pytest.approx(slow, abs=rounding(m) / 2)


def worst_move(m, levels, kernel):
    """Return how far a replaced record moves the root, over all datasets on a grid and orders."""
    cells, worst = list(product(range(levels), repeat=2)), 0.0
    orders = list(permutations(range(m)))
    roots_of = {}

    def root(records, order):
        x, y = zip(*records, strict=True)
        key = tuple(sorted((x[i], b) for i, b in zip(order, y, strict=True)))
        if key not in roots_of:
            a, b = zip(*key, strict=True)
            roots_of[key] = plain_root(a, b, range(m), kernel, kernel)
        return roots_of[key]

    for rest in combinations_with_replacement(cells, m - 1):
        for order in orders:
            values = [root((cell, *rest), order) for cell in cells]
            worst = max(worst, max(values) - min(values))
    return worst


@pytest.mark.parametrize(
    ("m", "levels", "kernel"),
    [(2, 3, equal), (3, 3, equal), (4, 2, equal), (4, 3, equal), (5, 2, equal), (3, 3, UNIT)],
    ids=lambda value: getattr(value, "__name__", "unit" if value is UNIT else str(value)),
)
def test_no_replaced_record_moves_the_root_by_more_on_small_grids(m, levels, kernel):
    found = worst_move(m, levels, kernel)
    assert 0 < found <= root_hsic_sensitivity(m) + 1e-12


def test_half_the_sensitivity_is_exceeded():
    # A planted fault: one column's share taken for both.
    assert worst_move(5, 2, equal) > 1.2 * root_hsic_sensitivity(5) / 2


@pytest.mark.parametrize("m", [4, 5, 12, 60])
def test_the_sensitivity_is_reached_but_for_a_little(m):
    # The replaced record's x stands in the last row, its y in the row before it.
    first = plain_root([0] * (m - 2) + [1, 0], [0] * (m - 2) + [0, 1], range(m), equal, equal)
    second = plain_root([0] * (m - 2) + [1, 1], [0] * (m - 2) + [1, 1], range(m), equal, equal)
    assert second - first == pytest.approx(4 * (m - 2.5) / m**2)
    assert second - first <= root_hsic_sensitivity(m)


def test_a_kernel_with_negative_values_is_not_covered():
    def sign(x, y):
        return np.sign(x) * np.sign(y)

    first = plain_root((1, 1, -1, -1), (1, 1, -1, -1), range(4), sign, sign)
    second = plain_root((-1, 1, -1, -1), (1, 1, -1, -1), range(4), sign, sign)
    other = plain_root((1, 1, 1, -1), (1, 1, 1, -1), range(4), sign, sign)
    assert first == pytest.approx(1)
    assert abs(first - second) <= root_hsic_sensitivity(4)
    assert other < first


@pytest.mark.parametrize(("alpha", "b"), [(0.05, 19), (0.05, 199), (0.29, 99), (0.3, 9), (0.01, 9)])
def test_the_decision_is_that_of_the_p_value(alpha, b):
    allowed = p_value_allows(alpha, b)
    assert (2 + allowed) / (b + 1) > alpha
    assert allowed < 0 or (1 + allowed) / (b + 1) <= alpha * (1 + 1e-12)


def test_without_noise_it_is_the_plain_permutation_test():
    rng = np.random.default_rng(2)
    for _ in range(200):
        score, permuted = rng.integers(0, 6), rng.integers(0, 6, 19)
        p = (1 + (permuted >= score).sum()) / 20
        decided = rejects(float(score), permuted.astype(float), alpha=0.3, scale=0.0, rng=rng)
        assert decided == (p <= 0.3)


def test_the_scale_of_the_noise():
    assert noise_scale(1000, 2.0) == pytest.approx(4 * 999 / 1000**2, rel=2e-3)
    xi = 2.0 + math.log(1 / (1 - 0.1))
    assert noise_scale(1000, 2.0, 0.1) == pytest.approx(noise_scale(1000, xi))
    # δ allows for what ξ − ε adds to the loss.
    assert 1 - math.exp(2.0 - xi) == pytest.approx(0.1)


def test_dependent_columns_are_told_from_independent_ones():
    rng = np.random.default_rng(3)
    u, v = rng.uniform(-1, 1, (2, 500))
    kernel, setting = SquaredExponential(0.5), {"permutations": 99, "epsilon": 20.0}
    assert dphsic(u, u**2, kernel, kernel, rng=rng, **setting)
    assert sum(dphsic(u, v, kernel, kernel, rng=rng, **setting) for _ in range(20)) <= 8


def rejected_nulls(runs, *, printed=False):
    """Return how many of ``runs`` nulls are rejected at .05; printed leaves the 1 + out of p."""
    rng, found = np.random.default_rng(4), 0
    for _ in range(runs):
        u, v = rng.uniform(-1, 1, (2, 25))
        kernel = SquaredExponential(0.5)
        if not printed:
            found += dphsic(u, v, kernel, kernel, epsilon=3.0, permutations=19, rng=rng)
            continue
        orders = draw_permutations(25, 19, rng)
        score, permuted = roots(hsic_permuted(u, v, orders, kernel, kernel), 25)
        noise = rng.laplace(scale=noise_scale(25, 3.0), size=20)
        found += np.mean(permuted + noise[1:] >= score + noise[0]) <= 0.1
    return found


def test_the_level_holds_on_few_nulls():
    assert stats.binom.sf(rejected_nulls(200) - 1, 200, 0.05) > 1e-4


@pytest.mark.slow
def test_the_level_holds_on_a_thousand_nulls_and_a_broken_one_is_noticed():
    assert stats.binom.sf(rejected_nulls(1000) - 1, 1000, 0.05) > 1e-3
    assert stats.binom.sf(rejected_nulls(1000, printed=True) - 1, 1000, 0.05) < 1e-6


def law_of_p(scores):
    """Return the law of how many noisy permuted scores reach the noisy score, noise Lap(1)."""
    nodes, weights = line_nodes(scores, width=1.0, tail=1.0)
    counts = [np.ones_like(nodes)]
    for score in scores[1:]:
        reach = laplace_below(score - nodes, 1.0)
        counts = [
            (1 - reach) * stay + reach * gain
            for stay, gain in zip([*counts, 0 * nodes], [0 * nodes, *counts], strict=True)
        ]
    density = laplace_density(nodes - scores[0], 1.0)
    return np.array([weights @ (density * count) for count in counts])


def test_decisions_cost_what_they_promise_and_the_p_value_more():
    # Noise 2Δ/ε of scale 1 at ε = 2: each score moves by Δ = 1.
    scores, moves = np.array([0.0, 0, 1, 0, 5]), np.array([-1, 1, 1, 1, -1])
    first, second = law_of_p(scores), law_of_p(scores + moves)
    assert first.sum() == pytest.approx(1)
    assert np.abs(np.log(first / second)).max() > 2.05
    for allowed in range(4):
        p, q = first[: allowed + 1].sum(), second[: allowed + 1].sum()
        assert max(abs(math.log(p / q)), abs(math.log((1 - p) / (1 - q)))) <= 2


def test_bad_arguments_are_refused():
    rng, u = np.random.default_rng(1), np.arange(4.0)
    for bad, words in (
        ({"epsilon": 0.0}, "epsilon is"),
        ({"alpha": 1.0}, "alpha is"),
        ({"delta": 1.0}, "delta"),
        ({"permutations": 0}, "k is|permutations is"),
    ):
        with pytest.raises(UsageError, match=words):
            dphsic(u, u, UNIT, UNIT, **{"epsilon": 1.0, "rng": rng, **bad})
    with pytest.raises(UsageError):
        dphsic(u, u[:3], UNIT, UNIT, epsilon=1.0, rng=rng)
    with pytest.raises(UsageError):
        root_hsic_sensitivity(1)
