"""opake-dpsgd: what its accountant says of DP-SGD."""

import opake.dpsgd.accounting as accounting
from accountant_cases import DELTA, declare
from atlas_row import Rows

PACKAGE = {
    "name": "opake-dpsgd",
    "version": "0.16.1",
    "what": "DP-SGD",
    "requirements": ("torch==2.13.0",),
    "python": "3.13",
}

rows = Rows(PACKAGE)


def gaussian(sigma, steps):
    return (accounting.gaussian(sigma) * steps).epsilon_at(DELTA)


def sampled(sigma, rate, steps):
    step = accounting.poisson(accounting.gaussian(sigma), sample_rate=rate)
    return (step * steps).epsilon_at(DELTA)


declare(
    rows,
    "`accounting`",
    {"gaussian": gaussian, "sampled gaussian": sampled},
    claim="compose externally with ``* num_steps`` for full-training privacy.",
    place="opake/dpsgd/accounting/__init__.py, docstring",
)
