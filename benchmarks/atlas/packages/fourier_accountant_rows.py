"""fourier-accountant: FFT accounting of the subsampled Gaussian mechanism."""

from accountant_cases import DELTA, declare
from atlas_row import Rows
from fourier_accountant import get_epsilon_R

PACKAGE = {"name": "fourier-accountant", "version": "0.12.11", "what": "FFT accounting of DP-SGD"}

rows = Rows(PACKAGE)


def sampled(sigma, rate, steps):
    return float(get_epsilon_R(DELTA, sigma, rate, steps))


declare(
    rows,
    "`get_epsilon_R`",
    {"sampled gaussian": sampled},
    claim="Code for computing tight DP guarantees for the subsampled Gaussian mechanism.",
    place="fourier_accountant/__init__.py, docstring",
)
