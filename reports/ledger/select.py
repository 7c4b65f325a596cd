"""Which statements of the ledger a user means."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from provado.proofs.ledger import Entry
from provado.reports.text.did_you_mean import require_matches


def choose(entries: Sequence[Entry], patterns: Sequence[str]) -> tuple[Entry, ...]:
    """Return the entries whose id matches any of the globs, in the order of ``entries``.

    No glob means all. Raises ``UsageError`` for a glob that matches nothing, with the nearest id
    or glob that does.
    """
    ids = [entry.id for entry in entries]
    papers = sorted({f"{one.split('/')[0]}/*" for one in ids})
    globs = {pattern: pattern for pattern in patterns}
    require_matches(globs, ids, papers, "no statement of the ledger has this id")
    if not patterns:
        return tuple(entries)
    return tuple(e for e in entries if any(fnmatchcase(e.id, one) for one in patterns))
