"""Markdown for the summary of a job or a comment: a headline, a table, and what needs attention."""

import html
from collections.abc import Sequence

from provado.reports.audit_report.baseline import Deviation
from provado.reports.audit_report.formats.finding import AuditFinding, Reason, findings, vanished
from provado.reports.tasks.run import Run, replay
from provado.reports.text import sentences
from provado.reports.text.formatting import clean, counted, percent
from provado.reports.text.power import COLUMN, LEGEND, detectable
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
    lines = [f"## {_headline(found, len(gone))}", "", escape(closing(run.results)), ""]
    lines += [escape(run.records_of), ""] if run.records_of else []
    if found:
        lines += [
            f"| | audit | claim | certified | {COLUMN} | verdict |",
            "| --- | --- | --- | --- | --- | --- |",
            *(_row(finding) for finding in found),
            "",
        ]
    worth = [f"- {escape(item.name)}: {escape(item.worth)}" for item in found if item.worth]
    if worth:
        lines += [escape(LEGEND), "", *worth, ""]
    for audit_finding in found:
        if (
            audit_finding.kind.fails
            or audit_finding.kind is Reason.UNKNOWN
            or audit_finding.record.result.limitations
        ):
            lines += _details(audit_finding)
    for missing in gone:
        lines += [f"### ❌ {escape(missing.name)}", "", f"{escape(missing.words)}.", ""]
    if len(found) <= MOST_WITH_EVIDENCE:
        lines += [line for finding in found for line in _evidence(finding)]
    confidence = percent(run.settings.confidence)
    lines.append(f"Certified at {confidence} over the whole run; seed {run.settings.seed}.")
    if origin := _origin(run):
        lines += ["", origin]
    return "\n".join(lines) + "\n"


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


def _row(finding: AuditFinding) -> str:
    result = finding.record.result
    cells = (
        _MARKS[finding.kind],
        finding.name,
        sentences.claim(result),
        f"{sentences.limit(result)}",
        detectable(result),
        str(result.verdict),
    )
    return f"| {' | '.join(escape(cell) for cell in cells)} |"


def _origin(run: Run) -> str:
    """Say when, by whom and from which code the run was made, in a line."""
    made = run.provenance
    state = {True: ", unchanged", False: ", changed since", None: ""}[made.clean]
    parts = (made.date, made.who, made.where, made.commit and f"commit {made.commit}{state}")
    return " · ".join(escape(part) for part in parts if part)


def _evidence(finding: AuditFinding) -> list[str]:
    """Return what was examined and what was not, folded."""
    result = finding.record.report.evidence
    rows = [f"- **{escape(name)}.** {escape(text)}" for name, text in result]
    head = f"<details><summary>Evidence: {escape(finding.name)}</summary>"
    return [head, "", *rows, "", "</details>", ""]


def _details(finding: AuditFinding) -> list[str]:
    again = html.escape(clean(replay(finding.record)), quote=False)
    return [
        f"### {_MARKS[finding.kind]} {escape(finding.name)}",
        "",
        f"{escape(finding.headline)}.",
        "",
        *(f"- {escape(sentence)}" for sentence in finding.sentences),
        "",
        f"<pre><code>{again}</code></pre>",
        "",
    ]
