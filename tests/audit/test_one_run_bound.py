"""Bounds of one run with many coins: against linear programs, tight mechanisms, and their level."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.special import ndtr, ndtri
from scipy.stats import binom

from provado.audit.bounds import one_run
from provado.audit.bounds.binomial import binomial_epsilon_lower
from provado.audit.bounds.one_run import (
    _chernoff,
    _sum_reaches,
    _tails,
    check_guesses,
    every_chance,
    gaussian_chance,
    gaussian_inverse,
    one_run_chance,
    one_run_epsilon_lower,
    one_run_mu_lower,
    tradeoff_chance,
)
from provado.mechanisms import GaussianDP, UsageError

CLAIMS = [(1.0, 0.0), (1.0, 1e-3), (0.5, 0.05), (0.2, 0.3), (2.0, 1e-2), (0.0, 0.1)]
SIZES = [(1, 1), (2, 2), (5, 5), (5, 12), (12, 12), (12, 30)]


def one_run_chance_printed(
    right: int, guesses: int, interventions: int, epsilon: float, delta: float
) -> float:
    """Return the p-value of Steinke, Nasr and Jagielski (2023), as their Appendix D computes it.

    Pr[B ≥ v] + 2mδ·max_i Pr[v > B ≥ v − i]/i for B ~ Binomial(r, e^ε/(1 + e^ε)). For δ > 0 it is
    above ``one_run_chance``, which is sharp, wherever it was seen to be below 0.2. It is no bound
    everywhere: at ε = 1 and δ = 0.125 the chance that one of two guesses is right is at most
    0.9638 by it, and 0.9703 for two randomized responses that, with chance 0.59, are drawn anew
    until one of them is right.
    """
    check_guesses(right, guesses, interventions, 1)
    tails = _tails(guesses, epsilon)[1]
    if right == 0:
        return 1.0
    below = tails[right - np.arange(1, right + 1)] - tails[right]
    added = float(np.max(below / np.arange(1, right + 1)))
    return min(1.0, float(tails[right]) + 2 * interventions * delta * added)


def maximum(guesses, right, rows, limits, values=None):
    """Return the largest chance of ``right``, or mean of values, over all laws within limits."""
    variables = rows.shape[1]
    goal = np.zeros(variables)
    goal[right : guesses + 1] = -1 if values is None else -values
    total = np.zeros((1, variables))
    total[0, : guesses + 1] = 1
    found = linprog(goal, A_ub=rows, b_ub=limits, A_eq=total, b_eq=[1], method="highs")
    assert found.status == 0
    return -found.fun


def program(right, guesses, interventions, points, values=None):
    """Return the sharp chance by brute force: (ε, δ) of every event of every coin, both ways."""
    coins = np.arange(guesses)
    slots = 2 * len(points) * guesses
    rows, limits = [], []
    for place, ((epsilon, delta), way) in enumerate(itertools.product(points, (0, 1))):
        start = guesses + 1 + place * guesses
        budget = np.zeros(guesses + 1 + slots)
        budget[start : start + guesses] = 1
        rows.append(budget)
        limits.append(interventions * delta)
        for k in coins:
            row = np.zeros(guesses + 1 + slots)
            up, down = k + 1, guesses - k
            grows, weight = math.exp(epsilon), -1.0
            row[k + 1] = up if way == 0 else -grows * up
            row[k] = -grows * down if way == 0 else down
            row[start + k] = weight
            rows.append(row)
            limits.append(0.0)
    return maximum(guesses, right, np.array(rows), np.array(limits), values)


def nested_program(right, guesses, interventions, epsilon, delta):
    """Return the chance when only the events "at least c − 1 others" are bounded."""
    k = np.arange(guesses + 1)
    rows, limits = [], []
    for c in range(1, guesses + 1):
        correct, wrong = k * (k >= c), (guesses - k) * (k >= c - 1)
        rows += [
            correct - math.exp(epsilon) * wrong,
            math.exp(-epsilon) * correct - wrong,
            math.exp(epsilon) * correct - wrong,
        ]
        limits += [
            interventions * delta,
            interventions * delta * math.exp(-epsilon),
            interventions * (math.exp(epsilon) - 1 + delta),
        ]
    return maximum(guesses, right, np.array(rows, dtype=float), np.array(limits))


@pytest.mark.parametrize(("epsilon", "delta"), CLAIMS)
@pytest.mark.parametrize(("guesses", "interventions"), SIZES)
def test_it_equals_the_linear_program_over_all_laws(epsilon, delta, guesses, interventions):
    for right in range(1, guesses + 1):
        assert one_run_chance(right, guesses, interventions, epsilon, delta) == pytest.approx(
            program(right, guesses, interventions, [(epsilon, delta)]), abs=1e-7
        )


def conditioned(interventions, epsilon, least, weight):
    """Return the law of the right guesses, by pattern, of a mechanism that reaches the bound.

    Independent randomized responses; with chance ``weight`` given that ``least`` are right.
    """
    keep = 1 / (1 + math.exp(-epsilon))
    patterns = list(itertools.product((0, 1), repeat=interventions))
    law = {z: math.prod(keep if bit else 1 - keep for bit in z) for z in patterns}
    tail = sum(chance for z, chance in law.items() if sum(z) >= least)
    return {
        z: chance * (1 - weight + weight * (sum(z) >= least) / tail) for z, chance in law.items()
    }


@pytest.mark.parametrize(("least", "weight"), [(2, 0.1), (4, 0.3), (5, 0.02), (5, 1.0)])
def test_a_mechanism_reaches_the_bound(least, weight):
    n, epsilon = 5, 0.7
    law = conditioned(n, epsilon, least, weight)
    # Tossing one coin anew, with the output as it was, turns one right guess into a wrong one.
    excess = [
        max(0.0, chance - math.exp(epsilon) * law[(*z[:i], 1 - z[i], *z[i + 1 :])])
        for i in range(n)
        for z, chance in law.items()
    ]
    right = np.array([sum(z) for z in law])
    side = np.array([z[0] for z in law])
    both = np.array(excess[: len(law)])
    # Of one coin: its δ is the excess of outputs that say 1 under 1, and of those that say 0.
    delta = both[side == 1].sum()
    assert both[side == 0].sum() == pytest.approx(0)
    assert sum(law.values()) == pytest.approx(1)
    reached = sum(c for c, r in zip(law.values(), right, strict=True) if r >= least)
    bound = one_run_chance(least, n, n, epsilon, delta)
    assert reached <= bound + 1e-12
    if least == n:
        assert reached == pytest.approx(bound, abs=1e-8)
        # The independent binomial, which forgets δ, is exceeded: the broken twin.
        assert reached > one_run_chance(least, n, n, epsilon, 0.0) + 1e-3


def approximate_inverse(epsilon, delta):
    """Return the inverse trade-off of (ε, δ)-DP: both of its straight parts."""

    def inverse(reached):
        steep = 1 - delta - math.exp(epsilon) * (1 - reached)
        return max(0.0, math.exp(-epsilon) * (reached - delta), steep)

    return inverse


@given(
    st.integers(1, 300),
    st.integers(0, 300),
    st.floats(0, 5),
    st.floats(1e-9, 0.2),
    st.data(),
)
@settings(max_examples=150, deadline=None)
def test_it_is_below_the_printed_bound_and_grows(guesses, more, epsilon, delta, data):
    right = data.draw(st.integers(0, guesses))
    m = guesses + more
    chance = one_run_chance(right, guesses, m, epsilon, delta)
    printed = one_run_chance_printed(right, guesses, m, epsilon, delta)
    # Where it refutes anything; beyond, it is too small (below).
    assert chance <= printed * (1 + 1e-7) or printed > 0.2
    assert chance >= one_run_chance(right, guesses, m, epsilon, 0.0) * (1 - 1e-7)
    assert chance <= one_run_chance(right, guesses, m, epsilon + 0.1, delta) * (1 + 1e-7)
    assert chance <= one_run_chance(right, guesses, m + 10, epsilon, delta) * (1 + 1e-7)
    assert chance <= tradeoff_chance(right, guesses, m, approximate_inverse(epsilon, delta)) + 1e-9


@pytest.mark.parametrize("right", [0, 1, 8, 15, 20])
def test_the_printed_chance_is_as_printed(right):
    """Pr[B ≥ v] + 2mδ·max Pr[v > B ≥ v − i]/i, term by term."""
    guesses, m, epsilon, delta = 20, 50, 0.7, 1e-3
    law = binom(guesses, 1 / (1 + math.exp(-epsilon)))
    added = [sum(law.pmf(range(right - i, right))) / i for i in range(1, right + 1)]
    expected = min(1.0, law.sf(right - 1) + 2 * m * delta * max(added, default=0.0))
    found = one_run_chance_printed(right, guesses, m, epsilon, delta)
    assert found == pytest.approx(expected, rel=1e-9)


def test_the_printed_chance_is_exceeded_where_it_refutes_nothing():
    # Two coins, two guesses, at least one right: an exact mechanism M(x) on all four datasets.
    epsilon, weight = 1.0, 0.5897
    law = conditioned(2, epsilon, 1, weight)
    datasets = list(itertools.product((0, 1), repeat=2))

    def output(x):
        return {y: law[tuple(int(a == b) for a, b in zip(x, y, strict=True))] for y in datasets}

    deltas = [
        sum(max(0.0, output(x)[y] - math.exp(epsilon) * output(other)[y]) for y in datasets)
        for x in datasets
        for other in ((1 - x[0], x[1]), (x[0], 1 - x[1]))
    ]
    delta = max(deltas)
    reached = np.mean(
        [sum(c for y, c in output(x).items() if y != (1 - x[0], 1 - x[1])) for x in datasets]
    )
    assert delta < 0.125
    assert reached > one_run_chance_printed(1, 2, 2, epsilon, delta) + 0.006
    assert reached == pytest.approx(one_run_chance(1, 2, 2, epsilon, delta), abs=1e-8)


def test_without_delta_it_is_the_binomial_tail():
    for right in range(201):
        expected = binom.sf(right - 1, 200, 1 / (1 + math.exp(-0.8)))
        assert one_run_chance(right, 200, 999, 0.8, 0.0) == pytest.approx(expected, rel=1e-7)
    assert one_run_epsilon_lower(150, 200, 999, 0.0, 0.05) == binomial_epsilon_lower(150, 50, 0.05)
    pooled = one_run_epsilon_lower(150, 40, 40, 0.0, 0.05, runs=5)
    assert pooled == binomial_epsilon_lower(150, 50, 0.05)


def test_runs_are_pooled_as_independent():
    # Five runs of 40 guesses are 200 guesses, where δ = 0; beyond, a run's law is convolved.
    pure = one_run_chance(150, 200, 200, 0.8, 0.0)
    assert one_run_chance(150, 40, 40, 0.8, 0.0, runs=5) == pytest.approx(pure, rel=1e-9)
    one = every_chance(3, 4, 0.5, 0.05)
    law = np.append(one[:-1] - one[1:], one[-1])
    two = sum(law[i] * law[j] for i in range(4) for j in range(4) if i + j >= 5)
    assert _sum_reaches(5, one, 2) == pytest.approx(two, rel=1e-8)
    assert one_run_chance(5, 3, 4, 0.5, 0.05, runs=2) <= two * (1 + 1e-8)
    # A run may tell all of its coins with chance δ; thirty do not do so together.
    assert one_run_chance(100, 100, 100, 0.01, 0.6) >= 0.6
    assert one_run_chance(1000, 100, 100, 0.01, 0.6, runs=10) <= 0.7**10


def test_many_runs_are_convolved_by_transforms_and_never_below_the_direct_sum(monkeypatch):
    chances, runs = every_chance(100, 300, 1.0, 1e-4), 101
    for right in (7200, 7400, 7500, 7600, 8000):
        monkeypatch.setattr(one_run, "LONG", 10**9)
        direct = _sum_reaches(right, chances, runs)
        monkeypatch.setattr(one_run, "LONG", 300)
        assert direct <= _sum_reaches(right, chances, runs) <= direct + 1e-9
    # A thousand runs would take half a minute directly.
    assert 0.01 < one_run_chance(73_440, 100, 300, 1.0, 1e-4, runs=1_001) < 0.1


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.05), (0.05, 0.6), (1.0, 1e-3)])
def test_runs_never_exceed_what_mechanisms_reach(epsilon, delta):
    # Cut binomials are the worst of one run, each for other numbers; convolved they stay below.
    n, runs = 12, 8
    binomial = binom(n, 1 / (1 + math.exp(-epsilon)))
    k = np.arange(n + 1)
    for least in range(1, n + 1):
        cost = least * binomial.pmf(least) / binomial.sf(least - 1)
        weight = min(1.0, n * delta / cost)
        law = binomial.pmf(k) * (1 - weight + weight * (k >= least) / binomial.sf(least - 1))
        total = np.ones(1)
        for _ in range(runs):
            total = np.convolve(total, law)
        for right in range(n * runs // 2, n * runs + 1, 5):
            reached = total[right:].sum()
            assert one_run_chance(right, n, n, epsilon, delta, runs=runs) >= reached * (1 - 1e-9)


def test_of_many_runs_each_of_two_bounds_is_the_smaller_one_somewhere():
    """With a twin: the tails of one run, number by number."""
    epsilon, delta, n = 0.5, 0.01, 20
    tails = every_chance(n, n, epsilon, delta)
    assert tails == pytest.approx(
        [one_run_chance(right, n, n, epsilon, delta) for right in range(n + 1)]
    )
    smaller = set()
    for runs, right in itertools.product((2, 10, 100), range(10, 21)):
        both = (
            _sum_reaches(runs * right, tails, runs),
            _chernoff(runs * right, n, n * delta, epsilon, runs),
        )
        assert one_run_chance(runs * right, n, n, epsilon, delta, runs=runs) == min(both)
        smaller |= {both.index(min(both))} if min(both) < 0.5 else set()
    assert smaller == {0, 1}


def test_the_mean_of_chernoff_equals_the_linear_program():
    n, epsilon, delta = 8, 0.4, 0.1
    k = np.arange(n + 1)
    for power in (0.5, 3.0, 20.0):
        goal = np.exp(power / n * (k - n))
        mean = _chernoff(n, n, n * delta, epsilon, 1, (power,))
        assert mean == pytest.approx(program(0, n, n, [(epsilon, delta)], goal), rel=1e-6)


def printed_limit(right, guesses, interventions, delta):
    """Return the limit by the printed chance, as other libraries compute it."""
    low, high = 0.0, 20.0
    while high - low > 1e-8:
        middle = (low + high) / 2
        refuted = one_run_chance_printed(right, guesses, interventions, middle, delta) <= 0.05
        low, high = (middle, high) if refuted else (low, middle)
    return low


def test_on_the_same_guesses_the_limit_is_never_below_the_printed_one():
    above = 0.0
    for m, guesses in [(1000, 1000), (1000, 500), (1000, 100), (200, 40), (20, 20)]:
        for delta in (1e-6, 1e-4, 1e-2):
            for right in range(guesses // 2, guesses + 1, max(1, guesses // 20)):
                mine = one_run_epsilon_lower(right, guesses, m, delta, 0.05)
                theirs = printed_limit(right, guesses, m, delta)
                assert mine >= theirs - 1e-6
                above = max(above, mine - theirs)
    assert above > 0.5


@pytest.mark.parametrize("delta", [0.0, 1e-4, 0.01])
def test_the_limit_is_where_the_chance_is_alpha(delta):
    for right, guesses, m in [(365, 500, 1000), (40, 40, 50), (19, 20, 20), (9, 20, 40)]:
        limit = one_run_epsilon_lower(right, guesses, m, delta, 0.05)
        chance = one_run_chance(right, guesses, m, limit, delta)
        assert limit == 0 or 0.05 * (1 - 1e-5) < chance <= 0.05 * (1 + 1e-7)


def alarms(limit, true, draw, trials, rng):
    """Return how often the limit of a simulated run exceeds what is true."""
    return sum(limit(int(draw(rng))) > true for _ in range(trials)) / trials


M, ALPHA = 40, 0.05
EPSILON = binomial_epsilon_lower(30, 10, ALPHA) - 1e-6
"""Where the binomial tail is alpha almost exactly."""


def independent(rng):
    return (rng.random(M) < 1 / (1 + math.exp(-EPSILON))).sum()


@pytest.mark.slow
def test_the_level_on_mechanisms_where_the_bound_is_tight():
    rng = np.random.default_rng(1)
    cache = {}

    def limit(right):
        if right not in cache:
            cache[right] = one_run_epsilon_lower(right, M, M, 0.0, ALPHA)
        return cache[right]

    error = 3 * math.sqrt(ALPHA * (1 - ALPHA) / 4000)
    assert alarms(limit, EPSILON, independent, 4000, rng) <= ALPHA + error
    assert alarms(limit, EPSILON, independent, 4000, rng) >= ALPHA - error
    # The wrong tail: more than so many instead of at least so many.
    broken = alarms(lambda v: limit(min(v + 1, M)), EPSILON, independent, 4000, rng)
    assert broken > ALPHA + error


def tight_law(delta):
    """Return the law of right guesses of M that reaches the bound at the least v it refutes."""
    binomial = binom(M, 1 / (1 + math.exp(-EPSILON)))
    best, worst = None, 0.0
    for least in range(1, M + 1):
        cost = least * binomial.pmf(least) / binomial.sf(least - 1)
        weight = min(1.0, M * delta / cost)
        for v in range(least, M + 1):
            chance = (1 - weight) * binomial.sf(v - 1) + weight * binomial.sf(v - 1) / (
                binomial.sf(least - 1)
            )
            refuted = binomial_epsilon_lower(v, M - v, ALPHA) > EPSILON
            if refuted and chance > worst:
                best, worst = (least, weight), chance
    k = np.arange(M + 1)
    least, weight = best
    law = binomial.pmf(k)
    return (1 - weight) * law + weight * law * (k >= least) / binomial.sf(least - 1)


@pytest.mark.parametrize("delta", [1e-3, 1e-2])
def test_the_level_with_delta_and_the_binomial_limit_without_it_fails(delta):
    law = tight_law(delta)
    k = np.arange(M + 1)
    sound = [one_run_epsilon_lower(int(v), M, M, delta, ALPHA) > EPSILON for v in k]
    broken = [binomial_epsilon_lower(int(v), M - int(v), ALPHA) > EPSILON for v in k]
    assert law[sound].sum() <= ALPHA
    assert law[broken].sum() > ALPHA


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.0), (1.0, 1e-2), (0.4, 0.1)])
@pytest.mark.parametrize(("guesses", "interventions"), [(1, 1), (5, 5), (8, 20)])
def test_the_recursion_equals_the_linear_program(epsilon, delta, guesses, interventions):
    for right in range(1, guesses + 1):
        assert tradeoff_chance(
            right, guesses, interventions, approximate_inverse(epsilon, delta)
        ) == pytest.approx(nested_program(right, guesses, interventions, epsilon, delta), abs=1e-7)


def shared_reliability(mu, guesses, size, rng):
    """Return right guesses of a mechanism that is μ-GDP for each coin, with one noise for all.

    Every symmetric mechanism is a mixture of randomized responses: draw the loss of the Gaussian
    once, say it, and answer for all coins with it.
    """
    loss = np.abs(mu * rng.standard_normal(size) + mu * mu / 2)
    return rng.binomial(guesses, 1 / (1 + np.exp(-loss)))


@pytest.mark.slow
def test_the_level_of_the_gaussian_limit_and_independent_guesses_fail():
    rng = np.random.default_rng(2)
    for mu, guesses in [(1.0, 30), (0.4, 200)]:
        right = shared_reliability(mu, guesses, 4000, rng)
        values = sorted(set(right.tolist()))
        sound = {v: one_run_mu_lower(v, guesses, guesses, ALPHA) > mu for v in values}
        rate = np.mean([sound[v] for v in right.tolist()])
        assert rate <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / 4000)
        # As if guesses were independent, each right with chance Φ(μ/2).
        broken = binom.sf(right - 1, guesses, ndtr(mu / 2)) <= ALPHA
        assert broken.mean() > 2 * ALPHA


def test_the_gaussian_chance_is_above_that_of_both_kinds_of_mechanism():
    for mu, guesses in [(0.3, 100), (1.0, 40), (2.0, 10)]:
        losses = np.abs(mu * ndtri((np.arange(20_000) + 0.5) / 20_000) + mu * mu / 2)
        keep = 1 / (1 + np.exp(-losses))
        for right in range(guesses // 2, guesses + 1, 7):
            chance = gaussian_chance(right, guesses, guesses, mu)
            assert chance >= binom.sf(right - 1, guesses, ndtr(mu / 2)) - 1e-9
            assert chance >= binom.sf(right - 1, guesses, keep).mean() - 1e-4
            assert chance <= tradeoff_chance(right, guesses, guesses, gaussian_inverse(mu))


def test_the_limit_on_mu_says_more_than_a_point_of_its_curve():
    mu = one_run_mu_lower(365, 500, 1000, 0.05)
    assert gaussian_chance(365, 500, 1000, mu) == pytest.approx(0.05, rel=1e-4)
    epsilon = GaussianDP(mu, test_delta=1e-5).point()[0]
    assert epsilon > one_run_epsilon_lower(365, 500, 1000, 1e-5, 0.05)
    assert one_run_mu_lower(250, 500, 1000, 0.05) == 0


def test_numbers_that_cannot_be_are_refused():
    for right, guesses, m, runs in [(-1, 5, 5, 1), (6, 5, 5, 1), (5, 6, 5, 1), (0, 1, 1, 0)]:
        with pytest.raises(UsageError, match="right is"):
            one_run_chance(right, guesses, m, 1.0, 0.0, runs=runs)
    with pytest.raises(UsageError, match="right is"):
        one_run_mu_lower(6, 5, 5, 0.05)
