"""dp-accounting: privacy loss distributions and Rényi accounting."""

import math

import dp_accounting
from accountant_cases import DELTA, declare
from atlas_row import Rows
from dp_accounting import pld, rdp

PACKAGE = {"name": "dp-accounting", "version": "0.6.0", "what": "accountants, PLD and Rényi"}

rows = Rows(PACKAGE)


def told(make):
    """Return functions that ask an accountant, one for each kind of mechanism."""

    def ask(event, steps, **relation):
        accountant = make(**relation)
        accountant.compose(event, steps)
        return accountant.get_epsilon(DELTA)

    return {
        "gaussian": lambda sigma, steps: ask(dp_accounting.GaussianDpEvent(sigma), steps),
        "laplace": lambda scale, steps: ask(dp_accounting.LaplaceDpEvent(scale), steps),
        "response": lambda epsilon, steps: ask(
            dp_accounting.RandomizedResponseDpEvent(2 / (1 + math.exp(epsilon)), 2),
            steps,
            neighboring_relation=dp_accounting.NeighboringRelation.REPLACE_ONE,
        ),
        "sampled gaussian": lambda sigma, rate, steps: ask(
            dp_accounting.PoissonSampledDpEvent(rate, dp_accounting.GaussianDpEvent(sigma)), steps
        ),
    }


declare(
    rows,
    "`PLDAccountant`",
    told(pld.PLDAccountant),
    claim="Privacy accountant that uses Privacy Loss Distributions.",
    place="dp_accounting/pld/pld_privacy_accountant.py, docstring of PLDAccountant",
)
declare(
    rows,
    "`RdpAccountant`",
    told(rdp.RdpAccountant),
    claim="Privacy accountant that uses Renyi differential privacy.",
    place="dp_accounting/rdp/rdp_privacy_accountant.py, docstring of RdpAccountant",
)
