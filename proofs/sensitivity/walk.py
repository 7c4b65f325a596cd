"""Finds the findings by walking their folder; there is no list to edit."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from provado.proofs.sensitivity import entries as folder
from provado.proofs.sensitivity.finding import SensitivityFinding, UnboundedFinding


@cache
def findings() -> tuple[SensitivityFinding | UnboundedFinding, ...]:
    """Return all findings, by file; each module of the folder holds a tuple ``FINDINGS``."""
    found: list[SensitivityFinding | UnboundedFinding] = []
    for module in sorted(m.name for m in pkgutil.iter_modules(folder.__path__)):
        found += importlib.import_module(f"{folder.__name__}.{module}").FINDINGS
    return tuple(found)
