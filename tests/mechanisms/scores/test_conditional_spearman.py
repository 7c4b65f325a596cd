from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.scores.conditional_ranks import (
    conditional_rho_average,
    conditional_rho_sums,
)
from tests.mechanisms.scores.score_variants import conditional_rho_z


def test_it_agrees_with_scipy_stratum_by_stratum():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 60))
    z = rng.integers(0, 3, 60)
    top = bottom = 0.0
    for level in range(3):
        part = z == level
        weight = part.sum() - 1
        top += weight * stats.spearmanr(x[part], y[part]).statistic
        bottom += weight
    found = conditional_rho_sums(x, y, z)
    assert float(found[0]) == pytest.approx(top, abs=1e-9)
    assert found[1] == bottom
    assert float(conditional_rho_average(x, y, z)) == pytest.approx(top / bottom, abs=1e-12)
    assert conditional_rho_z(x, y, z) == pytest.approx(top / bottom**0.5, abs=1e-12)


def test_strata_of_one_row_weigh_nothing():
    assert conditional_rho_sums([1, 2, 3], [1, 2, 3], [0, 1, 2]) == (0, 0)
    assert conditional_rho_average([1, 2, 3], [1, 2, 3], [0, 1, 2]) == 0
    assert conditional_rho_z([1, 2, 3], [1, 2, 3], [0, 1, 2]) == 0
    assert conditional_rho_average([1, 2, 3], [2, 1, 3], [0, 0, 2]) == Fraction(-1)


def test_two_rows_are_dropped_by_the_released_rule():
    x, y, z = [1, 2, 3, 4, 5], [2, 1, 3, 4, 5], [0, 0, 1, 1, 1]
    assert conditional_rho_average(x, y, z, rule="released") == 1
    assert conditional_rho_average(x, y, z, rule="all") == Fraction(1, 3)


def test_bad_arguments_are_refused():
    with pytest.raises(UsageError, match="ties is"):
        conditional_rho_average([1, 2, 3], [1, 2, 3], [0, 0, 0], ties="no")
    with pytest.raises(UsageError, match="rule is"):
        conditional_rho_average([1, 2, 3], [1, 2, 3], [0, 0, 0], rule="no")
