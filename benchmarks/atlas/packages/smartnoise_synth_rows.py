"""smartnoise-synth: synthetic tables by mwem. A fit by mst takes 3 s, by aim 13 s."""

import warnings

import pandas as pd
from atlas_row import Rows
from snsynth import Synthesizer

PACKAGE = {
    "name": "smartnoise-synth",
    "version": "1.0.8",
    "what": "synthetic tables",
    # PyTorch, which only its networks need, is left out.
    "alone": True,
    "requirements": (
        "smartnoise-sql==1.0.10",
        "mbi>=1.1,<2",
        "disjoint-set<0.10",
        "opendp<0.15",
        "Faker",
        "networkx",
    ),
}

warnings.simplefilter("ignore")
rows = Rows(PACKAGE, "replace-one: the category of one person, of twenty")


@rows.row(
    "`mwem`",
    epsilon=1.0,
    pairs=[[[0] * 20, [0] * 19 + [1]]],
    claim="Differentially Private Synthetic Data",
    place="summary",
)
def mwem(data):
    table = pd.DataFrame({"a": data, "b": [0, 1] * 10})
    made = Synthesizer.create("mwem", epsilon=1.0)
    made.fit(table, categorical_columns=["a", "b"], preprocessor_eps=0.0)
    return int(made.sample(20)["a"].sum())
