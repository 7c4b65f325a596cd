"""LPDT: regression trees under local differential privacy."""

import numpy as np
from atlas_row import Rows, counted
from LPDT.tree import LPDTreeRegressor

PACKAGE = {"name": "lpdt", "version": "0.0.2", "what": "trees under local differential privacy"}

rows = Rows(PACKAGE, "replace-one: the label of one person, of twenty")
PLACES = np.linspace(0, 1, 20)[:, None]
PAIR = [[0.0] * 20, [1.0] + [0.0] * 19]


def tree(estimator):
    """Declare a tree of ε = 1, whose partition uses public data as the package asks."""

    def release(data):
        made = LPDTreeRegressor(
            epsilon=1.0, public_X=PLACES, public_Y=PLACES.ravel(), estimator=estimator
        )
        made.fit(PLACES, np.array(data))
        return [float(one) for one in made.predict(PLACES[::5])]

    release.__name__ = estimator
    rows.row(
        f"`LPDTreeRegressor`, `{estimator}`",
        epsilon=1.0,
        pairs=[PAIR],
        claim="Locally private regression tree.",
        place="LPDT/tree.py, docstring of LPDTreeRegressor",
        # The range of the labels, which scales the noise, is read off the labels; and the default
        # `random_state` seeds NumPy's generator, so that the noise is the same in every fit.
        check=lambda: counted(release, PAIR, lambda out: 0.0 in out, runs=1000),
    )(release)


tree("laplace")
tree("random_permutation")
