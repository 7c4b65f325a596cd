import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.mechanisms import UsageError
from provado.mechanisms.cause_effect.catalogue.datasets import BOTH_HSIC, BOTH_RANKS, KERNEL, LAM
from provado.mechanisms.cause_effect.releases.release import Bin, repaired_bins
from provado.mechanisms.cause_effect.releases.training_set import (
    close_pairs,
    crowding_threshold,
    distance_to_crowding,
    release_both_hsic,
    release_both_iqr,
    release_both_ranks,
    rows_of_either_to_leave,
    split_vectors,
)
from provado.mechanisms.scores.iqr import iqr, iqr_range
from provado.mechanisms.scores.kendall import KENDALL_PRINTED
from provado.mechanisms.scores.spearman import SPEARMAN
from tests.mechanisms.exact.pair_loss import odds
from tests.mechanisms.private.proposals import propose_both

# Whole and half numbers: every sum below is exact.
values = st.lists(st.integers(-12, 12).map(lambda v: v / 2), min_size=2, max_size=10)
MOVE = 0.5


def by_training_row(draw, residuals):
    """Move every residual by at most b: more than any real training row could do at once."""
    return [r + draw.draw(st.sampled_from([-MOVE, 0.0, MOVE])) for r in residuals]


def by_test_row(draw, residuals):
    changed = list(residuals)
    changed[draw.draw(st.integers(0, len(residuals) - 1))] = draw.draw(
        st.sampled_from([-100.0, -3.0, 0.0, 2.5, 100.0])
    )
    return changed


@settings(max_examples=80)
@given(residuals=values, proposed=st.integers(1, 30))
def test_distance_to_crowding_is_the_printed_minimum(residuals, proposed):
    m = len(residuals)

    def pairs(u):
        return sum(abs(a - b) <= u for a, b in combinations(residuals, 2))

    assert close_pairs(residuals, 1.5) == pairs(1.5)
    expected = min(
        j + t
        for j in range(40)
        for t in range(40)
        if pairs(2 * MOVE * (1 + j)) + t * (m - 1) > proposed
    )
    assert distance_to_crowding(residuals, MOVE, proposed) == expected


@settings(max_examples=100)
@given(residuals=values, proposed=st.integers(1, 30), data=st.data())
def test_rank_releases_rest_on_what_holds_between_neighbors(residuals, proposed, data):
    m = len(residuals)
    x = list(np.random.default_rng(m).permutation(m))
    trained, tested = by_training_row(data, residuals), by_test_row(data, residuals)
    here = distance_to_crowding(residuals, MOVE, proposed)
    for other in (trained, tested):
        assert abs(here - distance_to_crowding(other, MOVE, proposed)) <= 1
    for score in (KENDALL_PRINTED, SPEARMAN):
        apart = abs(score.of(x, residuals) - score.of(x, trained))
        assert apart <= close_pairs(residuals, 2 * MOVE) * score.by_pair(m) + 1e-12
        assert abs(score.of(x, residuals) - score.of(x, tested)) <= score.sensitivity(m) + 1e-12
        if here >= 1:
            for other in (trained, tested):
                apart = abs(score.of(x, residuals) - score.of(x, other))
                assert apart <= score.of_either_set(m, proposed) + 1e-12


def test_bounds_by_pair_are_reached():
    order = [1, 6, 2, 3, 4, 5]
    before, after = [0.0, 0.1, 5.0, 6.0, 7.0, 8.0], [0.1, 0.0, 5.0, 6.0, 7.0, 8.0]
    assert close_pairs(before, 0.2) == close_pairs(after, 0.2) == 1
    for score in (KENDALL_PRINTED, SPEARMAN):
        moved = abs(score.of(order, before) - score.of(order, after))
        assert moved == pytest.approx(float(score.by_pair(6)))


@settings(max_examples=100)
@given(numbers=values, low=st.integers(0, 4), size=st.integers(1, 6), data=st.data())
def test_counts_for_the_iqr_agree_with_the_minimum_and_move_by_one(numbers, low, size, data):
    proposed = Bin(float(low), float(low + size), 0.0, 1.0)

    def naive(v):
        if not proposed.holds(iqr(v)):
            return 0
        return min(
            j + t
            for t in range(len(v) + 1)
            for j in range(20)
            for least, greatest in [iqr_range(v, t)]
            if least - 2 * MOVE * j < proposed.low or greatest + 2 * MOVE * j >= proposed.high
        )

    here = rows_of_either_to_leave(numbers, proposed, MOVE)
    assert here == naive(numbers)
    for other in (by_training_row(data, numbers), by_test_row(data, numbers)):
        there = rows_of_either_to_leave(other, proposed, MOVE)
        if here and there:
            assert abs(here - there) <= 1
        else:
            assert max(here, there) <= 1


@settings(max_examples=80)
@given(numbers=values, data=st.data())
def test_proposals_fit_the_proof(numbers, data):
    for other in (by_training_row(data, numbers), by_test_row(data, numbers)):
        pair = [propose_both(v, move=MOVE) for v in (numbers, other)]
        bins = [repaired_bins(iqr(v)) for v in (numbers, other)]
        for j in (0, 1):
            a, b = (p.distances[j] for p in pair)
            assert min(a, b) >= 1
            assert abs(a - b) <= 1
            assert bins[0][j] == bins[1][j] or a == b == 1


def test_the_threshold_gives_exactly_delta_at_distance_zero():
    assert odds([0], crowding_threshold(0.7, 0.01), 0.7).released == pytest.approx(0.01)
    for delta in (0, 0.6, math.nan):
        with pytest.raises(UsageError, match="delta is"):
            crowding_threshold(1.0, delta)


def test_training_rows_do_not_reach_the_inputs():
    here, there = (split_vectors(rows, 200, kernel=KERNEL, lam=LAM) for rows in BOTH_RANKS)
    assert np.array_equal(here.x, there.x)
    assert np.array_equal(here.y, there.y)
    assert not np.array_equal(here.r_y, there.r_y)
    assert here.x.size == 40


def test_shapes_and_refusals():
    common = {"kernel": KERNEL, "lam": LAM, "epsilon": 1, "size": 50}
    rng = np.random.default_rng(1)
    ranks = {"score": SPEARMAN, "delta": 0.1, "proposed": 160, "rng": rng}
    assert release_both_ranks(BOTH_RANKS[0], n=200, **ranks, **common).shape == (50, 2)
    widths = release_both_iqr(BOTH_RANKS[0], n=200, delta=0.1, rng=rng, **common)
    assert widths.shape == (50, 4)
    kernels = {"input_kernel": KERNEL, "residual_kernel": KERNEL, "rng": rng}
    assert release_both_hsic(BOTH_HSIC[0], n=10, **kernels, **common).shape == (50, 2)
    with pytest.raises(UsageError, match="training rows"):
        release_both_hsic(BOTH_HSIC[0], n=29, **kernels, **common)
    with pytest.raises(UsageError, match="proposed is"):
        release_both_ranks(BOTH_RANKS[0], n=200, **(ranks | {"proposed": 0}), **common)
