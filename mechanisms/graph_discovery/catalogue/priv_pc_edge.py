"""Priv-PC on two vertices, each run charged for the sieve-and-examine that took place.

Its twin is Priv-PC's own accounting: a run without an answer is charged nothing.
"""

import math
from functools import partial
from typing import Any

from provado.mechanisms.definitions import ApproximateDP, Mechanism, PureDP, ReplaceOne, Source
from provado.mechanisms.graph_discovery.edges.priv_pc_edge import (
    priv_pc_edge,
    priv_pc_edge_silent,
    silent_probability,
)

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


def _silent() -> list[float]:
    return [silent_probability(records, **SETTING) for records in PAIR]


def _silent_epsilon() -> float:
    p, q = _silent()
    return max(abs(math.log(p / q)), abs(math.log((1 - p) / (1 - q))))


def _epsilon() -> float:
    """Return the ε of ``PAIR``; what else the output tells has the examination's ratio at most."""
    silent = _silent()
    # The examination is independent: Pr[score + Lap(1/2·Δ) < T] at 0 and at Δ, T halfway.
    kept = [1 - math.exp(-1.0) / 2, math.exp(-1.0) / 2]
    distributions = [(s, (1 - s) * k, (1 - s) * (1 - k)) for s, k in zip(silent, kept, strict=True)]
    return max(abs(math.log(p / q)) for p, q in zip(*distributions, strict=True))


_SOUND = Mechanism(
    name="priv-pc/one-edge",
    run=partial(priv_pc_edge, **SETTING),
    promise=PureDP(SETTING["epsilon"]),
    relation=ReplaceOne(),
    pairs=(PAIR,),
    source=SOURCE,
    summary="Priv-PC on two vertices; one sieve-and-examine is charged, answer or none.",
    true_epsilon=_epsilon,
    tags=("causal-discovery",),
)

MECHANISMS: tuple[Mechanism, ...] = (
    _SOUND,
    _SOUND.twin(
        "priv-pc-uncharged-sieve",
        run=partial(priv_pc_edge_silent, **SETTING),
        # The charge of no answer is ε = 0 at δ = 1e-3; a promise needs an ε above 0.
        promise=ApproximateDP(1e-9, 1e-3),
        summary="Whether Priv-PC on two vertices ended without an answer, an outcome that it "
        "charges ε = 0, as it charges by answers and leaves out the last sieve.",
        true_epsilon=_silent_epsilon,
    ),
)
