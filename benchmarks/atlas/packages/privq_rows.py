"""PrivQ: queries of SQL that hide sizes."""

import PrivQ
from atlas_row import Rows, counted

PACKAGE = {"name": "privq", "version": "1.3.0", "what": "queries of SQL that hide sizes"}

rows = Rows(PACKAGE, "counts that differ by one record")
SIZES = [100, 101]


def resize(data):
    return int(PrivQ.dp_resize("SELECT a FROM t", data, epsilon=1.0, delta=0.01).split()[-1])


rows.row(
    "`dp_resize`",
    epsilon=1.0,
    delta=0.01,
    pairs=[SIZES],
    claim="any two neighboring databases differing by `sensitivity` rows produce LIMIT "
    "distributions within e^epsilon (with failure probability delta).",
    place="PrivQ/__init__.py, docstring of dp_resize",
    # Rounding makes the least limit more likely than δ: it is 0.0113.
    check=lambda: counted(resize, SIZES, lambda out: out == SIZES[0], 1_000_000, 0.01),
)(resize)


def size(data):
    return PrivQ.estimator([("users", data)], epsilon=1.0).noisy_size("users")


rows.row(
    "`estimator`, `noisy_size`",
    epsilon=1.0,
    pairs=[SIZES],
    claim="noise is added before insertion into the internal hash map + min-heap, satisfying "
    "epsilon-differential privacy.",
    place="PrivQ/__init__.py, docstring of privq_join",
    # The noise is never negative.
    check=lambda: counted(size, SIZES, lambda out: out == SIZES[0]),
)(size)


def order(data):
    return PrivQ.privq_join(["a", "b"], [("a", data), ("b", 101)], epsilon=1.0)[0]


rows.row(
    "`privq_join` of two tables",
    epsilon=1.0,
    pairs=[SIZES],
    claim="Reorder a list of table names smallest → largest using differentially private size "
    "estimates from the given catalog.",
    place="PrivQ/__init__.py, docstring of privq_join",
)(order)
