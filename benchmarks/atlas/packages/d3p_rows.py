"""d3p: the noise that it finds for variational inference."""

from accountant_cases import DELTA
from atlas_row import Rows
from d3p.dputil import approximate_sigma_remove_relation

PACKAGE = {
    "name": "d3p",
    "version": "0.2.0",
    "what": "private variational inference",
    "python": "3.9",
}

rows = Rows(PACKAGE)

for target, rate, steps in ((1.0, 0.01, 100), (2.0, 0.1, 50)):
    sigma, stated, _ = approximate_sigma_remove_relation(target, DELTA, rate, steps)
    rows.accountant(
        f"`approximate_sigma_remove_relation`: {steps} steps, q = {rate}",
        epsilon=float(stated),
        delta=DELTA,
        mechanism={
            "kind": "sampled gaussian",
            "sigma": float(sigma),
            "rate": rate,
            "steps": steps,
        },
        claim="the corresponding espilon",
        place="d3p/dputil.py, docstring of approximate_sigma_remove_relation",
    )
