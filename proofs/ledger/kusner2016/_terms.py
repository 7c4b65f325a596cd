"""The paper as a source."""

from __future__ import annotations

from provado.mechanisms import Source
from provado.proofs.algebra.exppoly import ExpPoly

WORK = "Kusner, Sun, Sridharan and Weinberger, Private Causal Inference (2016)"


def source(place: str) -> Source:
    """Return the paper with a place in it."""
    return Source(WORK, place)


def grow(rate: int) -> ExpPoly:
    """Return x ↦ e^(rate·x)."""
    return ExpPoly.term(rate=rate)
