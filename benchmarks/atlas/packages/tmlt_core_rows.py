"""tmlt-core: Tumult's measurements."""

from atlas_row import Rows, discrete_laplace, least_epsilon
from tmlt.core.domains.numpy_domains import NumpyFloatDomain
from tmlt.core.measurements.noise_mechanisms import (
    AddGeometricNoise,
    AddLaplaceNoise,
)

PACKAGE = {"name": "tmlt-core", "version": "0.20.0", "what": "measurements on tables and numbers"}

rows = Rows(PACKAGE)
HERE = "tmlt/core/measurements/noise_mechanisms.py, docstring of "
GEOMETRIC = AddGeometricNoise(alpha=1)
LAPLACE = AddLaplaceNoise(scale=1, input_domain=NumpyFloatDomain())


def geometric(data):
    return int(GEOMETRIC(data))


def laplace(data):
    return float(LAPLACE(data))


rows.noise(
    "`AddGeometricNoise`",
    geometric,
    epsilon=GEOMETRIC.privacy_function(1).to_float(round_up=True),
    exact=lambda: (
        least_epsilon(*(discrete_laplace(one, GEOMETRIC.alpha.to_float(True)) for one in (0, 1))),
        "table of discrete Laplace noise",
    ),
    pair=(0, 1),
    claim="Add Geometric noise to a number.",
    place=HERE + "AddGeometricNoise",
)
rows.noise(
    "`AddLaplaceNoise`",
    laplace,
    epsilon=LAPLACE.privacy_function(1).to_float(round_up=True),
    exact=lambda: (1 / float(LAPLACE.scale.to_float(True)), "Laplace noise of its scale"),
    claim="Add Laplace noise to a number.",
    place=HERE + "AddLaplaceNoise",
)
