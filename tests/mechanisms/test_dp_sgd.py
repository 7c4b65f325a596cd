"""DP-SGD: what a step adds up, what it costs, and what each slip changes."""

import math

import numpy as np
import pytest
from scipy.special import gammaln, logsumexp

from provado.mechanisms import GaussianDP, UsageError
from provado.mechanisms.accounting.pld import (
    GaussianNoise,
    LaplaceNoise,
    tight_composition,
    tight_delta,
)
from provado.mechanisms.textbook.dp_sgd import (
    SgdFlaw,
    dp_sgd,
    dp_sgd_delta,
    dp_sgd_epsilon,
    trainer,
)

ROWS = np.array([[3.0, 4.0, 100.0], [0.1, 0.0, 0.2], [-5.0, 1.0, 7.0]])
PLAIN = {"steps": 1, "batch": 2.0, "rate": 1.0, "noise": 1e-12, "clip": 1.0}


def sums(data, flaw=SgdFlaw.NONE, seed=0, **changed):
    """Return the noisy sums of gradients of all steps, as they were divided and stepped by."""
    given = PLAIN | {"learning_rate": 0.5} | changed
    path = dp_sgd(data, rng=np.random.default_rng(seed), flaw=flaw, **given)
    steps = np.diff(path, axis=0, prepend=np.zeros((1, path.shape[1])))
    return -steps * given["batch"] / given["learning_rate"]


def test_a_step_adds_up_clipped_gradients():
    # At weights 0 the gradient is −y·x: far too long for the first and the last example.
    first = -100 * np.array([3.0, 4.0]) / 500
    second = np.array([-0.02, 0.0])
    third = -7 * np.array([-5.0, 1.0]) / (7 * math.sqrt(26))
    assert sums(ROWS)[0] == pytest.approx(first + second + third, abs=1e-9)
    for row in range(3):
        moved = sums(ROWS)[0] - sums(np.delete(ROWS, row, axis=0))[0]
        assert np.linalg.norm(moved) <= 1 + 1e-9


def test_later_steps_go_on_from_the_weights():
    path = dp_sgd(
        [[1.0, 0.3]],
        rng=np.random.default_rng(0),
        **(PLAIN | {"steps": 200, "batch": 1.0, "clip": 9.0}),
    )
    assert path.shape == (200, 1)
    assert path[-1] == pytest.approx([0.3], abs=1e-6)


def test_noise_and_samples_are_as_accounted():
    noisy = np.concatenate([sums(ROWS[:0].reshape(0, 3), noise=3.0, seed=s) for s in range(4000)])
    assert noisy.std() == pytest.approx(3.0, rel=0.03)
    canary = np.array([[1.0, 0.0, 1e6]])
    taken = np.concatenate([sums(canary, rate=0.25, steps=4, seed=s)[:, 0] for s in range(2000)])
    assert np.mean(taken < -0.5) == pytest.approx(0.25, abs=5 * math.sqrt(0.25 * 0.75 / 8000))
    shuffled = [sums(canary, SgdFlaw.SHUFFLES, rate=0.25, steps=8, seed=s)[:, 0] for s in range(99)]
    assert {(np.sum(s[:4] < -0.5), np.sum(s[4:] < -0.5)) for s in shuffled} == {(1, 1)}


def test_what_each_slip_changes():
    # The mean of the batch has norm 1 at most; the sum then has as many as there are examples.
    whole = sums(np.repeat(ROWS[:1], 50, axis=0), SgdFlaw.CLIPS_BATCH, batch=50.0)
    assert np.linalg.norm(whole) == pytest.approx(50)
    huge = np.vstack([np.zeros((49, 3)), ROWS[:1]])
    assert np.linalg.norm(sums(huge, SgdFlaw.CLIPS_BATCH, batch=50.0)) > 10
    assert np.linalg.norm(sums(huge, batch=50.0)) <= 1 + 1e-9
    none = np.empty((0, 3))
    for flaw, share in [(SgdFlaw.NOISE_PER_BATCH, 1 / 20), (SgdFlaw.RATE_IN_NOISE, 0.1)]:
        drawn = [
            sums(none, flaw, noise=3.0, batch=20.0, learning_rate=0.1, seed=s) for s in range(2000)
        ]
        assert np.std(drawn) == pytest.approx(3 * share, rel=0.05)
    four = np.array([[1.0, 2.0, 0.0, 0.0, 0.0]])
    (noise,) = sums(four, SgdFlaw.SHARES_NOISE, noise=3.0)
    assert noise[:2] == pytest.approx(noise[2:])
    assert len(set(noise.round(9))) == 2
    assert not np.any(sums(none, SgdFlaw.SKIPS_EMPTY, noise=3.0, steps=9))
    assert np.all(sums(four, SgdFlaw.SKIPS_EMPTY, noise=3.0, steps=9))
    half = sums(four, SgdFlaw.SKIPS_EMPTY, noise=3.0, steps=1000, rate=0.5)
    assert np.mean(np.all(half == 0, axis=1)) == pytest.approx(0.5, abs=0.08)


def renyi_epsilon(steps, rate, noise, delta):
    """Return ε by the moments of the sampled Gaussian at whole orders: a looser twin.

    Mironov, Talwar and Zhang, Rényi Differential Privacy of the Sampled Gaussian Mechanism (2019),
    section 3.3; as (ε, δ) by Mironov's Proposition 3.
    """
    best = math.inf
    for order in range(2, 65):
        k = np.arange(order + 1)
        terms = gammaln(order + 1) - gammaln(k + 1) - gammaln(order - k + 1)
        terms = terms + (order - k) * math.log1p(-rate) + k * math.log(rate)
        moment = logsumexp(terms + (k * k - k) / (2 * noise**2))
        best = min(best, (steps * moment + math.log(1 / delta)) / (order - 1))
    return best


@pytest.mark.parametrize(("steps", "rate", "noise"), [(40, 0.1, 2.0), (10, 0.25, 1.0)])
def test_the_accounting_is_below_renyi_and_above_what_one_step_shows(steps, rate, noise):
    pytest.importorskip("dp_accounting")
    epsilon = dp_sgd_epsilon(steps=steps, rate=rate, noise=noise, delta=1e-5)
    assert epsilon <= renyi_epsilon(steps, rate, noise, 1e-5)
    assert epsilon >= renyi_epsilon(steps, rate, noise, 1e-5) / 2
    delta = dp_sgd_delta(steps=steps, rate=rate, noise=noise, epsilon=epsilon)
    assert delta == pytest.approx(1e-5, rel=0.02)
    # Of all steps, those that any sample can show: the sum over a run, by simulation.
    rng = np.random.default_rng(1)
    inside = rng.random((100_000, steps)) < rate
    x = noise * rng.standard_normal(inside.shape)
    shown = [np.log1p(rate * np.expm1((y - 0.5) / noise**2)).sum(axis=1) for y in (x + inside, x)]
    for point in (0.1, 0.5):
        seen = np.mean(shown[0] > point) - math.exp(point) * np.mean(shown[1] > point)
        told = dp_sgd_delta(steps=steps, rate=rate, noise=noise, epsilon=point)
        assert seen <= told + 0.005
        # A twin that forgets half of the steps says less than is seen.
        half = dp_sgd_delta(steps=steps // 2, rate=rate, noise=noise, epsilon=point)
        assert seen > half + 0.005


def test_gaussian_parts_compose_as_gaussian_privacy():
    pytest.importorskip("dp_accounting")
    parts = [GaussianNoise(1.0, 2.0)] * 3 + [GaussianNoise(2.0, 4.0)]
    exact = GaussianDP(1.0, test_delta=1e-5).point()[0]
    assert exact <= tight_composition(parts, 1e-5) <= exact + 1e-2
    assert tight_delta(parts, exact) == pytest.approx(1e-5, rel=0.05)
    assert tight_composition([GaussianNoise(1.0, 2.0)], 0.0) == math.inf
    both = tight_composition([LaplaceNoise(1.0, 1.0), GaussianNoise(1.0, 5.0)], 1e-6)
    assert 1 < both < 1 + GaussianDP(0.2, test_delta=1e-6).point()[0] + 0.01


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"rate": 1.5}, "rate is 1.5"),
        ({"noise": 0}, "noise is 0"),
        ({"clip": -1.0}, "clip is -1.0"),
        ({"batch": 0}, "batch is 0"),
        ({"learning_rate": math.nan}, "learning_rate is nan"),
        ({"steps": -1}, "steps is -1"),
    ],
)
def test_a_wrong_parameter_is_named(changed, said):
    with pytest.raises(UsageError, match=said):
        trainer(**(PLAIN | changed))(ROWS, rng=np.random.default_rng(0))


def test_data_that_is_no_table_is_refused():
    with pytest.raises(UsageError, match="data has shape"):
        dp_sgd([1.0, 2.0], rng=np.random.default_rng(0), **PLAIN)
    with pytest.raises(UsageError, match="rate is 2"):
        GaussianNoise(1.0, 1.0, 2)
