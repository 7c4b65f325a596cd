from __future__ import annotations

import math

import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.accounting.composition import concentrated_epsilon, concentrated_rho
from provado.mechanisms.textbook.discrete_gaussian import discrete_gaussian_delta

DELTAS = (1e-10, 1e-6, 1e-3, 0.2)


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("variance", [0.3, 4, 400, 40_000])
def test_it_is_a_bound_for_the_discrete_gaussian(variance: float, delta: float) -> None:
    epsilon = concentrated_epsilon(1 / (2 * variance), delta)
    assert discrete_gaussian_delta(epsilon, variance) <= delta + 1e-14


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("rho", [1e-6, 1e-3, 0.1, 5.0])
def test_it_is_between_the_plain_conversion_and_what_is_true(rho: float, delta: float) -> None:
    epsilon = concentrated_epsilon(rho, delta)
    assert epsilon <= rho + 2 * math.sqrt(rho * math.log(1 / delta))
    # A tenth of the ρ would not do: the bound is no guess far on the safe side.
    assert concentrated_epsilon(rho / 10, delta) < epsilon or epsilon == 0.0


def test_without_the_last_terms_it_would_be_larger() -> None:
    """Slow twin: every order by itself, written out from δ instead of ε."""
    rho, delta = 0.02, 1e-6
    epsilon = concentrated_epsilon(rho, delta)

    def log_delta(order: float) -> float:
        above = order - 1
        return above * (order * rho - epsilon) + above * math.log1p(-1 / order) - math.log(order)

    orders = [1 + 10 ** (k / 500) for k in range(-1000, 2500)]
    assert min(map(log_delta, orders)) == pytest.approx(math.log(delta), abs=1e-4)
    assert min(map(log_delta, orders)) <= math.log(delta) + 1e-5


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1.0, 30.0])
def test_the_budget_is_used_and_not_exceeded(epsilon: float, delta: float) -> None:
    rho = concentrated_rho(epsilon, delta)
    assert concentrated_epsilon(rho, delta) <= epsilon
    assert concentrated_epsilon(rho * (1 + 1e-6), delta) > epsilon


@pytest.mark.parametrize("bad", [(0.0, 1e-6), (-1.0, 1e-6), (1.0, 0.0), (1.0, 1.0)])
def test_values_out_of_range(bad: tuple[float, float]) -> None:
    with pytest.raises(UsageError):
        concentrated_epsilon(*bad)
    with pytest.raises(UsageError):
        concentrated_rho(*bad)
