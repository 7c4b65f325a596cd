"""SDSA: Laplace noise for columns of numbers."""

import polars as pl
from atlas_row import Rows
from sdsa.dp.laplace import LaplaceParams, apply_laplace

PACKAGE = {"name": "sdsa", "version": "1.2.1", "what": "noise for columns of a table"}

rows = Rows(PACKAGE)
BOUNDS = LaplaceParams(epsilon=1.0, lower=0.0, upper=1.0)


def laplace(data):
    return apply_laplace(pl.Series([data]), BOUNDS)[0]


rows.noise(
    "`apply_laplace`, ε = 1",
    laplace,
    claim="Applies bounded Laplace noise to numeric columns when differential privacy is "
    "configured with explicit `epsilon`, `lower`, and `upper` values.",
    place="README",
    pair=(0.0, 0.25),
)
