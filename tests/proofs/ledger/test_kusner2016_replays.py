"""The refutations of Kusner et al. (2016), replayed with the float mechanisms."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from provado.mechanisms import ApproximateDP
from provado.mechanisms.accounting.composition import basic_composition
from provado.mechanisms.cause_effect.direction_probability import (
    four_laplace_correct,
    four_laplace_correct_printed,
)
from provado.mechanisms.cause_effect.releases.release import (
    printed_bins,
    printed_threshold,
    read_log_iqr,
    repaired_bins,
    repaired_threshold,
)
from provado.mechanisms.cause_effect.releases.training_set import distance_strict
from provado.mechanisms.regression.kernel_ridge import residual_bound, residual_bound_printed
from provado.mechanisms.scores.iqr import log_iqr
from provado.mechanisms.scores.spearman import spearman
from provado.proofs.ledger.kusner2016 import iqr_release, stable_release, training_set
from tests.mechanisms.exact.pair_loss import odds, pair_epsilon
from tests.mechanisms.private.proposals import propose, propose_training
from tests.proofs.ledger.kusner2016_floats import fitted_residuals, value


def test_theorem_4_2_as_printed_is_no_probability_and_not_the_right_one():
    assert four_laplace_correct_printed(3.0, 1.0) < 0
    assert abs(four_laplace_correct_printed(2.0, 1.0) - four_laplace_correct(2.0, 1.0)) > 0.1


def test_theorem_4_1_fails_with_the_printed_threshold_and_holds_with_the_repaired_one():
    for counts, epsilon, x in (((2, 2), 1.0, 4), ((2,), 0.5, 10), ((1, 1000), 1.0, 4)):
        delta = math.exp(-x)
        chance = odds(counts, printed_threshold(epsilon, delta), epsilon).released
        assert chance > 1.5 * delta
        threshold = repaired_threshold(epsilon, delta)
        small = tuple(min(count, 2) for count in counts)
        assert odds(small, threshold, epsilon).released <= math.exp(epsilon) * delta
    exact = stable_release.TriedRun(Fraction(1), (2, 2)).released().at(4)
    assert odds((2, 2), printed_threshold(1.0, math.exp(-4)), 1.0).released == pytest.approx(
        value(exact.as_data())
    )


@pytest.mark.parametrize(("epsilon", "delta", "root", "t"), iqr_release.SETTINGS)
def test_the_printed_intervals_lose_more_than_is_claimed(epsilon, delta, root, t):
    pair = iqr_release.boundary_pair(t)
    floats = [[float(v) for v in values] for values in pair]
    proposals = [propose(values, bins=printed_bins) for values in floats]
    assert proposals[0].distances == (1, 0)
    assert proposals[1].distances == (1, t)
    threshold = printed_threshold(float(epsilon), float(delta))
    chances = [odds(p.distances, threshold, float(epsilon)).refused for p in proposals]
    exact = iqr_release.silent(epsilon, root)
    np.testing.assert_allclose(chances, [value(exact(v)) for v in pair], rtol=1e-9)
    assert chances[0] - math.exp(3 * epsilon) * chances[1] > delta


@pytest.mark.parametrize(
    ("threshold", "repaired"), [(printed_threshold, False), (repaired_threshold, True)]
)
def test_the_printed_threshold_loses_more_than_is_claimed(threshold, repaired):
    epsilon, delta, level = 0.5, 1e-6, 46
    chances = []
    for values in iqr_release.jump_pair():
        floats = [float(v) for v in values]
        distances = propose(floats, bins=printed_bins).distances
        released = odds(distances, threshold(epsilon, delta), epsilon).released
        chances.append(released * stats.laplace.sf(level, loc=log_iqr(floats), scale=1 / epsilon))
    exact = iqr_release.released_above(repaired=repaired, level=level)
    found = [value(exact(v)) for v in iqr_release.jump_pair()]
    np.testing.assert_allclose(chances, found, rtol=1e-6)
    assert (chances[0] - math.exp(3 * epsilon) * chances[1] > delta) is not repaired


def test_the_repaired_release_never_loses_more_than_twice_epsilon():
    rng = random.Random(8)
    delta, worst = 0.05, 0.0
    for _ in range(400):
        epsilon = rng.choice([0.25, 1.0, 2.0])
        m = rng.randint(2, 24)
        values = [rng.choice([0.0, 1.0, 2.7, 2.72, 4.0, 7.4]) for _ in range(m)]
        other = [*values[1:], rng.choice([0.0, 1.0, 2.7, 2.72, 4.0, 7.4, 1e9])]
        setting = {"epsilon": epsilon, "delta": delta, "grid": 2**-6}
        loss = pair_epsilon(*(read_log_iqr(v, **setting) for v in (values, other)), delta)
        worst = max(worst, loss / epsilon)
    assert 1 < worst <= 2 + 1e-9


def test_four_releases_lose_more_than_three_are_charged():
    epsilon, delta, level = 1.0, float(iqr_release.DELTA), 46
    claim = basic_composition([ApproximateDP(3 * epsilon, delta)] * 3)
    chances = []
    for rows in iqr_release.jump_in_four_columns(iqr_release.FAR_BASIC):
        none = 1.0
        for column in iqr_release.four_columns(rows, Fraction(1, 2)):
            floats = [float(v) for v in column]
            distances = propose(floats, bins=repaired_bins).distances
            assert distances == (1, 1)
            released = odds(distances, repaired_threshold(epsilon, delta), epsilon).released
            none *= 1 - released * stats.laplace.sf(level, loc=log_iqr(floats), scale=1 / epsilon)
        chances.append(1 - none)
    loss, slack = claim.point()
    assert chances[0] - math.exp(loss) * chances[1] > slack
    assert chances[0] == pytest.approx(1 - (1 - delta / 2) ** 8, rel=1e-6)


def test_one_training_point_moves_the_rank_score_where_the_printed_distance_is_1():
    found = []
    for train in training_set.RANK_TRAIN:
        test_x, r = fitted_residuals(train, training_set.RANK_TEST)
        found.append(spearman(test_x, r))
    assert found == pytest.approx([1, 0.5])
    gap = float(training_set.smallest_gap(training_set.RANK_TRAIN[0]))
    assert distance_strict(gap, residual_bound_printed(1, 1.0)) == 1


def test_the_printed_intervals_fail_on_residuals_too():
    epsilon, delta = 1.0, float(training_set.DELTA)
    move = residual_bound_printed(len(training_set.IQR_TRAIN[0]), 1.0)
    chances, repaired = [], []
    for train in training_set.IQR_TRAIN:
        _, r = fitted_residuals(train, training_set.IQR_TEST)
        for bins, threshold, into in (
            (printed_bins, printed_threshold, chances),
            (repaired_bins, repaired_threshold, repaired),
        ):
            distances = propose_training(r, move=move, bins=bins).distances
            into.append(odds(distances, threshold(epsilon, delta), epsilon).refused)
    exact = training_set.silent(repaired=False)
    found = [value(exact(train)) for train in training_set.IQR_TRAIN]
    np.testing.assert_allclose(chances, found, rtol=1e-9)
    assert chances[0] - math.exp(6 * epsilon) * chances[1] > 2 * delta
    assert repaired[0] - math.exp(2 * epsilon) * repaired[1] <= 0


def test_the_printed_lines_of_the_proof_of_theorem_5_give_twice_its_bound():
    n, lam = 10, 1.0
    norm = 1 / math.sqrt(lam)
    assert 4 / (n * lam) * (2 * norm + 2) == pytest.approx(2 * residual_bound_printed(n, lam))
    assert residual_bound(n, lam) < residual_bound_printed(n, lam)
    assert math.sqrt(2 / lam) > norm
