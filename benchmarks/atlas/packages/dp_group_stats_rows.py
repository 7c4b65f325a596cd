"""dp-group-stats: means of groups with Laplace noise."""

from atlas_row import Rows
from dp_group_stats.mechanisms import laplace_noise

PACKAGE = {"name": "dp-group-stats", "version": "0.1.2", "what": "means of groups"}

rows = Rows(PACKAGE)


def laplace(data):
    return data + laplace_noise(1.0, 1.0)


def narrow(data):
    return data + laplace_noise(0.1, 1.0)


CLAIM = "Sample from a Laplace distribution calibrated to (epsilon, sensitivity)."
PLACE = "dp_group_stats/mechanisms.py, docstring of laplace_noise"
rows.noise("`laplace_noise`", laplace, claim=CLAIM, place=PLACE)
rows.noise("`laplace_noise`, ε = 0.1", narrow, epsilon=0.1, claim=CLAIM, place=PLACE)
