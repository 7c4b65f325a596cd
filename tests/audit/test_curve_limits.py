"""What any audit could certify: the law of a sum, the power of a test, and audits beside them."""

import math

import numpy as np
import pytest
from scipy.stats import binom, norm

from benchmarks.curve_limits import best_power, law, most_certified
from provado.audit.bounds import ladder_lower
from provado.audit.events.threshold import Goal
from provado.audit.pipeline.curve_plan import nearest, plan_ladder


def test_the_law_of_a_sum_is_that_of_the_binomial():
    gains, chances, trials = np.array([1.0, 0.0]), np.array([0.3, 0.7]), 400
    found = law(gains, chances, trials)
    for count in range(100, 140, 3):
        # Between two values that it takes, where its distribution function is flat.
        below = found((count + 0.5 - found.mean) / found.spread)
        assert below == pytest.approx(binom.cdf(count, trials, 0.3), abs=2e-3)


def test_the_best_power_is_that_of_the_likelihood_ratio_in_a_simulation():
    rng = np.random.default_rng(1)
    p, q = rng.dirichlet(np.full(6, 5.0), 2)
    trials = 400
    near = nearest(p, q, 2.0, 0.02)
    shift = near.divergence
    won = 1 + near.k * 2 * np.expm1(near.logs - shift)
    kept = 1 - near.k * np.expm1(2 * near.logs - shift)
    gains, truth = np.log(np.concatenate([won, kept])), np.concatenate([p, q]) / 2
    other = truth * np.exp(-gains)
    drawn = [rng.multinomial(trials, side / side.sum(), 40_000) @ gains for side in (other, truth)]
    power = float(np.mean(drawn[1] > np.quantile(drawn[0], 0.95)))
    assert best_power(p, q, won, kept, trials, 0.05) == pytest.approx(power, abs=0.015)


def test_a_test_of_normals_has_the_power_of_its_formula():
    """Many small gains: the power is Φ(shift − 1.645)."""
    p = q = np.full(2, 0.5)
    gain, trials = 0.001, 1_000_000
    won = kept = np.exp(np.array([gain, -gain - gain * gain]))
    shift = math.sqrt(trials) * gain
    assert best_power(p, q, won, kept, trials, 0.05) == pytest.approx(
        norm.cdf(shift - norm.isf(0.05)), abs=0.01
    )


@pytest.mark.parametrize("order", [2.0, 8.0])
def test_audits_that_know_the_distributions_stay_below_it(order):
    """Stakes that are planned on what is true certify less in half of all runs, but not much."""
    trials, cells = 1_000_000, 200
    most = most_certified(order, 1.0, trials)
    edges = np.linspace(-4, 8, cells - 1)
    p, q = (np.diff(np.concatenate([[0.0], norm.cdf(edges - mean), [1.0]])) for mean in (1.0, 0.0))
    p, q = ((side + 1e-15) / (side + 1e-15).sum() for side in (p, q))
    known = [(1e12 * side).astype(np.int64) for side in (p, q)]
    ladder = plan_ladder(order, 1.0, known, Goal(trials, 0.05, 0.0, betting=True), swapped=False)
    found = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        heads = int(rng.binomial(trials, 0.5))
        counts = [rng.multinomial(heads, p), rng.multinomial(trials - heads, q)]
        found.append(ladder_lower(tuple(np.concatenate(counts).tolist()), ladder) / (order / 2))
    assert 0.9 * most < np.median(found) < most
