"""One-off sieve-and-examine with noise for the sensitivity on the subset."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from provado.mechanisms import Mechanism, PureDP, ReplaceOne, Source, Verdict
from provado.mechanisms.discovery.sieve_and_examine import share_law, sieve_and_examine_share

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


def pair_epsilon(sensitivity: float) -> float:
    """Return the ε of ``PAIR`` under ``SETTING`` with noise for this Δ."""
    d, d_prime = (share_law(bits, sensitivity=sensitivity, **SETTING) for bits in PAIR)
    return float(np.abs(np.log(d / d_prime)).max())


MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="priv-pc/sieve-and-examine",
        run=partial(sieve_and_examine_share, sensitivity=1.0, **SETTING),
        promise=PureDP(SETTING["epsilon"]),
        relation=ReplaceOne(),
        pairs=(PAIR,),
        source=SOURCE,
        expected=Verdict.NO_VIOLATION,
        summary="Sieve on one of 16 records, then examination on all, noise for Δ on one record.",
        true_epsilon=pair_epsilon(1.0),
        tags=("causal-discovery",),
    ),
)
