"""Priv-PC on two vertices, each run charged for the sieve-and-examine that took place."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from provado.mechanisms import Mechanism, PureDP, ReplaceOne, Source, Verdict
from provado.mechanisms.discovery.priv_pc_edge import priv_pc_edge, silent_probability

SOURCE = Source(
    "Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020)",
    "Algorithm 2",
)
PAIR = (
    tuple((i, i) for i in range(10)),
    (*((i, i) for i in range(9)), (9, -1)),
)
"""Ten records in the same order in both columns; then the last is first in the second column."""

SETTING: dict[str, Any] = {"threshold": 0.2, "epsilon": 4.0}


def _epsilon() -> float:
    """Return the ε of ``PAIR``; what else the output tells has the examination's ratio at most."""
    silent = [silent_probability(records, **SETTING) for records in PAIR]
    # The examination is independent: Pr[score + Lap(1/2·Δ) < T] at 0 and at Δ, T halfway.
    kept = [1 - math.exp(-1.0) / 2, math.exp(-1.0) / 2]
    laws = [(s, (1 - s) * k, (1 - s) * (1 - k)) for s, k in zip(silent, kept, strict=True)]
    return max(abs(math.log(p / q)) for p, q in zip(*laws, strict=True))


MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="priv-pc/one-edge",
        run=partial(priv_pc_edge, **SETTING),
        promise=PureDP(SETTING["epsilon"]),
        relation=ReplaceOne(),
        pairs=(PAIR,),
        source=SOURCE,
        expected=Verdict.NO_VIOLATION,
        summary="Priv-PC on two vertices; one sieve-and-examine is charged, answer or none.",
        true_epsilon=_epsilon(),
        tags=("causal-discovery",),
    ),
)
