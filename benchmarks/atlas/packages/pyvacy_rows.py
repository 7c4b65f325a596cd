"""PyVacy: what its accountant says of DP-SGD."""

from accountant_cases import DELTA, declare
from atlas_row import Rows
from pyvacy.analysis import moments_accountant

PACKAGE = {
    "name": "pyvacy",
    "version": "0.0.32",
    "what": "DP-SGD for PyTorch",
    "requirements": ("torch==2.14.1", "numpy", "scipy", "six"),
    "alone": True,
}

rows = Rows(PACKAGE)


def sampled(sigma, rate, steps):
    batch = round(1000 * rate)
    return float(moments_accountant(1000, batch, sigma, steps * rate, DELTA))


declare(
    rows,
    "`moments_accountant`",
    {"sampled gaussian": sampled},
    claim="Calculates epsilon for stochastic gradient descent.",
    place="pyvacy/analysis/moments_accountant.py, docstring",
)
