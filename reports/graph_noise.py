"""Whether the noise of a private search drowns what its tests look for; the data are not asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from provado.mechanisms.discovery.graph.margin import Look, ProvedMargin
from provado.mechanisms.discovery.graph.priv_pc import sieve_noise
from provado.mechanisms.discovery.graph.rounds import Noise

if TYPE_CHECKING:
    from provado.reports.graph_answer import Asked, Budget

_INDEPENDENT = np.array([[[1, 1], [1, 1]]])


def noise_of(asked: Asked, budget: Budget) -> dict[str, float] | None:
    """Return a query's noise beside how far independent columns lie above the level.

    Both in units of the sensitivity that is proved for the test, without a conditioning set and on
    all rows; with one the sensitivity is larger. They depend on n, ε and the level only. ``None``
    for methods that have no such unit: other than repaired Priv-PC and SVT-PC.
    """
    method, n = asked.method, asked.table.n
    if method.flaw is not None or method.name not in ("priv-pc", "svt-pc"):
        return None
    share, tweak = budget.round_epsilon, float(asked.parameters.get("tweak", 0.0))
    noise = sieve_noise(share, n, n) if method.name == "priv-pc" else Noise(0.0, 4 / share, None)
    margin = ProvedMargin(asked.parameters["alpha"], tweak)
    distance = margin(_INDEPENDENT, Look(n, n, 1, sieve=True))
    return {"scale": noise.query, "distance": max(distance, 0.0)}
