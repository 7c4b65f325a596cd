import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.mechanisms import UsageError
from provado.mechanisms.cause_effect.catalogue.datasets import EDGE, JUMP
from provado.mechanisms.cause_effect.releases.release import (
    ZERO,
    printed_bins,
    printed_threshold,
    propose_test_release,
    repaired_bins,
    repaired_threshold,
)
from provado.mechanisms.scores.iqr import iqr
from tests.mechanisms.exact.pair_loss import odds
from tests.mechanisms.private.proposals import propose

positive = st.floats(min_value=0, exclude_min=True, allow_infinity=False)


@given(width=positive)
def test_repaired_bins_hold_the_iqr_and_printed_ones_only_sometimes(width):
    assert all(proposed.holds(width) for proposed in repaired_bins(width))
    first, second = printed_bins(width)
    assert first.holds(width)
    fraction = math.log(width) % 1
    if abs(fraction - 0.5) > 1e-9 and width > 1e-300:
        assert second.holds(width) == (fraction < 0.5)


@given(width=positive, other=positive)
def test_each_repaired_grid_parts_the_line(width, other):
    for mine, its in zip(repaired_bins(width), repaired_bins(other), strict=True):
        assert mine == its or not (mine.holds(other) or its.holds(width))
        assert mine.log_high - mine.log_low == 1


@pytest.mark.parametrize("k", [-700, -3, 0, 1, 700])
def test_ends_of_bins_belong_to_the_bin_above(k):
    at = math.exp(k)
    assert repaired_bins(at)[0].log_low == k
    assert repaired_bins(math.nextafter(at, 0))[0].log_high == k


def test_zero_stands_alone():
    assert repaired_bins(0.0) == printed_bins(0.0) == (ZERO, ZERO)
    assert ZERO.holds(0.0)
    assert not ZERO.holds(5e-324)


# Values on a grid with many ties, so that one replaced value often leaves a bin or jumps far.
some = st.lists(
    st.sampled_from([0.0, 0.5, 0.9, 1.0, 1.7, 2.7, 2.8, 4.5, 50.0]), min_size=2, max_size=24
)


@settings(max_examples=100)
@given(values=some, place=st.integers(0, 23), new=st.sampled_from([0.0, 1.0, 2.75, 4.5, 1e6, -1e6]))
def test_what_the_proof_needs_holds_between_neighbors(values, place, new):
    changed = list(values)
    changed[place % len(values)] = new
    here, there = propose(values), propose(changed)
    shared = False
    for a, b, mine, its in zip(
        here.distances,
        there.distances,
        repaired_bins(iqr(values)),
        repaired_bins(iqr(changed)),
        strict=True,
    ):
        assert min(a, b) >= 1
        assert abs(a - b) <= 1
        if mine == its:
            shared = True
        else:
            assert a == b == 1
    if shared and math.isfinite(here.center):
        assert abs(here.center - there.center) <= 1024


def test_printed_counts_do_not_have_sensitivity_one():
    here, there = (propose(values, bins=printed_bins) for values in EDGE)
    assert here.distances == (1, 0)
    assert there.distances[0] == 1
    assert there.distances[1] > 90


def test_thresholds_give_the_probability_that_the_proof_needs_and_the_printed_one_does_not():
    epsilon, delta = 0.1, 1e-6
    right = odds([1], repaired_threshold(epsilon, delta), epsilon).released
    wrong = odds([1], printed_threshold(epsilon, delta), epsilon).released
    assert right == pytest.approx(delta / 2)
    assert wrong == pytest.approx(delta**epsilon / 2)
    assert printed_threshold(1.0, delta) == pytest.approx(repaired_threshold(1.0, delta))


def naive(values, epsilon, delta, size, rng):
    """Return the repaired algorithm one trial at a time, with continuous noise."""
    outputs = []
    proposal = propose(values)
    for _ in range(size):
        for count in proposal.distances:
            if count + rng.laplace(scale=1 / epsilon) > 1 + math.log(1 / delta) / epsilon:
                outputs.append(math.log(iqr(values)) + rng.laplace(scale=1 / epsilon))
                break
        else:
            outputs.append(math.nan)
    return np.array(outputs)


def test_outputs_have_the_law_of_a_naive_loop():
    values = np.linspace(0, 4, 40)
    n = 20_000
    fast = propose_test_release(
        values, epsilon=Fraction(1, 2), delta=0.05, size=n, rng=np.random.default_rng(1)
    )
    slow = naive(values, 0.5, 0.05, n, np.random.default_rng(2))
    a, b = np.isnan(fast).mean(), np.isnan(slow).mean()
    assert 0.1 < a < 0.9
    assert abs(a - b) < 5 * math.sqrt(0.5 / n)
    for q in (0.1, 0.5, 0.9):
        level = np.nanquantile(slow, q)
        assert abs(np.nanmean(fast[~np.isnan(fast)] <= level) - q) < 5 * math.sqrt(
            0.5 / (n * (1 - a))
        )
    assert np.all(fast[~np.isnan(fast)] * 1024 % 1 == 0)


def test_an_iqr_of_zero_is_released_as_minus_infinity_or_not_at_all():
    outputs = propose_test_release(
        JUMP[0], epsilon=1, delta=0.4, size=5000, rng=np.random.default_rng(1)
    )
    assert np.all(np.isnan(outputs) | np.isneginf(outputs))
    assert 0 < np.isneginf(outputs).mean() < 0.4


@pytest.mark.parametrize(
    "run",
    [
        propose_test_release,
        partial(propose_test_release, bins=printed_bins, threshold=printed_threshold),
    ],
)
def test_bad_parameters_are_refused(run):
    good = {"epsilon": 1, "delta": 0.1, "size": 3, "rng": np.random.default_rng(1)}
    for bad in ({"epsilon": 0}, {"delta": 0.0}, {"delta": 1.0}, {"size": 0}, {"grid": 1.0}):
        with pytest.raises(UsageError):
            run([0.0, 1.0, 2.0], **(good | bad))
    for values in ([1.0], [1.0, math.nan], [[1.0, 2.0]]):
        with pytest.raises(UsageError):
            run(values, **good)
