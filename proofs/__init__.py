"""Exact evidence about privacy claims."""

from provado.proofs.sensitivity.check import check_sensitivity

__all__ = ["check_sensitivity"]
