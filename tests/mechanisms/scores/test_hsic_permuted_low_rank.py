import dataclasses

import mpmath
import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic import permuted
from provado.mechanisms.scores.hsic.low_rank import centred_factor, hsic_of_factors
from provado.mechanisms.scores.hsic.permuted import (
    draw_permutations,
    narrowed,
    permuted_scores_of_factors,
)

WIDE, NARROW = SquaredExponential(1.0), SquaredExponential(0.15)


def table(m, seed=8):
    rng = np.random.default_rng(seed)
    return rng.normal(size=m), rng.normal(size=m)


def exact(a, b, kernel_a, kernel_b, order):
    """Return the score of the very numbers given, with 40 digits."""
    with mpmath.workdps(40):
        K, L = (
            [
                [mpmath.exp(-(((mpmath.mpf(x) - y) / h) ** 2) / 2) for y in map(mpmath.mpf, c)]
                for x in c
            ]
            for c, h in (
                (a[order].tolist(), mpmath.mpf(kernel_a.bandwidth)),
                (b.tolist(), mpmath.mpf(kernel_b.bandwidth)),
            )
        )
        m = len(a)
        rows_k, rows_l = [mpmath.fsum(r) for r in K], [mpmath.fsum(r) for r in L]
        trace = (
            mpmath.fsum(K[i][j] * L[i][j] for i in range(m) for j in range(m))
            - 2 * mpmath.fsum(p * q for p, q in zip(rows_k, rows_l, strict=True)) / m
            + mpmath.fsum(rows_k) * mpmath.fsum(rows_l) / m**2
        )
        return trace / (m - 1) ** 2


def apart(found, columns, kernels, orders):
    wanted = [exact(*columns, *kernels, order) for order in [np.arange(len(columns[0])), *orders]]
    scores = [found.score, *found.permuted.tolist()]
    return max(abs(mpmath.mpf(s) - w) for s, w in zip(scores, wanted, strict=True))


@pytest.mark.parametrize("lost", [1e-11, 1e-2])
@pytest.mark.parametrize("kernels", [(WIDE, WIDE), (WIDE, NARROW)])
def test_the_exact_scores_lie_within_the_certified_error(monkeypatch, lost, kernels):
    """Also where much is lost on purpose, so that the error is mostly that of narrowing."""
    monkeypatch.setattr(permuted, "LOST", lost)
    columns = table(40)
    orders = draw_permutations(40, 2, np.random.default_rng(0))
    factors = [centred_factor(c, k) for c, k in zip(columns, kernels, strict=True)]
    found = permuted_scores_of_factors(*factors, orders)
    difference = apart(found, columns, kernels, orders)
    assert difference <= found.error
    if lost == 1e-11:
        assert found.error < 1e-9 * found.permuted.mean()
    else:
        assert difference > 1e-6 * found.error


def test_a_factor_with_a_column_left_out_passes_its_error():
    columns, orders = table(40), draw_permutations(40, 1, np.random.default_rng(1))
    first, second = (centred_factor(c, WIDE) for c in columns)
    kept = np.delete(first.features, 2, axis=1)
    broken = permuted_scores_of_factors(dataclasses.replace(first, features=kept), second, orders)
    assert apart(broken, columns, (WIDE, WIDE), orders) > broken.error


@pytest.mark.parametrize(("m", "kernel"), [(50, WIDE), (700, WIDE), (700, NARROW)])
def test_bounds_of_the_narrow_form_hold_in_higher_precision(m, kernel):
    factor = centred_factor(table(m)[0], kernel)
    found = narrowed(factor)
    assert found.features.shape[1] < factor.features.shape[1] * 0.7
    vectors = np.linalg.eigh(factor.features.T @ factor.features).eigenvectors
    v = vectors[:, -found.features.shape[1] :].astype(np.longdouble)
    a, n = factor.features.astype(np.longdouble), found.features.astype(np.longdouble)
    lost = a - n @ v.T
    assert np.sqrt((lost**2).sum()) <= found.lost < 1e-5 * factor.size
    assert np.sqrt(((lost @ v) ** 2).sum()) <= found.skew < 1e-11 * factor.size
    assert np.sqrt(((v.T @ v - np.eye(v.shape[1])) ** 2).sum()) <= found.tilt < 1e-11
    # With a column of V turned away, the same tilt no longer holds.
    v[:, 0] += 1e-9 * v[:, 1]
    assert np.sqrt(((v.T @ v - np.eye(v.shape[1])) ** 2).sum()) > found.tilt


@pytest.mark.parametrize("k", [1, 127, 128, 130])
def test_agrees_with_one_permutation_at_a_time(k):
    m = 150
    first, second = (
        centred_factor(c, kern) for c, kern in zip(table(m), (WIDE, NARROW), strict=True)
    )
    orders = draw_permutations(m, k, np.random.default_rng(2))
    found = permuted_scores_of_factors(first, second, orders)
    for i in {0, k - 1}:
        alone = hsic_of_factors(first.permuted(orders[i]), second)
        assert abs(alone.value - found.permuted[i]) <= alone.error + found.error
    assert found.permuted.shape == (k,)


def test_factors_and_permutations_must_match():
    first, second = (centred_factor(c, WIDE) for c in table(20))
    with pytest.raises(UsageError, match="20 and 20 records and the permutations 19"):
        permuted_scores_of_factors(first, second, np.arange(19)[None, :])
