"""Finds the entries by walking the papers' folders; there is no list to edit."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from provado.mechanisms import UsageError

from .entry import Entry

folder = importlib.import_module(__name__.rpartition(".")[0])


@cache
def ledger() -> tuple[Entry, ...]:
    """Return all entries, sorted by paper and file.

    A module of a paper's folder whose name begins with a letter holds one ``ENTRY``; its id must be
    its place. Raises ``UsageError`` where it is not.
    """
    found = []
    for paper in sorted(m.name for m in pkgutil.iter_modules(folder.__path__) if m.ispkg):
        package = importlib.import_module(f"{folder.__name__}.{paper}")
        for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
            if module.startswith("_"):
                continue
            entry = importlib.import_module(f"{package.__name__}.{module}").ENTRY
            place = f"{paper}/{module.replace('_', '-')}"
            if entry.id != place:
                raise UsageError(f"ledger: the entry {entry.id!r} stands in {place!r}")
            found.append(entry)
    return tuple(found)
