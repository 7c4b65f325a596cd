"""Limits on a whole trade-off curve: their level, what follows from them, and broken twins."""

import math
from functools import cached_property, partial

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from scipy.stats import binom

from provado.audit import audit
from provado.audit.bounds import TradeOff, trade_off
from provado.audit.bounds.binomial import binomial_limits
from provado.audit.bounds.counts import Counts
from provado.audit.bounds.trade_off import PARTS, _exponent, _hull, value_at
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


def chances(below, edges=EDGES):
    cuts = [np.concatenate([[0.0], below(edges - shift), [1.0, 1.0]]) for shift in (0.0, 1.0)]
    return [np.diff(cut) for cut in cuts]


def counted(rng, p, q, trials):
    """Counts of a fair coin's trials; what is guessed plays no part."""
    heads = int(rng.binomial(trials, 0.5))
    sides = [rng.multinomial(size, side) for size, side in ((heads, p), (trials - heads, q))]
    cells = tuple(np.concatenate(sides).tolist())
    return Counts(heads, 0, 0, 0, trials - heads, 0, cells=cells)


def misses(kind, repetitions, trials, limits_of, edges=EDGES[::3]):
    """Return how often a region of a threshold is wrong, and the curve's upper and lower limit."""
    below, curve = KINDS[kind]
    p, q = chances(below, edges)
    known = [side[::-1].cumsum()[::-1] for side in (p, q)]
    truth = curve(PLACES)
    found = np.zeros(3, dtype=int)
    for seed in range(repetitions):
        limits = limits_of(counted(np.random.default_rng(seed), p, q, trials))
        p_low, p_high, q_low, q_high = (limit[:, :-1] for limit in limits._limits)
        upper, lower = (
            np.array([value_at(corners, x) for x in PLACES])
            for corners in (limits.most, limits.least)
        )
        found += [
            not ((p_low <= known[0] + 1e-12) & (q_high >= known[1] - 1e-12)).any(axis=0).all()
            or not ((p_high >= known[0] - 1e-12) & (q_low <= known[1] + 1e-12)).any(axis=0).all(),
            (upper < truth - 1e-9).any(),
            (lower > truth + 1e-9).any(),
        ]
    return found.tolist()


def allowed(repetitions):
    return binom.ppf(0.999, repetitions, ALPHA)


def sound(counts):
    return trade_off(counts, ALPHA)


def levels(most):
    steps = np.linspace(0.0, most, PARTS + 1)
    return np.exp(-steps[1:]), np.exp(steps[:-1] - most)


class ByThreshold(TradeOff):
    """Broken: every threshold has regions of its own level; together they do not hold."""

    @cached_property
    def _levels(self):
        return levels(_exponent(self.alpha / 2))


class OneTail(TradeOff):
    """Broken: a product of two tail probabilities is taken for one."""

    @cached_property
    def _levels(self):
        return levels(-math.log(self.alpha / (4 * len(self.d) - 2)))


class Rates(TradeOff):
    """Broken: the rates themselves."""

    @cached_property
    def _limits(self):
        found = []
        for side in (self.d, self.d_prime):
            rates = np.append(np.array(side)[::-1].cumsum()[::-1] / sum(side), 0.0)
            found += [np.tile(rates, (PARTS, 1))] * 2
        return found


def broken(kind):
    def limits(counts):
        half = len(counts.cells) // 2
        return kind(ALPHA, counts.cells[:half], counts.cells[half:])

    return limits


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("trials", [2000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_the_band_covers_the_whole_curve(kind, trials):
    """Both limits at 120 places at once."""
    repetitions = 50 if trials == 2000 else 1000
    region, over, under = misses(kind, repetitions, trials, sound)
    assert region <= allowed(repetitions)
    assert over + under <= allowed(repetitions)


@pytest.mark.parametrize(("kind", "which"), [(ByThreshold, 0), (Rates, 0), (Rates, 1)])
def test_limits_that_hold_one_by_one_do_not_hold_together(kind, which):
    """Broken twins."""
    assert misses("Gaussian", 50, 2000, broken(kind))[which] > allowed(50)


def test_the_product_of_two_tails_is_no_tail():
    """One threshold, exactly: the region of a single pair of counts, beside the broken twin."""
    n, p, q = 16, 0.3, 0.2
    wrong = {TradeOff: 0.0, OneTail: 0.0}
    for kind in wrong:
        for i in range(n + 1):
            for j in range(n + 1):
                limits = kind(0.3, (n - i, i), (n - j, j))
                p_low, _, _, q_high = (limit[:, 1] for limit in limits._limits)
                if not ((p_low <= p) & (q_high >= q)).any():
                    wrong[kind] += binom.pmf(i, n, p) * binom.pmf(j, n, q)
    # Of six regions each has a sixth of alpha.
    assert wrong[TradeOff] <= 0.3 / 6 < wrong[OneTail]


@pytest.mark.parametrize("share", [0.5, 0.05, 0.05 / 6, 0.05 / 238, 1e-9, 1e-200])
def test_the_exponent_of_a_product_has_the_share_as_its_tail(share):
    """(1 + c)·e^−c is P(U·V ≤ e^−c) of two uniform variables: at most the share, and no less."""
    c = _exponent(share)
    assert (1 + c) * math.exp(-c) <= share * (1 + 1e-12)
    assert (1 + c) * math.exp(-c) == pytest.approx(share, rel=1e-9)


@pytest.mark.parametrize("cells", [2, 60])
def test_rectangles_miss_no_more_than_their_share(cells):
    """Their area, exactly: where two uniform levels lie in none of them, beside the broken twin.

    They lie in a rectangle where the one is above its first level and the other above its second.
    """
    missed = []
    for kind in (TradeOff, OneTail):
        a, b = kind(ALPHA, (1,) * cells, (1,) * cells)._levels
        assert (np.diff(a) < 0).all()
        assert (np.diff(b) > 0).all()
        missed.append((-np.diff(np.array([1.0, *a, 0.0])) * np.array([*b, 1.0])).sum())
    share = ALPHA / (4 * cells - 2)
    assert 0.7 * share < missed[0] <= share < missed[1]


def test_the_lower_limit_holds_between_thresholds_too():
    """With few cells and so many trials that nothing is left to chance, beside a broken twin.

    The twin joins what each threshold misses at least; between two of them other tests miss less.
    """
    cuts = np.array([-1.0, 0.0, 1.0, 2.0])
    cells = [np.diff(ndtr(np.array([-np.inf, *cuts - at, np.inf]))) for at in (0.0, 1.0)]
    limits = TradeOff(ALPHA, *(tuple((1e12 * one).astype(int).tolist()) for one in cells))
    d, d_prime = (1 - ndtr(cuts - at) for at in (0.0, 1.0))
    corners = zip(d.tolist(), (1 - d_prime).tolist(), strict=True)
    twin = _hull([(0.0, 1.0), (1.0, 0.0), *corners])
    truth = KINDS["Gaussian"][1](PLACES)
    assert all(value_at(limits.least, x) <= y for x, y in zip(PLACES, truth, strict=True))
    assert all(value_at(limits.most, x) >= y - 1e-9 for x, y in zip(PLACES, truth, strict=True))
    assert any(value_at(twin, x) > y + 1e-3 for x, y in zip(PLACES, truth, strict=True))


@pytest.mark.parametrize("seed", range(20))
def test_the_lower_limit_holds_however_cells_are_split(seed):
    """Any law within the cells: each into three of its own, beside what thresholds there miss."""
    rng = np.random.default_rng(seed)
    d, d_prime = rng.dirichlet(np.full(12, 0.3), 2)
    coarse = [(1e12 * side.reshape(4, 3).sum(axis=1)).astype(int).tolist() for side in (d, d_prime)]
    limits = TradeOff(ALPHA, *map(tuple, coarse))
    p, q = (side[::-1].cumsum() for side in (d, d_prime))
    for right, wrong in zip((*p, *q, *1 - q, *1 - p), (*q, *p, *1 - p, *1 - q), strict=True):
        at = min(max(float(wrong), 0.0), 1.0)
        assert value_at(limits.least, at) <= 1 - right + 1e-5


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
    """A slow twin: every threshold, both ways, both orders, the worst rectangle of each."""
    tests = []
    p_low, p_high, q_low, q_high = limits._limits
    for k in range(1, p_low.shape[1] - 1):
        rows = range(len(p_low))
        tests += [
            [(p_low[i, k], q_high[i, k]) for i in rows],
            [(1 - q_high[i, k], 1 - p_low[i, k]) for i in rows],
            [(q_low[i, k], p_high[i, k]) for i in rows],
            [(1 - p_high[i, k], 1 - q_low[i, k]) for i in rows],
        ]
    for delta in (0.0, 1e-5, 1e-3, 0.1, 0.5):
        slow = 0.0
        for test in tests:
            if all(right > delta for right, _ in test):
                slow = max(slow, min(math.log((right - delta) / wrong) for right, wrong in test))
        assert limits.epsilon_lower(delta) == pytest.approx(slow, abs=1e-9)
    for epsilon in (0.0, 0.5, 1.0, 3.0):
        factor = math.exp(epsilon)
        slow = max(min(right - factor * wrong for right, wrong in test) for test in tests)
        assert limits.delta_lower(epsilon) == pytest.approx(max(slow, 0.0), abs=1e-12)
        # The upper limit on the curve says nearly the same, and never more.
        at = max(1 - y - factor * x for x, y in limits.most)
        assert 0.98 * slow - 1e-9 < at < max(slow, 0.0) + 1e-9


def test_regions_are_closer_than_limits_of_each_side_by_itself(limits):
    """A twin with rectangles: exact limits of p and of q, each with its own share."""
    share = ALPHA / (4 * len(limits.d))
    told = []
    for side in (limits.d, limits.d_prime):
        at_or_above = np.array(side)[::-1].cumsum()[::-1]
        told.append(binomial_limits(at_or_above[1:], int(at_or_above[0]), share))
    (p_low, p_high), (q_low, q_high) = told
    for delta in (0.1, 1e-2, 1e-3, 1e-5):
        rights, wrongs = np.concatenate([p_low, q_low]), np.concatenate([q_high, p_high])
        kept = rights > delta
        ratio = float(np.log((rights[kept] - delta) / wrongs[kept]).max())
        assert 0 < ratio < limits.epsilon_lower(delta)


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
        assert (np.diff(slopes) > -1e-9).all()
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
    for mine, its in ((limits.most, other.most), (limits.least, other.least)):
        for wrong in PLACES:
            assert value_at(mine, wrong) == pytest.approx(value_at(its, wrong), abs=1e-3)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((0.0, (1, 2), (3, 4)), "alpha is 0"),
        ((0.05, (), ()), "at least 2"),
        ((0.05, (1,), (1,)), "at least 2"),
        ((0.05, (1, 2), (1, 2, 3)), "equally many"),
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
def test_an_audit_of_a_curve_has_them(claim):
    result = audit(gaussian, promise=claim, pair=(0.0, 1.0), samples=60_000, isolate=False)
    limits = result.trade_off
    assert limits.alpha == pytest.approx(0.05)
    assert limits == trade_off(result.explained_pair.counts, limits.alpha)
    assert 0.9 < limits.mu_lower < 1.0
    assert limits.delta_lower(1.0) < claim.delta(1.0)


def test_an_audit_of_a_point_or_one_that_ended_early_has_none():
    given = {"pair": (0.0, 6.0), "isolate": False}
    assert audit(gaussian, epsilon=1.0, samples=2000, **given).trade_off is None
    stopped = audit(gaussian, promise=GaussianDP(1.0), samples=60_000, stop_early=True, **given)
    assert stopped.counts.trials < 60_000
    assert stopped.trade_off is None


@pytest.mark.slow
def test_whole_audits_keep_the_level():
    """Explored, planned and counted: μ of the whole curve exceeds the truth as seldom as said."""
    one = partial(audit, gaussian, promise=GaussianDP(1.0), pair=(0.0, 1.0))
    found = [one(samples=4000, seed=seed, isolate=False).trade_off for seed in range(200)]
    assert sum(limits.mu_lower > 1 for limits in found) <= allowed(200)
