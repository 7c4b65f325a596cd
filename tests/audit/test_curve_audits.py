"""Audits of claims that are curves: their level on tight mechanisms, their reach, their twins."""

import functools
import math
import time

import numpy as np
import pytest

from provado.audit import audit
from provado.audit.bounds import Bets, BoundMethod, mixture, parameter_lower
from provado.audit.bounds.counts import Counts
from provado.audit.bounds.method import BEYOND, delta_lower, growth, largest_mu, sharpest_point
from provado.audit.events.threshold import Goal
from provado.audit.trials.experiment import _stake_at_point
from provado.mechanisms import (
    ApproximateDP,
    BoundedAnswers,
    ConcentratedDP,
    GaussianDP,
    Mechanism,
    PrivacyCurve,
    PureDP,
    RenyiDP,
    Source,
    UsageError,
    Verdict,
)
from provado.mechanisms.definitions.curve import grid_of
from provado.mechanisms.textbook.discrete_gaussian import discrete_gaussian_delta
from tests.audit.curve_experiments import certified, gaussian, integers

TIGHT = {
    "Gaussian, μ": (GaussianDP(1.0), gaussian),
    "Gaussian, ρ": (ConcentratedDP(0.5), gaussian),
    "Gaussian, (2, 1)": (RenyiDP(2.0, 1.0), gaussian),
    "discrete Gaussian, ρ": (ConcentratedDP(0.125), integers),
    "discrete Gaussian, its own curve": (
        PrivacyCurve(functools.partial(discrete_gaussian_delta, variance=4.0)),
        integers,
    ),
    "Gaussian, total variation": (ApproximateDP(0.0, GaussianDP(1.0).delta(0.0)), gaussian),
}


@pytest.mark.parametrize("case", [name for name in TIGHT if "total" not in name])
@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 8), marks=pytest.mark.slow)])
def test_a_tight_mechanism_is_not_accused(case, seeds):
    promise, run = TIGHT[case]
    found = [certified(promise, run, 2000, seed) for seed in seeds]
    assert max(found) <= promise.parameter


@pytest.mark.slow
@pytest.mark.parametrize("case", [name for name in TIGHT if "total" not in name])
def test_at_most_one_in_twenty_of_a_thousand_goes_beyond_the_truth(case):
    promise, run = TIGHT[case]
    found = np.array([certified(promise, run, 4000, seed) for seed in range(1000)])
    assert np.mean(found > promise.parameter) <= 0.05


def table_limits(repetitions, *, reuse, trials=1000, values=256):
    """Return limits on μ of normals with μ = 1, cut to so many values.

    The event, {values that were seen more often under D′}, and the point of the curve are chosen on
    other trials, or (reuse) on those that are counted.
    """
    claim, found = GaussianDP(1.0), []
    edges = np.linspace(-3, 4, values - 1)

    def drawn(rng):
        heads = int(rng.binomial(trials, 0.5))
        return [
            np.bincount(np.searchsorted(edges, rng.normal(mean, 1, size)), minlength=values)
            for mean, size in ((0, heads), (1, trials - heads))
        ]

    def counts_of(tables, event):
        a, b = (int(side[event].sum()) for side in tables)
        return Counts(int(tables[0].sum()) - a, a, 0, int(tables[1].sum()) - b, b, 0)

    for seed in range(repetitions):
        rng = np.random.default_rng(seed)
        seen = drawn(rng)
        counted = seen if reuse else drawn(rng)
        best, chosen = -1.0, 0.0
        for epsilon, delta in grid_of(claim):
            goal = Goal(trials, 0.05, delta, betting=True, epsilon=epsilon)
            event = seen[1] > seen[0]
            first = counts_of(seen, event)
            stake = _stake_at_point(first.correct / trials, (first.wrong + 0.5) / trials, goal)
            bets = mixture(stake, delta, anytime=False)
            method = BoundMethod(0.05, delta, bets, epsilon=epsilon)
            worth = claim.least(epsilon, delta_lower(first, method))
            if worth > best:
                best = worth
                chosen = parameter_lower(counts_of(counted, event), method, claim)
        found.append(chosen)
    return np.array(found)


def test_a_point_and_event_chosen_on_the_certifying_counts_accuse_the_innocent():
    """The broken twin, and the sound one beside it."""
    assert np.mean(table_limits(20, reuse=True) > 1.0) > 0.5
    assert np.mean(table_limits(20, reuse=False) > 1.0) <= 0.05


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (GaussianDP(1.0), Verdict.NO_VIOLATION),
        (GaussianDP(0.7), Verdict.VIOLATION),
        (ConcentratedDP(0.5), Verdict.NO_VIOLATION),
        (ConcentratedDP(0.35), Verdict.VIOLATION),
        (RenyiDP(2.0, 1.0), Verdict.NO_VIOLATION),
        (RenyiDP(2.0, 0.7), Verdict.VIOLATION),
        (PrivacyCurve(GaussianDP(1.0).delta), Verdict.NO_VIOLATION),
        (PrivacyCurve(GaussianDP(0.7).delta), Verdict.VIOLATION),
        (ApproximateDP(0.0, 0.39), Verdict.NO_VIOLATION),
        (ApproximateDP(0.0, 0.3), Verdict.VIOLATION),
        (PureDP(1.0), Verdict.VIOLATION),
    ],
    ids=lambda one: one.words() if hasattr(one, "words") and not isinstance(one, Verdict) else "",
)
def test_the_verdict_is_about_the_promise(claim, verdict):
    result = audit(gaussian, promise=claim, pair=(0.0, 1.0), samples=60_000, isolate=False)
    assert result.verdict is verdict
    if result.curve is not None:
        assert result.promise == claim.words()
        assert (result.lower > claim.parameter) is (verdict is Verdict.VIOLATION)
        pair = result.explained_pair
        assert (result.epsilon, result.delta) == (pair.method.epsilon, pair.method.delta)
        assert result.lower == parameter_lower(pair.counts, pair.method, claim)


def test_point_and_ladder_share_alpha():
    given = {"promise": ConcentratedDP(0.5), "samples": 20_000, "isolate": False}
    result = audit(gaussian, pair=[(0.0, 1.0), (1.0, 0.0)], **given)
    spent = [pair.method.alpha + pair.method.ladder.alpha for pair in result.pairs]
    assert spent == pytest.approx([0.025, 0.025])


def test_jobs_and_batches_count_the_same_cells():
    given = {"promise": ConcentratedDP(0.5), "pair": (0.0, 1.0), "samples": 20_000}
    one, two = (audit(gaussian, **given, jobs=jobs) for jobs in (1, 2))
    assert one.counts == two.counts
    assert sum(one.counts.cells) == 20_000


def test_a_mechanism_brings_its_curve():
    stated = Mechanism(
        name="curve/gaussian",
        run=gaussian,
        promise=ConcentratedDP(0.5),
        relation=BoundedAnswers(),
        pairs=((0.0, 1.0),),
        source=Source("a test", ""),
    )
    result = audit(stated, samples=20_000, isolate=False)
    assert result.promise == "0.5-zCDP"
    assert result.curve.family == "zcdp"
    # A claim that is given wins.
    assert audit(stated, epsilon=5.0, samples=2000, isolate=False).curve is None


def one_by_one(data, rng):
    return float(np.rint((data + rng.standard_normal()) * 1024) / 1024)


def test_a_sequential_audit_tests_the_most_telling_point():
    given = {"promise": GaussianDP(1.0), "pair": (0.0, 2.0), "samples": "auto:3000"}
    result = audit(one_by_one, **given, isolate=False)
    assert result.verdict is Verdict.VIOLATION
    assert 1.0 < result.lower < 2.0
    assert (result.epsilon, result.delta) == sharpest_point(GaussianDP(1.0))
    # A twin at the point that it would have by default finds nothing.
    epsilon, delta = GaussianDP(1.0).point()
    other = {"epsilon": epsilon, "delta": delta, "pair": (0.0, 2.0), "samples": "auto:3000"}
    assert audit(one_by_one, **other, isolate=False).verdict is Verdict.NO_VIOLATION


def test_an_audit_that_becomes_sequential_as_time_is_short_tests_the_most_telling_point():
    def slow(data, rng):
        time.sleep(0.02)
        return one_by_one(data, rng)

    given = {"promise": GaussianDP(1.0), "pair": (0.0, 2.0), "seconds": 4}
    result = audit(slow, **given, isolate=False)
    assert result.pairs[0].method.bettors
    assert (result.epsilon, result.delta) == sharpest_point(GaussianDP(1.0))


def test_a_sequential_audit_of_no_difference_certifies_nothing():
    """At a δ above 0 "ε ≥ 0" says nothing: it is no proof that δ(0) is so large."""
    given = {"promise": GaussianDP(1.0), "pair": (0.0, 0.01), "samples": "auto:300"}
    result = audit(one_by_one, **given, isolate=False)
    assert result.epsilon_lower == result.lower == 0.0
    assert GaussianDP(1.0).least(0.0, result.delta) > 0.4


@pytest.mark.parametrize(
    "claim", [GaussianDP(1.0), GaussianDP(0.3), ConcentratedDP(0.5), RenyiDP(2.0, 1.0)]
)
def test_the_most_telling_point_is_on_the_curve_and_no_other_grows_faster(claim):
    point = sharpest_point(claim)
    assert point[1] == pytest.approx(claim.delta(point[0]))
    mu = BEYOND * largest_mu(grid_of(claim))
    assert growth(mu, *point) == max(growth(mu, *one) for one in (*grid_of(claim), claim.point()))
    assert growth(mu, *point) > 2 * growth(mu, *claim.point())


def test_the_largest_mu_within_a_gaussian_claim_is_its_own():
    assert largest_mu(grid_of(GaussianDP(0.7))) == pytest.approx(0.7, rel=2e-3)
    assert largest_mu(grid_of(ConcentratedDP(0.5))) == pytest.approx(1.0, rel=0.5)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"promise": GaussianDP(1.0), "epsilon": 1.0}, "given in one way"),
        ({"promise": GaussianDP(1.0), "delta": 0.1}, "given in one way"),
        ({"promise": GaussianDP}, "it must be a promise"),
        ({"promise": 1.0}, "promise is 1.0"),
        ({"epsilon": 0.0}, "epsilon is 0"),
    ],
)
def test_what_is_no_claim_is_refused(given, said):
    with pytest.raises(UsageError, match=said):
        audit(gaussian, pair=(0.0, 1.0), samples=100, **given)


@pytest.mark.parametrize("alpha", [0.05, 0.01, 1e-6])
@pytest.mark.parametrize("right", [0, 5, 10, 20, 60])
def test_a_limit_on_delta_is_where_the_wealth_is_one_over_alpha(alpha, right):
    """One bet λ and right guesses alone: (1 + λ(1 − δ))^C = 1/α, solved by hand."""
    stake = 0.5
    method = BoundMethod(alpha, 0.0, Bets((stake,), (1.0,)), epsilon=0.0)
    found = delta_lower(Counts(d_guessed_d=right), method)
    truth = 1 - (alpha ** (-1 / right) - 1) / stake if right else 0.0
    assert found <= max(truth, 0.0)
    assert found == pytest.approx(max(truth, 0.0), rel=1e-7)


def test_a_limit_of_counts_that_test_no_point_is_refused():
    with pytest.raises(UsageError, match="no point of a curve"):
        delta_lower(Counts(1), BoundMethod(0.05))
    with pytest.raises(UsageError, match="tested by betting"):
        BoundMethod(0.05, epsilon=1.0)


@pytest.mark.slow
@pytest.mark.parametrize("case", ["Gaussian, μ", "Gaussian, ρ", "discrete Gaussian, ρ"])
def test_a_million_trials_certify_95_percent(case):
    promise, run = TIGHT[case]
    found = certified(promise, run, 1_000_000, 5)
    assert 0.95 * promise.parameter <= found <= promise.parameter
    assert math.isfinite(found)
