"""binomialdpy: private tests for binomial data."""

import math

from atlas_row import Rows
from binomialdpy import tulap

PACKAGE = {
    "name": "binomialdpy",
    "version": "0.1.5",
    "what": "private tests for binomial data",
}

rows = Rows(PACKAGE)


def noisy_count(data):
    return float(tulap.random(1, m=data, b=math.exp(-1.0), q=-1)[0])


rows.noise(
    "`tulap.random`, b = exp(−ε)",
    noisy_count,
    exact=lambda: (1.0, "discrete Laplace noise of scale 1, and uniform noise"),
    claim="Array of Discrete Laplace noise parameters (exp(-&epsilon;)).",
    place="binomialdpy/tulap.py, docstring of random",
)
