"""The paper as a source."""

from __future__ import annotations

from provado.mechanisms import Source

WORK = "Tschantz, Sen and Datta, Differential Privacy as a Causal Property (2022)"


def source(place: str) -> Source:
    """Return the paper with a place in it."""
    return Source(WORK, place)
