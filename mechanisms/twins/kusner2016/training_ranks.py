"""Twin: rank scores released by the strict inequality that is printed for their stability."""

from __future__ import annotations

from provado.mechanisms import Mechanism, Verdict
from provado.mechanisms.private.training_ranks import distance_strict
from provado.mechanisms.private.training_set import printed_move
from provado.mechanisms.reference.kusner2016.training_pairs import CLOSE, FLIPPED
from provado.mechanisms.reference.kusner2016.training_set import rank_entry
from provado.mechanisms.scores.kendall import kendall_printed

MECHANISMS: tuple[Mechanism, ...] = (
    rank_entry(
        "twin/kusner2016-training-kendall-strict",
        kendall_printed,
        move=printed_move,
        distance=distance_strict,
        test=CLOSE,
        pair=FLIPPED,
        epsilon=3,
        delta=0.01,
        expected=Verdict.VIOLATION,
        summary="Kendall's τ with d = ⌊γ/(2b)⌋ + 1, the least that the printed d > ⌊γ/(2b)⌋ "
        "allows: it is above 0 on unstable datasets.",
        tags=("twin", "kusner2016"),
    ),
)
