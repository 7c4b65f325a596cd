"""Guesses of one side alone: what δ allows them, everywhere that a bound, plan or search has it."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, multinomial

from provado.audit import audit
from provado.audit.bounds import Bets, BoundMethod, epsilon_lower
from provado.audit.bounds.alpha_spending import EXACT
from provado.audit.bounds.betting import Bettor, betting_epsilon_lower, product_log_wealth
from provado.audit.bounds.binomial import SPARED, excess_chance, excess_epsilon_lower
from provado.audit.bounds.counts import Counts
from provado.audit.bounds.method import delta_lower, refutes
from provado.audit.bounds.power import detectable_epsilon
from provado.audit.events.online_learner import BettingStrategy
from provado.audit.events.threshold import Goal, best_cut
from provado.audit.search.candidates import Candidate, rank
from provado.audit.search.successive_halving import _kept, _Sample
from provado.audit.target.output_encoding import PatternBook, encode
from provado.mechanisms import UsageError, Verdict

BETS = Bets((0.2, 0.02), (0.6, 0.4))
SIX = Counts(60, 6, 134, 7, 50, 143)


def method(side, delta=0.01, alpha=0.05, **more):
    return BoundMethod(alpha, delta, BETS, side=side, **more)


def naive_wealth(counts, side, epsilon, delta):
    """Return the wealth of bets with one stake on D and another on D′, guess by guess."""
    total, odds = 0.0, math.exp(epsilon)
    for stake, weight in zip(BETS.stakes, BETS.weights, strict=True):
        on_d, on_d_prime = stake * (side >= 0), stake * (side <= 0)
        charge = (on_d + on_d_prime) * delta / 2
        gains = (on_d, -on_d_prime * odds, 0.0, -on_d * odds, on_d_prime, 0.0)
        wealth = weight
        for gain, made in zip(gains, counts.six, strict=True):
            wealth *= (1 + gain - charge) ** made
        total += wealth
    return total


@pytest.mark.parametrize("side", [-1, 0, 1])
def test_the_limit_is_where_the_wealth_of_the_sides_reaches_1_over_alpha(side):
    limit = epsilon_lower(SIX, method(side))
    assert limit > 0.05
    assert naive_wealth(SIX, side, limit, 0.01) >= 20
    assert naive_wealth(SIX, side, limit + 1e-6, 0.01) < 20


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.2), (1.0, 0.05), (0.3, 0.4)])
def test_no_trial_of_a_mechanism_with_delta_on_one_side_is_a_gain(side, epsilon, delta):
    # All of δ is used: an event has chance e^ε·q + δ under one dataset and q under the other.
    q = 0.1
    right, wrong = (math.exp(epsilon) * q + delta) / 2, q / 2
    outcomes = {1: (0, 3), -1: (4, 1)}[side]
    mean = 0.0
    for chance, at in ((right, outcomes[0]), (wrong, outcomes[1]), (1 - right - wrong, 2)):
        counts = Counts(*(int(i == at) for i in range(6)))
        mean += chance * naive_wealth(counts, side, epsilon, delta)
    assert mean == pytest.approx(1.0)


def test_guesses_of_the_other_side_count_nothing():
    for side, others in ((1, Counts(60, 90, 50, 7, 1, 192)), (-1, Counts(1, 6, 193, 99, 50, 51))):
        assert epsilon_lower(others, method(side)) == epsilon_lower(SIX, method(side))
        assert SIX.guessed(side) == others.guessed(side)
    assert SIX.guessed() == (110, 13, 277)
    assert [Counts(3).side, Counts(0, 2, 5).side, Counts(3, 2).side, Counts(0, 0, 9).side] == [
        1, -1, 0, 0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("side", "delta", "bets", "more"),
    [
        (2, 0.1, BETS, {}),
        (1, 0.0, BETS, {}),
        (1, 0.1, None, {}),
        (0, 0.1, BETS, {"aimed": 1.0}),
        (1, 0.1, BETS, {"aimed": math.nan}),
        (1, 0.1, BETS, {"aimed": 1.0, "epsilon": 1.0}),
    ],
)
def test_a_side_without_its_bound_is_refused(side, delta, bets, more):
    with pytest.raises(UsageError):
        BoundMethod(0.05, delta, bets, side=side, **more)


def statistic(right, wrong, n, allowed, aimed):
    odds = math.exp(aimed)
    gap = right - n * allowed - odds * (wrong + np.sqrt(wrong))
    return gap / np.sqrt(np.maximum(right + odds**2 * wrong, 1e-9))


def slow_chance(right, wrong, n, allowed, alpha, aimed, epsilon):
    """Return the p-value by summing over all counts, for many rates in the interval."""
    seen = statistic(right, wrong, n, allowed, aimed)
    if seen <= 0:
        return 1.0
    share = SPARED * alpha / 2
    rates = np.linspace(0, 1, 8000)
    inside = binom.cdf(wrong, n, rates) >= share
    inside &= binom.sf(wrong - 1, n, rates) >= share
    c, w = np.array([(c, w) for w in range(n + 1) for c in range(n + 1 - w)]).T
    large = statistic(c, w, n, allowed, aimed) >= seen - 1e-9
    c, w, worst = c[large], w[large], 0.0
    for q in rates[inside][::20]:
        p = min(math.exp(epsilon) * q + allowed, 1 - q)
        outcomes = np.stack([c, w, n - c - w], axis=1)
        worst = max(worst, float(multinomial.pmf(outcomes, n, [p, q, 1 - p - q]).sum()))
    return worst + SPARED * alpha


@pytest.mark.parametrize("counts", [(9, 0, 31), (14, 1, 25), (20, 3, 17), (30, 8, 2), (12, 2, 26)])
@pytest.mark.parametrize(("epsilon", "aimed"), [(0.0, 0.0), (0.5, 0.5), (1.0, 0.3), (0.3, 1.0)])
def test_the_exact_chance_is_the_sum_over_all_counts(counts, epsilon, aimed):
    fast = excess_chance(*counts, 0.05, 0.1, aimed)(epsilon)
    slow = slow_chance(*counts[:2], sum(counts), 0.05, 0.1, aimed, epsilon)
    assert slow - 1e-6 <= fast <= slow * 1.2 + 1e-3


@pytest.mark.parametrize(("epsilon", "allowed"), [(0.0, 0.05), (1.0, 0.05), (0.5, 0.01)])
def test_the_exact_test_errs_at_most_with_alpha_whatever_the_rate_of_wrong_guesses(
    epsilon, allowed
):
    n, alpha, errs = 40, 0.2, []
    counts = [(c, w, n - c - w) for w in range(n + 1) for c in range(n + 1 - w)]
    refuted = [c for c in counts if excess_chance(*c, allowed, alpha, epsilon)(epsilon) <= alpha]
    for q in np.linspace(0, (1 - allowed) / (1 + math.exp(epsilon)), 12):
        law = [math.exp(epsilon) * q + allowed, q, 1 - (1 + math.exp(epsilon)) * q - allowed]
        errs.append(float(multinomial.pmf(refuted, n, np.maximum(law, 0)).sum()))
    assert 0.03 < max(errs) <= alpha


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 60),
    st.integers(0, 30),
    st.integers(0, 400),
    st.sampled_from([1e-4, 0.01, 0.2]),
    st.floats(0, 3),
)
def test_the_exact_limit_is_where_the_chance_is_alpha(right, wrong, rest, allowed, aimed):
    chance = excess_chance(right, wrong, rest, allowed, 0.05, aimed)
    limit = excess_epsilon_lower(right, wrong, rest, allowed, 0.05, aimed)
    values = [chance(epsilon) for epsilon in np.linspace(0, 8, 30)]
    assert all(a <= b + 1e-12 for a, b in itertools.pairwise(values))
    assert (limit == 0) == (values[0] > 0.05)
    if limit:
        assert chance(limit) <= 0.05 < chance(limit + 1e-6)
    more = excess_epsilon_lower(right + 1, wrong, rest, allowed, 0.05, aimed)
    assert more >= limit - 1e-6 or wrong > 0


def test_the_larger_of_both_limits_counts_each_with_its_share_of_alpha():
    both = method(1, aimed=0.5)
    bet = betting_epsilon_lower(60, 7, 333, 0.005, (1 - EXACT) * 0.05, BETS)
    exact = excess_epsilon_lower(60, 7, 333, 0.005, EXACT * 0.05, 0.5)
    assert epsilon_lower(SIX, both) == max(bet, exact) == exact > bet
    assert epsilon_lower(SIX, both.anytime) == bet
    assert (both.anytime.alpha, both.anytime.aimed) == (pytest.approx(0.005), None)
    assert refutes(SIX, both, exact - 1e-6)
    assert not refutes(SIX, both, exact + 1e-6)
    # Where the test is aimed far too high, the bets remain.
    assert epsilon_lower(SIX, method(1, aimed=5.0)) == bet > 0


def test_the_delta_at_a_point_is_twice_as_large_for_one_side():
    guesses = Counts(40, 0, 160, 2, 0, 198)
    one, two = (delta_lower(guesses, method(side, epsilon=0.5)) for side in (1, 0))
    assert one == pytest.approx(2 * two)
    assert two > 0


@pytest.mark.parametrize("side", [-1, 1])
def test_power_is_that_of_guesses_of_the_side(side):
    made = Counts(50, 0, 950, 10, 0, 990) if side > 0 else Counts(0, 10, 990, 0, 50, 950)
    found = detectable_epsilon(made, method(side, aimed=1.0), 1.0)
    assert 1.0 < found < detectable_epsilon(made, BoundMethod(0.05, 0.01, BETS), 1.0)


@pytest.mark.parametrize("side", [1, -1])
def test_wealth_of_sequential_bets_on_one_side_is_the_product_over_trials(side):
    rows = ((0.3, 0.2, 3, 1, side), (0.3, 0.0, 2, 5, side), (0.1, 0.1, 1, 1))
    expected, odds = 1.0, math.exp(0.5)
    for cap, stake, right, wrong, *on in rows:
        charge = cap * 0.1 * (0.5 if on else 1)
        expected *= (1 + stake - charge) ** right * (1 - stake * odds - charge) ** wrong
    found = product_log_wealth(0.5, 0.1, (Bettor(1.0, rows),))
    assert math.exp(found) == pytest.approx(expected)
    with pytest.raises(UsageError, match="a side, 1 or -1"):
        Bettor(1.0, ((0.3, 0.2, 3, 1, 0),))


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("epsilon", [0.0, 1.0])
def test_sequential_bets_on_an_event_of_one_dataset_gain_nothing_at_its_delta(side, epsilon):
    # Half of all outputs were the event, which only one dataset can give, with chance δ.
    delta, chances = 0.3, np.array([0.999 if side > 0 else 0.001, 0.5])
    mean, laws = 0.0, ((delta, 1 - delta), (0.0, 1.0))
    for was_d, output in itertools.product((True, False), (0, 1)):
        wagers = BettingStrategy(epsilon, delta)
        wagers.plan(np.repeat(chances, 50))
        wagers.bet(chances[[output]], np.array([was_d]))
        chance = laws[0 if was_d == (side > 0) else 1][output] / 2
        bettor = replace(wagers.bettors()[0], weight=1.0)
        assert all(row[4:] == (side,) for row in bettor.staked)
        mean += chance * math.exp(product_log_wealth(epsilon, delta, (bettor,)))
    assert 0.99 < mean <= 1 + 1e-9


def test_wagers_see_what_is_rare_among_many_outputs():
    wagers = BettingStrategy(0.5, 1e-4)
    wagers.plan(np.concatenate([np.full(100_000, 0.5), np.full(40, 0.98)]))
    wagers.bet(np.array([0.98]), np.array([True]))
    (row,) = wagers.bettors()[0].staked
    assert row[1] > 0
    assert row[4:] == (1,)


def test_a_cut_on_one_side_is_forecast_against_half_of_delta():
    a, b = np.zeros(20_000), np.zeros(20_000)
    a[:160] = 1.0
    goal = Goal(40_000, 0.05, 0.005, betting=True, claimed=1.0)
    cut = best_cut(a, b, goal)
    assert (cut.high, cut.low) == (1.0, -math.inf)
    assert cut.value > 1.0
    assert cut.beyond > 3
    # At its own δ nothing promises a violation.
    within = best_cut(a, b, replace(goal, delta=0.008))
    assert within.value < 1.0
    assert within.beyond < 1


def told(chance):
    def mechanism(data, rng):
        return "told" if 1 in data and rng.random() < chance else None

    return mechanism


PAIR = ([0, 0, 0, 0], [0, 0, 0, 0, 1])
ASKED = {"epsilon": 1.0, "delta": 0.05, "pair": PAIR, "seed": 1}


@pytest.mark.parametrize("turned", [False, True])
def test_twice_the_delta_on_one_side_is_a_violation(turned):
    pair = PAIR[::-1] if turned else PAIR
    result = audit(told(0.1), **{**ASKED, "pair": pair}, samples=4000)
    assert result.verdict is Verdict.VIOLATION
    (found,) = result.pairs
    assert found.method.side == (1 if turned else -1)
    assert found.method.aimed == 1.0
    assert "told" in found.witness.guess_d + found.witness.guess_d_prime
    anytime = audit(told(0.1), **ASKED, samples=4000, stop_early=True)
    assert anytime.verdict is Verdict.VIOLATION
    assert anytime.pairs[0].method.aimed is None
    assert audit(told(0.1), **ASKED, samples="auto:6000").verdict is Verdict.VIOLATION


def test_exactly_delta_on_one_side_is_none():
    for more in (
        {"samples": 3000},
        {"samples": 3000, "stop_early": True},
        {"samples": "auto:3000"},
    ):
        assert audit(told(0.05), **ASKED, **more).verdict is Verdict.NO_VIOLATION


def test_the_search_scores_what_exceeds_delta_apart_from_what_is_within_the_claim():
    rng, n = np.random.default_rng(3), 6000
    goal = Goal(10**6, 0.05, 0.001, betting=True, claimed=1.0)
    noise = [
        rng.geometric(1 - math.exp(-0.9), n) - rng.geometric(1 - math.exp(-0.9), n) for _ in "ab"
    ]
    leak = [np.zeros(n), np.zeros(n)]
    leak[0][:16] = 1.0

    def ranked(sides):
        book = PatternBook()
        return rank(*(encode(list(side), n, book) for side in sides), goal)

    within, beyond = ranked((noise[0] + 1, noise[1])), ranked(leak)
    assert within[0] > beyond[0]
    assert within[1] < 1 < beyond[1]
    one, two = ((Candidate((0,), (i,), "", False), i) for i in (1, 2))
    samples = [_Sample(*one, score=within[0]) for _ in range(6)]
    samples.append(_Sample(*two, score=beyond[0], beyond=beyond[1]))
    assert samples[-1] in _kept(samples)
    # On more outputs it is clear, and before all that is within the claim.
    leak = [np.repeat(side, 4) for side in leak]
    assert rank(*(encode(list(side), 4 * n, PatternBook()) for side in leak), goal)[0] >= 1.0


@pytest.mark.slow
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("epsilon", [0.0, 1.0])
@pytest.mark.parametrize("q", [0.0, 1e-4, 0.01])
def test_its_level_by_simulation(side, epsilon, q):
    rng, n, delta, runs, alarms = np.random.default_rng(7), 200_000, 1e-3, 1000, 0
    claim = BoundMethod(0.05, delta, Bets((0.1, 0.01), (0.9, 0.1)), side=side, aimed=epsilon)
    law = [(math.exp(epsilon) * q + delta) / 2, q / 2]
    for right, wrong, rest in rng.multinomial(n, [*law, 1 - sum(law)], size=runs).tolist():
        six = (right, 0, rest, wrong, 0) if side > 0 else (0, wrong, rest, 0, right)
        alarms += refutes(Counts(*six), claim, epsilon)
    assert alarms <= 0.05 * runs + 3.1 * math.sqrt(0.05 * 0.95 * runs)
