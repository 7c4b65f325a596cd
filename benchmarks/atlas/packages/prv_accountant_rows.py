"""prv-accountant: numerical composition with stated errors."""

from accountant_cases import DELTA, declare
from atlas_row import Rows
from prv_accountant import PRVAccountant
from prv_accountant.privacy_random_variables import (
    GaussianMechanism,
    LaplaceMechanism,
    PoissonSubsampledGaussianMechanism,
)

PACKAGE = {"name": "prv-accountant", "version": "0.2.0", "what": "numerical composition"}

rows = Rows(PACKAGE)


def asked(variable, steps):
    """Return the upper end that is stated for ε."""
    made = PRVAccountant(
        prvs=variable, max_self_compositions=steps, eps_error=0.01, delta_error=DELTA / 1000
    )
    return float(made.compute_epsilon(DELTA, [steps])[2])


declare(
    rows,
    "`PRVAccountant`, upper end",
    {
        "gaussian": lambda sigma, steps: asked(GaussianMechanism(noise_multiplier=sigma), steps),
        "laplace": lambda scale, steps: asked(LaplaceMechanism(mu=1 / scale), steps),
        "sampled gaussian": lambda sigma, rate, steps: asked(
            PoissonSubsampledGaussianMechanism(rate, sigma), steps
        ),
    },
    claim="Maximum error allowed in $\\varepsilon$.",
    place="prv_accountant/accountant.py, docstring of PRVAccountant",
)
