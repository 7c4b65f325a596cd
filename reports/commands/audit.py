"""``provado audit``: what a call asks for, and what is left of it.

The audits and their settings come from the options and the configuration; what is left are lines on
the terminal, files and the exit status.
"""

import argparse
import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from provado.audit.options import declaration, domains
from provado.audit.options.declaration import CLAIM as CLAIMED
from provado.audit.options.declaration import OPTIONS, WHAT
from provado.mechanisms import UsageError, Verdict
from provado.reports.audit_report import baseline as recorded
from provado.reports.audit_report.baseline import Baseline, Deviation
from provado.reports.audit_report.formats import FORMATS, FormatChoice, parse_choices, render
from provado.reports.config import plan
from provado.reports.config.read import Chosen, Configuration, find_configuration, is_known, shown
from provado.reports.documents.write import check_places, save, show_text
from provado.reports.targets import argument_parser
from provado.reports.targets.argument_parser import is_name
from provado.reports.targets.load import load_target, select
from provado.reports.tasks.alpha_history import AlphaHistory, open_history
from provado.reports.tasks.resources import NO_RESOURCES, RunResources
from provado.reports.tasks.run import Record, Run, Settings, words
from provado.reports.tasks.task import AuditTask
from provado.reports.text import power, terminal
from provado.reports.text.formatting import clean, counted, percent

_IN_FOLDER = ("json", "html")
"""The formats that go into the folder ``out`` in any case."""


@dataclass(frozen=True)
class Detail:
    """How much is printed: verdicts alone, all that is known, or all columns of a table."""

    quiet: bool = False
    verbose: bool = False
    wide: bool = False


USUAL = Detail()
"""What is printed where nobody says how much."""


@dataclass(frozen=True)
class Delivery:
    """Where a run's results go.

    out: folder for ``audit.json`` and ``audit.html``. formats: further forms, one of which may go
    to standard output in the table's place. baseline: the file to compare with. update: it is
    written instead. complete: the run is meant to hold all that the baseline holds.
    """

    out: Path | None = None
    formats: tuple[FormatChoice, ...] = ()
    baseline: Path | None = None
    update: bool = False
    complete: bool = True
    detail: Detail = USUAL

    def places(self) -> tuple[Path, ...]:
        """Return every file that is to be written; one place twice for two different texts."""
        texts = [(choice.file, choice.format) for choice in self.formats if choice.file is not None]
        if self.out is not None:
            texts += [(self.out / FORMATS[name], name) for name in _IN_FOLDER]
        if self.update and self.baseline is not None:
            texts.append((self.baseline, "baseline"))
        return tuple(place for place, _ in dict.fromkeys(texts))

    def check(self, inputs: Iterable[Path] = (), others: Iterable[Path] = ()) -> Baseline | None:
        """Return the baseline to compare with; raises ``UsageError`` for what cannot be done.

        To be called before the run, so that nothing is found out only after it. inputs: the files
        that the run reads beside the baseline. others: the files that it writes on its way.
        """
        compared = [] if self.baseline is None or self.update else [self.baseline]
        check_places([*self.places(), *others], [*inputs, *compared])
        if self.baseline is None and self.update:
            raise UsageError(
                "--update-baseline: it needs --baseline FILE, or baseline = 'FILE'"
                " in the configuration"
            )
        if self.baseline is None:
            return None
        if not self.update and not self.baseline.exists():
            raise UsageError(
                f"{self.baseline}: there is no such baseline; --update-baseline writes it"
            )
        if not self.update:
            return recorded.load_baseline(self.baseline)
        if not self.complete:
            raise UsageError(
                "--update-baseline: it writes the whole baseline anew; leave the TARGETs out"
            )
        recorded.check_replaceable(self.baseline)
        return None


def configured_formats(
    words: Sequence[str], out: Path | None, folder: Path
) -> tuple[FormatChoice, ...]:
    """Return the formats of a configuration: ``NAME`` goes to ``out``, ``NAME=FILE`` to a file.

    Raises ``UsageError`` where there is no ``out`` for a name alone.
    """
    made = []
    for choice in (parse_choices([word])[0] for word in words):
        name, usual = choice.format, FORMATS[choice.format]
        if choice.file is None and out is None:
            words_ = f"write {name}={usual}, or give a folder as out"
            raise UsageError(f"{name!r} has no file: {words_}")
        place = folder / choice.file if choice.file is not None else (out or Path()) / usual
        made.append(f"{name}={place}")
    return parse_choices(made)


def deliver(run: Run, where: Delivery, known: Baseline | None) -> int:
    """Print and write everything; return the exit status.

    known: what ``where.check`` returned. With a baseline the exit status says whether anything
    differs from it: what it records is no surprise.
    """
    differences = None
    if known is not None:
        differences = recorded.compare(run, known, complete=where.complete)
    printed, files = _texts(run, where, differences)
    save(files)
    if printed is None:
        show_run(run, where.detail, where.out and where.out / FORMATS["html"])
    else:
        show_text(printed)
    if differences is not None:
        _tell(differences, where, aside=printed is not None)
        return recorded.exit_status(run, differences)
    return recorded.exit_status(run, ()) if where.update else run.exit_status


def _texts(
    run: Run, where: Delivery, differences: tuple[Deviation, ...] | None
) -> tuple[str | None, Mapping[Path, str]]:
    """Return what is printed and what is written; all of it is made before any is written."""
    places: list[tuple[Path | None, str]] = []
    if where.out is not None:
        places = [(where.out / FORMATS[name], name) for name in _IN_FOLDER]
    places += [(choice.file, choice.format) for choice in where.formats]
    texts = {place: render(run, name, differences) for place, name in places}
    printed = texts.pop(None, None)
    files = {place: text for place, text in texts.items() if place is not None}
    if where.update and where.baseline is not None:
        files[where.baseline] = recorded.dumps(recorded.baseline_document(run))
    return printed, files


def _tell(differences: tuple[Deviation, ...], where: Delivery, *, aside: bool) -> None:
    """Print what differs; on standard error where standard output is another form's."""
    name = clean(str(where.baseline))
    lines = [f"Differs from the baseline {name}:", *(f"  {item.line}" for item in differences)]
    lines.append("  (--update-baseline records the run as it is now)")
    if differences and aside:
        print(*lines, sep="\n", file=sys.stderr)
    elif not aside:
        print("", *(lines if differences else [f"As in the baseline {name}."]), sep="\n")


def show_run(run: Run, detail: Detail = USUAL, report: Path | None = None) -> None:
    """Print one audit in full; of several a table, then those that need a person's attention.

    report: where the page is.
    """
    color = terminal.colors(sys.stdout)
    records = sorted(run.records, key=lambda record: terminal.rank(record.result))
    if detail.quiet:
        for result in (record.result for record in records):
            marks = ["refuted exactly"] * result.refuted_exactly
            marks += ["limited"] * bool(result.limitations)
            marked = f" ({', '.join(marks)})" if marks else ""
            print(f"{clean(result.name)}: {result.verdict}{marked}")
        return
    if len(records) == 1:
        _show(records[0], detail, report, color=color)
        return
    print(terminal.audit_table(run.results, color=color, wide=detail.wide))
    sentences = [terminal.closing(run.results)]
    limited = sum(bool(record.result.limitations) for record in records)
    sentences += [f"{counted(limited, 'audit')} with limitations, below."] if limited else []
    if records:
        level = percent(run.settings.confidence)
        sentences.append(f"Certified: ε ≥, with {level} confidence in all bounds together.")
    if any(record.report.power for record in records):
        sentences.append(power.LEGEND)
    if report is not None:
        sentences.append(f"Report: {report}")
    print("\n".join(line for text in sentences for line in terminal.wrapped(text)))
    for record in sorted(records, key=lambda record: not record.result.limitations):
        result = record.result
        attention = result.surprising or result.refuted_exactly or result.verdict is Verdict.UNKNOWN
        if attention or result.limitations or detail.verbose:
            print()
            _show(record, detail, None, color=color)


def _show(record: Record, detail: Detail, report: Path | None, *, color: bool) -> None:
    """Print one audit; its headline holds the ε that it would have detected."""
    result = record.result
    found = power.detectable_epsilon(result) is not None and not detail.verbose
    rows = [row for row in record.report.rows if row[0] != "Power" or not found]
    rows += [("Note", clean(text)) for text in terminal.notes_of(result)]
    lines = [line for name, text in rows for line in terminal.labelled(name, text)]
    again = words(record.selection, record.settings, result)
    lines += terminal.command_lines("Reproduce", map(clean, map(shlex.quote, ["provado", *again])))
    lines += [] if report is None else terminal.labelled("Report", clean(str(report)))
    if detail.verbose:
        more = [f"{name}: {clean(text)}" for name, text in record.report.evidence]
        lines += ["", *(line for text in more for line in terminal.wrapped(f"  {text}", 4))]
    print("\n".join([terminal.headline(result, color=color), "", *lines]))


LIBRARY_SECONDS = 3.0
"""Budget of a released library's audit where the user sets none: libraries draw slowly."""


@dataclass(frozen=True)
class AuditCall:
    """Everything that is to be audited, and where the reports go.

    settings: those of the run as a whole; an audit of the configuration may have its own.
    inputs: the files that were read for it, and that no report may replace. journal: the file that
    keeps the run while it lasts, if any does. resume: whether it is to be resumed.
    history: that the run belongs to, if it does. resources: what the run may use.
    """

    planned: tuple[AuditTask, ...]
    settings: Settings
    delivery: Delivery
    inputs: tuple[Path, ...] = ()
    journal: Path | None = None
    resume: bool = False
    history: AlphaHistory | None = None
    resources: RunResources = NO_RESOURCES


def read_request(options: argparse.Namespace) -> AuditCall:
    """Return what is asked for; raises ``UsageError`` naming the wrong option or key.

    A configuration is looked for only where an audit of it is asked for: by its name, or by a call
    that names nothing else. What is typed overrides an audit's own keys, and these the defaults.
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
    claim = plan.typed(options)
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
        history = open_history(run["history"], run["confidence"], resume=goes_on)
        confidence = history.confidence
    settings = replace(plan.settings_of({}, claim, confidence), redact=run["redact"])
    audits = {} if configuration is None else configuration.audits
    chosen = Chosen(tuple(plain), tuple(audits[name] for name in configured), configuration)
    planned = [plan.plan(spec, claim, confidence) for spec in chosen.specs]
    targets = (load_target(text, python=options.python) for text in plain)
    planned += [plan.plan_target(target, claim, confidence) for target in targets]
    planned += _selected(options, settings)
    if not planned:
        raise UsageError("nothing to audit: give a TARGET, --catalogue or --libraries")
    _check_kinds(options, planned)
    share = 1 - (1 - confidence) / len(planned)
    if not share < 1:
        raise UsageError(f"--confidence: {confidence!r} is too near 1 for {len(planned)} audits")
    own = {"confidence": share, "redact": run["redact"]}
    shared = tuple(replace(p, settings=replace(p.settings, **own)) for p in planned)
    return AuditCall(
        shared,
        _common(shared, settings),
        _delivery(options, used, run),
        tuple(plan.files_of(options, chosen)),
        journal,
        options.resume,
        history,
        RunResources(
            run["memory"], run["no_network"], run["block_limit"], options.executor, options.verbose
        ),
    )


def _of_run(options: argparse.Namespace, configuration: Configuration | None) -> dict[str, Any]:
    """Return the options of the whole run: what is typed, then what the configuration states."""
    result: dict[str, Any] = {}
    for option in declaration.OPTIONS:
        if option.at.table == declaration.RUN and option.at.group:
            result[option.name] = getattr(options, option.name)
            if configuration is not None and not plan.is_given(options, option):
                value = configuration.run.get(option.in_file, result[option.name])
                is_path = option.domain in (domains.file, domains.folder) and value is not None
                result[option.name] = shown(configuration.folder / value) if is_path else value
    return result


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
    each = {replace(task.settings, confidence=settings.confidence) for task in planned}
    return each.pop() if len(each) == 1 else settings


def _check_kinds(options: argparse.Namespace, planned: list[AuditTask]) -> None:
    """Refuse options that no audit has a use for: of few runs, or of pairs."""
    kinds = {task.one_run for task in planned}
    of_pairs = [item for item in declaration.OF_PAIRS if item not in plan.CLAIM and item.at.table]
    for rows, few in ((declaration.OF_RUNS, True), (of_pairs, False)):
        for row in rows:
            if plan.is_given(options, row) and few not in kinds:
                why = "it belongs to --canaries; give them" if few else "it is for audits of pairs"
                raise UsageError(f"--{row.word}: {why}")


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
    for option in plan.CLAIM:
        if option.at.group != declaration.WHAT and plan.is_given(options, option):
            raise UsageError(f"--{option.word}: it states the claim of a TARGET; give one")
    raise UsageError(
        "nothing to audit: give a TARGET, --catalogue or --libraries, or write a configuration "
        "with `provado init`"
    )


def asks_for_a_list(options: argparse.Namespace) -> bool:
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
        for item in plan.CLAIM:
            if item.at.group in (CLAIMED, declaration.FEW) and plan.is_given(options, item):
                raise UsageError(
                    f"--{item.word}: it states the claim of a TARGET; entries of the catalogue and "
                    "the libraries carry their own"
                )
            if item.at.group == declaration.HOW and plan.is_given(options, item):
                raise UsageError(f"--{item.word}: it applies to a TARGET; give one")
    if options.promise and (options.epsilon or options.delta):
        raise UsageError("--promise and --epsilon: a claim is given in one way; give one")
    if options.pair and options.data is not None:
        raise UsageError("--pair and --data: neighbors are given or searched; give one")
    if options.domain and options.data is None:
        why = "it says what the records of --data may hold; give both, or leave --domain out"
        raise UsageError(f"--domain: {why}")
    if options.fixed_size and (options.data is None or options.relation == "add-or-remove-one"):
        raise UsageError("--fixed-size: it is for --data under --relation replace-one; give both")
    if options.python is not None and not options.targets:
        raise UsageError("--python: it is where a TARGET runs; give one")
    if options.canaries is not None:
        for item in declaration.OF_PAIRS:
            if item in plan.CLAIM and plan.is_given(options, item):
                raise UsageError(
                    f"--{item.word} and --canaries: the first is for audits of pairs, the second "
                    "for audits of few runs; give one"
                )
    if options.samples is not None and options.seconds is not None:
        raise UsageError("--samples and --seconds: both set the number of trials; give one")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``provado audit``; a report's command is read by them, too."""
    argument_parser.add_targets(
        parser.add_argument_group(WHAT),
        "path/to/file.py:name or module:name; a callable or a provado Mechanism; or the "
        "name of an audit in the configuration. path/to/file.py alone lists what it holds",
    )
    argument_parser.add_options(parser, OPTIONS, formats=", ".join(FORMATS))
