"""What a call of ``provado audit`` asks for: the jobs, from its options and the configuration."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from provado.mechanisms import ExactlyDecidable, Mechanism, UsageError
from provado.mechanisms.definitions.relation import RELATIONS
from provado.reports.audit_report.formats import parse_choices
from provado.reports.config.choose import is_known
from provado.reports.config.find import find_configuration, shown
from provado.reports.config.jobs import (
    Typed,
    files_read,
    first_pair,
    plan,
    settings_of,
    typed,
)
from provado.reports.config.keys import is_name
from provado.reports.config.one_run import few_job, few_settings, is_few, plan_few
from provado.reports.config.read import Configuration
from provado.reports.targets import one_run
from provado.reports.targets.adapted import adapted
from provado.reports.targets.dataset import relation_for
from provado.reports.targets.load import Target, load_target, source_file
from provado.reports.targets.proof_of_target import with_program
from provado.reports.targets.selection import select
from provado.reports.tasks.alpha_history import Watchman, watch_over
from provado.reports.tasks.journal import NAME as JOURNAL
from provado.reports.tasks.means import NO_MEANS, Means
from provado.reports.tasks.run import Settings
from provado.reports.tasks.run_tasks import Planned
from provado.reports.tasks.task import Job

from .delivery import Delivery, configured_formats

TARGET_SECONDS, MOST_TRIALS = 60.0, 1_000_000
"""Budget of a target where the user sets none, and the most trials that it is used for."""

LIBRARY_SECONDS = 3.0
"""Budget of a released library's audit where the user sets none: libraries draw slowly."""

CONFIDENCE = 0.95

ARITHMETIC = ("floating", "ideal")

CLAIM = (
    *("epsilon", "delta", "promise", "pair", "data", "domain", "relation", "arithmetic"),
    "read",
    *one_run.OPTIONS,
)
"""Options that state the claim of a TARGET, and what it is about."""


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
    said = typed(options, RELATIONS[options.relation] if options.relation else None)
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
    assert configuration is not None or not configured
    specs = [configuration.audits[name] for name in configured] if configuration else []
    planned = [
        (plan_few if is_few(spec, said) else plan)(configuration, spec, said, confidence)  # type: ignore[arg-type]
        for spec in specs
    ]
    planned += [_typed_target(text, options.python, said, settings) for text in plain]
    planned += [Planned(job, settings) for job in _selected(options)]
    if not planned:
        raise UsageError("nothing to audit: give a TARGET, --catalogue or --libraries")
    _check_kinds(options, planned)
    share = 1 - (1 - confidence) / len(planned)
    if not share < 1:
        raise UsageError(f"--confidence: {confidence!r} is too near 1 for {len(planned)} audits")
    shared = tuple(replace(p, settings=replace(p.settings, confidence=share)) for p in planned)
    delivery = _delivery(options, configuration if configured else None, everything)
    inputs = [Path(file) for pair in options.pair or () for file in pair]
    inputs += [options.data] if options.data is not None else []
    inputs += [file for file in (options.canaries, options.instead) if file is not None]
    sources = [*plain, *([] if options.score is None else [options.score])]
    inputs += [file for text in sources if (file := source_file(text)) is not None]
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


def _typed_target(text: str, python: str | None, said: Typed, settings: Settings) -> Planned:
    target = load_target(text, python=python)
    if "canaries" in said.few:
        return Planned(few_job(target, said), few_settings(settings))
    return Planned(_target_job(target, said), settings)


def _check_kinds(options: argparse.Namespace, planned: list[Planned]) -> None:
    """Refuse options that no audit has a use for: of few runs, or of pairs."""
    kinds = {one.job.few_runs for one in planned}
    for names, few in ((one_run.OPTIONS, True), (one_run.SETTINGS_OF_PAIRS, False)):
        for name in names:
            if getattr(options, name) not in (None, False) and few not in kinds:
                why = "it belongs to --canaries; give them" if few else "it is for audits of pairs"
                raise UsageError(f"--{one_run.spelled(name)}: {why}")


def _target_job(target: Target, said: Typed) -> Job:
    claim = dict(said.claim)
    if claim["data"] is not None and not isinstance(target.mechanism, ExactlyDecidable):
        claim["relation"] = relation_for(target.mechanism, claim["relation"])
    mechanism = adapted(
        target.mechanism,
        name=target.name,
        epsilon=claim["epsilon"] or claim["promise"],
        pairs=claim["pair"] or first_pair(claim),
        relation=claim["relation"],
    )
    if not isinstance(mechanism, Mechanism):
        for name, key in (("--epsilon", "epsilon"), ("--pair", "pair")):
            if key == "pair" and (
                isinstance(mechanism, ExactlyDecidable) or claim["data"] is not None
            ):
                continue  # All its neighbors are decided; or they are searched.
            if claim[key] is None and not (key == "epsilon" and claim["promise"]):
                pair = "--data people.csv --relation add-or-remove-one, or --pair d0.json d1.json"
                example = {"epsilon": "--epsilon 1", "pair": pair}[key]
                raise UsageError(
                    f"{name}: {target.text} is a plain callable, which states no claim of its "
                    f"own; give one, as in {example}"
                )
    selection = (target.text, *said.words)
    seconds = None
    if not isinstance(mechanism, ExactlyDecidable):
        pairs = mechanism.pairs if isinstance(mechanism, Mechanism) else claim["pair"] or ()
        seconds = TARGET_SECONDS / max(len(pairs), 1)
    return Job(
        target.name,
        mechanism,
        selection,
        claim,
        seconds,
        MOST_TRIALS,
        target.importable,
        partial(with_program, mechanism, claim),
    )


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
    for name in CLAIM:
        if getattr(options, name) is not None:
            raise UsageError(
                f"--{one_run.spelled(name)}: it states the claim of a TARGET; give one"
            )
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
        for name in CLAIM:
            if getattr(options, name) is not None:
                raise UsageError(
                    f"--{one_run.spelled(name)}: it states the claim of a TARGET; entries of the "
                    "catalogue and the libraries carry their own"
                )
    if options.timing and not options.targets and (options.catalogue or options.libraries):
        raise UsageError("--timing: it is said of a TARGET; give one")
    if options.promise and (options.epsilon or options.delta):
        raise UsageError("--promise and --epsilon: a claim is given in one way; give one")
    if options.pair and options.data is not None:
        raise UsageError("--pair and --data: neighbors are given or searched; give one")
    if options.domain and options.data is None:
        raise UsageError("--domain: it says what may stand in --data; give that")
    if options.python is not None and not options.targets:
        raise UsageError("--python: it is where a TARGET runs; give one")
    if options.canaries is not None:
        for name in one_run.OF_PAIRS:
            if getattr(options, name):
                raise UsageError(f"--{name} and --canaries: it is for audits of pairs; give one")
    if options.samples is not None and options.seconds is not None:
        raise UsageError("--samples and --seconds: both set the number of trials; give one")
