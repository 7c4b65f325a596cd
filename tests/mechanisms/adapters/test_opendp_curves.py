"""OpenDP's claims that are curves, in their own terms."""

import pytest

from provado.audit import audit
from provado.mechanisms import BoundedAnswers, ConcentratedDP, PrivacyCurve, Verdict
from provado.mechanisms.adapters.opendp import promise_of

dp = pytest.importorskip("opendp.prelude")


@pytest.fixture(scope="module")
def measurement():
    dp.enable_features("contrib")
    return dp.m.make_gaussian(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=2.0)


def test_rho_is_promised_as_it_is(measurement):
    promise = promise_of(measurement, 1)
    assert isinstance(promise, ConcentratedDP)
    assert promise.rho == pytest.approx(1 / 8)


def test_at_a_delta_it_is_the_librarys_own_point(measurement):
    epsilon, delta = promise_of(measurement, 1, 1e-3).point()
    assert delta == 1e-3
    assert epsilon >= promise_of(measurement, 1).point()[0] * (1 - 1e-3)


def test_a_profile_is_a_curve(measurement):
    converted = dp.c.make_zCDP_to_approxDP(measurement)
    promise = promise_of(converted, 1)
    assert isinstance(promise, PrivacyCurve)
    assert promise.delta(1.0) >= ConcentratedDP(1 / 8).delta(1.0) * (1 - 1e-3)


def test_an_audit_needs_no_conversion(measurement):
    result = audit(measurement, pair=(0, 1), relation=BoundedAnswers(), samples=4000)
    assert result.promise == "0.125-zCDP"
    assert result.verdict is Verdict.NO_VIOLATION
    assert 0 < result.lower <= 1 / 8
