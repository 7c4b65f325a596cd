"""Promises that are curves: exact or rounded outward, beside slow twins, and what is refused."""

import math

import numpy as np
import pytest

from provado.mechanisms import (
    ApproximateDP,
    ConcentratedDP,
    GaussianDP,
    PrivacyCurve,
    PrivacyPromise,
    PureDP,
    RenyiDP,
    UsageError,
)
from provado.mechanisms.accounting.composition import concentrated_epsilon
from provado.mechanisms.definitions import CurvePromise
from provado.mechanisms.definitions.curve import CurveRecord, grid_of, point_at
from provado.mechanisms.textbook.discrete_gaussian import discrete_gaussian_delta

CURVES = [
    GaussianDP(1.0),
    ConcentratedDP(0.5),
    ConcentratedDP(0.02),
    RenyiDP(2.0, 1.0),
    RenyiDP(16.0, 0.3),
    PrivacyCurve(GaussianDP(0.7).delta, "a profile"),
]


@pytest.mark.parametrize("promise", CURVES, ids=lambda one: one.words())
def test_a_curve_falls_and_its_points_lie_on_it(promise):
    assert isinstance(promise, CurvePromise)
    assert isinstance(promise, PrivacyPromise)
    points = grid_of(promise)
    assert len(points) >= 5
    assert points[0][0] == 0.0
    deltas = [delta for _, delta in points]
    assert deltas == sorted(deltas, reverse=True)
    epsilon, delta = promise.point()
    assert promise.delta(epsilon) <= delta * (1 + 1e-7)


@pytest.mark.parametrize("promise", CURVES, ids=lambda one: one.words())
def test_the_least_parameter_of_a_point_on_the_curve_is_the_claim(promise):
    for epsilon, delta in grid_of(promise):
        assert promise.least(epsilon, delta) == pytest.approx(promise.parameter, rel=1e-6)
        assert promise.least(epsilon, delta * 0.999) <= promise.parameter
        assert promise.least(epsilon, min(delta * 1.01, 0.999)) > promise.parameter


def _slow_least(epsilon, delta, divergence):
    """Look at every event on a fine grid, one at a time; ``divergence`` is of two coins."""
    factor = math.exp(epsilon)
    found = math.inf
    for share in np.linspace(0, 20, 1001)[1:]:
        q = (1 - delta) / factor * math.exp(-share)
        found = min(found, divergence(delta + factor * q, q))
    return found


def _renyi(p, q, a):
    if a == 1:
        return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))
    hit = a * math.log(p) + (1 - a) * math.log(q)
    miss = a * math.log1p(-p) + (1 - a) * math.log1p(-q) if p < 1 else -math.inf
    return float(np.logaddexp(hit, miss)) / (a - 1)


@pytest.mark.parametrize("delta", [0.3, 0.01, 1e-5])
@pytest.mark.parametrize("epsilon", [0.0, 0.7, 2.0])
def test_the_least_rho_is_that_of_every_event(epsilon, delta):
    orders = [1, *np.geomspace(1.05, 60, 60)]
    slow = _slow_least(
        epsilon,
        delta,
        lambda p, q: max(max(_renyi(p, q, a), _renyi(q, p, a)) / a for a in orders),
    )
    # The slow twin tries fewer events and other orders.
    assert ConcentratedDP(1.0).least(epsilon, delta) == pytest.approx(slow, rel=2e-3)


@pytest.mark.parametrize("alpha", [1.5, 2.0, 8.0])
def test_the_least_renyi_divergence_is_that_of_every_event(alpha):
    slow = _slow_least(0.5, 0.05, lambda p, q: max(_renyi(p, q, alpha), _renyi(q, p, alpha)))
    fast = RenyiDP(alpha, 1.0).least(0.5, 0.05)
    assert fast <= slow
    assert fast == pytest.approx(slow, rel=1e-4)


@pytest.mark.parametrize("mu", [0.2, 1.0, 2.5])
def test_no_gaussian_exceeds_what_its_divergences_allow(mu):
    gaussian, rho = GaussianDP(mu), mu * mu / 2
    for epsilon in np.linspace(0, 4 * mu, 6):
        assert gaussian.delta(epsilon) <= ConcentratedDP(rho).delta(epsilon)
        for alpha in (1.5, 4.0):
            assert gaussian.delta(epsilon) <= RenyiDP(alpha, alpha * rho).delta(epsilon)


def test_a_discrete_gaussian_keeps_its_rho():
    for epsilon in (0.0, 0.5, 1.0, 2.0):
        assert discrete_gaussian_delta(epsilon, 4.0) <= ConcentratedDP(1 / 8).delta(epsilon)


def test_a_conversion_with_a_term_dropped_never_gives_less():
    for rho, delta in ((0.5, 1e-3), (0.02, 1e-6), (2.0, 0.1)):
        assert point_at(ConcentratedDP(rho), delta)[0] <= concentrated_epsilon(rho, delta) * 1.0005


def test_a_broken_conversion_is_seen():
    """The twin: ε-DP of half the truth, read as a conversion, lies below a Gaussian's profile."""
    claimed = ConcentratedDP(0.25)
    assert any(GaussianDP(1.0).delta(e) > claimed.delta(e) for e in (0.0, 1.0, 2.0, 3.0))


def test_total_variation_is_a_promise():
    promise = ApproximateDP(0.0, 0.3)
    assert promise.point() == (0.0, 0.3)
    assert promise.delta(0.0) == promise.delta(2.0) == 0.3
    with pytest.raises(UsageError, match="epsilon is 0"):
        ApproximateDP(0.0, 0.0)
    with pytest.raises(UsageError, match="epsilon is 0"):
        PureDP(0.0)


@pytest.mark.parametrize("promise", CURVES, ids=lambda one: one.words())
def test_a_record_gives_the_promise_back(promise):
    again = CurveRecord.of(promise).promise()
    for epsilon, delta in grid_of(promise):
        assert again.delta(epsilon) == pytest.approx(delta, rel=1e-12)
    # Between known points a curve without a formula is never below what it was made from.
    for epsilon in np.linspace(0, 3, 31):
        assert again.delta(epsilon) >= promise.delta(epsilon) * (1 - 1e-12)


def test_a_privacy_loss_distribution_is_a_curve():
    library = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    loss = library.from_gaussian_mechanism(1.0, value_discretization_interval=1e-3)
    promise = PrivacyCurve(loss, "Gaussian, σ = 1")
    for epsilon in (0.0, 1.0, 3.0):
        assert promise.delta(epsilon) == pytest.approx(GaussianDP(1.0).delta(epsilon), abs=1e-3)
        assert promise.delta(epsilon) >= GaussianDP(1.0).delta(epsilon) - 1e-12
    assert promise.words().startswith("Gaussian, σ = 1")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: ConcentratedDP(0.0), "rho is 0"),
        (lambda: ConcentratedDP(math.nan), "rho is nan"),
        (lambda: RenyiDP(1.0, 1.0), "alpha is 1"),
        (lambda: RenyiDP(math.inf, 1.0), "alpha is inf"),
        (lambda: RenyiDP(2.0, -1.0), "epsilon is -1"),
        (lambda: PrivacyCurve(3.0), "profile is of type float"),
        (lambda: PrivacyCurve(lambda e: e / 10), "profile increases"),
        (lambda: PrivacyCurve(lambda e: 2.0), "δ must lie in"),
        (lambda: PrivacyCurve(lambda e: 0.1, factor=0), "factor is 0"),
        (lambda: point_at(PrivacyCurve(lambda e: 0.1), 1e-3), "at no ε"),
        (lambda: CurveRecord("xdp", "x", 1.0).promise(), "family is 'xdp'"),
    ],
)
def test_what_is_no_curve_is_refused(make, said):
    with pytest.raises(UsageError, match=said):
        make()
