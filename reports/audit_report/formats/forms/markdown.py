"""Markdown for the summary of a job or a comment; ``summary.md`` has its form."""

import html
from collections.abc import Sequence

from provado.reports.audit_report.baseline import Deviation
from provado.reports.audit_report.formats.finding import AuditFinding, Reason, findings, vanished
from provado.reports.pages.frame import filled
from provado.reports.tasks.run import Run, replay
from provado.reports.text import power, sentences
from provado.reports.text.formatting import clean, counted, percent
from provado.reports.text.terminal import closing

FILE = "summary.md"

MOST_WITH_EVIDENCE = 5
"""Of more audits the summary has no evidence, which would bury the table; JSON and HTML have it."""

_ENTITIES = {ord(c): f"&#{ord(c)};" for c in "\\|`<>&*[]~#!$"} | {ord("_"): r"\_"}
_MARKS = {kind: "❌" if kind.fails else "✅" for kind in Reason} | {Reason.UNKNOWN: "❓"}


def render(run: Run, differences: Sequence[Deviation] | None = None) -> str:
    """Return the run as GitHub-flavoured Markdown.

    Every text of a mechanism is escaped: it can neither end a cell, nor start markup, HTML or a
    link.
    """
    found, gone = findings(run, differences), vanished(run, differences)
    return filled(
        f"audit_report/formats/forms/{FILE}",
        run=run,
        found=found,
        gone=gone,
        headline=_headline(found, len(gone)),
        closing=closing(run.results),
        origin=_origin(run),
        confidence=percent(run.settings.confidence),
        md=escape,
        command=lambda record: html.escape(clean(replay(record)), quote=False),
        detectable=power.detectable,
        words=sentences,
        **{"MARKS": _MARKS, "COLUMN": power.COLUMN, "LEGEND": power.LEGEND},
        **{"MOST_WITH_EVIDENCE": MOST_WITH_EVIDENCE, "UNKNOWN": Reason.UNKNOWN},
    )


def escape(text: str) -> str:
    """Return text on one line without any sign that Markdown or HTML takes for markup."""
    line = clean(text).translate(_ENTITIES)
    # Nothing becomes a link by itself.
    return line.replace("://", "&#58;//").replace("www.", "www&#46;")


def _headline(found: Sequence[AuditFinding], gone: int) -> str:
    failed = sum(finding.kind.fails for finding in found) + gone
    unknown = sum(finding.kind is Reason.UNKNOWN for finding in found)
    if failed:
        rest = f", {unknown} not completed" if unknown else ""
        return f"❌ Provado: {failed} of {len(found) + gone} audits failed{rest}"
    if unknown:
        return f"❓ Provado: {unknown} of {counted(len(found), 'audit')} not completed"
    limited = sum(bool(finding.record.result.limitations) for finding in found)
    rest = f", {limited} with limitations" if limited else ""
    return f"✅ Provado: {len(found)} audit{'s' * (len(found) != 1)} as expected{rest}"


def _origin(run: Run) -> str:
    """Say when, by whom and from which code the run was made, in a line."""
    made = run.provenance
    state = {True: ", unchanged", False: ", changed since", None: ""}[made.clean]
    parts = (made.date, made.who, made.where, made.commit and f"commit {made.commit}{state}")
    return " · ".join(escape(part) for part in parts if part)
