"""Finds the entries by walking the papers' folders; there is no list to edit."""

import importlib
import pkgutil
from functools import cache

from provado.mechanisms import UsageError

from .entry import Entry

folder = importlib.import_module(__name__.rpartition(".")[0])


@cache
def ledger() -> tuple[Entry, ...]:
    """Return all entries, sorted by id.

    A module of a paper's folder whose name begins with a letter holds one ``ENTRY``, whose id must
    be its place, or several as ``ENTRIES``, whose ids must be of the paper. Raises ``UsageError``
    where they are not, and for an id that is there twice.
    """
    found: dict[str, Entry] = {}
    for paper in sorted(m.name for m in pkgutil.iter_modules(folder.__path__) if m.ispkg):
        package = importlib.import_module(f"{folder.__name__}.{paper}")
        for name in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
            if name.startswith("_"):
                continue
            module = importlib.import_module(f"{package.__name__}.{name}")
            place = f"{paper}/{name.replace('_', '-')}"
            rows = getattr(module, "ENTRIES", None)
            for entry in (module.ENTRY,) if rows is None else rows:
                fits = entry.id == place if rows is None else entry.id.startswith(f"{paper}/")
                if not fits or entry.id in found:
                    raise UsageError(f"ledger: the entry {entry.id!r} stands in {place!r}")
                found[entry.id] = entry
    return tuple(found[id] for id in sorted(found))
