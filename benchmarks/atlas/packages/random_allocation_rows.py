"""random-allocation: sampling schemes compared; their Poisson and local accountants."""

from accountant_cases import DELTA, declare
from atlas_row import Rows
from random_allocation.comparisons.structs import PrivacyParams, SchemeConfig
from random_allocation.other_schemes import local, poisson

PACKAGE = {
    "name": "random-allocation",
    "version": "1.0.5",
    "what": "accounting of sampling schemes",
    "requirements": ("pandas",),
}

rows = Rows(PACKAGE)


def by(function):
    """Return a function that asks for ε of Poisson sampling."""

    def asked(sigma, rate, steps):
        params = PrivacyParams(sigma=sigma, num_steps=steps, delta=DELTA)
        return float(function(params, SchemeConfig(), sampling_prob=rate))

    return asked


declare(
    rows,
    "`Poisson_epsilon_PLD`",
    {"sampled gaussian": by(poisson.Poisson_epsilon_PLD)},
    claim="Tools for analyzing and comparing different sampling schemes in differential privacy",
    place="summary",
)
declare(
    rows,
    "`Poisson_epsilon_RDP`",
    {"sampled gaussian": by(poisson.Poisson_epsilon_RDP)},
    claim="Tools for analyzing and comparing different sampling schemes in differential privacy",
    place="summary",
)
declare(
    rows,
    "`Gaussian_epsilon`",
    {"gaussian": lambda sigma, steps: float(local.Gaussian_epsilon(sigma / steps**0.5, DELTA))},
    claim="Tools for analyzing and comparing different sampling schemes in differential privacy",
    place="summary",
)
