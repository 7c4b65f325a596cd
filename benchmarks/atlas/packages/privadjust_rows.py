"""privadjust: private sketches of counts."""

import math

import pandas as pd
from atlas_row import Rows
from privadjust.count_mean import private_cms_client
from privadjust.hadamard_count_mean import private_hcms_client

PACKAGE = {"name": "privadjust", "version": "1.0.13", "what": "private sketches of counts"}

rows = Rows(PACKAGE, "the value of one person")
VALUES = pd.DataFrame({"value": [0, 1, 2, 3]})
for module in (private_cms_client, private_hcms_client):
    # The prime of the hashes is drawn from a list that takes ten seconds to make.
    module.primerange = lambda *_: [1_000_003]
SKETCH = private_cms_client.privateCMSClient(1.0, 4, 8, VALUES)
HADAMARD = private_hcms_client.privateHCMSClient(1.0, 4, 8, VALUES)
KEPT = math.exp(0.5) / (math.exp(0.5) + 1)


@rows.row(
    "`privateCMSClient.client`",
    epsilon=1.0,
    pairs=[[0, 1]],
    claim="epsilon (float): Privacy parameter for the privatization process.",
    place="privadjust/count_mean/private_cms_client.py, docstring",
    # Two values differ in two bits, each of which is kept with this probability.
    exact=lambda: (2 * math.log(KEPT / (1 - KEPT)), "two bits, each kept with e^½/(e^½ + 1)"),
)
def sketch(data):
    SKETCH.client_matrix.clear()
    vector, place = SKETCH.client(data)
    return [int(place), *map(int, vector)]


@rows.row(
    "`privateHCMSClient.client`",
    epsilon=1.0,
    pairs=[[0, 1]],
    claim="epsilon (float): The privacy parameter for differential privacy.",
    place="privadjust/hadamard_count_mean/private_hcms_client.py, docstring",
    exact=lambda: (1.0, "one bit, kept with e/(e + 1)"),
)
def hadamard(data):
    HADAMARD.client_matrix.clear()
    return [int(part) for part in HADAMARD.client(data)]
