"""Sieve-and-examine with noise for the sensitivity on all records, where the sieve sees few."""

from __future__ import annotations

from functools import partial

from provado.mechanisms import Mechanism, PureDP, ReplaceOne, Verdict
from provado.mechanisms.discovery.sieve_and_examine import sieve_and_examine_share
from provado.mechanisms.reference.wang2020.sieve_and_examine import (
    PAIR,
    SETTING,
    SOURCE,
    pair_epsilon,
)

MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="twin/sieve-and-examine-full-sensitivity",
        run=partial(sieve_and_examine_share, sensitivity=1 / 16, **SETTING),
        promise=PureDP(SETTING["epsilon"]),
        relation=ReplaceOne(),
        pairs=(PAIR,),
        source=SOURCE,
        expected=Verdict.VIOLATION,
        summary=(
            "Sieve on one of 16 records with noise for Δ = 1/16, the sensitivity on all 16; on the "
            "subset it is 1."
        ),
        true_epsilon=pair_epsilon(1 / 16),
        tags=("twin", "causal-discovery"),
    ),
)
