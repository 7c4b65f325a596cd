"""One run of ``provado verify``: entries chosen by their ids, each decided in its own process."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial

from provado.audit.workers import Broken
from provado.proofs.ledger import Decision, Entry, Evidence, LedgerVerdict, Refusal, decide
from provado.proofs.ledger.decide import Judgement, failed, with_theorem
from provado.proofs.ledger.theorem import CoqReplay
from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED, SURPRISE
from provado.reports.tasks.resources import run_in_processes
from provado.reports.text.did_you_mean import require_matches

TIME_LIMIT = 600.0
"""Seconds after which an entry counts as hanging; the whole ledger has 90."""


@dataclass(frozen=True)
class Verification:
    """A run, complete: ``versions`` holds Python's and each relevant package's, by name."""

    provado: str
    versions: dict[str, str]
    decisions: tuple[Decision, ...]

    @property
    def exit_status(self) -> int:
        """0 as recorded, 1 a verdict differs, 3 an entry was not decided, or there is none."""
        if any(map(unexpected, self.decisions)):
            return SURPRISE
        if not self.decisions or any(map(not_completed, self.decisions)):
            return NOT_COMPLETED
        return AS_EXPECTED


def unexpected(decision: Decision) -> bool:
    """Return whether a verdict was reached that differs from the one on record."""
    return not decision.as_expected and decision.verdict is not LedgerVerdict.UNKNOWN


def not_completed(decision: Decision) -> bool:
    """Return whether no verdict was reached although there is one on record."""
    return not decision.as_expected and decision.verdict is LedgerVerdict.UNKNOWN


def decide_all(
    entries: Sequence[Entry],
    processes: int,
    *,
    time_limit: float = TIME_LIMIT,
    replays: Mapping[str, CoqReplay] | None = None,
) -> tuple[Decision, ...]:
    """Decide every entry, at most ``processes`` at a time; return them in the order of entries.

    An entry that raises, hangs for ``time_limit`` seconds or takes its process down is ``unknown``
    with the reason. replays: what Coq makes of the entries' theorems, by name; without it they are
    not replayed here.
    """
    outcomes = run_in_processes(
        [partial(_work, entry) for entry in entries], processes=processes, time_limit=time_limit
    )
    decisions = (
        failed(entry, found.reason) if isinstance(found, Broken) else Decision(entry, *found)
        for entry, found in zip(entries, outcomes, strict=True)
    )
    known = replays or {}
    return tuple(
        with_theorem(d, known.get(d.entry.theorem.name) if d.entry.theorem else None)
        for d in decisions
    )


_Sent = tuple[Evidence, Judgement, Judgement | None, str, Refusal | None]


def _work(entry: Entry) -> _Sent:
    # The entry itself holds functions, which cannot be sent back.
    d = decide(entry)
    return d.evidence, d.judgement, d.correction, d.failure, d.twin


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
