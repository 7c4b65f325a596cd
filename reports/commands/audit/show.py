"""A run on standard output: the table, and in words what needs attention."""

import os
import shutil
import sys

from provado.mechanisms import Verdict
from provado.reports.tasks.repeat import replay
from provado.reports.tasks.run import Run
from provado.reports.text import sentences
from provado.reports.text.formatting import clean
from provado.reports.text.power import LEGEND
from provado.reports.text.terminal import audit_table, closing


def show_run(run: Run) -> None:
    """Print the table, one closing line, and in words what needs a person's attention."""
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else 0
    color = terminal and "NO_COLOR" not in os.environ
    print(audit_table(run.results, color=color, width=width))
    print(closing(run.results))
    if any(record.report.power for record in run.records):
        print(LEGEND)
    few = len(run.records) <= 3
    for record in run.records:
        result = record.result
        attention = result.surprising or result.refuted_exactly or result.verdict is Verdict.UNKNOWN
        if few or attention or result.limitations:
            print(f"\n{clean(result.name)}: {result.verdict} ({sentences.expectation(result)})")
            for sentence in record.report.sentences:
                print(f"  {sentence}")
            print(f"  Again: {clean(replay(record))}")
