"""GeoPrivacy: noise for places."""

from atlas_row import Rows
from GeoPrivacy.mechanism import random_laplace_noise

PACKAGE = {"name": "geoprivacy", "version": "0.0.4", "what": "noise for places"}

rows = Rows(PACKAGE, "two places at distance 1")
SAYS = {
    "epsilon": 1.0,
    "pairs": [[[0.0, 0.0], [1.0, 0.0]]],
    "claim": "This function generates a random planer laplace noise with the given epsilon as the "
    "scale. Privacy level: eps.",
    "place": "GeoPrivacy/mechanism.py, docstring of random_laplace_noise",
    "exact": lambda: (1.0, "the density falls by e^−r with the distance r"),
}


@rows.row("`random_laplace_noise`, to three decimals", **SAYS)
def rounded(data):
    noise = random_laplace_noise(1.0)
    return [round(float(one + more), 3) for one, more in zip(data, noise)]  # noqa: B905
