"""The sum of integers from 0 to 1, brought to five of them, with geometric noise."""

from opendp.meas import make_base_geometric
from opendp.mod import binary_search, enable_features
from opendp.trans import make_bounded_resize, make_clamp, make_sized_bounded_sum

enable_features("contrib", "floating-point")

LEAST = 1e-3

MEASUREMENT = (
    make_clamp((0, 1))
    >> make_bounded_resize(5, (0, 1), 0)
    >> make_sized_bounded_sum(5, (0, 1))
    >> make_base_geometric(1.0)
)


def claim(_):
    if MEASUREMENT.check(2, LEAST):
        return LEAST, 0.0
    return binary_search(lambda epsilon: MEASUREMENT.check(2, epsilon), (LEAST, 10.0)), 0.0


def release(data):
    return MEASUREMENT(data)
