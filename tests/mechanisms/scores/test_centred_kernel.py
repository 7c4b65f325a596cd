from fractions import Fraction

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic.low_rank import centred_kernel, kernel_block, row_blocks
from tests.mechanisms.regression.matern import Matern


def exactly(values, kernel):
    """Centre the computed kernel matrix in exact arithmetic."""
    m = len(values)
    K = [[Fraction(float(k)) for k in row] for row in kernel(values[:, None], values)]
    r = [sum(row) / m for row in K]
    g = sum(r) / m
    return [[K[i][j] - r[i] - r[j] + g for j in range(m)] for i in range(m)]


def farthest(matrix, wanted):
    return max(
        abs(Fraction(float(matrix[i, j])) - wanted[i][j])
        for i in range(len(wanted))
        for j in range(len(wanted))
    )


@pytest.mark.parametrize("kernel", [SquaredExponential(1.0), Matern(0.5, 0.2), np.multiply])
def test_every_entry_is_within_its_bound(kernel):
    values = np.random.default_rng(1).normal(size=70)
    found = centred_kernel(values, kernel)
    wanted = exactly(values, kernel)
    assert farthest(found.matrix(), wanted) <= found.entry_error < 1e-12
    # Centred by the rows only, it is far off.
    rows_only = kernel(values[:, None], values) - found.means[:, None]
    assert farthest(rows_only, wanted) > 1e6 * found.entry_error


def test_blocks_are_parts_of_the_matrix():
    values = np.random.default_rng(2).normal(size=90)
    found = centred_kernel(values, Matern(1.5, 0.5))
    rows, cols = np.array([5, 80, 2]), np.array([7, 7, 0, 89])
    assert np.array_equal(found.block(rows, cols), found.matrix()[np.ix_(rows, cols)])
    assert np.array_equal(found.block(slice(3, 9), slice(3, None)), found.matrix()[3:9, 3:])


@pytest.mark.parametrize("m", [1, 2, 63, 64, 65, 1000, 100_000])
def test_row_blocks_divide_the_rows(m):
    if m == 100_000:
        assert next(row_blocks(m)) == slice(0, 1)
        return
    assert np.concatenate([np.arange(m)[part] for part in row_blocks(m)]).tolist() == list(range(m))


def test_a_kernel_that_does_not_broadcast_is_refused():
    with pytest.raises(UsageError, match="it must broadcast"):
        kernel_block(lambda x, y: np.ones(3), np.zeros(3), np.zeros(2))
