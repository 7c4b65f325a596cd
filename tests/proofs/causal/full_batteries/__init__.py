"""The statements of Tschantz, Sen and Datta (2022), each tried over the whole battery.

The ledger's entries recount a part of it. Each file has ``evidence``, the findings for or against a
statement, and ``broken``, the same check on a broken twin, which it must reject.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass

from ._finding import Finding


@dataclass(frozen=True)
class FullBattery:
    """The checks of the ledger's entry ``id``."""

    id: str
    evidence: Callable[[], tuple[Finding, ...]]
    broken: Callable[[], Finding]


def full_batteries() -> tuple[FullBattery, ...]:
    """Return all of the folder, sorted by id."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    found = []
    for name in names:
        module = importlib.import_module(f"{__name__}.{name}")
        id = f"tschantz2022/{name.replace('_', '-')}"
        found.append(FullBattery(id, module.evidence, module.broken))
    return tuple(found)
