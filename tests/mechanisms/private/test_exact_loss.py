import math

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.cause_effect.releases.release import passes
from provado.mechanisms.cause_effect.releases.testing_set import release_scores
from tests.mechanisms.exact.pair_loss import (
    Odds,
    delta_at,
    maybe,
    noisy_number,
    odds,
    release_epsilon,
    smallest_epsilon,
    together,
)


def naive_delta(center, center_prime, scale, d, d_prime, epsilon):
    """Sum over every output on a long stretch of the grid."""
    z = np.arange(-4000, 4001)

    def law(c, o):
        mass = np.exp(-np.abs(z - c) / scale)
        return np.append(o.released * mass / mass.sum(), o.refused)

    p, q = law(center, d), law(center_prime, d_prime)
    gain = math.exp(epsilon)
    return max(np.maximum(p - gain * q, 0).sum(), np.maximum(q - gain * p, 0).sum())


@pytest.mark.parametrize("centers", [(0, 0), (3, 3), (0, 1), (5, 2), (-7, 20)])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.7])
def test_groups_agree_with_a_sum_over_all_outputs(centers, epsilon):
    d, d_prime = Odds(0.7, 0.3), Odds(0.2, 0.8)
    groups = maybe(d, d_prime, noisy_number(*map(float, centers), 30.0))
    assert groups.sum(axis=0) == pytest.approx([1, 1])
    naive = naive_delta(*centers, 30.0, d, d_prime, epsilon)
    assert delta_at(groups, epsilon) == pytest.approx(naive, abs=1e-12)


def test_pure_noise_loses_the_distance_over_the_scale():
    groups = noisy_number(0.0, 12.0, 8.0)
    assert smallest_epsilon(groups, 0.0) == pytest.approx(1.5, abs=1e-9)
    assert smallest_epsilon(together(groups, groups), 0.0) == pytest.approx(3.0, abs=1e-9)
    assert smallest_epsilon(groups, 0.2) < 1.5


def test_disjoint_outputs_have_no_finite_epsilon_until_delta_covers_them():
    one = maybe(Odds(0.1, 0.9), Odds(0.1, 0.9), noisy_number(-math.inf, 3.0, 8.0))
    both = together(one, one)
    assert smallest_epsilon(both, 0.15) == math.inf
    assert smallest_epsilon(both, 0.2) == 0.0
    assert delta_at(both, 1.0) == pytest.approx(1 - 0.9**2)


def test_products_agree_with_products_that_are_not_merged():
    one = maybe(Odds(0.5, 0.5), Odds(0.4, 0.6), noisy_number(0.0, 4.0, 5.0))
    plain = (one[:, None, :] * one[None, :, :]).reshape(-1, 2)
    for epsilon in (0.0, 0.3, 1.0):
        assert delta_at(together(one, one), epsilon) == pytest.approx(delta_at(plain, epsilon))


def test_laplace_epsilon_counts_steps_over_all_scores():
    kwargs = {"sensitivity": 1, "epsilon": 1}

    def laplace_epsilon(d, d_prime, **setting):
        return release_epsilon(release_scores, (d, d_prime), 0.0, **setting)

    assert laplace_epsilon([0.0], [1.0], **kwargs) == pytest.approx(1, rel=1e-3)
    assert laplace_epsilon([0.0], [1.0], **kwargs) < 1
    assert laplace_epsilon([0.0, 2.0], [1.0, 1.5], **kwargs) == pytest.approx(1.5, rel=1e-3)


def test_odds_are_those_of_the_drawn_tests():
    n = 200_000
    drawn = passes([1, 3], threshold=2.5, epsilon=0.7, size=n, rng=np.random.default_rng(1))
    exact = odds([1, 3], 2.5, 0.7)
    assert exact.released + exact.refused == pytest.approx(1)
    assert drawn.any(axis=1).mean() == pytest.approx(exact.released, abs=5 * 0.5 / math.sqrt(n))
    assert odds([100], 0.0, 1.0).refused == pytest.approx(math.exp(-100) / 2, abs=0)


def test_bad_delta_is_refused():
    for delta in (-0.1, 1.0, math.nan):
        with pytest.raises(UsageError, match="delta is"):
            smallest_epsilon(np.ones((1, 2)), delta)
