import math

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.edges.sieve_and_examine import sieve_and_examine_share
from provado.mechanisms.noise.sieve import optimal_share, sieve_epsilon
from tests.mechanisms.exact.edges import share_distribution

BITS = (1, 0, 1, 1, 0, 0)
SETTING = {
    "queries": 3,
    "threshold": 0.6,
    "tweak": 0.2,
    "subset": 2,
    "epsilon": 3.0,
    "sensitivity": 0.5,
}


def naive(bits, rng, *, queries, threshold, tweak, subset, epsilon, sensitivity):
    n, m = len(bits), subset
    within = math.log(n / m * (math.exp(epsilon / 2) - 1) + 1)
    chosen = rng.permutation(n)[:m]
    seen = sum(bits[i] for i in chosen) / m
    level = threshold - tweak + rng.laplace(scale=2 * sensitivity / within)
    for k in range(queries):
        if seen + rng.laplace(scale=4 * sensitivity / within) >= level:
            noise = rng.laplace(scale=2 * sensitivity / epsilon)
            return k if sum(bits) / n + noise >= threshold else -1
    return -1


def shares(outputs):
    return np.array([np.mean(outputs == code) for code in (0, 1, 2, -1)])


def test_draws_and_the_naive_twin_fit_the_law():
    law = share_distribution(BITS, **SETTING)
    assert law.sum() == pytest.approx(1, abs=1e-12)
    drawn = sieve_and_examine_share(BITS, **SETTING, size=200_000, rng=np.random.default_rng(1))
    assert shares(drawn) == pytest.approx(law, abs=0.006)
    rng = np.random.default_rng(2)
    slow = np.array([naive(BITS, rng, **SETTING) for _ in range(15_000)])
    assert shares(slow) == pytest.approx(law, abs=0.02)
    other = share_distribution(BITS, **(SETTING | {"tweak": 0.4}))
    assert np.abs(other - law).max() > 0.02


def test_the_claim_holds_on_all_neighbors_with_the_right_sensitivity_only():
    def worst(sensitivity):
        losses = []
        for ones in range(6):
            pair = [(1,) * count + (0,) * (6 - count) for count in (ones, ones + 1)]
            setting = SETTING | {"sensitivity": sensitivity, "subset": 1, "threshold": 0.5}
            d, d_prime = (share_distribution(bits, **setting) for bits in pair)
            losses.append(np.abs(np.log(d / d_prime)).max())
        return max(losses)

    assert worst(1.0) <= SETTING["epsilon"]
    assert worst(1 / 12) > SETTING["epsilon"]


def test_bad_parameters_are_refused():
    rng = np.random.default_rng(1)
    for bad in ({"subset": 7}, {"subset": 0}, {"queries": 0}, {"epsilon": 0}, {"sensitivity": 0}):
        with pytest.raises(UsageError):
            sieve_and_examine_share(BITS, **(SETTING | bad), size=3, rng=rng)
    with pytest.raises(UsageError, match="bits is"):
        sieve_and_examine_share((1, 2), **SETTING, size=3, rng=rng)
    with pytest.raises(UsageError, match="size is"):
        sieve_and_examine_share(BITS, **SETTING, size=0, rng=rng)


def test_the_sieve_epsilon_is_what_amplification_undoes():
    for n, m in ((10, 10), (10, 3), (1000, 1)):
        within = sieve_epsilon(1.4, n, m)
        assert math.log1p(m / n * math.expm1(within)) == pytest.approx(0.7, abs=1e-12)
    assert sieve_epsilon(1.4, 10, 10) == pytest.approx(0.7, abs=1e-12)


def test_the_best_share_beats_its_neighbors():
    def noise(q, epsilon):
        return math.sqrt(1 / q) / math.log1p(math.expm1(epsilon / 2) / q)

    for epsilon in (0.3, 0.6, 1.0, 2.0, 5.0):
        q = optimal_share(epsilon)
        assert 1 / 20 <= q <= 1
        others = np.linspace(1 / 20, 1, 500)
        assert noise(q, epsilon) <= min(noise(other, epsilon) for other in others) + 1e-12
    assert optimal_share(0.01) == 1 / 20
    assert optimal_share(10.0) == 1
