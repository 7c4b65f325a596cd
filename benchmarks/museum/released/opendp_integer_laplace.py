"""Noise of integers; the vector form draws each of its coordinates by the same sampler."""

import opendp.prelude as dp

dp.enable_features("contrib")


def claim(data):
    measurement = dp.m.make_laplace(
        dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=data["scale"]
    )
    return measurement.map(1), 0.0


def release(data, size):
    measurement = dp.m.make_laplace(
        dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int), scale=data["scale"]
    )
    return measurement([data["count"]] * size)
