"""Sensitivity: how far one record moves a user's own score."""

from .bounded import SensitivityBound, bound_sensitivity
from .check import check_sensitivity
from .outcome import ExcessCause, MovedPair, SensitivityCheck, SensitivityVerdict

__all__ = [
    "ExcessCause",
    "MovedPair",
    "SensitivityBound",
    "SensitivityCheck",
    "SensitivityVerdict",
    "bound_sensitivity",
    "check_sensitivity",
]
