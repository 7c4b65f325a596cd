from functools import partial

import numpy as np
import pytest
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.cause_effect.additive_noise_model import (
    BEND,
    INPUT_KERNEL,
    RESIDUAL_KERNEL,
    Direction,
    generate_pair,
    generate_pairs,
    standardised,
)
from provado.mechanisms.scores.hsic.hsic import hsic
from tests.mechanisms.anm.fit_and_score import anm, in_unit

HSIC = partial(hsic, kernel_a=INPUT_KERNEL, kernel_b=RESIDUAL_KERNEL)


def pairs(count, m, seed=1):
    return generate_pairs(count, m, np.random.default_rng(seed))


def test_pairs_are_standardised_reproducible_and_do_not_depend_on_their_number():
    few, many = pairs(3, 50), pairs(5, 50)
    for one, other in zip(few, many, strict=False):
        assert np.array_equal(one.x, other.x)
        assert np.array_equal(one.y, other.y)
        assert one.direction == other.direction
    for one in many:
        for column in (one.x, one.y):
            assert column.shape == (50,)
            assert column.mean() == pytest.approx(0, abs=1e-12)
            assert column.std() == pytest.approx(1)
            assert not column.flags.writeable
        x, y = in_unit(one)
        assert np.all(np.abs(x) <= 1)
        assert y[0] == pytest.approx(np.clip(one.y[0] / 4, -1, 1))


def test_directions_are_tossed():
    forward = sum(p.direction is Direction.FORWARD for p in pairs(400, 4))
    assert stats.binomtest(forward, 400).pvalue > 1e-6


def test_causes_are_not_gaussian_and_with_no_bend_they_would_be():
    def gaussian_p(one):
        return stats.normaltest(one.x if one.direction is Direction.FORWARD else one.y).pvalue

    p_values = [gaussian_p(one) for one in pairs(20, 1000)]
    assert np.median(p_values) < 1e-6
    assert BEND > 0
    gaussian = standardised(np.random.default_rng(3).standard_normal(1000))
    assert stats.normaltest(gaussian).pvalue > 1e-6


def test_hsic_finds_more_directions_than_a_coin():
    draw = np.random.default_rng(7)
    sample = pairs(30, 300, seed=11)
    hits = sum(anm(*in_unit(p), score=HSIC, rng=draw).direction == p.direction for p in sample)
    assert stats.binomtest(hits, 30, 0.5, alternative="greater").pvalue < 1e-3
    # Labels that know nothing of the data are found by chance only.
    coins = np.random.default_rng(8).integers(2, size=30)
    guesses = sum(
        (p.direction is Direction.FORWARD) == bool(c) for p, c in zip(sample, coins, strict=True)
    )
    assert stats.binomtest(guesses, 30, 0.5, alternative="greater").pvalue > 1e-3


def test_bad_values_are_refused():
    draw = np.random.default_rng(1)
    with pytest.raises(UsageError, match="m is 1"):
        generate_pair(1, draw)
    with pytest.raises(UsageError, match="count is"):
        generate_pairs(0, 10, draw)
    with pytest.raises(UsageError, match="constant"):
        standardised([2.0, 2.0])
