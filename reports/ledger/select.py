"""Which statements of the ledger a user means."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from provado.mechanisms import UsageError
from provado.proofs.ledger import Entry
from provado.reports.ask.nearest import near


def choose(entries: Sequence[Entry], patterns: Sequence[str]) -> tuple[Entry, ...]:
    """Return the entries whose id matches any of the globs, in the order of ``entries``.

    No glob means all. Raises ``UsageError`` for a glob that matches nothing, with the nearest id
    or glob that does.
    """
    ids = [entry.id for entry in entries]
    for pattern in patterns:
        if not any(fnmatchcase(one, pattern) for one in ids):
            papers = sorted({f"{one.split('/')[0]}/*" for one in ids})
            nearest = near(pattern, [*ids, *papers], always=True)
            hint = f"; the nearest is {nearest}" if nearest else ""
            raise UsageError(f"{pattern}: no statement of the ledger has this id{hint}")
    if not patterns:
        return tuple(entries)
    return tuple(e for e in entries if any(fnmatchcase(e.id, one) for one in patterns))
