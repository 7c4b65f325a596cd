"""Sensitivity: how far one record moves a user's own score."""

from .check import check_sensitivity
from .outcome import MovedPair, SensitivityCheck
from .verdict import Cause, SensitivityVerdict

__all__ = [
    "Cause",
    "MovedPair",
    "SensitivityCheck",
    "SensitivityVerdict",
    "check_sensitivity",
]
