"""inf-tda: hierarchical counts with Gaussian noise of whole numbers."""

import math

from atlas_row import Rows
from InfTDA.differential_privacy import (
    get_rho_from_budget,
    make_gaussian_noise,
    make_int_gaussian_noise,
)

PACKAGE = {"name": "inf-tda", "version": "0.1", "what": "hierarchical counts, zCDP"}

rows = Rows(PACKAGE)
EPSILON, DELTA = 1.0, 0.01
RHO = float(get_rho_from_budget((EPSILON, DELTA)))
CLAIM = "Return a Gaussian mechanism with rho (from zCDP)"
PLACE = "InfTDA/differential_privacy.py, docstring of "


def whole(data):
    return make_int_gaussian_noise(1, RHO)(data)


def vector(data):
    return make_gaussian_noise(1.0, RHO)([data, 0])


for release, name in ((whole, "make_int_gaussian_noise"), (vector, "make_gaussian_noise")):
    rows.noise(
        f"`{name}`, ρ of `get_rho_from_budget`",
        release,
        epsilon=EPSILON,
        delta=DELTA,
        pair=(0, 1),
        claim=CLAIM,
        place=PLACE + name,
    )
for epsilon, delta in ((1.0, 1e-5), (8.0, 1e-5)):
    rows.accountant(
        f"`get_rho_from_budget`, ε = {epsilon:g}",
        epsilon=epsilon,
        delta=delta,
        mechanism={
            "kind": "gaussian",
            "sigma": 1 / math.sqrt(2 * float(get_rho_from_budget((epsilon, delta)))),
        },
        claim="Return rho (from zCDP) given epsilon and delta.",
        place=PLACE + "get_rho_from_budget",
    )
