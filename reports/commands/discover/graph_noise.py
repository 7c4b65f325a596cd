"""Whether the noise of a private search drowns what its tests look for; the data are not asked."""

import numpy as np

from provado.mechanisms.graph_discovery.independence_tests.margin import ProvedMargin, PublicFacts

from .graph_request import Allotment, Asked

_INDEPENDENT = np.array([[[1, 1], [1, 1]]])


def noise_of(asked: Asked, budget: Allotment) -> dict[str, float] | None:
    """Return a query's noise beside how far independent columns lie above the level.

    Both in units of the sensitivity that is proved for the test, without a conditioning set and on
    all rows; with one the sensitivity is larger. They depend on n, ε and the level only. ``None``
    for methods that have no such unit.
    """
    method, n = asked.method, asked.table.n
    if method.noise is None or budget.round_epsilon is None:
        return None
    margin = ProvedMargin(asked.parameters["alpha"], float(asked.parameters.get("tweak", 0.0)))
    distance = margin(_INDEPENDENT, PublicFacts(n, n, 1, sieve=True))
    return {"scale": method.noise(budget.round_epsilon, n).query, "distance": max(distance, 0.0)}
