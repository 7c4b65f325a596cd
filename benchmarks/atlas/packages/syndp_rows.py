"""syndp: synthetic time series under local differential privacy."""

import contextlib
import io

import numpy as np
from atlas_row import Rows, counted, least_epsilon
from syndp.bounded_laplace_mechanism import boundedlaplacemechanism
from syndp.laplace_mechanism import laplace_mechanism
from syndp.original_timedp import get_differential_privacy_value, timeseries_dp
from syndp.timedp_algorithm import TimeDP, Vector_creator

PACKAGE = {
    "name": "syndp",
    "version": "0.5.2",
    "what": "synthetic time series",
    # Its own requirement `sklearn` cannot be installed.
    "requirements": ("pandas", "numpy", "matplotlib", "scikit-learn", "scipy"),
    "alone": True,
}

rows = Rows(PACKAGE, "two values")
CLAIM = "Syndp is data synthesis package that leverages local differential privacy"
TIMES = [[0.0, 0.2, 1.0], [0.0, 0.8, 1.0]]


def declare(release, name, pair, check=None, relation=None, exact=None):
    rows.row(
        name,
        epsilon=1.0,
        pairs=[pair],
        relation=relation,
        claim=CLAIM,
        place="summary",
        check=check and (lambda: counted(release, pair, check, 1000)),
        exact=exact,
    )(release)


def laplace(data):
    return laplace_mechanism(data, 1.0, 1.0)


def bounded(data):
    return boundedlaplacemechanism(data, (0, 1), 1.0, 1.0, 0.0)


def vector(data):
    made = TimeDP(epsilon=1.0, delta=0.0, mechanism_type="laplace", sensitivity=1.0)
    return [round(float(one), 6) for one in Vector_creator(np.array(data), made).new_vector]


def value(data):
    return round(get_differential_privacy_value(data, 1.0), 6)


def on_grid(center):
    weights = {one: np.exp(-abs(one - center) / 2) for one in np.linspace(-1, 1, 10**4)}
    return {one: share / sum(weights.values()) for one, share in weights.items()}


def series(data):
    with contextlib.redirect_stdout(io.StringIO()):
        return [round(float(one), 6) for one in timeseries_dp(data, 1.0)]


# The default seed is 0: the noise is the same in every call.
declare(laplace, "`laplace_mechanism`", [0.0, 1.0], lambda out: out == laplace(0.0))
declare(bounded, "`boundedlaplacemechanism`", [0.0, 1.0], lambda out: out == bounded(0.0))
SERIES = "two series that differ in one value"
declare(vector, "`TimeDP`, `laplace`", TIMES, lambda out: out == vector(TIMES[0]), relation=SERIES)
declare(
    value,
    "`get_differential_privacy_value`",
    [-1.0, 1.0],
    exact=lambda: (least_epsilon(*map(on_grid, [-1.0, 1.0])), "table of its grid, scale 2"),
)
# A value is scaled by its neighbors in time, and released within their range.
declare(
    series,
    "`timeseries_dp`",
    [[0.0, 0.5, 1.0], [0.0, 5.0, 1.0]],
    lambda out: max(out) <= 1.0,
    relation=SERIES,
)
