"""What was looked at and what was not, where a run is from, and a line to sign."""

from __future__ import annotations

from provado.reports.run.run import Record, Run
from provado.reports.words.clean import clean
from provado.reports.words.evidence import HAZARD, evidence

from .element import Markup, join, tag
from .frame import facts
from .table import table

HAZARDS = (
    "Hazards to look for in an evaluation, after NIST SP 800-226; no list of them is complete."
)

_STATES = {True: "nothing changed since", False: "with changes since", None: ""}


def evidence_of(record: Record, level: int) -> Markup:
    """Return the rows of one audit, folded; ``level`` is that of its heading."""
    rows = [(clean(name), clean(text)) for name, text in evidence(record)]
    judged = [
        (name.removeprefix(HAZARD), *text.split(": ", 1))
        for name, text in rows
        if name.startswith(HAZARD)
    ]
    return tag(
        "details",
        tag("summary", "What was looked at, and what was not"),
        facts([row for row in rows if not row[0].startswith(HAZARD)]),
        tag(f"h{level}", "Hazards"),
        tag("p", HAZARDS),
        table("Hazards", ("hazard", "status", "because"), judged, visible=False),
        class_="evidence",
    )


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
