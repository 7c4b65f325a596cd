"""What is known of the papers that the audited mechanisms come from."""

from collections.abc import Sequence

from provado.proofs.ledger import Decision, Entry
from provado.reports.ledger.page import statement, verdict_chip
from provado.reports.ledger.words import Shortening
from provado.reports.pages.frame import table
from provado.reports.pages.markup import Markup, tag
from provado.reports.pages.mathml import typeset
from provado.reports.tasks.run import Run
from provado.reports.text.formatting import clean

from .claims import Item
from .section import template

_CUT = Shortening(600, "provado verify")


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
) -> Markup | None:
    """Return the part, ``None`` where no audited mechanism comes from a work in the ledger.

    decisions: the entries as they were decided for this page. Without them the table names the
    verdict on record, and says so.
    """
    entries = cited(run) if decisions is None else [decision.entry for decision in decisions]
    if not entries:
        return None
    works = []
    for i, work in enumerate(dict.fromkeys(entry.source.work for entry in entries), 1):
        if decisions is None:
            shown = [_table(work, [entry for entry in entries if entry.source.work == work])]
        else:
            own = (decision for decision in decisions if decision.entry.source.work == work)
            shown = [
                statement(f"ledger-{i}-{j}", decision, folded=True, cut=_CUT, level=4)
                for j, decision in enumerate(own, 1)
            ]
        works.append((work, [item for item in items if cites(item.result.source, work)], shown))
    return Markup(template().papers(works, decisions is not None))


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
