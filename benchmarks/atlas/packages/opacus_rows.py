"""Opacus: what its three accountants say of DP-SGD."""

import warnings

from accountant_cases import DELTA, declare
from atlas_row import Rows
from opacus.accountants import create_accountant

PACKAGE = {
    "name": "opacus",
    "version": "1.6.0",
    "what": "DP-SGD for PyTorch",
    "requirements": ("torch==2.13.0",),
}

warnings.simplefilter("ignore")
rows = Rows(PACKAGE)


def says(mechanism):
    """Return functions that ask an accountant, one for each kind of mechanism."""

    def sampled(sigma, rate, steps):
        accountant = create_accountant(mechanism)
        for _ in range(steps):
            accountant.step(noise_multiplier=sigma, sample_rate=rate)
        return float(accountant.get_epsilon(delta=DELTA))

    return {
        "sampled gaussian": sampled,
        "gaussian": lambda sigma, steps: sampled(sigma, 1.0, steps),
    }


for name in ("prv", "rdp", "gdp"):
    declare(
        rows,
        f'`create_accountant("{name}")`',
        says(name),
        claim="Return privacy budget (epsilon) expended so far.",
        place=f"opacus/accountants/{name}.py, docstring of get_epsilon",
    )
