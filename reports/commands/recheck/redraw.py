"""Draws the audits of a report again, from its seeds, and compares the counts.

What is drawn is what each audit's selection and settings name, never a command that was read. A
mechanism whose draws do not follow the seed has other counts each time: where the same rule was
learned again, the two tables of counts are compared by a test of homogeneity at ``IMPROBABLE``,
far below any alpha; where another was, they cannot be.

The command of a report is read again, too: it must repeat that one audit, and write nothing.
"""

import argparse
import contextlib
import io
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import numpy as np

from provado.audit.checks.independence import IMPROBABLE, improbable_table
from provado.audit.result import AuditResult, PairResult
from provado.mechanisms import Mechanism, UsageError, Verdict
from provado.mechanisms.definitions.relation import short
from provado.reports.commands.audit import add_options, read_request
from provado.reports.documents.exit_status import exit_status_of
from provado.reports.documents.origin import provado_version, versions
from provado.reports.targets.argument_parser import Parser
from provado.reports.tasks.run import Record, Run, words
from provado.reports.tasks.task import AuditTask, run_planned
from provado.reports.text.formatting import counted


class RedrawOutcome(StrEnum):
    """What became of one audit that was drawn again."""

    SAME = "same"
    ALIKE = "alike"
    DIFFERS = "differs"
    NOT_DRAWN = "not drawn"


@dataclass(frozen=True)
class RedrawnAudit:
    """One audit drawn again. words: what was compared, what differs, or why it was not drawn."""

    name: str
    outcome: RedrawOutcome
    words: str


def redraw(run: Run, processes: int) -> tuple[RedrawnAudit, ...]:
    """Return one answer an audit, in the order of the run; it runs the code that they name.

    Files and modules are looked for from the current folder, as by ``provado audit``.
    """
    planned: dict[int, AuditTask] = {}
    answers: dict[int, tuple[RedrawOutcome, str]] = {}
    for index, record in enumerate(run.records):
        try:
            planned[index] = _planned(record)
        except UsageError as error:
            answers[index] = _not_drawn(str(error))
    drawn = _draw(planned, processes)
    other = [i for i, item in drawn.items() if _differences(run.records[i], item)]
    # Drawn once more: if its draws follow the seed, they are the same again.
    once_more = {i: _anew(run.records[i], planned[i]) for i in other}
    again = _draw(once_more, processes)
    for index, one in drawn.items():
        answers[index] = _answer(run.records[index], one, again.get(index, one))
    return tuple(RedrawnAudit(item.result.name, *answers[i]) for i, item in enumerate(run.records))


def exit_status(redrawn: Sequence[RedrawnAudit]) -> int:
    """Return 1 if anything differs, else 3 if anything was not drawn, else 0."""
    outcomes = {audit.outcome for audit in redrawn}
    not_drawn = RedrawOutcome.NOT_DRAWN in outcomes
    return exit_status_of(surprising=RedrawOutcome.DIFFERS in outcomes, incomplete=not_drawn)


def other_versions(run: Run) -> tuple[str, ...]:
    """Return where the versions recorded are not those installed here."""
    recorded = {"provado": run.provado, **run.versions}
    here = {"provado": provado_version(), **versions()}
    return tuple(
        f"{name}: recorded {recorded.get(name, 'none')}, here {here.get(name, 'none')}"
        for name in sorted({*recorded, *here})
        if recorded.get(name) != here.get(name)
    )


def _planned(record: Record) -> AuditTask:
    (planned,) = read_request(parse(record)).planned
    # As recorded: sharing it out among one audit may round it.
    settings = replace(planned.settings, confidence=record.settings.confidence)
    return replace(planned, settings=settings)


def _anew(record: Record, planned: AuditTask) -> AuditTask:
    """Return the same with the user's module imported anew: it may hold a generator of its own."""
    mechanism = planned.mechanism
    call = mechanism.run if isinstance(mechanism, Mechanism) else mechanism
    name = getattr(call, "__module__", None) or type(call).__module__
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None or not Path(file).is_relative_to(Path.cwd()):
        return planned
    del sys.modules[name]
    return _planned(record)


def _draw(planned: Mapping[int, AuditTask], processes: int) -> dict[int, Record | str]:
    """Return the records, or why there is none."""
    try:
        records = run_planned(list(planned.values()), processes) if planned else ()
        return dict(zip(planned, records, strict=True))
    except UsageError as error:
        if len(planned) == 1:
            return dict.fromkeys(planned, str(error))
    each = [_draw({index: task}, processes) for index, task in planned.items()]
    return {index: outcome for item in each for index, outcome in item.items()}


def _answer(record: Record, drawn: Record | str, again: Record | str) -> tuple[RedrawOutcome, str]:
    result = record.result
    if isinstance(drawn, str):
        return _not_drawn(drawn)
    differences = _differences(record, drawn)
    if not differences:
        same = "same counts" if result.pairs else f"no counts, then and now: {result.reason}"
        same = "same guesses" if result.one_run is not None and result.certifies else same
        same = same if result.exact is None else "same table, decided again"
        return RedrawOutcome.SAME, same
    if drawn.result.verdict is Verdict.UNKNOWN and result.verdict is not Verdict.UNKNOWN:
        return _not_drawn(drawn.result.reason)
    if result.reason and any(pair.counts.trials < pair.planned_trials for pair in result.pairs):
        return _not_drawn(f"it was cut short when it was recorded: {result.reason}")
    if record.settings.seconds is not None and _sizes(record) != _sizes(drawn):
        return _not_drawn(
            "its numbers of trials came from a time, and no number given here repeats them"
        )
    seeded = result.seedable is not False
    if isinstance(again, str):
        return _not_drawn(f"other counts, and not once more, which would tell why: {again}")
    if seeded and not _differences(drawn, again):
        return RedrawOutcome.DIFFERS, f"differs: {'; '.join(differences)}"
    return _unseeded(record, drawn)


def _sizes(record: Record) -> list[tuple[int, int]]:
    return [(pair.planned_trials, pair.explored_trials) for pair in record.result.pairs]


def _unseeded(record: Record, drawn: Record) -> tuple[RedrawOutcome, str]:
    """Compare counts of draws that do not follow the seed."""
    recorded, found = record.result.pairs, drawn.result.pairs
    if record.result.one_run is not None:
        # Guesses of a run may depend on each other, so that no table of them is held to anything.
        return _not_drawn("its draws do not follow the seed, and it has few runs")
    if len(recorded) != len(found):
        pairs = counted(len(recorded), "pair")
        return RedrawOutcome.DIFFERS, f"differs: {pairs} recorded, {len(found)} drawn"
    if not all(_comparable(a, b) for a, b in zip(recorded, found, strict=True)):
        return _not_drawn(
            "its draws do not follow the seed, and from other samples another rule was learned "
            f"(certified ε ≥ {record.result.epsilon_lower:.4g} then, "
            f"{drawn.result.epsilon_lower:.4g} now)"
        )
    for a, b in zip(recorded, found, strict=True):
        if improbable_table(np.array([a.counts.six, b.counts.six])):
            return RedrawOutcome.DIFFERS, (
                f"differs: pair {a.index}: the counts differ beyond chance (homogeneity at "
                f"{IMPROBABLE:g}), with the same rule"
            )
    return RedrawOutcome.ALIKE, (
        "its draws do not follow the seed; with the same rule, the counts do not differ beyond "
        f"chance (homogeneity at {IMPROBABLE:g})"
    )


def _comparable(a: PairResult, b: PairResult) -> bool:
    """Return whether two pairs were counted by one rule, with trials fixed in advance."""
    rules = [(pair.witness.guess_d, pair.witness.guess_d_prime) for pair in (a, b)]
    kinds = {_kind(pair) for pair in (a, b)}
    # Only of tables do the words say all, and a long list they cut short; ends they round.
    spelled = (kinds == {"table"} and " more" not in "".join(rules[0])) or (
        kinds <= {"threshold", "cells"} and a.rule == b.rule
    )
    is_whole = all(pair.counts.trials == pair.planned_trials for pair in (a, b))
    return rules[0] == rules[1] and len(kinds) == 1 and spelled and is_whole


def _kind(pair: PairResult) -> str:
    score = pair.rule.get("score")
    return str(score.get("kind")) if isinstance(score, dict) else ""


def _differences(record: Record, drawn: Record | str) -> list[str]:
    if isinstance(drawn, str):
        return [drawn]
    old, new = record.result, drawn.result
    result = _fields("", old, new, _STATED)
    if old.exact is not None or new.exact is not None:
        return [*result, *([] if old.exact == new.exact else ["the exact finding is another"])]
    result += _fields("", old, new, ("one_run",))
    if len(old.pairs) != len(new.pairs):
        result.append(f"{counted(len(old.pairs), 'pair')} recorded, {len(new.pairs)} drawn")
    for a, b in zip(old.pairs, new.pairs, strict=False):
        result += _fields(f"pair {a.index}: ", a, b, _DRAWN)
    return result


_STATED = (
    *("name", "verdict", "epsilon", "delta", "relation", "promise", "source", "summary"),
    *("expected", "true_epsilon", "seedable", "tags", "arithmetic", "search"),
    "read",
)
_DRAWN = (
    *("counts", "planned_trials", "explored_trials", "checkpoints", "witness", "event_kinds"),
    *("rounded", "cause", "kept_trials"),
)


def _fields(
    where: str, old: AuditResult | PairResult, new: AuditResult | PairResult, names: Sequence[str]
) -> list[str]:
    return [
        f"{where}{name}: recorded {short(a, 120)}, drawn {short(b, 120)}"
        for name in names
        if (a := getattr(old, name)) != (b := getattr(new, name))
    ]


def _not_drawn(reason: str) -> tuple[RedrawOutcome, str]:
    return RedrawOutcome.NOT_DRAWN, f"cannot be drawn here: {reason or 'no reason was given'}"


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
