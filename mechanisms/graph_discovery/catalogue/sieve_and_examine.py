"""One-off sieve-and-examine with noise for the sensitivity on the subset.

Its twin has noise for the sensitivity on all records, where the sieve sees few.
"""

from functools import partial
from typing import Any

import numpy as np

from provado.mechanisms.definitions import Mechanism, PureDP, ReplaceOne, Source
from provado.mechanisms.graph_discovery.edges.priv_pc_edge import (
    share_distribution,
    sieve_and_examine_share,
)

SOURCE = Source(
    "Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020)",
    "Algorithm 1 and Theorem 1",
)
PAIR = ((1,) * 16, (0,) + (1,) * 15)
"""Sixteen records; the one that differs is in a subset of one with probability 1/16."""

SETTING: dict[str, Any] = {
    "queries": 3,
    "threshold": 0.5,
    "tweak": 0.0,
    "subset": 1,
    "epsilon": 0.5,
}


def _pair_epsilon(sensitivity: float) -> float:
    """Return the ε of ``PAIR`` under ``SETTING`` with noise for this Δ."""
    d, d_prime = (share_distribution(bits, sensitivity=sensitivity, **SETTING) for bits in PAIR)
    return float(np.abs(np.log(d / d_prime)).max())


_SOUND = Mechanism(
    name="priv-pc/sieve-and-examine",
    run=partial(sieve_and_examine_share, sensitivity=1.0, **SETTING),
    promise=PureDP(SETTING["epsilon"]),
    relation=ReplaceOne(),
    pairs=(PAIR,),
    source=SOURCE,
    summary="Sieve on one of 16 records, then examination on all, noise for Δ on one record.",
    true_epsilon=partial(_pair_epsilon, 1.0),
    tags=("causal-discovery",),
)

MECHANISMS: tuple[Mechanism, ...] = (
    _SOUND,
    _SOUND.twin(
        "sieve-and-examine-full-sensitivity",
        run=partial(sieve_and_examine_share, sensitivity=1 / 16, **SETTING),
        summary="Sieve on one of 16 records with noise for Δ = 1/16, the sensitivity on all 16; on "
        "the subset it is 1.",
        true_epsilon=partial(_pair_epsilon, 1 / 16),
    ),
)
