"""A bug report to paste: claim, bound, neighbors, cause, versions and a program that repeats it."""

import re
from collections.abc import Iterator, Sequence

from provado.mechanisms.adapters.interpreter import RAN_IN
from provado.reports.audit_report.baseline import Deviation
from provado.reports.audit_report.formats.finding import AuditFinding, Reason, findings
from provado.reports.tasks.run import Run, replay, reproducer
from provado.reports.text import sentences
from provado.reports.text.formatting import printable

from .markdown import escape

FILE = "issue.md"

NOTHING = "Nothing to report: no audit certified a violation that was not expected.\n"


def render(run: Run, differences: Sequence[Deviation] | None = None) -> str:
    """Return a report of each violation that was not expected, in GitHub-flavoured Markdown."""
    result = [finding for finding in findings(run, differences) if finding.kind is Reason.VIOLATION]
    return "\n".join("".join(_report(run, finding)) for finding in result) or NOTHING


def _report(run: Run, finding: AuditFinding) -> Iterator[str]:
    record, result = finding.record, finding.record.result
    yield f"# {escape(finding.name)} violates its claim {escape(sentences.claim(result))}\n\n"
    rows = [row for row in record.report.rows if row[0] == "Limitation"]
    rows += [("Finding", finding.headline)]
    rows += [row for row in record.report.rows if row[0] != "Limitation"]
    # What was audited in another interpreter has other versions than this one.
    elsewhere = (note for note in result.notes if note.startswith(RAN_IN))
    here = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    rows += [
        ("Claimed for", result.relation or "the neighbors above"),
        ("Versions", f"Provado {run.provado}, {next(elsewhere, here)}"),
        *([("Records", run.records_of)] if run.records_of else []),
        *(("Code", f"{name}: SHA-256 {digest}") for name, digest in record.code.items()),
    ]
    for name, text in rows:
        yield f"- **{name}.** {escape(text)}\n"
    pair = result.explained_pair
    program = "" if pair is None else reproducer(record, pair)
    if program:
        yield f"\nTo repeat it, with Provado installed:\n\n{_fenced(program, 'python')}"
    else:
        yield f"\nTo repeat it:\n\n{_fenced(replay(record), 'sh')}"


def _fenced(text: str, language: str) -> str:
    """Return a block of code; its fence is longer than any that the text could close it with."""
    text = printable(text)
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}\n"
