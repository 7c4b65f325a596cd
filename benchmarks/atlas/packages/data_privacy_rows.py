"""data-privacy: channels of a textbook, as tables of probabilities."""

import random

import numpy as np
import pandas as pd
from atlas_row import Rows, least_epsilon
from data_privacy import mechanism

PACKAGE = {
    "name": "data-privacy",
    "version": "0.1.9",
    "what": "channels of a textbook",
    "requirements": ("pyqif==0.2.5",),
}

rows = Rows(PACKAGE, "the answer of one person")
ANSWERS = [0, 1, 2]
DATA = pd.DataFrame(
    [[1 / 3] * 3], columns=pd.MultiIndex.from_tuples([(one,) for one in ANSWERS], names=["age"])
)


def channel(make):
    return np.asarray(make(DATA, "age", ANSWERS, 1.0), dtype=float)


def exact(table, pair):
    return least_epsilon(*(dict(enumerate(table[one])) for one in pair)), "its own table"


for name, make, pair, words in (
    (
        "random_response",
        mechanism.random_response,
        [0, 1],
        "computes the random response channel applied to attr with range K and epsilon eps.",
    ),
    (
        "geometric",
        mechanism.geometric,
        [0, 1],
        "computes the geometric channel for adding noise to attr with range K and epsilon eps.",
    ),
):
    table = channel(make)

    def release(data, table=table):
        return random.choices(ANSWERS, weights=table[data])[0]

    release.__name__ = name
    rows.row(
        f"`{name}`",
        epsilon=1.0,
        pairs=[pair],
        claim=words,
        place=f"data_privacy/mechanism.py, docstring of {name}",
        exact=lambda table=table, pair=pair: exact(table, pair),
    )(release)
