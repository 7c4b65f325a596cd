"""Mechanisms as tutorials of well-known libraries write them, each decided or refused by name."""

import math
import random
import statistics

import numpy as np
import pytest

from provado.proofs import prove

# ruff: noqa: NPY002 - as people write them

rng = np.random.default_rng()


def count_by_loop(ages, epsilon=1.0):
    count = sum(1 for a in ages if a > 40)
    return count + np.random.laplace(0, 1 / epsilon)


def count(ages, epsilon=1.0):
    return int((ages > 40).sum()) + rng.laplace(0, 1 / epsilon)


def bounded_mean(x, lower=0, upper=100, epsilon=1.0):
    clipped = np.clip(x, lower, upper)
    sensitivity = (upper - lower) / len(x)
    return np.mean(clipped) + np.random.laplace(loc=0.0, scale=sensitivity / epsilon)


def clipped_sum(x, epsilon=1.0):
    clipped = [min(max(v, 0), 10) for v in x]
    return sum(clipped) + random.gauss(0, 10 / epsilon)


def laplace_mechanism(value, sensitivity, epsilon):
    return value + np.random.laplace(0, sensitivity / epsilon)


def count_with_a_helper(x, epsilon=1.0):
    return laplace_mechanism(len(x[x > 50]), 1, epsilon)


def sum_with_a_helper(x, epsilon=1.0):
    total = 0
    for v in x:
        total += min(v, 100)
    return laplace_mechanism(total, 100, epsilon)


def noisy_average(x, epsilon=1.0):
    s = np.sum(x) + np.random.laplace(0, 2 * 100 / epsilon)
    n = len(x) + np.random.laplace(0, 2 / epsilon)
    return s / n


def histogram(x, epsilon=1.0):
    bins = [((x >= lo) & (x < lo + 25)).sum() for lo in (0, 25, 50, 75)]
    return [b + np.random.laplace(0, 2 / epsilon) for b in bins]


def numpy_histogram(x, epsilon=1.0):
    counts, _ = np.histogram(x, bins=4, range=(0, 100))
    return counts + np.random.laplace(0, 2 / epsilon, size=4)


def gaussian_mechanism(x, epsilon=0.5, delta=1e-5):
    sigma = np.sqrt(2 * np.log(1.25 / delta)) * 100 / epsilon
    return x.sum() + np.random.normal(0, sigma)


def variance(x, epsilon=1.0):
    return np.var(np.clip(x, 0, 100)) + np.random.laplace(0, 100**2 / (len(x) * epsilon))


def proportion(x, epsilon=1.0):
    p = np.mean(x > 50)
    return float(np.clip(p + np.random.laplace(0, 1 / (epsilon * len(x))), 0, 1))


def mean_with_the_noise_of_a_count(x, epsilon=1.0):
    return x.mean() + np.random.laplace(0, 1 / epsilon / len(x))


def report(x, epsilon=1.0):
    noisy = x.sum() + np.random.laplace(0, 100 / epsilon)
    return {"sum": round(noisy, 2), "text": f"about {noisy:.1f}", "n": len(x)}


def private_median(x, epsilon=1.0):
    candidates = np.linspace(0, 100, 5)
    scores = [-abs((x < c).sum() - len(x) / 2) for c in candidates]
    w = [math.exp(epsilon * s / 2) for s in scores]
    return random.choices(candidates, weights=w)[0]


def vote(x, epsilon=1.0):
    scores = np.array([(x == c).sum() for c in (0, 1, 2)])
    return np.argmax(scores + np.random.laplace(0, 2 / epsilon, size=3))


def geometric_count(x, epsilon=1.0):
    alpha = math.exp(-epsilon)
    noise = np.random.geometric(1 - alpha) - np.random.geometric(1 - alpha)
    return (x > 50).sum() + noise


def geometric_histogram(x, epsilon=1.0):
    p = 1 - np.exp(-epsilon / 2)
    counts, _ = np.histogram(x, bins=4, range=(0, 100))
    return counts + rng.geometric(p, size=4) - rng.geometric(p, size=4)


def counts_by_name(x, epsilon=1.0):
    b = 2 / epsilon
    high, low = (x > 50).sum(), (x <= 50).sum()
    return {"high": high + rng.laplace(0, b), "low": low + rng.laplace(0, b)}


def two_exponentials(x, epsilon=1.0):
    rate = epsilon / 100
    return x.sum() + random.expovariate(rate) - random.expovariate(rate)


def one_geometric(x, epsilon=1.0):
    return (x > 50).sum() + rng.geometric(1 - math.exp(-epsilon))


def two_step(x, epsilon=1.0):
    c = x.clip(0, 50).mean() + np.random.laplace(0, 2 * 50 / (len(x) * epsilon))
    d = x.clip(50, 100).mean() + np.random.laplace(0, 2 * 50 / (len(x) * epsilon))
    return c + d


def statistics_mean(x, epsilon=1.0):
    return statistics.mean(x) + random.gauss(0, 1)


def covariance(t, epsilon=1.0):
    a, b = t[:, 0], t[:, 1]
    return (a * b).mean() + np.random.laplace(0, 1 / (len(a) * epsilon))


def gradient_steps(x, rho=0.5):
    w = 0.0
    for _ in range(3):
        g = np.clip(w - x, -1, 1).mean()
        w = w - 0.5 * (g + np.random.normal(0, 2 * np.sqrt(3 / (2 * rho)) / len(x)))
    return w


WIDE, UNIT = (0.0, 100.0), (0.0, 1.0)

MECHANISMS = {
    count_by_loop: (WIDE, {}, "proved"),
    count: (WIDE, {}, "proved"),
    bounded_mean: ((0.0, 120.0), {}, "proved"),
    clipped_sum: (WIDE, {"mu": 1}, "proved"),
    count_with_a_helper: (WIDE, {}, "proved"),
    sum_with_a_helper: ((0.0, 200.0), {}, "proved"),
    noisy_average: (WIDE, {}, "proved"),
    histogram: (WIDE, {}, "proved"),
    numpy_histogram: (WIDE, {}, "proved"),
    gaussian_mechanism: (WIDE, {}, "proved"),
    variance: (WIDE, {}, "proved"),
    proportion: (WIDE, {}, "proved"),
    mean_with_the_noise_of_a_count: (WIDE, {}, "refuted"),
    report: (WIDE, {}, "proved"),
    private_median: (WIDE, {}, "proved"),
    vote: ((0.0, 2.0), {}, "proved"),
    geometric_count: (WIDE, {}, "proved"),
    geometric_histogram: (WIDE, {}, "proved"),
    counts_by_name: (WIDE, {}, "proved"),
    two_exponentials: (WIDE, {}, "proved"),
    one_geometric: (WIDE, {}, "geometric noise hides no number; two draws subtracted do"),
    two_step: (WIDE, {}, "proved"),
    statistics_mean: (WIDE, {"mu": 100}, "proved"),
    covariance: ((UNIT, UNIT), {}, "proved"),
    gradient_steps: (UNIT, {}, "proved"),
}


@pytest.mark.parametrize("function", MECHANISMS, ids=lambda one: one.__name__)
def test_it_is_decided_or_refused_by_name(function):
    domain, claim, expected = MECHANISMS[function]
    found = prove(function, domain=domain, size=(3, None), **claim)
    if expected in ("proved", "refuted"):
        assert found.verdict == expected, found.reason
    else:
        assert found.verdict == "undecided"
        assert expected in found.reason
        assert found.reason.startswith("line ")


@pytest.mark.parametrize("function", [geometric_count, geometric_histogram, two_exponentials])
def test_draws_subtracted_are_refuted_where_half_is_claimed(function):
    found = prove(function, domain=WIDE, size=3, epsilon=0.5, parameters={"epsilon": 1.0})
    assert found.verdict == "refuted", found.reason


@pytest.mark.parametrize(
    "function",
    [
        *[f for f, (_, _, verdict) in MECHANISMS.items() if verdict == "proved"][:6],
        *(geometric_count, geometric_histogram, two_exponentials),
    ],
)
def test_a_hundredth_less_is_not_proved(function):
    domain, claim, _ = MECHANISMS[function]
    exact = claim or {"epsilon": 1}
    less = {name: value * 99 / 100 for name, value in exact.items()}
    given = {} if claim else {"epsilon": 1.0}
    found = prove(function, domain=domain, size=(3, None), parameters=given, **less)
    assert found.verdict != "proved"
