"""dpsprt: private sequential probability ratio tests."""

import numpy as np
from atlas_row import Rows
from dpsprt.core.algorithms import dp_sprt_laplace

PACKAGE = {"name": "dpsprt", "version": "1.2.0", "what": "private sequential tests"}

rows = Rows(PACKAGE, "replace-one: answers of one length that differ in one")
MANY = [[1] * 150, [0] + [1] * 149]


@rows.row(
    "`dp_sprt_laplace`",
    epsilon=1.0,
    pairs=[MANY],
    claim="ε-DP SPRT with Laplace noise.",
    place="dpsprt/core/algorithms.py, docstring of dp_sprt_laplace",
)
def laplace(data):
    decision, time, _ = dp_sprt_laplace(np.array(data), 0.1, 0.9, 0.05, 0.05, 1.0)
    return [int(decision), int(time)]
