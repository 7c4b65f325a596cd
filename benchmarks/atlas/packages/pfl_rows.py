"""pfl-research: noise for the update of one user."""

import numpy as np
from atlas_row import Rows, by_scales
from pfl.privacy import LaplaceMechanism
from pfl.stats import MappedVectorStatistics

PACKAGE = {"name": "pfl", "version": "0.6.0", "what": "simulated federated learning"}

rows = Rows(PACKAGE, "any update of a user, of norm 1 at most, instead of another")
PAIR = [[1.0], [-1.0]]


def laplace(data):
    made = LaplaceMechanism(1.0, 1.0)
    noisy, _ = made.privatize(MappedVectorStatistics({"update": np.array(data)}))
    return noisy["update"].tolist()


# Noise of scale clipping_bound/ε covers an update of norm 1 and none; two of them differ by 2.
exact = by_scales(laplace, PAIR)
rows.row(
    "`LaplaceMechanism.privatize`, ε = 1",
    epsilon=1.0,
    pairs=[PAIR],
    claim="Take unbounded statistics from one individual and turn them directly into statistics "
    "that protect the individual's privacy using differential privacy.",
    place="pfl/privacy/privacy_mechanism.py, docstring of LocalPrivacyMechanism.privatize",
    check=exact,
    exact=exact,
)(laplace)
