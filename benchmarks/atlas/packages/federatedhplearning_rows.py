"""FederatedHPLearning: local trainings of regressions."""

import random

import numpy as np
from atlas_row import Rows, counted
from federated_hplearning.logistic_numpy import local_train_dp

PACKAGE = {"name": "federatedhplearning", "version": "1.0.2", "what": "federated regressions"}

rows = Rows(PACKAGE, "replace-one: two examples of which one differs")
EPOCHS = 50
PAIR = [[[0.0, 0.0], [100.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]]


def trained(data, **options):
    """Return the weights; of each example the feature and the label are given."""
    x, y = np.array(data).T
    made = local_train_dp(x[:, None], y, np.zeros(1), EPOCHS, 2e-4, 0.5, 0.01, 1.0, **options)
    return [round(float(one), 9) for one in made[0]]


def seeded(data):
    return trained(data)


def unseeded(data):
    return trained(data, random_seed=random.getrandbits(32))


SAYS = {
    "epsilon": 0.5,
    "delta": 0.01,
    "pairs": [PAIR],
    "claim": "epsilon : float Privacy budget epsilon",
    "place": "federated_hplearning/logistic_numpy.py, docstring of local_train_dp",
}
# The default seed is 42: the noise is the same in every call.
rows.row(
    "`local_train_dp`",
    **SAYS,
    check=lambda: counted(seeded, PAIR, lambda out: out == seeded(PAIR[0]), 1000, 0.01),
)(seeded)
# The noise of one step is that of the whole budget, whatever the number of steps.
rows.row(
    f"`local_train_dp`, a random `random_seed`, {EPOCHS} epochs",
    **SAYS,
    check=lambda: counted(unseeded, PAIR, lambda out: out[0] > 0.004, 20_000, 0.01),
)(unseeded)
