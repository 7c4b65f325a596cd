"""What a call of ``provado audit`` asks for: the jobs, from its options and the configuration."""

import argparse
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from provado.audit.options import declaration, domains
from provado.audit.options.declaration import CLAIM as CLAIMED
from provado.audit.options.declaration import OPTIONS, WHAT
from provado.mechanisms import UsageError
from provado.reports.audit_report.formats import FORMATS, parse_choices
from provado.reports.commands.audit.delivery import Detail
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
from provado.reports.config.read import Configuration, find_configuration, is_known, shown
from provado.reports.targets import argument_parser
from provado.reports.targets.argument_parser import is_name
from provado.reports.targets.load import load_target, select
from provado.reports.tasks.alpha_history import AlphaHistory, watch_over
from provado.reports.tasks.resources import NO_MEANS, Means
from provado.reports.tasks.run import Settings
from provado.reports.tasks.task import AuditTask

from .delivery import Delivery, configured_formats

LIBRARY_SECONDS = 3.0
"""Budget of a released library's audit where the user sets none: libraries draw slowly."""


@dataclass(frozen=True)
class AuditCall:
    """Everything that is to be audited, and where the reports go.

    settings: those of the run as a whole; an audit of the configuration may have its own.
    inputs: the files that were read for it, and that no report may replace. journal: the file that
    keeps the run while it lasts, if any does. resume: whether it is to be gone on with.
    history: that the run belongs to, if it does. means: what the run may use.
    """

    planned: tuple[AuditTask, ...]
    settings: Settings
    delivery: Delivery
    inputs: tuple[Path, ...] = ()
    journal: Path | None = None
    resume: bool = False
    history: AlphaHistory | None = None
    means: Means = NO_MEANS


def read_request(options: argparse.Namespace) -> AuditCall:
    """Return what is asked for; raises ``UsageError`` naming the wrong option or key.

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
    used = configuration if configured else None
    run = _of_run(options, used)
    options.redact = run["redact"]  # What is refused from here on shows no values, either.
    journal, history = _journal(options, run), None
    confidence = run["confidence"] or declaration.CONFIDENCE
    if run["history"] is not None:
        goes_on = options.resume and journal is not None and journal.exists()
        history = watch_over(run["history"], run["confidence"], resume=goes_on)
        confidence = history.confidence
    settings = replace(settings_of({}, said, confidence), redact=run["redact"])
    planned = []
    if configuration is not None:
        specs = [configuration.audits[name] for name in configured]
        planned += [plan(spec, said, confidence) for spec in specs]
    targets = (load_target(text, python=options.python) for text in plain)
    planned += [plan_target(target, said, confidence) for target in targets]
    planned += _selected(options, settings)
    if not planned:
        raise UsageError("nothing to audit: give a TARGET, --catalogue or --libraries")
    _check_kinds(options, planned)
    share = 1 - (1 - confidence) / len(planned)
    if not share < 1:
        raise UsageError(f"--confidence: {confidence!r} is too near 1 for {len(planned)} audits")
    own = {"confidence": share, "redact": run["redact"]}
    shared = tuple(replace(p, settings=replace(p.settings, **own)) for p in planned)
    inputs = files_typed(options, plain)
    if configuration is not None:
        inputs.append(configuration.source.file)
        for name in configured:
            inputs += files_read(configuration.audits[name])
    return AuditCall(
        shared,
        _common(shared, settings),
        _delivery(options, used, run),
        tuple(inputs),
        journal,
        options.resume,
        history,
        Means(run["memory"], run["no_network"], run["block_limit"], options.executor),
    )


def _of_run(options: argparse.Namespace, configuration: Configuration | None) -> dict[str, Any]:
    """Return the options of the whole run: what is typed, then what the configuration states."""
    found: dict[str, Any] = {}
    for one in declaration.OPTIONS:
        if one.at.table == declaration.RUN and one.at.group:
            found[one.name] = getattr(options, one.name)
            if configuration is not None and not is_given(options, one):
                value = configuration.run.get(one.in_file, found[one.name])
                is_path = one.domain in (domains.file, domains.folder) and value is not None
                found[one.name] = shown(configuration.folder / value) if is_path else value
    return found


def _journal(options: argparse.Namespace, run: Mapping[str, Any]) -> Path | None:
    """Return the place of the journal; there is none where nobody says where."""
    in_folder = None if run["out"] is None else run["out"] / declaration.JOURNAL
    place: Path | None = run["journal"] or in_folder
    if options.resume and place is None:
        raise UsageError(
            "--resume: it goes on from a journal; give --journal FILE, or the folder as --out DIR"
        )
    return place


def _delivery(
    options: argparse.Namespace, configuration: Configuration | None, run: Mapping[str, Any]
) -> Delivery:
    complete = configuration is None or not options.targets
    asked = list(options.format)
    if options.json and "json" not in asked:
        asked.append("json")
    formats = parse_choices(asked)
    if configuration is not None and run["format"] and not options.format:
        try:
            formats += configured_formats(run["format"], run["out"], shown(configuration.folder))
        except UsageError as error:
            path = (*configuration.root.path, "format")
            configuration.source.fail(path, re.sub("^--format:? ", "", str(error)))
    detail = Detail(options.quiet, options.verbose, options.wide)
    return Delivery(run["out"], formats, run["baseline"], options.update_baseline, complete, detail)


def _common(planned: tuple[AuditTask, ...], settings: Settings) -> Settings:
    """Return the settings of the run: what all audits share of theirs, else what was typed."""
    each = {replace(one.settings, confidence=settings.confidence) for one in planned}
    return each.pop() if len(each) == 1 else settings


def _check_kinds(options: argparse.Namespace, planned: list[AuditTask]) -> None:
    """Refuse options that no audit has a use for: of few runs, or of pairs."""
    kinds = {one.few_runs for one in planned}
    of_pairs = [one for one in declaration.OF_PAIRS if one not in CLAIM and one.at.table]
    for rows, few in ((declaration.OF_RUNS, True), (of_pairs, False)):
        for one in rows:
            if is_given(options, one) and few not in kinds:
                why = "it belongs to --canaries; give them" if few else "it is for audits of pairs"
                raise UsageError(f"--{one.word}: {why}")


def _selected(options: argparse.Namespace, settings: Settings) -> list[AuditTask]:
    return [
        AuditTask(
            name=mechanism.name,
            mechanism=mechanism,
            selection=(where, "--only", mechanism.name),
            seconds=LIBRARY_SECONDS if "library" in mechanism.tags else None,
            settings=settings,
        )
        for where, mechanism in select(options.catalogue, options.libraries, options.only)
    ]


def _check_needed(options: argparse.Namespace, everything: bool) -> None:
    """Refuse what needs a configuration where there is none."""
    if options.config is not None:
        raise UsageError("--config: none of its audits is named; leave the TARGETs out or name one")
    if not everything:
        return
    for one in CLAIM:
        if one.at.group != declaration.WHAT and is_given(options, one):
            raise UsageError(f"--{one.word}: it states the claim of a TARGET; give one")
    raise UsageError(
        "nothing to audit: give a TARGET, --catalogue or --libraries, or write a configuration "
        "with `provado init`"
    )


def only_looks(options: argparse.Namespace) -> bool:
    """Return whether a single file is all that was typed: no claim, and nothing to be written.

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
            if one.at.group in (CLAIMED, declaration.FEW) and is_given(options, one):
                raise UsageError(
                    f"--{one.word}: it states the claim of a TARGET; entries of the catalogue and "
                    "the libraries carry their own"
                )
            if one.at.group == declaration.HOW and is_given(options, one):
                raise UsageError(f"--{one.word}: it applies to a TARGET; give one")
    if options.promise and (options.epsilon or options.delta):
        raise UsageError("--promise and --epsilon: a claim is given in one way; give one")
    if options.pair and options.data is not None:
        raise UsageError("--pair and --data: neighbors are given or searched; give one")
    if options.domain and options.data is None:
        raise UsageError("--domain: it says what may stand in --data; give that")
    if options.fixed_size and (options.data is None or options.relation == "add-or-remove-one"):
        raise UsageError("--fixed-size: it is for --data under --relation replace-one; give both")
    if options.python is not None and not options.targets:
        raise UsageError("--python: it is where a TARGET runs; give one")
    if options.canaries is not None:
        for one in declaration.OF_PAIRS:
            if one in CLAIM and is_given(options, one):
                raise UsageError(
                    f"--{one.word} and --canaries: it is for audits of pairs; give one"
                )
    if options.samples is not None and options.seconds is not None:
        raise UsageError("--samples and --seconds: both set the number of trials; give one")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``provado audit``; a report's command is read by them, too."""
    parser.add_argument_group(WHAT).add_argument(
        "targets",
        nargs="*",
        metavar="TARGET",
        help="path/to/file.py:name or module:name; a callable or a provado Mechanism; or the "
        "name of an audit in the configuration. path/to/file.py alone lists what it holds",
    )
    argument_parser.add_options(parser, OPTIONS, formats=", ".join(FORMATS))
