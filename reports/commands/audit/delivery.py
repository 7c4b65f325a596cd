"""What is left of a run of audits: what is printed, which files are written, the exit status."""

import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from provado.mechanisms import UsageError, Verdict
from provado.reports.audit_report import baseline as recorded
from provado.reports.audit_report.baseline import Baseline, Deviation
from provado.reports.audit_report.formats import FORMATS, FormatChoice, parse_choices, render
from provado.reports.documents.write import check_places, save, show_text
from provado.reports.tasks.run import Record, Run, words
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
        if self.baseline is None:
            if self.update:
                raise UsageError(
                    "--update-baseline: it needs --baseline FILE, or baseline = 'FILE'"
                    " in the configuration"
                )
            return None
        if not self.update:
            if not self.baseline.exists():
                raise UsageError(
                    f"{self.baseline}: there is no such baseline; --update-baseline writes it"
                )
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
        if choice.file is not None:
            made.append(f"{choice.format}={folder / choice.file}")
        elif out is None:
            raise UsageError(
                f"{choice.format!r} has no file: write {choice.format}={FORMATS[choice.format]}, "
                "or give a folder as out"
            )
        else:
            made.append(f"{choice.format}={out / FORMATS[choice.format]}")
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
    files: dict[Path, str] = {}
    printed = None
    if where.out is not None:
        for name in _IN_FOLDER:
            files[where.out / FORMATS[name]] = render(run, name, differences)
    for choice in where.formats:
        text = render(run, choice.format, differences)
        if choice.file is None:
            printed = text
        else:
            files[choice.file] = text
    if where.update and where.baseline is not None:
        files[where.baseline] = recorded.dumps(recorded.baseline_document(run))
    return printed, files


def _tell(differences: tuple[Deviation, ...], where: Delivery, *, aside: bool) -> None:
    """Print what differs; on standard error where standard output is another form's."""
    stream = sys.stderr if aside else sys.stdout
    name = clean(str(where.baseline))
    if not differences:
        if not aside:
            print(f"\nAs in the baseline {name}.")
        return
    print(f"{'' if aside else chr(10)}Differs from the baseline {name}:", file=stream)
    for one in differences:
        print(f"  {one.line}", file=stream)
    print("  (--update-baseline records the run as it is now)", file=stream)


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
    said = [terminal.closing(run.results)]
    limited = sum(bool(record.result.limitations) for record in records)
    said += [f"{counted(limited, 'audit')} with limitations, below."] if limited else []
    if records:
        level = percent(run.settings.confidence)
        said.append(f"Certified: ε ≥, with {level} confidence in all bounds together.")
    if any(record.report.power for record in records):
        said.append(power.LEGEND)
    if report is not None:
        said.append(f"Report: {report}")
    print("\n".join(line for text in said for line in terminal.wrapped(text)))
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
