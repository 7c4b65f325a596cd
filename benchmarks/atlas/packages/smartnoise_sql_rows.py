"""smartnoise-sql: SQL queries on a data frame."""

import warnings

import pandas as pd
import snsql
from atlas_row import Rows

PACKAGE = {"name": "smartnoise-sql", "version": "1.0.10", "what": "SQL queries on data frames"}

warnings.simplefilter("ignore")
rows = Rows(PACKAGE, "add-or-remove-one: rows of a table, one for each person")
META = {
    "": {
        "main": {
            "people": {
                "row_privacy": True,
                "rows": 10,
                "age": {"type": "float", "lower": 0.0, "upper": 1.0},
            }
        }
    }
}
TABLES = [[0.0] * 5 + [1.0] * 5, [0.0] * 5 + [1.0] * 4]


def query(key, asked, pair):
    """Declare the answer to one query with ε = 1 for each column that it releases."""

    def release(data):
        budget = snsql.Privacy(epsilon=1.0, delta=0.01)
        frame = pd.DataFrame({"age": data})
        reader = snsql.from_df(frame, privacy=budget, metadata=META)
        return round(float(reader.execute(f"SELECT {asked} AS found FROM main.people")[1][0]), 6)

    def cost(place):
        budget = snsql.Privacy(epsilon=1.0, delta=0.01)
        frame = pd.DataFrame({"age": pair[0]})
        reader = snsql.from_df(frame, privacy=budget, metadata=META)
        return reader.get_privacy_cost(f"SELECT {asked} AS found FROM main.people")[place]

    release.__name__ = key
    rows.row(
        f"`{asked}`",
        epsilon=lambda: cost(0),
        delta=lambda: cost(1),
        pairs=[pair],
        claim="`get_privacy_cost` can be used",
        place="README",
    )(release)


query("count", "COUNT(*)", TABLES)
query("total", "SUM(age)", TABLES)
query("average", "AVG(age)", TABLES)
