"""pld-accountant: FFT accounting of the subsampled Gaussian mechanism."""

from accountant_cases import DELTA, declare
from atlas_row import Rows
from fourier_accountant.compute_eps import get_epsilon_R

PACKAGE = {"name": "pld-accountant", "version": "0.12.1", "what": "FFT accounting of DP-SGD"}

rows = Rows(PACKAGE)


def sampled(sigma, rate, steps):
    return float(get_epsilon_R(DELTA, sigma, rate, steps))


declare(
    rows,
    "`get_epsilon_R`",
    {"sampled gaussian": sampled},
    claim="Computing Tight Differential Privacy Guarantees Using FFT",
    place="README",
)
