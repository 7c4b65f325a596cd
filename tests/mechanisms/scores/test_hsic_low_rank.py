import dataclasses

import mpmath
import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic.hsic import hsic_blocked
from provado.mechanisms.scores.hsic.low_rank import centred_factor, frequencies, hsic_of_factors
from tests.mechanisms.scores.score_variants import hsic_low_rank

WIDE, NARROW = SquaredExponential(1.0), SquaredExponential(0.15)


def exact(a, b, kernel_a, kernel_b, digits=40):
    """Return equation (4) from the very numbers given, with 40 digits."""
    with mpmath.workdps(digits):
        K, L = (
            [
                [mpmath.exp(-(((mpmath.mpf(x) - y) / h) ** 2) / 2) for y in map(mpmath.mpf, v)]
                for x in v
            ]
            for v, h in (
                (a.tolist(), mpmath.mpf(kernel_a.bandwidth)),
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


def table(m, seed=8):
    rng = np.random.default_rng(seed)
    return rng.normal(size=m), rng.normal(size=m)


CASES = [
    (table(60), WIDE, NARROW),
    (table(60), NARROW, WIDE),
    (table(7), WIDE, WIDE),
    (table(2), WIDE, NARROW),
    ((np.arange(50.0), np.arange(50.0) ** 2 / 50), WIDE, WIDE),
    ((table(40)[0] * 5e307, table(40)[1]), SquaredExponential(1e308), SquaredExponential(1e-1)),
    ((table(40)[0] + 1e9, table(40)[1] * 1e-3), WIDE, SquaredExponential(1e-3)),
    ((np.append(table(40)[0], 300.0), np.append(table(40)[1], -4.0)), WIDE, WIDE),
    (
        (table(40)[0] * 1e-160, table(40)[1] * 1e160),
        SquaredExponential(1e-160),
        SquaredExponential(1e160),
    ),
]


@pytest.mark.parametrize(("columns", "kernel_a", "kernel_b"), CASES)
def test_the_exact_value_lies_within_the_certified_error(columns, kernel_a, kernel_b):
    a, b = columns
    found = hsic_low_rank(a, b, kernel_a, kernel_b)
    wanted = exact(a, b, kernel_a, kernel_b)
    assert abs(mpmath.mpf(found.value) - wanted) <= found.error
    assert found.error <= 1e-10 * found.value
    # The certificate is for these data: others lie outside.
    moved = a.copy()
    moved[0] += 1e-3 * kernel_a.bandwidth
    if a.size > 2:
        assert (
            abs(mpmath.mpf(hsic_low_rank(moved, b, kernel_a, kernel_b).value) - wanted)
            > found.error
        )


def test_every_entry_of_the_kernel_matrix_is_within_its_bounds():
    x = table(50)[0]
    for kernel in (WIDE, NARROW):
        factor = centred_factor(x, kernel)
        K = kernel(x[:, None], x)
        H = np.eye(50) - 1 / 50
        gram = factor.features @ factor.features.T
        allowed = 4 * factor.kernel_error + 4 * factor.feature_error + 1e-14
        assert np.abs(H @ K @ H - gram).max() < allowed < 1e-12
        assert factor.size == pytest.approx(np.sqrt(np.trace(H @ K @ H)), rel=1e-12)


def test_too_few_frequencies_are_caught():
    x = table(50)[0]
    factor = centred_factor(x, WIDE)
    kept = np.delete(factor.features, [3, 3 + factor.features.shape[1] // 2], axis=1)
    broken = dataclasses.replace(factor, features=kept)
    found = hsic_of_factors(broken, factor)
    assert abs(mpmath.mpf(found.value) - exact(x, x, WIDE, WIDE)) > found.error


def test_agrees_with_the_blocked_sum_at_a_larger_size():
    a, b = table(1500)
    found = hsic_low_rank(a, b, WIDE, NARROW)
    assert found.value == pytest.approx(hsic_blocked(a, b, WIDE, NARROW), rel=1e-11)
    assert found.error < 1e-10 * found.value
    assert found.rank == (2 * frequencies(a, WIDE), 2 * frequencies(b, NARROW))


def test_factors_serve_permuted_records():
    a, b = table(700)
    first, second = centred_factor(a, WIDE), centred_factor(b, WIDE)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(700)
        found = hsic_of_factors(first, second.permuted(order))
        again = hsic_low_rank(a, b[order], WIDE, WIDE)
        assert abs(found.value - again.value) <= found.error + again.error
        assert found.value != pytest.approx(hsic_of_factors(first, second).value, rel=1e-6)


def test_constant_columns_have_a_factor_of_no_columns():
    factor = centred_factor(np.ones(9), WIDE)
    assert factor.features.shape == (9, 0)
    assert hsic_low_rank(np.ones(9), table(9)[0], WIDE, WIDE).value == 0


def test_what_does_not_fit_is_refused():
    with pytest.raises(UsageError, match="at most 100000"):
        centred_factor([0.0, 1.0], SquaredExponential(1e-6))
    with pytest.raises(UsageError, match="at most 100000"):
        centred_factor([-1e308, 1e308], SquaredExponential(1e-300))
    with pytest.raises(UsageError, match="3 and 4 records"):
        hsic_of_factors(centred_factor([1.0, 2, 3], WIDE), centred_factor([1.0, 2, 3, 4], WIDE))
