"""Sensitivity: how far one record moves a score; proved bounds, worst pairs, and a user's own."""

from provado.proofs.sensitivity.check import check_sensitivity
from provado.proofs.sensitivity.finding import Comparison, SensitivityFinding, UnboundedFinding
from provado.proofs.sensitivity.outcome import MovedPair, SensitivityCheck
from provado.proofs.sensitivity.verdict import Cause, SensitivityVerdict
from provado.proofs.sensitivity.walk import findings

__all__ = [
    "Cause",
    "Comparison",
    "MovedPair",
    "SensitivityCheck",
    "SensitivityFinding",
    "SensitivityVerdict",
    "UnboundedFinding",
    "check_sensitivity",
    "findings",
]
