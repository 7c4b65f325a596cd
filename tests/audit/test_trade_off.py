"""Limits on a whole trade-off curve: their level, what follows from them, and broken twins."""

import functools
import math

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from scipy.stats import binom

from provado.audit import audit
from provado.audit.bounds import TradeOff, trade_off
from provado.audit.bounds.binomial import binomial_limits
from provado.audit.bounds.trade_off import _hull, value_at
from provado.audit.counts import Counts
from provado.mechanisms import ConcentratedDP, GaussianDP, UsageError
from tests.audit.curve_experiments import gaussian

ALPHA = 0.05
EDGES = np.linspace(-4, 5, 60)
PLACES = np.concatenate([np.geomspace(1e-9, 0.5, 60), 1 - np.geomspace(0.5, 1e-9, 60)])


def laplace_below(x):
    return np.where(x < 0, np.exp(np.minimum(x, 0)) / 2, 1 - np.exp(-np.maximum(x, 0)) / 2)


def laplace_curve(wrong):
    """Type II of the best test of Laplace noise of scale 1 at a distance of 1."""
    few, most = math.exp(-1) / 2, 0.5
    between = math.exp(-1) / 4 / np.maximum(wrong, few)
    pieces = [1 - math.e * wrong, (1 - wrong) / math.e]
    return np.select([wrong <= few, wrong >= most], pieces, between)


KINDS = {
    "Gaussian": (ndtr, lambda wrong: ndtr(-ndtri(wrong) - 1)),
    "Laplace": (laplace_below, laplace_curve),
}


def chances(below):
    cuts = [np.concatenate([[0.0], below(EDGES - shift), [1.0, 1.0]]) for shift in (0.0, 1.0)]
    return [np.diff(cut) for cut in cuts]


def counted(rng, p, q, trials):
    """Counts of a fair coin's trials; what is guessed plays no part."""
    heads = int(rng.binomial(trials, 0.5))
    sides = [rng.multinomial(size, side) for size, side in ((heads, p), (trials - heads, q))]
    cells = tuple(np.concatenate(sides).tolist())
    return Counts(heads, 0, 0, 0, trials - heads, 0, cells=cells)


def misses(kind, repetitions, trials, limits_of):
    """Return how often any limit of a probability is wrong, and how often one of the curve is."""
    below, curve = KINDS[kind]
    p, q = chances(below)
    truth = curve(PLACES)
    either = over = under = 0
    for seed in range(repetitions):
        limits = limits_of(counted(np.random.default_rng(seed), p, q, trials))
        for side, cells in ((limits.d, p), (limits.d_prime, q)):
            low, high = np.array(side).T
            known = cells[::-1].cumsum()[::-1][1:]
            if (low > known + 1e-12).any() or (high < known - 1e-12).any():
                either += 1
                break
        upper, lower = (
            np.array([value_at(corners, x) for x in PLACES])
            for corners in (limits.most, limits.least)
        )
        over += bool((upper < truth - 1e-9).any())
        under += bool((lower > truth + 1e-9).any())
    return either, over, under


def allowed(repetitions):
    return binom.ppf(0.999, repetitions, ALPHA)


def sound(counts):
    return trade_off(counts, ALPHA)


def at_or_above(counts):
    return [side[::-1].cumsum()[::-1] for side in np.array(counts.cells).reshape(2, -1)]


def by_threshold(counts):
    """Broken: every threshold has limits of its own level; together they do not hold."""
    found = []
    for side in at_or_above(counts):
        low, high = binomial_limits(side[1:], int(side[0]), ALPHA / 4)
        found.append(tuple(zip(low.tolist(), high.tolist(), strict=True)))
    return TradeOff(ALPHA, *found)


def without_limits(counts):
    """Broken: the rates themselves."""
    rates = [(side[1:] / side[0]).tolist() for side in at_or_above(counts)]
    return TradeOff(ALPHA, *(tuple((rate, rate) for rate in side) for side in rates))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("trials", [2000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_the_band_covers_the_whole_curve(kind, trials):
    """Both limits at 120 places at once. The slow run has a thousand repetitions."""
    repetitions = 100 if trials == 2000 else 1000
    either, over, under = misses(kind, repetitions, trials, sound)
    assert either <= allowed(repetitions)
    assert over + under <= allowed(repetitions)


def test_limits_that_hold_one_by_one_do_not_hold_together():
    """A broken twin."""
    either, _, _ = misses("Gaussian", 100, 2000, by_threshold)
    assert either > allowed(100)


def test_rates_are_no_limits():
    """Another: the curve that the counts show is above the true one somewhere."""
    _, over, _ = misses("Gaussian", 100, 2000, without_limits)
    assert over > allowed(100)


def test_the_lower_limit_holds_between_thresholds_too():
    """With few cells and so many trials that nothing is left to chance, beside a broken twin.

    The twin joins what each threshold misses at least; between two of them other tests miss less.
    """
    cuts = np.array([-1.0, 0.0, 1.0, 2.0])
    d, d_prime = (tuple((float(one),) * 2 for one in 1 - ndtr(cuts - at)) for at in (0.0, 1.0))
    limits = TradeOff(ALPHA, d, d_prime)
    twin = _hull(
        [(0.0, 1.0), (1.0, 0.0), *((a, 1 - b) for (a, _), (b, _) in zip(d, d_prime, strict=True))]
    )
    truth = KINDS["Gaussian"][1](PLACES)
    assert all(value_at(limits.least, x) <= y for x, y in zip(PLACES, truth, strict=True))
    assert all(value_at(limits.most, x) >= y - 1e-9 for x, y in zip(PLACES, truth, strict=True))
    assert any(value_at(twin, x) > y + 1e-3 for x, y in zip(PLACES, truth, strict=True))


def test_the_twin_curve_is_that_of_laplace():
    """The formula of the test itself, against tests at thresholds."""
    at = np.linspace(-3, 4, 50)
    wrong, missed = 1 - laplace_below(at), laplace_below(at - 1)
    assert laplace_curve(wrong) == pytest.approx(missed, abs=1e-12)


@pytest.fixture(scope="module")
def limits():
    p, q = chances(ndtr)
    return trade_off(counted(np.random.default_rng(1), p, q, 1_000_000), ALPHA)


def test_what_follows_is_what_single_thresholds_give(limits):
    """A slow twin: every threshold, both ways, both orders."""
    tests = []
    for (a, b), (c, d) in zip(limits.d, limits.d_prime, strict=True):
        tests += [(a, d), (c, b), (1 - b, 1 - c), (1 - d, 1 - a)]
    for delta in (0.0, 1e-5, 1e-3, 0.1, 0.5):
        slow = max(
            (math.log((right - delta) / wrong) for right, wrong in tests if right > delta),
            default=0.0,
        )
        assert limits.epsilon_lower(delta) == pytest.approx(max(slow, 0.0), abs=1e-9)
    for epsilon in (0.0, 0.5, 1.0, 3.0):
        slow = max(right - math.exp(epsilon) * wrong for right, wrong in tests)
        assert limits.delta_lower(epsilon) == pytest.approx(max(slow, 0.0), abs=1e-12)
        # The upper limit on the curve says the same: 1 − δ − e^ε·x is below it, and touches.
        at = max(1 - y - math.exp(epsilon) * x for x, y in limits.most)
        assert limits.delta_lower(epsilon) == pytest.approx(max(at, 0.0), abs=1e-9)


def test_a_million_trials_tell_most_of_the_curve(limits):
    claim = GaussianDP(1.0)
    assert 0.98 < limits.mu_lower < 1.0
    for delta, share in ((0.1, 0.95), (1e-2, 0.9), (1e-3, 0.8), (1e-5, 0.6)):
        low, high = 0.0, 10.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if claim.delta(middle) > delta else (low, middle)
        assert share < limits.epsilon_lower(delta) / low < 1


def test_limits_are_convex_fall_and_stand_in_order(limits):
    for corners in (limits.most, limits.least):
        assert corners[0][0] == 0
        assert corners[-1] == (1.0, 0.0)
        x, y = np.array(corners).T
        slopes = np.diff(y) / np.diff(x)
        assert (np.diff(slopes) > 0).all()
        assert (slopes <= 0).all()
    for wrong in PLACES:
        assert value_at(limits.least, wrong) <= value_at(limits.most, wrong)


def test_equal_distributions_certify_nothing():
    p, _ = chances(ndtr)
    found = trade_off(counted(np.random.default_rng(1), p, p, 10_000), ALPHA)
    assert found.epsilon_lower(0.0) == found.delta_lower(0.0) == found.mu_lower == 0.0


def test_the_sides_may_be_exchanged(limits):
    other = TradeOff(limits.alpha, limits.d_prime, limits.d)
    assert other.mu_lower == limits.mu_lower
    assert other.most == limits.most
    assert other.least == limits.least


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((0.0, ((0.1, 0.2),), ((0.1, 0.2),)), "alpha is 0"),
        ((0.05, (), ()), "at least 1"),
        ((0.05, ((0.1, 0.2),), ()), "equally many"),
        ((0.05, ((0.3, 0.2),), ((0.1, 0.2),)), "lower one first"),
        ((0.05, ((0.1, math.nan),), ((0.1, 0.2),)), "lower one first"),
    ],
)
def test_limits_that_are_none_are_refused(given, said):
    with pytest.raises(UsageError, match=said):
        TradeOff(*given)


def test_counts_without_cells_are_refused():
    for cells in ((), (3, 4), (3, 4, 5)):
        with pytest.raises(UsageError, match="cells"):
            trade_off(Counts(3, 0, 0, 0, 4, 0, cells=cells), ALPHA)


@pytest.mark.parametrize("claim", [GaussianDP(1.0), ConcentratedDP(0.5)])
@pytest.mark.usefixtures("two_copies")
def test_an_audit_of_a_curve_has_them(claim):
    result = audit(gaussian, promise=claim, pair=(0.0, 1.0), samples=60_000, isolate=False)
    limits = result.trade_off
    assert limits.alpha == pytest.approx(0.05)
    assert limits == trade_off(result.telling.counts, limits.alpha)
    assert 0.9 < limits.mu_lower < 1.0
    assert limits.delta_lower(1.0) < claim.delta(1.0)


@pytest.mark.usefixtures("two_copies")
def test_an_audit_of_a_point_or_one_that_ended_early_has_none():
    given = {"pair": (0.0, 6.0), "isolate": False}
    assert audit(gaussian, epsilon=1.0, samples=2000, **given).trade_off is None
    stopped = audit(gaussian, promise=GaussianDP(1.0), samples=60_000, stop_early=True, **given)
    assert stopped.counts.trials < 60_000
    assert stopped.trade_off is None


@pytest.mark.slow
@pytest.mark.usefixtures("two_copies")
def test_whole_audits_keep_the_level():
    """Explored, planned and counted: μ of the whole curve exceeds the truth as seldom as said."""
    one = functools.partial(audit, gaussian, promise=GaussianDP(1.0), pair=(0.0, 1.0))
    found = [one(samples=4000, seed=seed, isolate=False).trade_off for seed in range(200)]
    assert sum(limits.mu_lower > 1 for limits in found) <= allowed(200)
