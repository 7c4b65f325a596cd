import itertools
import math

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.regression.kernels import median_bandwidth, median_distance


@pytest.mark.parametrize("shape", [(7, 2), (8, 3), (2, 4), (30, 2)])
def test_it_is_the_lower_median_of_all_pairs(shape):
    points = np.random.default_rng(shape[0]).normal(size=shape)
    apart = sorted(math.dist(a, b) for a, b in itertools.combinations(points, 2))
    assert median_distance(points) == pytest.approx(apart[(len(apart) + 1) // 2 - 1], rel=1e-12)


def test_one_column_has_its_median_bandwidth():
    x = np.random.default_rng(1).normal(size=40)
    assert median_distance(x) == median_distance(x[:, None]) == median_bandwidth(x)


def test_ties_and_shapes_are_refused():
    with pytest.raises(UsageError, match="at least half of the 6 pairs are ties"):
        median_distance([[0, 0], [0, 0], [0, 0], [1, 1]])
    with pytest.raises(UsageError, match="points has shape"):
        median_distance(np.zeros((1, 2)))
    with pytest.raises(UsageError, match="points has shape"):
        median_distance(np.zeros((3, 2, 2)))
