"""dp-mobility-report: counts, bounds and quartiles of a report on trips."""

import importlib.util
from pathlib import Path

import pandas as pd
from atlas_row import Rows, counted

PACKAGE = {
    "name": "dp-mobility-report",
    "version": "0.2.11",
    "what": "reports on trips: counts, bounds, quartiles",
    "requirements": ("diffprivlib", "scikit-learn<1.6", "pandas", "scipy"),
    "alone": True,
}


def load():
    """Return the module of mechanisms; importing the package draws maps, which need much more."""
    folder = Path(importlib.util.find_spec("dp_mobility_report").origin).parent
    spec = importlib.util.spec_from_file_location(
        "diff_privacy", folder / "privacy/diff_privacy.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


privacy = load()
rows = Rows(PACKAGE, "replace-one: the travel times of seven trips, of which one differs")
CLAIM = {
    "claim": "The parameter ``privacy_budget`` (in terms of *epsilon*-DP) determines how much "
    "noise is added to the data.",
    "place": "README, Privacy budget",
}
TRIPS = [[10, 12, 15, 20, 22, 25, 30], [10, 12, 15, 20, 22, 25, 240]]


def answer(key, name, pairs, **more):
    """Return a decorator that declares a row with ε = 1."""

    def declare(function):
        function.__name__ = key
        return rows.row(f"`{name}`", epsilon=1.0, pairs=pairs, **CLAIM, **more)(function)

    return declare


@answer("count", "count_dp", [[10, 11], [0, 1]], relation="one trip more")
def count(data):
    return privacy.count_dp(data, 1.0, 1)


@answer("counts", "counts_dp", [[[3, 5, 0], [3, 5, 1]]], relation="one trip more")
def counts(data):
    return privacy.counts_dp(data, 1.0, 1).tolist()


def bounds(data):
    return [int(one) for one in privacy.bounds_dp(pd.Series(data), 1.0, 1)]


def quartiles(data):
    return [float(one) for one in privacy.quartiles_dp(pd.Series(data), 1.0, 1)[0]]


# Both return a value of the data, which neighboring data do not hold.
for release in (bounds, quartiles):
    answer(
        release.__name__,
        f"{release.__name__}_dp",
        [TRIPS],
        check=lambda one=release: counted(one, TRIPS[::-1], lambda out: 240 in out, 2000),
    )(release)
