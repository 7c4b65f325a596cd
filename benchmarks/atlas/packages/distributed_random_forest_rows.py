"""distributed-random-forest: a private forest."""

from atlas_row import Rows, counted
from distributed_random_forest.models.dp_rf import DPRandomForest

PACKAGE = {"name": "distributed-random-forest", "version": "0.4.0", "what": "a private forest"}

rows = Rows(PACKAGE, "replace-one: the features of one record")
LABELS = [0, 0, 0, 0, 0, 1]
PAIR = [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 2.0, 3.0, 4.0, 5.0, 60.0]]


def thresholds(data):
    made = DPRandomForest(n_estimators=1, max_depth=3, epsilon=1.0, n_jobs=1)
    made.fit([[one] for one in data], LABELS)
    return sorted({round(float(one), 3) for one in made._trees[0].tree_.threshold})[-1]


rows.row(
    "`DPRandomForest`, thresholds of its trees",
    epsilon=1.0,
    pairs=[PAIR],
    claim="Implements differential privacy at the training level using Laplace mechanism for leaf "
    "node counts and exponential mechanism for split selection.",
    place="distributed_random_forest/models/dp_rf.py, docstring of DPRandomForest",
    # Splits are chosen by the data alone; only the values of leaves get noise.
    check=lambda: counted(thresholds, PAIR[::-1], lambda out: out > 10, 1000),
)(thresholds)
