"""The audit as a source, and its definitions in Coq's language."""

from __future__ import annotations

from typing import Final

from provado.mechanisms import Source
from provado.proofs.ledger.statement import Statement

IMPORTS: Final = ("definitions.finite", "definitions.mechanism", "definitions.audit")
ANY_RULE: Final = (
    "forall (rule : O -> option bool) i d v, (i < size (domains m))%N -> "
    "d \\in datasets (domains m) -> v \\in nth [::] (domains m) i ->"
)
"""Any rule on any two neighbors, ``d`` and ``replace d i v``."""


def source(place: str) -> Source:
    """Return the audit with a place in it."""
    return Source("Provado, the audit", place)


def stated(text: str) -> Statement:
    """Return a statement written with the audit's definitions."""
    return Statement(text, IMPORTS)
