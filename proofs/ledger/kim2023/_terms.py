"""The paper, as the entries of this folder name it."""

from __future__ import annotations

from provado.mechanisms import Source

WORK = (
    "Kim and Schrab, Differentially Private Permutation Tests: Applications to Kernel Methods "
    "(2023)"
)


def source(place: str) -> Source:
    """Return the paper with a place in it."""
    return Source(WORK, place)
