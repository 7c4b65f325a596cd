"""The sum of a dataset that is brought to five records, with Laplace noise, in steps of 1/1024."""

from opendp.meas import make_base_laplace
from opendp.mod import binary_search, enable_features
from opendp.trans import make_bounded_resize, make_clamp, make_sized_bounded_sum

enable_features("contrib", "floating-point")

MEASUREMENT = (
    make_clamp((0.0, 1.0))
    >> make_bounded_resize(5, (0.0, 1.0), 0.0)
    >> make_sized_bounded_sum(5, (0.0, 1.0))
    >> make_base_laplace(1.0)
)


def claim(_):
    return binary_search(lambda epsilon: MEASUREMENT.check(1, epsilon), (1e-3, 10.0)), 0.0


def release(data):
    # Low-order bits, another flaw of these versions, are left off.
    return round(MEASUREMENT(data) * 1024)
