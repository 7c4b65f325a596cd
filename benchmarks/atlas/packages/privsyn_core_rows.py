"""privsyn-core: synthesis of discrete tables under zCDP."""

from accountant_cases import DELTA, declare
from atlas_row import Rows
from privsyn.rho_cdp import cdp_eps

PACKAGE = {"name": "privsyn-core", "version": "0.1.1", "what": "synthetic tables, zCDP"}

rows = Rows(PACKAGE)


def gaussian(sigma, steps):
    return float(cdp_eps(steps / (2 * sigma**2), DELTA))


def laplace(scale, steps):
    return float(cdp_eps(steps / (2 * scale**2), DELTA))


declare(
    rows,
    "`cdp_eps`",
    {"gaussian": gaussian, "laplace": laplace},
    claim="we wish to compute the smallest eps such that rho-CDP implies (eps,delta)-DP",
    place="privsyn/rho_cdp.py, a comment of cdp_eps",
)
