import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from provado.mechanisms import UsageError
from provado.mechanisms.accounting.composition import corollary_share_printed
from provado.mechanisms.cause_effect.catalogue.datasets import (
    AGAINST,
    EDGE_ROWS,
    FAR_ROWS,
    MEDIAN_FLIP,
)
from provado.mechanisms.cause_effect.releases.testing_set import (
    directions,
    four_vectors,
    grid_for,
    grid_share,
    halved,
    iqr_joint,
    iqr_scores,
    release_scores,
    release_test_set,
    two_scores,
)
from provado.mechanisms.scores.hsic.hsic import hsic_median_heuristic, hsic_sensitivity
from provado.mechanisms.scores.kendall import kendall_printed, kendall_sensitivity
from tests.mechanisms.private.proposals import propose


def rng(seed=1):
    return np.random.default_rng(seed)


@given(
    sensitivity=st.fractions(Fraction(1, 10**6), 1000),
    score=st.floats(-1, 1),
    share=st.floats(0, 1),
)
def test_scores_within_the_sensitivity_stay_within_the_steps(sensitivity, score, share):
    grid, steps = grid_for(sensitivity)
    assert math.frexp(grid)[0] == 0.5
    assert 2**14 <= sensitivity / Fraction(grid) < 2**15
    assert steps * Fraction(grid) <= sensitivity * (1 + Fraction(2, 2**14))
    moved = score + share * float(sensitivity)
    apart = math.floor(moved / grid + 0.5) - math.floor(score / grid + 0.5)
    assert abs(apart) <= steps


def test_noise_has_the_laplace_law_and_is_independent_between_scores():
    setting = {"sensitivity": Fraction(1, 10), "epsilon": Fraction(1, 2)}
    outputs = release_scores([0.25, -3.0], **setting, size=50_000, rng=rng())
    assert outputs.shape == (50_000, 2)
    for column, center in zip(outputs.T, (0.25, -3.0), strict=True):
        law = stats.laplace(loc=center, scale=0.2)
        assert stats.kstest(column, law.cdf).pvalue > 1e-4
        assert stats.kstest(column, stats.laplace(loc=center, scale=0.22).cdf).pvalue < 1e-4
    assert abs(np.corrcoef(outputs.T)[0, 1]) < 0.02
    grid, _ = grid_for(Fraction(1, 10))
    assert np.all(outputs / grid % 1 == 0)


def test_a_release_is_the_two_scores_plus_noise():
    data = AGAINST[1]
    release = partial(
        release_test_set, score=kendall_printed, sensitivity=Fraction(1, 10**4), f=halved, g=halved
    )
    outputs = release(data, epsilon=1000, size=5, rng=rng())
    expected = two_scores(four_vectors(data, halved, halved), kendall_printed)
    assert outputs == pytest.approx(np.tile(expected, (5, 1)), abs=1e-4)


def test_the_row_against_all_others_moves_both_scores_by_the_full_sensitivity():
    a, b = (two_scores(four_vectors(rows, halved, halved), kendall_printed) for rows in AGAINST)
    assert np.abs(a - b) == pytest.approx([float(kendall_sensitivity(50))] * 2)


def test_bandwidths_from_the_data_break_the_sensitivity_of_fixed_ones():
    a, b = (
        two_scores(four_vectors(rows, halved, halved), hsic_median_heuristic)
        for rows in MEDIAN_FLIP
    )
    assert np.all(np.abs(a - b) > 4 * float(hsic_sensitivity(400)))


def test_residuals_move_with_their_row_only():
    here, there = (four_vectors(rows, halved, halved) for rows in EDGE_ROWS)
    for a, b in zip(here, there, strict=True):
        assert np.count_nonzero(a != b) == 1
    assert here.r_y == pytest.approx(here.y - here.x / 2)
    assert here.r_x == pytest.approx(here.x - here.y / 2)


def test_one_row_makes_all_four_iqrs_jump_and_is_noticed_more_often_than_printed():
    here, there = ([propose(v) for v in four_vectors(rows, halved, halved)] for rows in FAR_ROWS)
    assert all(p.distances == (1, 1) for p in here + there)
    delta, n = 0.05, 200_000
    outputs = iqr_joint(FAR_ROWS[0], f=halved, g=halved, epsilon=1, delta=delta, size=n, rng=rng())
    some = (~np.isnan(outputs)).any(axis=1).mean()
    exact = 1 - (1 - delta / 2) ** 8
    assert some == pytest.approx(exact, abs=5 * 0.5 / math.sqrt(n))
    assert 3 * delta < exact < 4 * delta


def test_scores_and_directions_are_read_from_outputs():
    nan, inf = math.nan, math.inf
    outputs = np.array(
        [[0, 1, 2, 0.5], [3, 1, 1, 0], [nan, 1, 1, 1], [-inf, 1, 1, 1], [1, 1, 1, 1]]
    )
    scores = iqr_scores(outputs)
    assert scores[0].tolist() == [0.5, 3.0]
    assert directions(scores).tolist() == [1, -1, 0, 1, 0]
    assert directions(scores).dtype == np.int8
    with pytest.raises(UsageError, match="outputs has shape"):
        iqr_scores(scores)
    with pytest.raises(UsageError, match="scores has shape"):
        directions(outputs)


def test_shares_of_a_budget_are_rounded_down():
    share = corollary_share_printed(0.9, 0.05, 4) / 3
    assert 0 <= share - grid_share(share) < 2**-20
    with pytest.raises(UsageError, match="epsilon is"):
        grid_share(1e-9)


def test_bad_parameters_are_refused():
    for bad in ([[1.0, 2.0, 3.0]], [[1.0, 2.0]], [1.0, 2.0], [[1.0, math.nan]] * 3):
        with pytest.raises(UsageError, match="data"):
            four_vectors(bad, halved, halved)
    for sensitivity, epsilon, size in ((0, 1, 1), (1, 0, 1), (1, 1, 0), (-1, 1, 1)):
        setting = {"sensitivity": sensitivity, "epsilon": epsilon}
        with pytest.raises(UsageError):
            release_scores([1.0], **setting, size=size, rng=rng())
