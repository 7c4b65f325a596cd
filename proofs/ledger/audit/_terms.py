"""The audit's definitions in Coq's language."""

from __future__ import annotations

from typing import Final

from provado.proofs.ledger.claim import Statement

IMPORTS: Final = ("definitions.finite", "definitions.mechanism", "definitions.audit")
ANY_RULE: Final = (
    "forall (rule : O -> option bool) i d v, (i < size (domains m))%N -> "
    "d \\in datasets (domains m) -> v \\in nth [::] (domains m) i ->"
)
"""Any rule on any two neighbors, ``d`` and ``replace d i v``."""


def stated(text: str) -> Statement:
    """Return a statement written with the audit's definitions."""
    return Statement(text, IMPORTS)
