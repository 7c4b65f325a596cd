"""Proposition 3: Definitions 1 and 6 are equivalent."""

from __future__ import annotations

from ._arrows import same
from ._finding import Finding


def evidence() -> tuple[Finding, ...]:
    """Compare the smallest e^ε of both over the battery, with given populations."""
    return (same("1", "6"),)


def broken() -> Finding:
    """Condition on the dataset under the given population instead of intervening."""
    return same("1", "10")
