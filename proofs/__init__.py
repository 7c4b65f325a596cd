"""Exact evidence about privacy claims."""

from provado.proofs.sensitivity.bounded import bound_sensitivity
from provado.proofs.sensitivity.check import check_sensitivity

__all__ = ["bound_sensitivity", "check_sensitivity"]
