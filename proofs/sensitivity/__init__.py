"""Sensitivity: how far one record moves a user's own score."""

from provado.proofs.sensitivity.check import check_sensitivity
from provado.proofs.sensitivity.outcome import MovedPair, SensitivityCheck
from provado.proofs.sensitivity.verdict import Cause, SensitivityVerdict

__all__ = [
    "Cause",
    "MovedPair",
    "SensitivityCheck",
    "SensitivityVerdict",
    "check_sensitivity",
]
