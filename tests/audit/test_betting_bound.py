"""The betting bound against a product over trials, and its guarantee by enumeration."""

import itertools
import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provado.audit.bounds import Bets, BoundMethod, epsilon_lower
from provado.audit.bounds.betting import betting_epsilon_lower, log_wealth
from provado.audit.bounds.binomial import binomial_epsilon_lower
from provado.audit.bounds.counts import Counts
from provado.mechanisms import UsageError

BETS = Bets((0.4, 0.05, 0.2, 0.01), (0.4, 0.3, 0.2, 0.1))
CLAIMS = [(0.0, 0.0), (0.5, 0.0), (1.0, 0.1), (0.2, 0.01), (1.2, 0.3)]


def naive_wealth(epsilon, delta, guesses, bets):
    """Return the wealth after a sequence of "C", "W" and "A", trial by trial."""
    total = 0.0
    for stake, weight in zip(bets.stakes, bets.weights, strict=True):
        if stake * (math.exp(epsilon) + delta) >= 1:
            continue
        wealth = weight
        for guess in guesses:
            gain = {"C": 1.0, "W": -math.exp(epsilon), "A": 0.0}[guess] - delta
            wealth *= 1 + stake * gain
        total += wealth
    return total


def corners(epsilon, delta):
    """Return the extreme points (right, wrong, abstained) of what (ε, δ)-DP allows one trial."""
    odds = math.exp(epsilon)
    return [
        (delta, 0.0, 1 - delta),
        ((odds + delta) / (1 + odds), (1 - delta) / (1 + odds), 0.0),
        (0.0, 1.0, 0.0),
        (0.0, 0.0, 1.0),
    ]


def wealth(epsilon, delta, counts, bets=BETS):
    return math.exp(log_wealth(epsilon, delta, *counts, bets))


@pytest.mark.parametrize(("epsilon", "delta"), CLAIMS)
def test_it_equals_the_product_over_trials_in_any_order(epsilon, delta):
    for guesses in ("", "C", "W", "A", "CCWAC", "WCCCA", "AAAA", "CCCCCCCCCW"):
        expected = naive_wealth(epsilon, delta, guesses, BETS)
        counts = tuple(guesses.count(letter) for letter in "CWA")
        assert wealth(epsilon, delta, counts) == pytest.approx(expected, rel=1e-12)
        for order in itertools.islice(itertools.permutations(guesses), 20):
            assert naive_wealth(epsilon, delta, order, BETS) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("epsilon", "delta"), CLAIMS)
def test_the_wealth_is_a_supermartingale_at_every_corner_and_state(epsilon, delta):
    for corner in corners(epsilon, delta):
        for c, w, a in itertools.product(range(5), repeat=3):
            after = [(c + 1, w, a), (c, w + 1, a), (c, w, a + 1)]
            expected = sum(
                p * wealth(epsilon, delta, state) for p, state in zip(corner, after, strict=True)
            )
            assert expected <= wealth(epsilon, delta, (c, w, a)) * (1 + 1e-12)


def test_the_wealth_of_allowed_stakes_is_a_martingale_where_the_claim_is_tight():
    bets = Bets((0.2, 0.05), (0.5, 0.5))
    for corner in corners(1.0, 0.1)[:2]:
        expected = sum(
            p * wealth(1.0, 0.1, state, bets)
            for p, state in zip(corner, [(1, 0, 0), (0, 1, 0), (0, 0, 1)], strict=True)
        )
        assert expected == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("n", [1, 4, 9])
@pytest.mark.parametrize(("epsilon", "delta"), CLAIMS)
def test_the_expected_wealth_after_n_trials_is_at_most_1(n, epsilon, delta):
    for right, wrong, abstained in corners(epsilon, delta):
        total = 0.0
        for c in range(n + 1):
            for w in range(n + 1 - c):
                a = n - c - w
                ways = math.comb(n, c) * math.comb(n - c, w)
                chance = ways * right**c * wrong**w * abstained**a
                total += chance * wealth(epsilon, delta, (c, w, a))
        assert total <= 1 + 1e-12


def chance_of_ever(n, corner, alarm):
    """Return the exact chance that ``alarm(c, w, a)`` holds at some time within n trials."""

    @cache
    def from_here(c, w, a):
        if alarm(c, w, a):
            return 1.0
        if c + w + a == n:
            return 0.0
        steps = ((c + 1, w, a), (c, w + 1, a), (c, w, a + 1))
        return sum(p * from_here(*step) for p, step in zip(corner, steps, strict=True) if p > 0)

    return from_here(0, 0, 0)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.0), (0.3, 0.05), (0.0, 0.1)])
def test_its_level_under_optional_stopping_is_exact(epsilon, delta):
    def alarm(c, w, a):
        return betting_epsilon_lower(c, w, a, delta, 0.2, BETS) > epsilon

    chances = [chance_of_ever(30, corner, alarm) for corner in corners(epsilon, delta)]
    assert max(chances) <= 0.2
    assert max(chances) > 0.02


def test_the_binomial_bound_fails_under_optional_stopping():
    def alarm(c, w, a):
        return binomial_epsilon_lower(c, w, 0.2) > 0.5

    assert chance_of_ever(100, corners(0.5, 0.0)[1], alarm) > 0.3


@given(
    st.integers(0, 400),
    st.integers(0, 400),
    st.integers(0, 400),
    st.sampled_from([0.0, 1e-6, 0.05, 0.5]),
    st.floats(1e-6, 0.5),
)
def test_the_limit_is_where_the_wealth_reaches_1_over_alpha(
    correct, wrong, abstained, delta, alpha
):
    limit = betting_epsilon_lower(correct, wrong, abstained, delta, alpha, BETS)
    assert math.isfinite(limit)
    assert limit >= 0
    counts = (correct, wrong, abstained)
    if limit > 0:
        assert log_wealth(limit, delta, *counts, BETS) >= -math.log(alpha)
        assert log_wealth(limit + 1e-8, delta, *counts, BETS) < -math.log(alpha) + 1e-4
    assert betting_epsilon_lower(correct, wrong + 1, abstained, delta, alpha, BETS) <= limit
    assert betting_epsilon_lower(correct + 1, wrong, abstained, delta, alpha, BETS) >= limit


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.floats(0, 0.9))
def test_the_wealth_falls_as_epsilon_grows(correct, wrong, abstained, delta):
    grid = np.linspace(0, 6, 20).tolist()
    values = [log_wealth(e, delta, correct, wrong, abstained, BETS) for e in grid]
    assert all(a >= b - 1e-12 for a, b in itertools.pairwise(values))


def test_at_delta_0_it_is_weaker_than_the_binomial_but_not_much():
    bets = Bets((0.12, 0.03), (0.9, 0.1))
    for correct in (7400, 7600, 8000):
        weak = betting_epsilon_lower(correct, 10_000 - correct, 0, 0.0, 0.05, bets)
        strong = binomial_epsilon_lower(correct, 10_000 - correct, 0.05)
        assert 0.8 * strong < weak < strong


def test_delta_pays_for_right_guesses():
    # A share δ of certain right guesses is allowed and certifies nothing.
    assert betting_epsilon_lower(100, 0, 900, 0.1, 0.05, BETS) == 0
    assert betting_epsilon_lower(300, 0, 700, 0.1, 0.05, BETS) > 0


@pytest.mark.parametrize(
    ("stakes", "weights"),
    [
        ((), ()),
        ((0.1,), (0.5, 0.5)),
        ((0.1, 0.2), (0.8, 0.3)),
        ((0.0,), (1.0,)),
        ((-0.1,), (1.0,)),
        ((0.1,), (-1.0,)),
        ((0.1,), (0.0,)),
        ((math.nan,), (1.0,)),
        ((0.1,), (math.nan,)),
        ((0.1, math.nan), (0.5, 0.5)),
        ((math.inf,), (1.0,)),
        ((0.1,), (math.inf,)),
    ],
)
def test_bets_that_break_the_guarantee_are_refused(stakes, weights):
    with pytest.raises(UsageError, match="bets"):
        Bets(stakes, weights)


def test_a_method_names_its_bound_and_refuses_what_has_none():
    assert BoundMethod(0.05).name == "binomial"
    assert BoundMethod(0.05, 0.1, BETS).name == "betting"
    with pytest.raises(UsageError, match=r"delta is 0\.1: the binomial bound needs delta 0"):
        BoundMethod(0.05, 0.1)
    for alpha in (0.0, 1.0, math.nan, -1):
        with pytest.raises(UsageError, match="alpha is"):
            BoundMethod(alpha)
    for delta in (-0.1, 1.0, math.nan):
        with pytest.raises(UsageError, match="delta is"):
            BoundMethod(0.05, delta, BETS)


def test_epsilon_lower_passes_the_counts_to_the_bound_of_the_method():
    counts = Counts(30, 10, 5, 8, 32, 15)
    assert epsilon_lower(counts, BoundMethod(0.05)) == binomial_epsilon_lower(62, 18, 0.05)
    assert epsilon_lower(counts, BoundMethod(0.05, 0.01, BETS)) == betting_epsilon_lower(
        62, 18, 20, 0.01, 0.05, BETS
    )
    # Bets that are there are what the plan has chosen, also where the binomial would do.
    early = epsilon_lower(counts, BoundMethod(0.02, 0.0, BETS))
    assert early == betting_epsilon_lower(62, 18, 20, 0.0, 0.02, BETS)
    assert early != pytest.approx(binomial_epsilon_lower(62, 18, 0.02), abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("corner", [0, 1])
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.0), (1.0, 0.05), (0.1, 0.01)])
def test_its_level_under_optional_stopping_by_simulation(epsilon, delta, corner):
    rng = np.random.default_rng(5)
    bets = Bets((0.02, *np.geomspace(1e-4, 0.9 / (1 + delta), 20)), (0.5, *[0.025] * 20))
    runs, trials, looks, alarms = 1000, 5000, 50, 0
    chances = corners(epsilon, delta)[corner]
    for _ in range(runs):
        steps = rng.multinomial(trials // looks, chances, size=looks).cumsum(axis=0)
        alarms += any(
            log_wealth(epsilon, delta, *counts, bets) >= math.log(20) for counts in steps.tolist()
        )
    assert alarms <= 0.05 * runs + 3.1 * math.sqrt(0.05 * 0.95 * runs)


@pytest.mark.parametrize("delta", [0.0, 0.01])
def test_a_plan_with_bets_gets_their_bound_whatever_delta_is(delta):
    counts, bets = Counts(300, 100, 50, 120, 280, 40), Bets((0.2, 0.05), (0.5, 0.5))
    found = epsilon_lower(counts, BoundMethod(0.05, delta, bets))
    assert found == betting_epsilon_lower(580, 220, 90, delta, 0.05, bets) > 0
    # The binomial bound is larger: it must not be told of an experiment that may stop early.
    assert epsilon_lower(counts, BoundMethod(0.05)) > found
