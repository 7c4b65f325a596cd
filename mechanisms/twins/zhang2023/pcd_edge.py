"""PCD on two vertices as printed: noise only near the level, of a scale taken from the data."""

from __future__ import annotations

from functools import partial

from provado.mechanisms import Mechanism, PureDP, ReplaceOne, Verdict
from provado.mechanisms.discovery.pcd_edge import pcd_deletion, pcd_edge
from provado.mechanisms.reference.zhang2023.pcd_edge import PAIR, SETTING, SOURCE, pair_epsilon

MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism(
        name="twin/pcd-one-edge",
        run=partial(pcd_edge, **SETTING),
        promise=PureDP(SETTING["epsilon"]),
        relation=ReplaceOne(),
        pairs=(PAIR,),
        source=SOURCE,
        expected=Verdict.VIOLATION,
        summary=(
            "PCD on two vertices as printed: it decides without noise far from the level, and "
            "scales the noise near it by the data's own sensitivity."
        ),
        true_epsilon=pair_epsilon(pcd_deletion),
        tags=("twin", "causal-discovery"),
    ),
)
