import math
import sys

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from provado.mechanisms import PureDP, UsageError
from provado.mechanisms.accounting.pld import LaplaceNoise
from provado.mechanisms.graph_discovery.methods.budget import (
    MOST_ROUNDS,
    SpentRounds,
    cheapest,
    round_epsilon,
    rounds_by_nodes,
    rounds_by_pairs,
    totals,
)
from provado.mechanisms.noise.sieve import optimal_share, sieve_epsilon


def pure(epsilon):
    return (PureDP(epsilon),)


def sieve(epsilon):
    return PureDP(epsilon / 2), LaplaceNoise(1.0, 2 / epsilon)


budgets = {
    "epsilon": st.floats(1e-3, 50),
    "delta": st.one_of(st.just(0.0), st.floats(1e-9, 0.4)),
    "rounds": st.integers(1, 30),
}


def randomised_response_delta(epsilon, k, total):
    """Return the exact δ of ``k`` randomised responses of ε each at ``total``."""
    truths = np.arange(k + 1)
    loss = (2 * truths - k) * epsilon
    chance = binom.pmf(truths, k, 1 / (1 + math.exp(-epsilon)))
    return float(np.sum(chance * -np.expm1(np.minimum(total - loss, 0.0))))


@settings(max_examples=6)
@given(**budgets)
@example(epsilon=1.0, delta=1e-3, rounds=28)
@example(epsilon=0.1, delta=0.0, rounds=7)
@example(epsilon=0.5, delta=0.25, rounds=1)
@pytest.mark.parametrize("parts", [pure, sieve])
def test_the_rounds_together_stay_within_the_budget(parts, epsilon, delta, rounds):
    share = round_epsilon(parts, rounds=rounds, epsilon=epsilon, delta=delta)
    total = cheapest(SpentRounds(rounds, share, parts(share)), delta)
    assert total.epsilon <= epsilon
    assert total.delta <= delta
    assert share >= epsilon / rounds * (1 - 1e-9)
    # The worst mechanisms that are ε-DP each, by a law that no accountant here computes.
    if parts is pure:
        assert randomised_response_delta(share, rounds, epsilon) <= delta + 1e-12


def test_little_of_the_budget_is_left():
    for epsilon, delta, rounds in ((1.0, 1e-3, 28), (0.1, 1e-5, 10)):
        share = round_epsilon(pure, rounds=rounds, epsilon=epsilon, delta=delta)
        more = share * 1.01
        assert cheapest(SpentRounds(rounds, more, pure(more)), delta).epsilon > epsilon
        assert randomised_response_delta(more * 1.02, rounds, epsilon) > delta


def test_the_search_finds_what_a_slow_one_does():
    epsilon, delta, rounds = 2.0, 1e-4, 5
    best = max(
        share
        for share in np.geomspace(epsilon / rounds, 2 * epsilon / rounds, 40).tolist()
        if cheapest(SpentRounds(rounds, share, sieve(share)), delta).epsilon <= epsilon
    )
    found = round_epsilon(sieve, rounds=rounds, epsilon=epsilon, delta=delta)
    assert found == pytest.approx(best, rel=1.1 * ((2 ** (1 / 39)) - 1))


def test_delta_buys_more_and_without_it_the_sum_counts():
    assert round_epsilon(pure, rounds=10, epsilon=1.0, delta=0.0) == pytest.approx(0.1, rel=1e-12)
    assert round_epsilon(pure, rounds=100, epsilon=1.0, delta=1e-3) > 0.03


def test_totals_are_each_a_guarantee_at_the_delta():
    spent = SpentRounds(50, 0.1, pure(0.1))
    found = {total.by: total for total in totals(spent, 1e-4)}
    assert set(found) == {"basic", "advanced", "tight"}
    assert found["tight"].epsilon < found["advanced"].epsilon < found["basic"].epsilon
    for total in found.values():
        assert total.delta <= 1e-4
        assert randomised_response_delta(0.1, 50, total.epsilon) <= total.delta + 1e-12
    assert [t.by for t in totals(spent, 0.0)] == ["basic"]
    assert [t.by for t in totals(SpentRounds(2, 40.0, pure(40.0)), 1e-4)] == ["basic", "tight"]
    assert [t.by for t in totals(spent, 1e-11)] == ["basic", "advanced"]
    assert [t.by for t in totals(SpentRounds(0, 0.1, pure(0.1)), 1e-4)] == ["basic"]


def test_without_dp_accounting_the_others_count(monkeypatch):
    pytest.importorskip("dp_accounting")
    monkeypatch.setitem(sys.modules, "dp_accounting.pld", None)
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    share = round_epsilon(pure, rounds=400, epsilon=1.0, delta=1e-3)
    total = cheapest(SpentRounds(400, share, pure(share)), 1e-3)
    assert total.by == "advanced"
    assert total.epsilon <= 1.0
    assert share > 1 / 400


@pytest.mark.parametrize(("d", "rounds"), [(1, 1), (2, 1), (8, 28), (45, 990), (46, 1000)])
def test_rounds_by_pairs(d, rounds):
    assert rounds_by_pairs(d) == rounds
    assert rounds_by_pairs(d, 2) == max(1, min(MOST_ROUNDS, d * (d - 1)))


def test_rounds_by_nodes():
    assert rounds_by_nodes(8, 6) == 56
    assert rounds_by_nodes(37, 30) == MOST_ROUNDS


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"epsilon": 0.0}, "epsilon is 0.0"),
        ({"epsilon": math.inf}, "epsilon is inf"),
        ({"rounds": 0}, "rounds is 0"),
        ({"delta": 1.0}, "delta is 1.0"),
        ({"epsilon": 5e-324, "rounds": 9}, "epsilon is 5e-324"),
    ],
)
def test_bad_budgets_are_refused(change, message):
    with pytest.raises(UsageError, match=message):
        round_epsilon(pure, **({"epsilon": 1.0, "rounds": 3, "delta": 1e-3} | change))
    with pytest.raises(UsageError, match="d is 0"):
        rounds_by_pairs(0)


@pytest.mark.parametrize("epsilon", [1500.0, 1e6, 1.7e308])
def test_an_epsilon_that_no_exponential_holds_is_named(epsilon):
    with pytest.raises(UsageError, match="not representable"):
        sieve_epsilon(epsilon, 10, 10)
    with pytest.raises(UsageError, match="not representable"):
        optimal_share(epsilon)


def test_an_amplified_epsilon_may_overflow_alone():
    assert sieve_epsilon(1419.0, 10, 10) == pytest.approx(709.5)
    with pytest.raises(UsageError, match="epsilon is 1419"):
        sieve_epsilon(1419.0, 10**6, 1)
