"""gdpnum: Gaussian differential privacy of DP-SGD, by privacy loss distributions."""

import gdpnum
import numpy as np
from accountant_cases import DELTA, declare
from atlas_row import Rows
from scipy.optimize import brentq
from scipy.special import ndtr

PACKAGE = {"name": "gdpnum", "version": "0.1.2", "what": "μ of Gaussian DP for DP-SGD"}

rows = Rows(PACKAGE)


def accountant(sigma, rate, steps):
    made = gdpnum.dpsgd.CTDAccountant()
    for _ in range(steps):
        made.step(noise_multiplier=sigma, sample_rate=rate)
    return made.get_epsilon(delta=DELTA)


def of_mu(sigma, rate, steps):
    """Return ε at ``DELTA`` that follows from the μ that the package states."""
    mu, _ = gdpnum.dpsgd.get_mu_and_regret_for_dpsgd(sigma, rate, steps)

    def excess(epsilon):
        low = np.exp(epsilon) * ndtr(-epsilon / mu - mu / 2)
        return ndtr(mu / 2 - epsilon / mu) - low - DELTA

    return float(brentq(excess, 0, 100)) if excess(0) > 0 else 0.0


declare(
    rows,
    "`CTDAccountant`",
    {"sampled gaussian": accountant},
    claim="Opacus-compatible Connect the Dots accountant which can return numeric GDP parameter.",
    place="gdpnum/dpsgd.py, docstring of CTDAccountant",
)
declare(
    rows,
    "`get_mu_and_regret_for_dpsgd`, ε of its μ",
    {"sampled gaussian": of_mu},
    claim="correct, non-asymptotic Gaussian Differential Privacy (GDP) guarantees for DP-SGD",
    place="README",
)
