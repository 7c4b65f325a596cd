"""The sum of squared deviations of 1,024 doubles, with Laplace noise at ε = 1."""

import opendp.prelude as dp

dp.enable_features("contrib")

LEAST = 2.0**50
SUM = dp.t.make_sum_of_squared_deviations(
    dp.vector_domain(dp.atom_domain(bounds=(LEAST, LEAST + 1), nan=False), size=1024),
    dp.symmetric_distance(),
)
MEASUREMENT = SUM >> dp.m.then_laplace(scale=SUM.map(2))


def claim(_):
    return MEASUREMENT.map(2), 0.0


def release(data):
    return MEASUREMENT(data)
