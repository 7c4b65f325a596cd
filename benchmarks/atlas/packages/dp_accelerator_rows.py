"""dp-accelerator: an accountant of DP-SGD in Rust."""

from accountant_cases import DELTA, declare
from atlas_row import Rows
from dp_accelerator import DPSGDAccountant

PACKAGE = {"name": "dp-accelerator", "version": "0.1.0", "what": "an accountant of DP-SGD"}

rows = Rows(PACKAGE)


def sampled(sigma, rate, steps):
    return DPSGDAccountant(sigma, round(10_000 * rate), 10_000).get_epsilon(steps, DELTA)


declare(
    rows,
    "`DPSGDAccountant`",
    {
        "gaussian": lambda sigma, steps: DPSGDAccountant(sigma, 10, 10).get_epsilon(steps, DELTA),
        "sampled gaussian": sampled,
    },
    claim="The epsilon value that satisfies (epsilon, delta)-DP",
    place="dp_accelerator/__init__.py, docstring of get_epsilon",
)
