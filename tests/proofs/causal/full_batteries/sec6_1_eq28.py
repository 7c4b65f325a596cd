"""Equation (28): differential privacy bounds the maximum relative probabilities."""

from __future__ import annotations

from ._arrows import arrow, same
from ._finding import Finding


def evidence() -> tuple[Finding, ...]:
    """Compare the maximum over i and P of RP̄(O, D_i) with Definitions 1 and 8."""
    return arrow("1", "9"), same("8", "9", role="sharper")


def broken() -> Finding:
    """Bound the association under all populations instead."""
    return arrow("9", "3")
