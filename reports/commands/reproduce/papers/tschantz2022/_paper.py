"""The audit of Tschantz et al. (2022), and exact factors as text."""

from provado.proofs.causal.model import Factor
from provado.proofs.ledger.tschantz2022 import WORK

from .._audit import Paper, audit_of


def shown(factor: Factor) -> str:
    """Return e^ε, a rational or ∞, as text."""
    return str(factor) if factor != float("inf") else "∞"


EXPERIMENT = audit_of(Paper("tschantz2022", WORK, "Differential Privacy as a Causal Property"))
