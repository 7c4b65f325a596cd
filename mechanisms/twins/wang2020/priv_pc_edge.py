"""Priv-PC's accounting: a run without an answer is charged nothing."""

from __future__ import annotations

import math
from functools import partial

from provado.mechanisms import ApproximateDP, Mechanism, ReplaceOne, Verdict
from provado.mechanisms.discovery.priv_pc_edge import priv_pc_edge_silent, silent_probability
from provado.mechanisms.reference.wang2020.priv_pc_edge import PAIR, SETTING, SOURCE


def _epsilon() -> float:
    p, q = (silent_probability(records, **SETTING) for records in PAIR)
    return max(abs(math.log(p / q)), abs(math.log((1 - p) / (1 - q))))


MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="twin/priv-pc-uncharged-sieve",
        run=partial(priv_pc_edge_silent, **SETTING),
        # The charge of no answer is ε = 0 at δ = 1e-3; a promise needs an ε above 0.
        promise=ApproximateDP(1e-9, 1e-3),
        relation=ReplaceOne(),
        pairs=(PAIR,),
        source=SOURCE,
        expected=Verdict.VIOLATION,
        summary=(
            "Whether Priv-PC on two vertices ended without an answer, an outcome that it charges "
            "ε = 0, as it charges by answers and leaves out the last sieve."
        ),
        true_epsilon=_epsilon(),
        tags=("twin", "causal-discovery"),
    ),
)
