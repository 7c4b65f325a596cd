"""What was looked at and what was not, where a run is from, and a line to sign."""

from __future__ import annotations

from collections.abc import Sequence

from provado.reports.pages.element import Markup, join, tag
from provado.reports.pages.frame import facts
from provado.reports.pages.table import table
from provado.reports.tasks.run import Record, Run
from provado.reports.text.evidence import HAZARD, Row, evidence
from provado.reports.text.formatting import clean

HAZARDS = (
    "Hazards to look for in an evaluation, after NIST SP 800-226; no list of them is complete."
)

HEADS = ("hazard", "status", "because")

_STATES = {True: "nothing changed since", False: "with changes since", None: ""}


def rows_of(record: Record) -> tuple[Row, ...]:
    """Return the rows of one audit, in printable text."""
    found = evidence(record.result, stop_early=record.settings.stop_early)
    return tuple((clean(name), clean(text)) for name, text in found)


def shared(records: Sequence[Record]) -> tuple[Row, ...]:
    """Return the rows that all of several audits have; they are said once. None of a single one."""
    if len(records) < 2:
        return ()
    first, *rest = [rows_of(record) for record in records]
    common = set(first).intersection(*rest)
    return tuple(row for row in first if row in common)


def evidence_of(record: Record, level: int, common: Sequence[Row]) -> Markup:
    """Return the rows of one audit but for the common ones, folded; level: of its heading."""
    rows = [row for row in rows_of(record) if row not in common]
    title = "What was looked at, and what was not"
    return tag("details", tag("summary", title), listed(rows, level), class_="evidence")


def listed(rows: Sequence[Row], level: int) -> Markup:
    """Return rows as a list, hazards in a table below it, under a heading of this level."""
    judged = [
        (name.removeprefix(HAZARD), *text.split(": ", 1))
        for name, text in rows
        if name.startswith(HAZARD)
    ]
    others = [row for row in rows if not row[0].startswith(HAZARD)]
    if not judged:
        return facts(others)
    shown = table("Hazards", HEADS, judged, visible=False, class_="hazards", labelled=True)
    return join(facts(others), tag(f"h{level}", "Hazards"), tag("p", HAZARDS), shown)


def origin(run: Run) -> Markup:
    """Return when, by whom and from which code the run was made, with what it hashed."""
    made = run.provenance
    commit = " · ".join(filter(None, (made.commit, _STATES[made.clean])))
    rows = [
        ("Date", made.date),
        ("Run by", " at ".join(filter(None, (made.who, made.where)))),
        ("System", made.system),
        ("Commit", commit if made.commit else ""),
    ]
    digests = {name: digest for record in run.records for name, digest in record.code.items()}
    shown = [(clean(name), clean(text)) for name, text in rows if text]
    hashed = tag(
        "details",
        tag("summary", f"SHA-256 of what was audited: {len(digests)} digests"),
        facts([(clean(name), clean(digest)) for name, digest in sorted(digests.items())]),
    )
    return join(facts(shown), hashed if digests else None)


def signature() -> Markup:
    """Return a line to sign on."""
    words = ("Looked at by", "Role", "Date", "Signature")
    return tag("dl", *(tag("div", tag("dt", w), tag("dd", "")) for w in words), class_="signature")
