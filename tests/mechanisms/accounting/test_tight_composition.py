import math
import sys
from itertools import pairwise

import numpy as np
import pytest

from provado.mechanisms import ApproximateDP, GaussianDP, PureDP, UsageError
from provado.mechanisms.accounting.composition import advanced_composition, basic_composition
from provado.mechanisms.accounting.pld import LaplaceNoise, tight_composition, tight_delta
from tests.mechanisms.accounting.randomised_response_truth import true_delta

pytest.importorskip("dp_accounting")

ROUNDING = 1e-12


def one_laplace_delta(loss, epsilon):
    """Return the exact δ(ε) of one Laplace release that is ``loss``-DP, for any sign of ε."""
    if epsilon >= loss:
        return 0.0
    if epsilon >= -loss:
        return 1 - math.exp((epsilon - loss) / 2)
    return 1 - math.exp(epsilon)


def two_laplace_delta(first, second, epsilon):
    """Return the exact δ(ε) of two Laplace releases, by integrating over the first's loss.

    With noise z of scale 1 and a move of ``first`` the loss is ``first`` for z < 0, −``first`` for
    z > ``first``, and ``first`` − 2z between.
    """
    total = one_laplace_delta(second, epsilon - first) / 2
    total += math.exp(-first) / 2 * one_laplace_delta(second, epsilon + first)
    kinks = [(first - epsilon + side * second) / 2 for side in (-1, 1)]
    edges = [0.0, *sorted(k for k in kinks if 0 < k < first), first]
    nodes, weights = np.polynomial.legendre.leggauss(40)
    for low, high in pairwise(edges):
        for node, weight in zip(nodes, weights, strict=True):
            z = low + (high - low) * (node + 1) / 2
            inner = one_laplace_delta(second, epsilon - first + 2 * z)
            total += weight * (high - low) / 2 * math.exp(-z) / 2 * inner
    return total


def test_the_truth_by_simulation():
    draw = np.random.default_rng(9)
    z = draw.laplace(size=(400_000, 2))
    moves = np.array([1.0, 0.4])
    losses = (np.abs(z - moves) - np.abs(z)).sum(axis=1)
    excess = np.maximum(0, 1 - np.exp(0.5 - losses))
    error = excess.std() / math.sqrt(excess.size)
    assert abs(excess.mean() - two_laplace_delta(1.0, 0.4, 0.5)) < 4.5 * error


@pytest.mark.parametrize("loss", [0.1, 1.0, 2.5])
def test_two_laplace_releases_cost_their_sum_at_delta_0(loss):
    parts = [LaplaceNoise(1.0, 1 / loss)] * 2
    assert tight_composition(parts, 0.0) == pytest.approx(2 * loss, rel=1e-15)
    assert tight_delta(parts, tight_composition(parts, 0.0)) == 0
    assert two_laplace_delta(loss, loss, 1.999 * loss) > 0
    # The discretised composition gets there too, where δ is not lost in rounding.
    assert tight_composition(parts, 1e-12) == pytest.approx(2 * loss, abs=1e-10)


@pytest.mark.parametrize(("first", "second"), [(1.0, 1.0), (0.5, 0.2), (2.0, 0.3)])
def test_laplace_releases_agree_with_the_exact_profile_from_above(first, second):
    parts = [LaplaceNoise(3.0, 3 / first), LaplaceNoise(1.0, 1 / second)]
    for epsilon in np.linspace(0, first + second, 7):
        truth = two_laplace_delta(first, second, epsilon)
        assert truth - ROUNDING <= tight_delta(parts, epsilon) <= truth + 1e-4


def test_an_optimistic_discretisation_would_be_noticed():
    from dp_accounting.pld import privacy_loss_distribution

    one = privacy_loss_distribution.from_laplace_mechanism(
        1.0, pessimistic_estimate=False, use_connect_dots=False, value_discretization_interval=1e-2
    )
    broken = one.compose(one).get_delta_for_epsilon(1.0)
    assert broken < two_laplace_delta(1.0, 1.0, 1.0) - ROUNDING


@pytest.mark.parametrize(("epsilon", "k"), [(0.1, 50), (1.0, 5), (0.3, 12)])
def test_pure_promises_cost_what_randomised_responses_do(epsilon, k):
    parts = [PureDP(epsilon)] * k
    for target in (0.0, 0.3 * k * epsilon, 0.8 * k * epsilon):
        truth = true_delta(epsilon, k, target)
        assert truth - ROUNDING <= tight_delta(parts, target) <= truth + k * 1e-4


@pytest.mark.parametrize(
    "parts",
    [
        [PureDP(0.2)] * 10,
        [ApproximateDP(0.3, 1e-6)] * 4,
        [PureDP(0.5), ApproximateDP(0.25, 1e-5), PureDP(1.0)],
    ],
)
def test_tight_is_never_dearer_than_basic(parts):
    basic = basic_composition(parts)
    tight = tight_composition(parts, basic.delta_at_epsilon)
    assert tight <= basic.epsilon
    # At a larger δ it is strictly cheaper, by more than the steps.
    assert tight_composition(parts, 0.01) < basic.epsilon - 1e-4 * len(parts)


def test_tight_is_cheaper_than_advanced_composition():
    total = advanced_composition(ApproximateDP(0.1, 0.0), 50, 1e-6)
    assert tight_composition([PureDP(0.1)] * 50, total.delta_at_epsilon) < 0.8 * total.epsilon


def test_a_delta_below_the_parts_own_is_out_of_reach():
    assert tight_composition([ApproximateDP(0.5, 1e-6)], 1e-7) == math.inf
    assert tight_composition([ApproximateDP(0.5, 1e-6)], 1e-6) == pytest.approx(0.5, abs=1.1e-4)


def test_bad_values_are_refused(monkeypatch):
    with pytest.raises(UsageError, match="parts is empty"):
        tight_composition([], 0.1)
    with pytest.raises(UsageError, match="parts holds GaussianDP"):
        tight_composition([GaussianDP(1.0)], 0.1)
    with pytest.raises(UsageError, match="delta is"):
        tight_composition([PureDP(1.0)], 1.0)
    with pytest.raises(UsageError, match="epsilon is"):
        tight_delta([PureDP(1.0)], -0.1)
    with pytest.raises(UsageError, match="step is"):
        tight_delta([PureDP(1.0)], 0.1, step=0.0)
    with pytest.raises(UsageError, match="scale is"):
        LaplaceNoise(1.0, 0.0)
    monkeypatch.setitem(sys.modules, "dp_accounting.pld", None)
    with pytest.raises(UsageError, match=r"provado\[accounting\]"):
        tight_composition([PureDP(1.0)], 0.1)
