"""A run on standard output: one audit in full, several as a table and what needs attention."""

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from provado.mechanisms import Verdict
from provado.reports.tasks.repeat import words
from provado.reports.tasks.run import Record, Run
from provado.reports.text import power, terminal
from provado.reports.text.formatting import clean, counted, percent


@dataclass(frozen=True)
class Detail:
    """How much is printed: verdicts alone, all that is known, or all columns of a table."""

    quiet: bool = False
    verbose: bool = False
    wide: bool = False


USUAL = Detail()
"""What is printed where nobody says how much."""


def show_run(run: Run, detail: Detail = USUAL, report: Path | None = None) -> None:
    """Print one audit in full; of several a table, then those that need a person's attention.

    report: where the page is.
    """
    color = terminal.colors(sys.stdout)
    records = sorted(run.records, key=lambda record: terminal.rank(record.result))
    if detail.quiet:
        for result in (record.result for record in records):
            marks = ["refuted exactly"] * result.refuted_exactly
            marks += ["limited"] * bool(result.limitations)
            marked = f" ({', '.join(marks)})" if marks else ""
            print(f"{clean(result.name)}: {result.verdict}{marked}")
        return
    if len(records) == 1:
        _show(records[0], detail, report, color=color)
        return
    print(terminal.audit_table(run.results, color=color, wide=detail.wide))
    said = [terminal.closing(run.results)]
    limited = sum(bool(record.result.limitations) for record in records)
    said += [f"{counted(limited, 'audit')} with limitations, below."] if limited else []
    if records:
        level = percent(run.settings.confidence)
        said.append(f"Certified: ε ≥, with {level} confidence in all bounds together.")
    if any(record.report.power for record in records):
        said.append(power.LEGEND)
    if report is not None:
        said.append(f"Report: {report}")
    print("\n".join(line for text in said for line in terminal.wrapped(text)))
    for record in sorted(records, key=lambda record: not record.result.limitations):
        result = record.result
        attention = result.surprising or result.refuted_exactly or result.verdict is Verdict.UNKNOWN
        if attention or result.limitations or detail.verbose:
            print()
            _show(record, detail, None, color=color)


def _show(record: Record, detail: Detail, report: Path | None, *, color: bool) -> None:
    """Print one audit. Which violations it would have found is said by a number in its headline."""
    result = record.result
    found = power.detectable_epsilon(result) is not None and not detail.verbose
    rows = [row for row in record.report.rows if row[0] != "Power" or not found]
    rows += [("Note", clean(text)) for text in terminal.notes_of(result)]
    lines = [line for name, text in rows for line in terminal.labelled(name, text)]
    again = words(record.selection, record.settings, result)
    lines += terminal.command_lines("Reproduce", map(clean, map(shlex.quote, ["provado", *again])))
    lines += [] if report is None else terminal.labelled("Report", clean(str(report)))
    if detail.verbose:
        more = [f"{name}: {clean(text)}" for name, text in record.report.evidence]
        lines += ["", *(line for text in more for line in terminal.wrapped(f"  {text}", 4))]
    print("\n".join([terminal.headline(result, color=color), "", *lines]))
