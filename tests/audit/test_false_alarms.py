"""At most 5 % false alarms over the whole call, on mechanisms that meet their claim exactly."""

import functools
import math

import numpy as np
import pytest
from scipy.stats import binom

from provado.audit import audit
from provado.audit.bounds.binomial import binomial_epsilon_lower
from provado.audit.events.rule import learn_rule
from provado.audit.events.threshold import Goal
from provado.audit.target.output_encoding import PatternBook, encode
from provado.mechanisms import Verdict
from provado.mechanisms.textbook.discrete_laplace import discrete_laplace
from provado.mechanisms.textbook.histogram import noisy_histogram
from provado.mechanisms.textbook.randomized_response import randomized_response
from tests.audit.audited_mechanisms import grid_laplace, truthful

LEVEL = 0.05


def allowed(repetitions):
    """Return the number of false alarms that a sound audit exceeds one time in a thousand."""
    return binom.ppf(0.999, repetitions, LEVEL)


def ignoring(data, *, size, rng):
    return rng.normal(size=size)


def ignoring_vector(data, *, size, rng):
    return rng.normal(size=(size, 8))


def ignoring_label(data, *, size, rng):
    return rng.integers(0, 200, size)


def leaky(data, *, size, rng):
    """Meets (1, 0.05)-DP exactly: with probability 0.05 the bit itself, marked as such."""
    reports = randomized_response(data, epsilon=1.0, size=size, rng=rng)
    return np.where(rng.random(size) < 0.05, 10 + data, reports)


def rare_type(data, *, size, rng):
    """Meets ε = 0.5 exactly; whether any of a batch is rare would tell more than one trial may."""
    rare = rng.random(size) < 2e-4 * (math.exp(0.5) if data else 1)
    return np.array([0.5 if it else 0 for it in rare.tolist()])


def rare_none(data, *, size, rng):
    rare = rng.random(size) < 2e-4 * (math.exp(0.5) if data else 1)
    return [None if it else 0 for it in rare.tolist()]


CASES = {
    "randomized response": (truthful, {"epsilon": 1.0}),
    "randomized response, stopping early": (truthful, {"epsilon": 1.0, "stop_early": True}),
    "randomized response, k = 10": (
        functools.partial(randomized_response, epsilon=2.0, k=10),
        {"epsilon": 2.0},
    ),
    "laplace on a grid": (grid_laplace, {"epsilon": 1.0, "pair": (0.0, 1.0)}),
    "geometric": (functools.partial(discrete_laplace, scale=2), {"epsilon": 0.5}),
    "output that ignores the data": (ignoring, {"epsilon": 0.01}),
    "labels that ignore the data": (ignoring_label, {"epsilon": 0.01}),
    "vector that ignores the data": (ignoring_vector, {"epsilon": 0.01}),
    "vector that ignores the data, stopping early": (
        ignoring_vector,
        {"epsilon": 0.01, "stop_early": True},
    ),
    "histogram": (
        functools.partial(noisy_histogram, scale=1),
        {"epsilon": 1.0, "pair": ([1, 1, 1, 1], [2, 1, 1, 1])},
    ),
    "three pairs": (truthful, {"epsilon": 1.0, "pair": [(0, 1), (1, 0), (0, 1)]}),
    "approximate, with a leak": (leaky, {"epsilon": 1.0, "delta": 0.05}),
    "approximate, with a leak, stopping early": (
        leaky,
        {"epsilon": 1.0, "delta": 0.05, "stop_early": True},
    ),
    "rare type of number": (rare_type, {"epsilon": 0.5, "samples": 5000}),
    "rare None": (rare_none, {"epsilon": 0.5, "samples": 5000}),
}


def false_alarms(case, repetitions, **more):
    mechanism, claim = CASES[case]
    arguments = {"pair": (0, 1), "samples": 2000} | claim | more
    alarms = 0
    for seed in range(repetitions):
        result = audit(mechanism, seed=seed, **arguments)
        assert result.verdict is not Verdict.UNKNOWN
        alarms += result.verdict is Verdict.VIOLATION
    print(f"{case}: {alarms} of {repetitions}")
    return alarms


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_false_alarms_are_rare(case):
    assert false_alarms(case, 500) <= allowed(500)


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", ["randomized response", "laplace on a grid", "output that ignores the data"]
)
def test_false_alarms_are_rare_after_much_exploration(case):
    assert false_alarms(case, 400, explore=100_000) <= allowed(400)


def certified_on_the_samples_it_learned_from(mechanism, n, seed):
    """The broken twin: one sample chooses the rule and certifies with it."""
    rng, book = np.random.default_rng(seed), PatternBook()
    a, b = (encode(mechanism(side, size=n, rng=rng), n, book) for side in (0, 1))
    rule = learn_rule(a, b, Goal(2 * n, LEVEL, 0.0, betting=False), book.words)
    on_d, on_d_prime = rule.guess(a), rule.guess(b)
    right = int((on_d == 1).sum() + (on_d_prime == -1).sum())
    wrong = int((on_d == -1).sum() + (on_d_prime == 1).sum())
    return binomial_epsilon_lower(right, wrong, LEVEL)


def test_certifying_on_the_samples_of_exploration_raises_false_alarms():
    alarms = sum(
        certified_on_the_samples_it_learned_from(ignoring, 500, seed) > 0.01 for seed in range(60)
    )
    assert alarms > allowed(60)
