"""The command that repeats one audit: rebuilt from what was asked, never read from a report."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from provado.audit.options import MOST_TRIALS
from provado.audit.pipeline.explore import MOST_EXPLORED
from provado.audit.result import AuditResult

from .run import DEFAULT_TIME_LIMIT, Record, Settings


def words(selection: Sequence[str], settings: Settings, result: AuditResult) -> list[str]:
    """Return the arguments of ``provado``, with the number of trials that was planned."""
    found = ["audit", *selection]
    # Where time alone set a limit and no trial was planned, the number says nothing.
    if 0 < result.samples < MOST_TRIALS or (result.samples and settings.samples is not None):
        found += ["--samples", str(result.samples_again)]
        if explored := explore_again(result, settings.explore):
            found += ["--explore", str(explored)]
    elif settings.seconds is not None:
        found += ["--seconds", f"{settings.seconds:g}"]
    found += ["--seed", str(settings.seed), "--confidence", f"{settings.confidence!r}"]
    if settings.stop_early:
        found.append("--stop-early")
    if settings.time_limit != DEFAULT_TIME_LIMIT:
        found += ["--time-limit", f"{settings.time_limit:g}"]
    return found


def explore_again(result: AuditResult, given: int | str | None = None) -> int | str | None:
    """Return the ``explore`` of the same audit with ``samples_again``; ``None`` for the usual one.

    It says how far the search for the pair came, where this followed from a time. given: what was
    asked for.
    """
    best, searched, usual = result.best, result.searched, min(result.samples, MOST_EXPLORED)
    asked, _, search = str(given or "").partition("search=")
    if best is not None:
        # How many a sequential audit threw away follows from the seed.
        asked = "" if best.method.bettors else str(best.explored_again)
    if searched is not None and searched.timed and (searched.cut or searched.planned_runs != usual):
        search = f"{searched.planned_runs}" + (f":{searched.cut_after}" if searched.cut else "")
    size = "" if asked.strip(",") == f"{usual}" else asked.strip(",")
    again = ",".join(filter(None, (size, search and f"search={search}")))
    return int(again) if again.isdecimal() else again or None


def replay(record: Record) -> str:
    """Return the command as text for a shell; each word stands for itself."""
    return shlex.join(["provado", *words(record.selection, record.settings, record.result)])
