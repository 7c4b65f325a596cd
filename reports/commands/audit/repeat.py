"""Reads the command of a report again: it must repeat that one audit, and write nothing."""

import argparse
import contextlib
import io

from provado.mechanisms import UsageError
from provado.reports.commands.audit.request import add_options
from provado.reports.targets.argument_parser import Parser
from provado.reports.tasks.repeat import words
from provado.reports.tasks.run import Record

_LEAVES_OUT = (
    *("out", "format", "json", "baseline", "update_baseline", "jobs", "journal", "resume"),
    *("executor", "memory", "no_network", "block_limit", "history"),
)
"""What no selection may ask for: a command from a report must write nothing."""


def parse(record: Record) -> argparse.Namespace:
    """Return the options of ``provado audit`` that repeat one audit.

    Raises ``UsageError`` where they are not well-formed, name more or less than this audit, or ask
    for anything to be written.
    """
    parser = Parser(prog="provado audit", allow_abbrev=False)
    add_options(parser)
    try:
        # A plea for help would be printed, and end the program.
        with contextlib.redirect_stdout(io.StringIO()):
            options = parser.parse_args(words(record.selection, record.settings, record.result)[1:])
    except SystemExit as error:
        raise UsageError("it asks for help") from error
    for name in _LEAVES_OUT:
        if getattr(options, name) not in (None, False, []):
            raise UsageError(f"it has --{name.replace('_', '-')}, which is not part of an audit")
    if not _names_one(options, record.result.name):
        raise UsageError("it does not name exactly this audit")
    return options


def _names_one(options: argparse.Namespace, name: str) -> bool:
    listed = options.catalogue + options.libraries
    if options.targets:
        return len(options.targets) == 1 and not listed and not options.only
    return listed == 1 and options.only == [name] and options.config is None
