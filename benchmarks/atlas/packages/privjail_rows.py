"""PrivJail: programs on data frames whose privacy loss is tracked."""

import itertools
import json
import os
import tempfile
from pathlib import Path

import pandas as pd
import privjail
from atlas_row import Rows, by_scales

PACKAGE = {"name": "privjail", "version": "0.1.2", "what": "programs on private data frames"}

rows = Rows(PACKAGE, "add-or-remove-one")
CLAIM = "PrivJail (Privacy Jail) enforces differential privacy in Python."
VALUES = [[0.0, 1.0, 1.0], [0.0, 1.0]]
NUMBERS = itertools.count()
FOLDER = Path(tempfile.mkdtemp())
SCHEMA = FOLDER / "schema.json"
SCHEMA.write_text(json.dumps({"x": {"type": "float64", "range": [0.0, 1.0]}}), encoding="utf-8")


def private(data):
    # A path can be read once in a process.
    file = FOLDER / f"{os.getpid()}-{next(NUMBERS)}.csv"
    pd.DataFrame({"x": data}).to_csv(file, index=False)
    table = privjail.pandas.read_csv(str(file), str(SCHEMA))
    file.unlink()
    return table


def declare(name, pair, exact=None):
    return rows.row(name, epsilon=1.0, pairs=[pair], claim=CLAIM, place="README.md", exact=exact)


@declare("`shape[0]`, to six decimals", VALUES, lambda: by_scales(count, VALUES)())
def count(data):
    return round(float(privjail.laplace_mechanism(private(data).shape[0], eps=1.0)), 6)


@declare("`sum` of values in [0, 1], to six decimals", VALUES, lambda: by_scales(total, VALUES)())
def total(data):
    return round(float(privjail.laplace_mechanism(private(data)["x"].sum(), eps=1.0)), 6)


@declare("`mean` of values in [0, 1], to six decimals", VALUES)
def mean(data):
    return round(float(private(data)["x"].mean(eps=1.0)), 6)


@declare("`argmax` of two counts", VALUES)
def largest(data):
    table = private(data)
    counts = [table[table["x"] > 0.5].shape[0], table[table["x"] <= 0.5].shape[0]]
    return int(privjail.argmax(counts, eps=1.0))
