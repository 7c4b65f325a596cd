"""Finds the entries by walking the papers' folders; there is no list to edit."""

import importlib
import pkgutil
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache

from provado.mechanisms import UsageError

from .entry import Entry

folder = importlib.import_module(__name__.rpartition(".")[0])


def ledger(patterns: Sequence[str] = ()) -> tuple[Entry, ...]:
    """Return all entries, sorted by id; or those of the papers that patterns of ids may mean.

    Other papers are not imported, unless a pattern matches no entry: then all entries are returned,
    so that the caller can name the nearest.
    """
    papers = sorted(m.name for m in pkgutil.iter_modules(folder.__path__) if m.ispkg)
    wanted = [p for p in papers if any(_may_match(pattern, f"{p}/") for pattern in patterns)]
    found = [entry for paper in wanted for entry in entries_of(paper)]
    if not patterns or not all(any(fnmatchcase(e.id, p) for e in found) for p in patterns):
        found = [entry for paper in papers for entry in entries_of(paper)]
    return tuple(sorted(found, key=lambda entry: entry.id))


def _may_match(pattern: str, beginning: str) -> bool:
    """Return whether a glob may match a text that begins so."""
    literal = re.split(r"[*?[]", pattern)[0]
    return literal.startswith(beginning) or beginning.startswith(literal)


@cache
def entries_of(paper: str) -> tuple[Entry, ...]:
    """Return a paper's entries.

    A module of a paper's folder whose name begins with a letter holds one ``ENTRY``, whose id must
    be its place, or several as ``ENTRIES``, whose ids must be of the paper. Raises ``UsageError``
    where they are not, and for an id that is there twice.
    """
    package = importlib.import_module(f"{folder.__name__}.{paper}")
    found: dict[str, Entry] = {}
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
    return tuple(found.values())
