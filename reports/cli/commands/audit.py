"""``provado audit``: runs audits, prints what they found, leaves a report."""

import argparse
import sys

from provado.audit.pipeline.isolated_run import BLAMED
from provado.mechanisms import Verdict
from provado.reports.commands.audit import add_options, asks_for_a_list, deliver, read_request
from provado.reports.documents.exit_status import AS_EXPECTED
from provado.reports.documents.origin import provado_version, provenance, versions
from provado.reports.targets.argument_parser import Parser
from provado.reports.targets.load import NoNameError, callables, suggestions
from provado.reports.tasks.journal import open_journal
from provado.reports.tasks.resources import processors
from provado.reports.tasks.run import Run
from provado.reports.tasks.task import InterruptedRun, run_planned
from provado.reports.text.formatting import clean

HELP = "audit mechanisms against their privacy claims"
DESCRIPTION = (
    "Audits mechanisms against their privacy claims by randomized experiments. Without a TARGET, "
    "runs the audits of the configuration, which is the nearest provado.toml or [tool.provado] of "
    "a pyproject.toml from the current folder upward. An option that you type overrides the key of "
    "an audit in the file, and that key overrides the file's defaults."
)


def add(parser: Parser) -> None:
    """Add the arguments of the command."""
    add_options(parser)
    parser.shorten(
        "targets epsilon delta pair data domain relation samples seconds seed out format verbose",
        "provado audit mine.py:f --epsilon 1 --data people.csv --relation replace-one",
        "provado audit mine.py:f --epsilon 1 --pair d0.json d1.json --out report",
        "provado audit --catalogue --only 'laplace*' --seconds 2",
    )


def run(options: argparse.Namespace) -> int:
    """Audit everything asked for; return the exit status."""
    try:
        request = read_request(options)
    except NoNameError as asked:
        if not options.json:
            print(suggestions(asked))
        if asks_for_a_list(options) and callables(asked.module):
            return AS_EXPECTED
        raise
    history = request.history
    written = [request.journal, None if history is None else history.file]
    known = request.delivery.check(request.inputs, [file for file in written if file is not None])
    request.resources.check()
    interrupted = False
    with open_journal(request.journal, request.planned, resume=request.resume) as journal:
        if history is not None:
            history = history.begin([task.name for task in request.planned])
        try:
            checkpoint = None if journal is None else journal.checkpoint
            processes = options.jobs or processors()
            records = run_planned(request.planned, processes, checkpoint, request.resources)
        except InterruptedRun as interrupt:
            records, interrupted = interrupt.records, True
        made = provenance(anonymous=options.anonymous)
        done = Run(provado_version(), versions(), request.settings, records, made)
        status = deliver(done, request.delivery, known)
        if history is not None:
            aside = any(choice.file is None for choice in request.delivery.formats)
            history.end(done).tell(aside=aside)
        if journal is not None:
            unknown = [
                n for n, record in enumerate(records) if record.result.verdict is Verdict.UNKNOWN
            ]
            broken = [n for n in unknown if records[n].result.reason.startswith(BLAMED)]
            if journal.delivered(unknown, broken):
                size, place = journal.file.stat().st_size / 2**20, clean(str(journal.file))
                sys.stderr.write(
                    f"{place} ({size:.1f} MB) keeps the draws of audits that are not complete: the "
                    "same command with --resume continues; if you do not want that, delete it\n"
                )
    if interrupted:
        raise KeyboardInterrupt
    return status
