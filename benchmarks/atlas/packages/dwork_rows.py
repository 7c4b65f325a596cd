"""dwork: noise for queries on data frames."""

from atlas_row import Rows
from dwork.mechanisms import geometric_noise, laplace_noise

PACKAGE = {"name": "dwork", "version": "0.0.13", "what": "queries on data frames"}

rows = Rows(PACKAGE)
CLAIM = "A Python toolkit for differentially private data science & analytics."


def laplace(data):
    return data + laplace_noise(1.0)


def geometric(data):
    return data + geometric_noise(1.0)


rows.noise("`laplace_noise`", laplace, claim=CLAIM, place="summary")
rows.noise("`geometric_noise`", geometric, claim=CLAIM, place="summary", pair=(0, 1))
