"""The ε at which a violation detectable to a rule shows in 90 %, exactly and by simulation."""

import math

import numpy as np
import pytest
from scipy.stats import binom, multinomial

from provado.audit.bounds import Bets, BoundMethod, epsilon_lower
from provado.audit.bounds.counts import Counts
from provado.audit.bounds.power import detectable_epsilon, one_run_detectable_epsilon

BETTING = BoundMethod(0.05, 0.01, Bets((0.05, 0.01, 0.2), (0.8, 0.1, 0.1)))


def counts_of(guesses, trials):
    return Counts(d_guessed_d=guesses // 2, d_guessed_d_prime=guesses - guesses // 2) + Counts(
        d_abstained=trials - guesses
    )


def power(method, guesses, trials, claimed, chance):
    """Return the exact chance that right guesses of rate ``chance`` certify a violation."""
    return sum(
        binom.pmf(c, guesses, chance)
        for c in range(guesses + 1)
        if epsilon_lower(Counts(c, guesses - c, trials - guesses), method) > claimed
    )


@pytest.mark.parametrize("guesses", [20, 100, 300])
@pytest.mark.parametrize("claimed", [0.1, 0.5, 1.0])
def test_the_exact_power_of_the_binomial_bound_is_90_percent(guesses, claimed):
    method = BoundMethod(0.05)
    epsilon = detectable_epsilon(counts_of(guesses, 400), method, claimed)
    assert epsilon > claimed
    chance = 1 / (1 + math.exp(-epsilon))
    assert power(method, guesses, 400, claimed, chance) == pytest.approx(0.9, abs=1e-6)


def test_the_exact_power_of_the_betting_bound_is_90_percent():
    epsilon, claimed, n = detectable_epsilon(counts_of(200, 200), BETTING, 0.5), 0.5, 200
    # Right guesses as often as (ε, δ)-DP allows where every trial is guessed.
    chance = (math.exp(epsilon) + BETTING.delta) / (1 + math.exp(epsilon))
    assert power(BETTING, n, n, claimed, chance) == pytest.approx(0.9, abs=1e-3)


def test_more_trials_detect_less_and_a_larger_claim_needs_more():
    small, large = (
        detectable_epsilon(counts_of(n, n), BoundMethod(0.05), 1.0) for n in (1000, 100_000)
    )
    assert 1 < large < small
    assert detectable_epsilon(counts_of(1000, 1000), BoundMethod(0.05), 2.0) > small
    assert detectable_epsilon(counts_of(1000, 1000), BoundMethod(0.001), 1.0) > small


@pytest.mark.parametrize(
    ("counts", "claimed"),
    [
        (Counts(), 1.0),
        (counts_of(0, 500), 1.0),
        (counts_of(1, 500), 0.1),
        (counts_of(20, 500), 5.0),
    ],
)
def test_it_is_infinite_where_no_number_of_right_guesses_would_certify(counts, claimed):
    assert detectable_epsilon(counts, BoundMethod(0.05), claimed) == math.inf


def test_one_guess_more_makes_it_finite():
    least = next(n for n in range(1, 100) if epsilon_lower(Counts(n), BoundMethod(0.05)) > 1.0)
    assert detectable_epsilon(counts_of(least - 1, 200), BoundMethod(0.05), 1.0) == math.inf
    assert detectable_epsilon(counts_of(least, 200), BoundMethod(0.05), 1.0) < math.inf


@pytest.mark.slow
@pytest.mark.parametrize("method", [BoundMethod(0.05), BETTING])
def test_the_power_by_simulation(method):
    rng, trials, claimed, runs = np.random.default_rng(3), 4000, 0.8, 1000
    epsilon = detectable_epsilon(counts_of(trials, trials), method, claimed)
    odds = math.exp(epsilon)
    right, wrong = (odds + method.delta) / (1 + odds), (1 - method.delta) / (1 + odds)
    drawn = multinomial.rvs(trials, [right, wrong], size=runs, random_state=rng).tolist()
    found = sum(epsilon_lower(Counts(c, w), method) > claimed for c, w in drawn)
    assert 0.87 * runs < found < 0.93 * runs


@pytest.mark.parametrize(("every", "least"), [(1, 1), (40, 27), (1000, 560)])
def test_guesses_of_one_run_refute_with_90_percent(every, least):
    """The exact chance of so many right guesses at the ε that it says, each right at that rate."""
    epsilon = one_run_detectable_epsilon(lambda right: right >= least, every)
    assert binom.sf(least - 1, every, 1 / (1 + math.exp(-epsilon))) == pytest.approx(0.9, rel=1e-9)


def test_guesses_that_cannot_refute_would_show_nothing():
    for every in (0, 10):
        assert one_run_detectable_epsilon(lambda right: False, every) == math.inf
