"""opake-accounting: composition by privacy loss distributions."""

import opake.accounting
from accountant_cases import DELTA, declare
from atlas_row import Rows

PACKAGE = {
    "name": "opake-accounting",
    "version": "0.16.1",
    "what": "composition by privacy loss distributions",
    "python": "3.13",
}

rows = Rows(PACKAGE)


def response(epsilon, steps):
    return (opake.accounting.eps_delta(epsilon) * steps).epsilon_at(DELTA)


declare(
    rows,
    "`eps_delta`",
    {"response": response},
    claim="Useful when you have an external mechanism with known privacy parameters that you want "
    "to compose with other tracked processes.",
    place="opake/api/accounting/core/mechanisms/_eps_delta.py, docstring of eps_delta",
)
