"""The sum of five integers from 0 to 1, with geometric noise."""

from opendp.meas import make_base_geometric
from opendp.mod import binary_search, enable_features
from opendp.trans import make_clamp, make_sized_bounded_sum

enable_features("contrib", "floating-point")

MEASUREMENT = make_clamp((0, 1)) >> make_sized_bounded_sum(5, (0, 1)) >> make_base_geometric(1.0)


def claim(_):
    return binary_search(lambda epsilon: MEASUREMENT.check(2, epsilon), (1e-3, 10.0)), 0.0


def release(data):
    return MEASUREMENT(data)
