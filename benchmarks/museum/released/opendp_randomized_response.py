"""Randomized response on one bit."""

from opendp.meas import make_randomized_response_bool
from opendp.mod import binary_search, enable_features

enable_features("contrib", "floating-point")

MEASUREMENT = make_randomized_response_bool(0.75)


def claim(_):
    if hasattr(MEASUREMENT, "map"):
        return MEASUREMENT.map(1), 0.0
    return binary_search(lambda epsilon: MEASUREMENT.check(1, epsilon), (0.0, 10.0)), 0.0


def release(data):
    return MEASUREMENT(data)
