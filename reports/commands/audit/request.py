"""What a call of ``provado audit`` asks for: the jobs, from its options and the configuration."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from provado.audit.options.declaration import CLAIM as CLAIMED
from provado.audit.options.declaration import CONFIDENCE, FEW, HOW, JOURNAL, OF_PAIRS, OF_RUNS, WHAT
from provado.mechanisms import UsageError
from provado.reports.audit_report.formats import parse_choices
from provado.reports.config.find import find_configuration, is_known, shown
from provado.reports.config.keys import is_name
from provado.reports.config.plan import (
    CLAIM,
    files_read,
    files_typed,
    is_given,
    plan,
    plan_target,
    settings_of,
    typed,
)
from provado.reports.config.read import Configuration
from provado.reports.targets.load import load_target
from provado.reports.targets.selection import select
from provado.reports.tasks.alpha_history import Watchman, watch_over
from provado.reports.tasks.resources import NO_MEANS, Means
from provado.reports.tasks.run import Settings
from provado.reports.tasks.task import Job, Planned

from .delivery import Delivery, configured_formats

LIBRARY_SECONDS = 3.0
"""Budget of a released library's audit where the user sets none: libraries draw slowly."""


@dataclass(frozen=True)
class AuditCall:
    """Everything that is to be audited, and where the reports go.

    settings: those of the run as a whole; an audit of the configuration may have its own.
    inputs: the files that were read for it, and that no report may replace. journal: the file that
    keeps the run while it lasts, if any does. resume: whether it is to be gone on with.
    watchman: of the history that the run belongs to, if it does. means: what the run may use.
    """

    planned: tuple[Planned, ...]
    settings: Settings
    delivery: Delivery
    inputs: tuple[Path, ...] = ()
    journal: Path | None = None
    resume: bool = False
    watchman: Watchman | None = None
    means: Means = NO_MEANS


def read_request(options: argparse.Namespace) -> AuditCall:
    """Return what is asked for; raises ``UsageError`` naming the option or the key at fault.

    A configuration is looked for only where an audit of it is asked for: by its name, or by a call
    that names nothing else. What is typed wins over an audit's own keys, and these over defaults.
    """
    _check_combination(options)
    everything = not (options.targets or options.catalogue or options.libraries)
    named = [text for text in options.targets if is_name(text)]
    configuration = find_configuration(options.config) if everything or named else None
    if configuration is None:
        _check_needed(options, everything)
        configured = []
    elif everything:
        configured = list(configuration.audits)
        if not configured:
            raise UsageError(
                f"{configuration.source.shown}: it has no audits; `provado init --stdout` "
                "prints some to start from"
            )
    else:
        audits, missing = configuration.audits, "audit of this name"
        configured = [text for text in named if is_known(text, audits, configuration, missing)]
    said = typed(options)
    plain = [text for text in options.targets if text not in configured]
    twice = next((name for name in configured if configured.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"TARGET {twice!r}: it is given twice; once is enough")
    run = configuration.run if configuration is not None and configured else {}
    confidence = options.confidence or run.get("confidence", CONFIDENCE)
    watchman = _watchman(options, configuration if configured else None)
    if watchman is not None:
        confidence = watchman.confidence
    settings = settings_of({}, said, confidence)
    planned = []
    if configuration is not None:
        specs = [configuration.audits[name] for name in configured]
        planned += [plan(configuration, spec, said, confidence) for spec in specs]
    targets = (load_target(text, python=options.python) for text in plain)
    planned += [plan_target(target, said, confidence) for target in targets]
    planned += [Planned(job, settings) for job in _selected(options)]
    if not planned:
        raise UsageError("nothing to audit: give a TARGET, --catalogue or --libraries")
    _check_kinds(options, planned)
    share = 1 - (1 - confidence) / len(planned)
    if not share < 1:
        raise UsageError(f"--confidence: {confidence!r} is too near 1 for {len(planned)} audits")
    shared = tuple(replace(p, settings=replace(p.settings, confidence=share)) for p in planned)
    delivery = _delivery(options, configuration if configured else None, everything)
    inputs = files_typed(options, plain)
    if configuration is not None:
        inputs.append(configuration.source.file)
        for name in configured:
            inputs += files_read(configuration, configuration.audits[name])
    return AuditCall(
        shared,
        _common(shared, settings),
        delivery,
        tuple(inputs),
        _journal(options, configuration if configured else None, delivery.out),
        options.resume,
        watchman,
        _means(options, run),
    )


def _means(options: argparse.Namespace, run: Mapping[str, Any]) -> Means:
    """Return what the run may use: what is typed, then what the configuration states."""
    return Means(
        options.executor,
        options.memory or run.get("memory"),
        options.no_network or run.get("no-network", False),
        options.block_limit or run.get("block-limit"),
    )


def _watchman(options: argparse.Namespace, configuration: Configuration | None) -> Watchman | None:
    """Return what watches over the run, where it belongs to a history."""
    file, run = options.history, {} if configuration is None else configuration.run
    if file is None and configuration is not None and "history" in run:
        file = shown(configuration.folder / run["history"])
    if file is None:
        return None
    journal = _journal(options, configuration, _out(options, configuration))
    goes_on = options.resume and journal is not None and journal.exists()
    asked = options.confidence or run.get("confidence")
    return watch_over(file, asked, resume=goes_on)


def _journal(
    options: argparse.Namespace, configuration: Configuration | None, out: Path | None
) -> Path | None:
    """Return the place of the journal; there is none where nobody says where."""
    place: Path | None = options.journal
    if place is None and configuration is not None and "journal" in configuration.run:
        place = shown(configuration.folder / configuration.run["journal"])
    if place is None and out is not None:
        place = out / JOURNAL
    if options.resume and place is None:
        raise UsageError(
            "--resume: it goes on from a journal; give --journal FILE, or the folder as --out DIR"
        )
    return place


def _out(options: argparse.Namespace, configuration: Configuration | None) -> Path | None:
    out: Path | None = options.out
    if out is None and configuration is not None and "out" in configuration.run:
        out = shown(configuration.folder / configuration.run["out"])
    return out


def _delivery(
    options: argparse.Namespace, configuration: Configuration | None, everything: bool
) -> Delivery:
    out, baseline = _out(options, configuration), options.baseline
    asked = list(options.format)
    if options.json and "json" not in asked:
        asked.append("json")
    formats = parse_choices(asked)
    complete = configuration is None or everything
    if configuration is not None:
        run, folder = configuration.run, configuration.folder
        if baseline is None and "baseline" in run:
            baseline = shown(folder / run["baseline"])
        if "format" in run and not options.format:
            try:
                formats += configured_formats(run["format"], out, shown(folder))
            except UsageError as error:
                path = (*configuration.root.path, "format")
                configuration.source.fail(path, re.sub("^--format:? ", "", str(error)))
    return Delivery(out, formats, baseline, options.update_baseline, complete)


def _common(planned: tuple[Planned, ...], settings: Settings) -> Settings:
    """Return the settings of the run: what all audits share of theirs, else what was typed."""
    each = {replace(one.settings, confidence=settings.confidence) for one in planned}
    return each.pop() if len(each) == 1 else settings


def _check_kinds(options: argparse.Namespace, planned: list[Planned]) -> None:
    """Refuse options that no audit has a use for: of few runs, or of pairs."""
    kinds = {one.job.few_runs for one in planned}
    of_pairs = [one for one in OF_PAIRS if one not in CLAIM and one.at.table]
    for rows, few in ((OF_RUNS, True), (of_pairs, False)):
        for one in rows:
            if is_given(options, one) and few not in kinds:
                why = "it belongs to --canaries; give them" if few else "it is for audits of pairs"
                raise UsageError(f"--{one.word}: {why}")


def _selected(options: argparse.Namespace) -> list[Job]:
    return [
        Job(
            name=mechanism.name,
            mechanism=mechanism,
            selection=(where, "--only", mechanism.name),
            seconds=LIBRARY_SECONDS if "library" in mechanism.tags else None,
        )
        for where, mechanism in select(options.catalogue, options.libraries, options.only)
    ]


def _check_needed(options: argparse.Namespace, everything: bool) -> None:
    """Refuse what needs a configuration where there is none."""
    if options.config is not None:
        raise UsageError("--config: no audit of it is asked for; leave the TARGETs out or name one")
    if not everything:
        return
    for one in CLAIM:
        if one.at.group != WHAT and is_given(options, one):
            raise UsageError(f"--{one.word}: it states the claim of a TARGET; give one")
    raise UsageError(
        "nothing to audit: give a TARGET, --catalogue or --libraries, or write a configuration "
        "with `provado init`"
    )


def only_looks(options: argparse.Namespace) -> bool:
    """Tell whether a single file is all that was typed: no claim, and nothing to be written.

    With more an audit was meant, and a list of what there is would pass for one.
    """
    others = vars(options).keys() - {"command", "run", "targets"}
    file = len(options.targets) == 1 and options.targets[0].endswith(".py")
    return file and not any(getattr(options, name) for name in others)


def _check_combination(options: argparse.Namespace) -> None:
    """Refuse options that would be silently without effect."""
    if options.only and not (options.catalogue or options.libraries):
        raise UsageError("--only: it filters --catalogue and --libraries; give one of them")
    if not options.targets and (options.catalogue or options.libraries):
        for one in CLAIM:
            if one.at.group in (CLAIMED, FEW) and is_given(options, one):
                raise UsageError(
                    f"--{one.word}: it states the claim of a TARGET; entries of the catalogue and "
                    "the libraries carry their own"
                )
            if one.at.group == HOW and is_given(options, one):
                raise UsageError(f"--{one.word}: it is said of a TARGET; give one")
    if options.promise and (options.epsilon or options.delta):
        raise UsageError("--promise and --epsilon: a claim is given in one way; give one")
    if options.pair and options.data is not None:
        raise UsageError("--pair and --data: neighbors are given or searched; give one")
    if options.domain and options.data is None:
        raise UsageError("--domain: it says what may stand in --data; give that")
    if options.python is not None and not options.targets:
        raise UsageError("--python: it is where a TARGET runs; give one")
    if options.canaries is not None:
        for one in OF_PAIRS:
            if one in CLAIM and is_given(options, one):
                raise UsageError(
                    f"--{one.word} and --canaries: it is for audits of pairs; give one"
                )
    if options.samples is not None and options.seconds is not None:
        raise UsageError("--samples and --seconds: both set the number of trials; give one")
