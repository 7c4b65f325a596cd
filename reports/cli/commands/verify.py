"""``provado verify``: decides the published statements of the ledger from their evidence."""

import argparse
import os
import shutil
import sys
from functools import partial

from provado.audit.options import domains
from provado.audit.options.declaration import Place, named, placed
from provado.mechanisms import UsageError
from provado.proofs.ledger import ledger
from provado.reports.documents.exit_status import NOT_COMPLETED
from provado.reports.documents.origin import provado_version, versions
from provado.reports.documents.write import check_places, deliver, places
from provado.reports.ledger.formal import replays_of
from provado.reports.ledger.page import render
from provado.reports.ledger.run import Verification, choose, decide_all, verification_to_json
from provado.reports.ledger.words import argument_text, closing, ledger_table, verdict
from provado.reports.targets.argument_parser import JOBS, add_options
from provado.reports.tasks.resources import processors
from provado.reports.text.formatting import clean

FEW = 3
"""Of up to so many statements the whole argument is printed."""

_LINE = 100
"""Width of arguments where there is no terminal to ask."""

HELP = "decide the published statements of the ledger from evidence"
DESCRIPTION = (
    "Decides the published statements of the ledger from evidence that is gathered and checked "
    f"now. Prints the whole argument if there are at most {FEW} statements, else a table."
)
EPILOG = (
    "Exit status: 0 as recorded, 1 a verdict differs from the one on record, 2 wrong "
    "usage, 3 not completed, 4 input or output failed."
)


OPTIONS = (
    *placed(
        Place("verify", ()),
        JOBS,
        ("out", domains.folder, "write verify.html and verify.json to DIR"),
        ("json", domains.flag, "print JSON instead of the table"),
    ),
    named("anonymous"),
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "ids",
        nargs="*",
        metavar="ID",
        help="a statement such as kusner2016/thm5, or a glob such as 'kusner2016/*' (default: all)",
    )
    add_options(parser, OPTIONS, grouped=False)


def run(options: argparse.Namespace) -> int:
    """Decide everything asked for; return the exit status."""
    into = places("verify", options.out)
    check_places(into)
    try:
        entries = ledger(options.ids)
    except UsageError:
        raise
    except Exception as error:
        # An entry that cannot even be imported leaves the ledger without its list.
        reason = clean(f"{type(error).__name__}: {error}")
        print(f"provado: error: the ledger cannot be read: {reason}", file=sys.stderr)
        return NOT_COMPLETED
    chosen = choose(entries, options.ids)
    jobs = options.jobs or processors()
    decisions = decide_all(chosen, jobs, replays=replays_of(chosen, jobs))
    done = Verification(provado_version(), versions(), decisions)
    document = verification_to_json(done)
    deliver(document, lambda: _words(done), partial(render, done), into, options)
    return done.exit_status


def _words(done: Verification) -> str:
    """Return arguments of few statements, else the table and what needs a person's attention."""
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else 0
    if len(done.decisions) <= FEW:
        lines = [f"{argument_text(decision, width or _LINE)}\n" for decision in done.decisions]
    else:
        color = terminal and "NO_COLOR" not in os.environ
        wrong = (decision for decision in done.decisions if not decision.as_expected)
        lines = [ledger_table(done.decisions, color=color, width=width)]
        lines += [clean(f"{decision.entry.id}: {verdict(decision)}") for decision in wrong]
    return "\n".join([*lines, closing(done.decisions)])
