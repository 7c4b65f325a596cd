"""What is known of the papers that the audited mechanisms come from."""

from __future__ import annotations

from collections.abc import Sequence

from provado.proofs.ledger import Decision, Entry
from provado.reports.ledger.page import statement, verdict_chip
from provado.reports.ledger.words import Cut
from provado.reports.pages.element import Child, Markup, join, tag
from provado.reports.pages.mathml import typeset
from provado.reports.pages.table import table
from provado.reports.tasks.run import Run
from provado.reports.text.formatting import clean

from .group import Item, linked

_CUT = Cut(600, "provado verify")


def cited(run: Run) -> tuple[Entry, ...]:
    """Return the ledger's entries of every work that some audited mechanism names as its source."""
    sources = [result.source for result in run.results if result.source]
    if not sources:
        return ()
    # Imported here: the ledger takes two seconds to load, and most runs cite none of it.
    from provado.proofs.ledger import ledger

    return tuple(e for e in ledger() if any(cites(source, e.source.work) for source in sources))


def cites(source: str, work: str) -> bool:
    """Return whether a source names a work: by title and year, for authors may be shortened."""
    title = work.rsplit(", ", 1)[-1]
    return title in source


def ledger_part(
    run: Run, items: Sequence[Item], decisions: Sequence[Decision] | None
) -> list[Markup]:
    """Return the part, empty where no audited mechanism comes from a work in the ledger.

    decisions: the entries as they were decided for this page. Without them the table names the
    verdict on record, and says so.
    """
    entries = cited(run) if decisions is None else [decision.entry for decision in decisions]
    if not entries:
        return []
    works = list(dict.fromkeys(entry.source.work for entry in entries))
    parts = [tag("p", *(_DECIDED if decisions is not None else _ON_RECORD))]
    for i, work in enumerate(works):
        parts += [tag("h3", clean(work)), _audits(items, work)]
        if decisions is None:
            parts.append(_table(work, [entry for entry in entries if entry.source.work == work]))
            continue
        parts += [
            statement(f"ledger-{i + 1}-{j + 1}", decision, folded=True, cut=_CUT, level=4)
            for j, decision in enumerate(d for d in decisions if d.entry.source.work == work)
        ]
    return parts


_DECIDED: tuple[Child, ...] = (
    "Statements of these works, each decided anew for this page by exact arithmetic. The argument "
    "says which steps the kernel checked and which are prose.",
)
_ON_RECORD: tuple[Child, ...] = (
    "Statements of these works, with the verdict on record. They were not decided for this page: ",
    tag("code", "provado verify"),
    " decides them anew, and prints the argument of one that is named.",
)


def _audits(items: Sequence[Item], work: str) -> Markup:
    said = linked(item for item in items if cites(item.result.source, work))
    return tag("p", "Audited here: ", *said, ".", class_="cited") if said else join()


def _table(work: str, entries: Sequence[Entry]) -> Markup:
    rows = [
        (
            clean(entry.id),
            clean(entry.source.place),
            verdict_chip(entry.expected),
            tag("span", typeset(clean(entry.words)), class_="words"),
        )
        for entry in entries
    ]
    heads = ("statement", "place", "on record", "in words")
    return table(f"Statements of {clean(work)}", heads, rows, visible=False)
