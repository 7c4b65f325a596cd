import math

import pytest

from provado.mechanisms import ApproximateDP, PureDP
from provado.mechanisms.accounting.pld import LaplaceNoise, tight_composition, tight_delta
from tests.mechanisms.accounting.randomised_response_truth import true_delta

pytest.importorskip("dp_accounting")

STEP = 1e-3
NOISE = [LaplaceNoise(1.0, 20.0), LaplaceNoise(2.0, 9.0)]


def one_by_one(parts, delta):
    """Return what composing the parts in their order gives, each by itself."""
    from dp_accounting.pld import common, privacy_loss_distribution

    total = privacy_loss_distribution.identity(value_discretization_interval=STEP)
    for part in parts:
        if isinstance(part, LaplaceNoise):
            one = privacy_loss_distribution.from_laplace_mechanism(
                part.scale, sensitivity=part.sensitivity, value_discretization_interval=STEP
            )
        else:
            one = privacy_loss_distribution.from_privacy_parameters(
                common.DifferentialPrivacyParameters(*part.point()),
                value_discretization_interval=STEP,
            )
        total = total.compose(one)
    return total.get_epsilon_for_delta(delta)


@pytest.mark.parametrize("delta", [1e-3, 1e-6])
@pytest.mark.parametrize(
    "parts",
    [
        [PureDP(0.1)] * 40,
        [PureDP(0.05), NOISE[0]] * 30,
        [ApproximateDP(0.2, 1e-8), PureDP(0.1), ApproximateDP(0.2, 1e-8), NOISE[1]],
    ],
)
def test_equal_parts_in_one_go_cost_what_they_do_one_by_one(parts, delta):
    fast = tight_composition(parts, delta, step=STEP)
    total = sum(1 / p.scale * p.sensitivity if p in NOISE else p.epsilon for p in parts)
    assert fast == pytest.approx(min(one_by_one(parts, delta), total), abs=1e-6)


def test_the_order_of_the_parts_does_not_count():
    mixed = [PureDP(0.3), LaplaceNoise(1.0, 4.0)] * 20
    sorted_parts = [PureDP(0.3)] * 20 + [LaplaceNoise(1.0, 4.0)] * 20
    assert tight_composition(mixed, 1e-4) == tight_composition(sorted_parts, 1e-4)


@pytest.mark.parametrize("epsilon", [0.01, 0.1])
def test_a_thousand_randomised_responses_are_covered(epsilon):
    parts = [PureDP(epsilon)] * 1000
    for delta in (1e-3, 1e-9):
        total = tight_composition(parts, delta, step=epsilon / 500)
        # Rounding adds up over the parts: it is some 1e-13, and stays far below the least δ here.
        assert true_delta(epsilon, 1000, total) <= delta + 1e-12
        assert total < 1000 * epsilon
    loss = 300 * epsilon
    assert tight_delta(parts, loss, step=epsilon / 500) >= true_delta(epsilon, 1000, loss) - 1e-12


def test_parts_forgotten_would_be_noticed():
    parts = [PureDP(0.1)] * 100
    forgotten = tight_composition(parts[:90], 1e-6)
    assert true_delta(0.1, 100, forgotten) > 1.5e-6
    assert math.isfinite(forgotten)
