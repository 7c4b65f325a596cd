"""The paper as a source, and exact factors as text."""

from __future__ import annotations

from provado.proofs.causal.exact import Factor
from provado.proofs.ledger.tschantz2022 import _terms

WORK = _terms.WORK


def shown(factor: Factor) -> str:
    """Return e^ε, a rational or ∞, as text."""
    return str(factor) if factor != float("inf") else "∞"
