"""PCD on two vertices, repaired: noise on the score, of a scale fixed beforehand.

Its twin is as printed: noise only near the level, of a scale taken from the data.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from provado.mechanisms.definitions import Mechanism, PureDP, ReplaceOne, Source
from provado.mechanisms.graph_discovery.edges.pcd_edge import (
    pcd_deletion,
    pcd_edge,
    pcd_edge_repaired,
    repaired_deletion,
)

SOURCE = Source(
    "Zhang et al., Differentially Private Nonlinear Causal Discovery from Numerical Data (2023)",
    "Algorithm 1 and Theorem 5",
)
PAIR = (
    ((1, 1),) * 54 + ((-1, -1),) * 54,
    ((1, -1),) + ((1, 1),) * 53 + ((-1, -1),) * 54,
)
"""108 records that agree in both columns; then one that does not."""

SETTING: dict[str, Any] = {
    "epsilon": 1.0,
    "alpha": 0.05,
    "permutations": 100,
    "bandwidth": 0.8,
}


def _pair_epsilon(deletion: Callable[..., float]) -> float:
    """Return the ε of ``PAIR`` under ``SETTING``, from the probability of deletion."""
    p, q = (deletion(records, **SETTING) for records in PAIR)
    return max(abs(math.log(p / q)), abs(math.log((1 - p) / (1 - q))))


_SOUND = Mechanism(
    name="pcd/one-edge",
    run=partial(pcd_edge_repaired, **SETTING),
    promise=PureDP(SETTING["epsilon"]),
    relation=ReplaceOne(),
    pairs=(PAIR,),
    source=SOURCE,
    summary="PCD on two vertices with noise on the score, whatever the data.",
    true_epsilon=partial(_pair_epsilon, repaired_deletion),
    tags=("causal-discovery",),
)

MECHANISMS: tuple[Mechanism, ...] = (
    _SOUND,
    _SOUND.twin(
        "pcd-one-edge",
        run=partial(pcd_edge, **SETTING),
        summary="PCD on two vertices as printed: it decides without noise far from the level, and "
        "scales the noise near it by the data's own sensitivity.",
        true_epsilon=partial(_pair_epsilon, pcd_deletion),
    ),
)
