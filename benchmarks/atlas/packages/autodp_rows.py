"""autodp: Rényi and analytic accounting."""

import math

from accountant_cases import DELTA, declare
from atlas_row import Rows
from autodp import mechanism_zoo, transformer_zoo

PACKAGE = {"name": "autodp", "version": "0.2.3.1", "what": "accounting by Rényi and f-DP"}

rows = Rows(PACKAGE)


def composed(mechanism, steps):
    """Return ε of so many releases."""
    return float(transformer_zoo.Composition()([mechanism], [steps]).get_approxDP(DELTA))


def sampled(sigma, rate, steps):
    return float(mechanism_zoo.NoisySGD_Mechanism(rate, sigma, steps).get_approxDP(DELTA))


declare(
    rows,
    "`Composition`",
    {
        "gaussian": lambda sigma, steps: composed(mechanism_zoo.GaussianMechanism(sigma), steps),
        "laplace": lambda scale, steps: composed(mechanism_zoo.LaplaceMechanism(scale), steps),
        "response": lambda epsilon, steps: composed(
            mechanism_zoo.RandresponseMechanism(1 / (1 + math.exp(-epsilon))), steps
        ),
        "sampled gaussian": sampled,
    },
    claim="'mechanism_zoo' module implements popular DP mechanisms with their privacy guarantees",
    place="autodp/mechanism_zoo.py, docstring",
)
