"""The command that repeats one audit: rebuilt from what was asked, never read from a report."""

from __future__ import annotations

import argparse
import contextlib
import io
import shlex
from collections.abc import Sequence
from typing import Any

from provado.audit.explore import MOST_EXPLORED
from provado.audit.result import AuditResult
from provado.mechanisms import UsageError
from provado.reports.parser import Parser
from provado.reports.run import DEFAULT_TIME_LIMIT, Record, Settings

_LEAVES_OUT = ("out", "format", "json", "baseline", "update_baseline", "jobs")
"""What no selection may ask for: a command from a report must write nothing."""


def words(selection: Sequence[str], settings: Settings, result: AuditResult) -> list[str]:
    """Return the arguments of ``provado``, with the number of trials that was planned."""
    found = ["audit", *selection]
    if result.samples > 0:
        found += ["--samples", str(result.samples)]
        explored = result.best.explored_trials if result.best else settings.explore
        if explored is not None and explored != min(result.samples, MOST_EXPLORED):
            found += ["--explore", str(explored)]
    elif settings.seconds is not None:
        found += ["--seconds", f"{settings.seconds:g}"]
    found += ["--seed", str(settings.seed), "--confidence", f"{settings.confidence!r}"]
    if settings.stop_early:
        found.append("--stop-early")
    if settings.time_limit != DEFAULT_TIME_LIMIT:
        found += ["--time-limit", f"{settings.time_limit:g}"]
    return found


def replay(record: Record) -> str:
    """Return the command as text for a shell; each word stands for itself."""
    return shlex.join(["provado", *words(record.selection, record.settings, record.result)])


def parse(record: Record) -> argparse.Namespace:
    """Return the options of ``provado audit`` that repeat one audit.

    Raises ``UsageError`` where they are not well-formed, name more or less than this audit, or ask
    for anything to be written.
    """
    from provado.reports.commands import audit

    parser = Parser(prog="provado", allow_abbrev=False)
    subparsers: Any = parser.add_subparsers()
    audit.add(subparsers)
    try:
        # A plea for help would be printed, and end the program.
        with contextlib.redirect_stdout(io.StringIO()):
            options = parser.parse_args(words(record.selection, record.settings, record.result))
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
