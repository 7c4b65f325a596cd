"""riskcal: risks that follow from what an accountant says."""

from accountant_cases import DELTA, declare
from atlas_row import Rows
from riskcal.accountants.ctd import CTDAccountant

PACKAGE = {"name": "riskcal", "version": "1.5.1", "what": "error rates of attacks, accounting"}

rows = Rows(PACKAGE)


def sampled(sigma, rate, steps):
    made = CTDAccountant()
    for _ in range(steps):
        made.step(noise_multiplier=sigma, sample_rate=rate)
    return float(made.get_epsilon(delta=DELTA))


declare(
    rows,
    "`CTDAccountant`",
    {"sampled gaussian": sampled, "gaussian": lambda sigma, steps: sampled(sigma, 1.0, steps)},
    claim="Opacus-compatible Connect the Dots accountant.",
    place="riskcal/accountants/ctd.py, docstring of CTDAccountant",
)
