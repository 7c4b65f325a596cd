"""How far one record moves each score: proved bounds beside the printed ones, and worst pairs.

They go beyond the ledger's entries to add-or-remove-one, to other variants of the scores and to
floats, and are its slow twins where both speak of the same bound. Found by walking ``entries``.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from tests.proofs.sensitivity.sharp_bounds import entries as folder
from tests.proofs.sensitivity.sharp_bounds.finding import SensitivityFinding, UnboundedFinding


@cache
def findings() -> tuple[SensitivityFinding | UnboundedFinding, ...]:
    """Return all findings, by file; each module of the folder holds a tuple ``FINDINGS``."""
    found: list[SensitivityFinding | UnboundedFinding] = []
    for module in sorted(m.name for m in pkgutil.iter_modules(folder.__path__)):
        found += importlib.import_module(f"{folder.__name__}.{module}").FINDINGS
    return tuple(found)
