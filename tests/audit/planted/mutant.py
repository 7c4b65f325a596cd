"""One small change of ``audit``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """A change in one file of ``audit``: ``old`` stands there once and becomes ``new``."""

    file: str
    old: str
    new: str
    breaks: str
