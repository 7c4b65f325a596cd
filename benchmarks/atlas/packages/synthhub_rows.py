"""synthhub: one interface to synthesizers of tables."""

import warnings

import pandas as pd
from atlas_row import Rows
from synthhub import Synthesizer
from synthhub.schema import ColumnSpec, Schema

PACKAGE = {
    "name": "synthhub",
    "version": "0.1.0.post1",
    "what": "one interface to synthesizers of tables",
}

warnings.simplefilter("ignore")
rows = Rows(PACKAGE, "replace-one: two tables of ten rows that differ in one")
PUBLIC = Schema((ColumnSpec("a", "categorical", "object", categories=("x", "y")),), "public")


@rows.row(
    '`Synthesizer(method="independent")`, public schema',
    epsilon=1.0,
    pairs=[["xxxxxyyyyy", "xxxxxxyyyy"]],
    claim="Fit independent noisy one-way marginals.",
    place="synthhub/backends/independent.py, docstring",
)
def independent(data):
    made = Synthesizer(method="independent", epsilon=1.0, schema=PUBLIC)
    return int((made.fit_sample(pd.DataFrame({"a": list(data)}), 10)["a"] == "x").sum())
