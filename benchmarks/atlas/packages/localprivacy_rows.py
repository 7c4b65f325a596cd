"""localprivacy-martaajonees: private sketches of counts."""

import pandas as pd
from atlas_row import Rows
from localPrivacy_martaajonees.count_mean.private_cms_client import privateCMSClient

PACKAGE = {
    "name": "localprivacy-martaajonees",
    "version": "1.0.2",
    "what": "private sketches of counts",
    "requirements": ("pandas", "sympy", "scipy", "matplotlib", "seaborn", "tabulate", "rich"),
}

rows = Rows(PACKAGE, "the value of one person")
MADE = privateCMSClient(1.0, 4, 8, pd.DataFrame({"value": [0, 1, 2, 3]}))


@rows.row(
    "`privateCMSClient.client`",
    epsilon=1.0,
    pairs=[[0, 1]],
    claim="epsilon (float): Privacy parameter for the privatization process.",
    place="localPrivacy_martaajonees/count_mean/private_cms_client.py, docstring",
)
def sketch(data):
    MADE.client_matrix.clear()
    vector, place = MADE.client(data)
    return [int(place), *map(int, vector)]
