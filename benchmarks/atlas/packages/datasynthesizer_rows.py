"""DataSynthesizer: descriptions of tables, from which synthetic ones are drawn."""

import contextlib
import io
import secrets
import tempfile
from pathlib import Path

from atlas_row import Rows, counted
from DataSynthesizer.DataDescriber import DataDescriber

PACKAGE = {"name": "datasynthesizer", "version": "0.1.13", "what": "synthetic tables"}

rows = Rows(PACKAGE, "replace-one: the value of one person, of twenty")
FIRST = [["a", "x"]] * 10 + [["b", "y"]] * 10
PAIR = [FIRST, [["b", "y"], *FIRST[1:]]]
FOLDER = tempfile.TemporaryDirectory()
CLAIM = "A parameter in Differential Privacy."
PLACE = "DataSynthesizer/DataDescriber.py, epsilon in describe_dataset_in_correlated_attribute_mode"


def described(data, mode, **options):
    """Return the distributions that a mode describes; both columns have two known values."""
    file = Path(FOLDER.name, "table.csv")
    file.write_text("".join(f"{a},{b}\n" for a, b in [("one", "two"), *data]))
    describer = DataDescriber()
    with contextlib.redirect_stdout(io.StringIO()):
        getattr(describer, f"describe_dataset_in_{mode}_attribute_mode")(
            str(file),
            epsilon=1.0,
            attribute_to_is_categorical={"one": True, "two": True},
            attribute_to_is_candidate_key={"one": False, "two": False},
            **options,
        )
    description = describer.data_description
    columns = description["attribute_description"]
    found = [
        float(one) for each in ("one", "two") for one in columns[each]["distribution_probabilities"]
    ]
    return found, description.get("conditional_probabilities")


@rows.row(
    "independent attributes, ε = 1",
    epsilon=1.0,
    pairs=[PAIR],
    claim=CLAIM,
    place=PLACE,
    # `seed=0` is the default and seeds NumPy's generator, so that the noise is the same each time.
    check=lambda: counted(
        independent, PAIR, lambda out: out == described(FIRST, "independent")[0], 300
    ),
)
def independent(data):
    return described(data, "independent")[0]


@rows.row(
    "independent attributes, ε = 1, another seed each time",
    epsilon=1.0,
    pairs=[PAIR],
    claim=CLAIM,
    place=PLACE,
)
def seeded(data):
    return described(data, "independent", seed=secrets.randbits(32))[0]


@rows.row(
    "correlated attributes, ε = 1, another seed each time",
    epsilon=1.0,
    pairs=[PAIR],
    claim=CLAIM,
    place=PLACE,
)
def correlated(data):
    return described(data, "correlated", k=1, seed=secrets.randbits(32))
