"""Randomized response on eight bits, of which at most one is set."""

import opendp.prelude as dp

dp.enable_features("contrib")

MEASUREMENT = dp.m.make_randomized_response_bitvec(
    dp.bitvector_domain(max_weight=1), dp.discrete_distance(), f=0.5
)


def claim(_):
    return MEASUREMENT.map(1), 0.0


def release(data):
    return list(MEASUREMENT(bytes(data)))
