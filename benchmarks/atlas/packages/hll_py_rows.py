"""hll-py: sketches of counts under local differential privacy."""

from atlas_row import Rows, counted
from hll_py.HyperLogLog import SketchConfig
from hll_py.HyperLogLogLDP import HyperLogLogLDP

PACKAGE = {"name": "hll-py", "version": "0.1.13", "what": "local counts by HyperLogLog"}

rows = Rows(PACKAGE, "the word of one person")
WORDS = ["apple", "grape"]


def estimates(data):
    made = HyperLogLogLDP(SketchConfig(epsilon=1.0))
    made.insert_segments([f"{data}_seg{place}" for place in range(4)])
    return [float(made.estimate_word(word)) for word in WORDS]


rows.row(
    "`HyperLogLogLDP`, estimates of two words",
    epsilon=1.0,
    pairs=[WORDS],
    claim="A Python library for fuzzy matching and local differentially private counting using "
    "probabilistic data structures like HyperLogLog.",
    place="summary",
    # The random hash goes into a sketch that is kept under the word itself.
    check=lambda: counted(estimates, WORDS, lambda out: out[0] > 0, 20_000),
)(estimates)
