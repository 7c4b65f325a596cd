"""The paper as a source, and exact factors as text."""

from provado.proofs.causal.model import Factor


def shown(factor: Factor) -> str:
    """Return e^ε, a rational or ∞, as text."""
    return str(factor) if factor != float("inf") else "∞"
