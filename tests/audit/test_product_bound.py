"""The bound of sequential audits against a product over trials, and its guarantee."""

import itertools
import math

import numpy as np
import pytest

from provado.audit.bounds import BoundMethod, epsilon_lower
from provado.audit.bounds.betting import Bettor, product_epsilon_lower, product_log_wealth
from provado.audit.bounds.counts import Counts
from provado.audit.events.online_learner import BettingStrategy
from provado.mechanisms import UsageError

CLAIMS = [(0.0, 0.0), (0.5, 0.0), (1.0, 0.1), (0.2, 0.01)]
BETTORS = (
    Bettor(0.6, ((0.3, 0.3, 7, 2), (0.3, 0.1, 3, 3), (0.3, 0.0, 1, 4))),
    Bettor(0.3, ((0.9, 0.8, 10, 0), (0.1, 0.05, 4, 6))),
)


def naive_wealth(epsilon, delta, bettors):
    """Return the wealth, trial by trial; that of a bettor with a forbidden stake is 0."""
    total = 0.0
    for bettor in bettors:
        wealth = bettor.weight
        for cap, stake, correct, wrong in bettor.staked:
            if stake * math.exp(epsilon) + cap * delta >= 1:
                wealth = 0.0
            for gain in [1.0] * correct + [-math.exp(epsilon)] * wrong:
                wealth *= 1 + stake * gain - cap * delta
        total += wealth
    return total


@pytest.mark.parametrize(("epsilon", "delta"), CLAIMS)
def test_it_is_the_product_over_trials(epsilon, delta):
    expected = naive_wealth(epsilon, delta, BETTORS)
    assert math.exp(product_log_wealth(epsilon, delta, BETTORS)) == pytest.approx(expected)


@pytest.mark.parametrize("delta", [0.0, 0.01, 0.1])
def test_the_wealth_never_grows_with_epsilon(delta):
    found = [product_log_wealth(e, delta, BETTORS) for e in np.linspace(0, 5, 300)]
    assert all(later <= earlier for earlier, later in itertools.pairwise(found))
    assert found[-1] == -math.inf


def test_the_bound_is_where_the_wealth_is_worth_alpha():
    for delta in (0.0, 0.01):
        bound = product_epsilon_lower(delta, 0.05, BETTORS)
        assert bound > 0
        assert product_log_wealth(bound, delta, BETTORS) >= math.log(20)
        assert product_log_wealth(bound + 1e-6, delta, BETTORS) < math.log(20)


def test_no_trial_certifies_nothing():
    assert product_epsilon_lower(0.0, 0.05, (Bettor(1.0, ()),)) == 0.0


def test_the_counts_do_not_move_the_bound_of_bettors():
    method = BoundMethod(0.05, 0.0, bettors=BETTORS)
    assert method.name == "sequential"
    assert epsilon_lower(Counts(5), method) == epsilon_lower(Counts(), method)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Bettor(0.0, ()),
        lambda: Bettor(math.nan, ()),
        lambda: Bettor(0.5, ((0.1, 0.2, 1, 1),)),
        lambda: Bettor(0.5, ((0.2, 0.1, -1, 1),)),
        lambda: Bettor(0.5, ((1.2, 0.1, 1, 1),)),
        lambda: BoundMethod(0.05, bettors=(Bettor(0.7, ()), Bettor(0.7, ()))),
    ],
)
def test_bets_that_no_bettor_can_make_are_refused(make):
    with pytest.raises(UsageError):
        make()


def laws(epsilon, delta):
    """Return pairs of distributions on three outputs that are exactly (ε, δ)-close, both ways."""
    e = math.exp(epsilon)
    p = (1 - delta) * e / (1 + e)
    q = (1 - delta) / (1 + e)
    yield (p, q, delta, 0.0), (q, p, 0.0, delta)
    yield (p + delta, q, 0.0, 0.0), (q, p + delta, 0.0, 0.0)
    half = (1 - delta) / 2
    yield (half, half, delta, 0.0), (half, half, 0.0, delta)


@pytest.mark.parametrize(("epsilon", "delta"), CLAIMS)
def test_one_trial_is_no_gain_on_average_whatever_the_chances_say(epsilon, delta):
    rng = np.random.default_rng(1)
    for law_d, law_d_prime in laws(epsilon, delta):
        for _ in range(20):
            chances = rng.random(4)
            planned = rng.random(50)
            mean = 0.0
            for output, side in itertools.product(range(4), (True, False)):
                wagers = BettingStrategy(epsilon, delta)
                wagers.plan(planned)
                wagers.bet(chances[[output]], np.array([side]))
                chance = 0.5 * (law_d if side else law_d_prime)[output]
                log = product_log_wealth(epsilon, delta, wagers.bettors())
                mean += chance * math.exp(log)
            assert mean <= 1 + 1e-9


@pytest.mark.parametrize("delta", [0.0, 1e-5, 0.05])
def test_stakes_of_one_bettor_are_allowed_by_its_own_epsilon(delta):
    wagers = BettingStrategy(1.0, delta)
    chances = np.array([1 - 1e-12, 0.99, 0.7, 0.5, 0.2, 0.0])
    wagers.plan(chances)
    wagers.bet(chances, np.ones(6, dtype=bool))
    assert all(bettor.trials == 6 for bettor in wagers.bettors())
    assert math.isfinite(product_log_wealth(1.0, delta, wagers.bettors()[:1]))
    assert sum(bettor.weight for bettor in wagers.bettors()) == pytest.approx(1)
