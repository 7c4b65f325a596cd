"""``provado report``: reads an ``audit.json`` again; shows it, rechecks it, puts it into forms."""

import argparse
import sys
from pathlib import Path
from typing import Any

from provado.audit.options import domains
from provado.audit.options.declaration import Place, named, placed
from provado.audit.options.domains import OptionDomain
from provado.mechanisms import UsageError
from provado.reports.audit_report import page
from provado.reports.audit_report.document import digest_differences, run_from_json
from provado.reports.audit_report.formats import FORMATS, FormatChoice, parse_choices, render
from provado.reports.commands.audit import Detail, show_run
from provado.reports.commands.recheck.claim import BEYOND, not_covered
from provado.reports.commands.recheck.recheck import Rechecked, recheck_document
from provado.reports.documents import schema
from provado.reports.documents.exit_status import AS_EXPECTED, SURPRISE
from provado.reports.documents.schema import load_json
from provado.reports.documents.write import check_places, show, show_text, write_all
from provado.reports.ledger.run import decide_all
from provado.reports.targets.argument_parser import add_options, several
from provado.reports.tasks.resources import processors
from provado.reports.tasks.run import Run
from provado.reports.text.formatting import clean

HELP = "show an audit.json, recheck its verdicts or convert it to other formats"
DESCRIPTION = (
    "Reads an audit.json and shows it, recomputes its verdicts, or converts it to other formats."
)


OPTIONS = (
    *placed(
        Place("report", ()),
        (
            "recheck",
            domains.flag,
            "compute bounds, verdicts and all else that follows from the recorded counts again, "
            "and list what does not follow; exit with status 1 if anything differs",
        ),
        (
            "redraw",
            domains.flag,
            "run every audit again from its seed, with the code that the report names, and compare "
            "the counts; exit with status 1 if any differs, else 3 if any cannot be run here",
        ),
        (
            "format",
            several("NAME[=FILE]"),
            f"print the report as {', '.join(FORMATS)}, or write it to FILE; may be repeated",
        ),
        (
            "html",
            OptionDomain(parse={"metavar": "FILE"}),
            "write the page; the same as --format html=FILE",
        ),
        (
            "ledger",
            domains.flag,
            "add the published claims that the page cites, decided now with their arguments; "
            "takes some seconds",
        ),
        ("json", domains.flag, "print JSON, also of a recheck"),
    ),
    *map(named, ("verbose", "quiet", "wide")),
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "file",
        type=Path,
        metavar="audit.json",
        help="a report, as `provado audit … --out DIR` writes it",
    )
    add_options(parser, OPTIONS, grouped=False)


def run(options: argparse.Namespace) -> int:
    """Do what was asked of one file; return the exit status."""
    choices = _choices(options)
    check_places([choice.file for choice in choices if choice.file is not None], [options.file])
    document = load_json(options.file)
    if not isinstance(document, dict) or "schema" not in document:
        raise UsageError(
            f"{options.file}: it is no report of an audit, as it has no key 'schema'; "
            "`provado audit` with --out DIR writes one, DIR/audit.json"
        )
    result = run_from_json(document, str(options.file))
    _warn(document, options)
    _write(result, document, choices, options.ledger)
    if options.recheck:
        checked = recheck_document(document, str(options.file))
        return _recheck(checked, not_covered(result), options)
    if options.redraw:
        return _redraw(result, options)
    if not choices:
        show_run(result, Detail(options.quiet, options.verbose, options.wide))
    return AS_EXPECTED


def _choices(options: argparse.Namespace) -> tuple[FormatChoice, ...]:
    """Return all that is to be written and printed; a recheck prints its own."""
    asked = list(options.format)
    if options.html is not None:
        asked.append(f"html={options.html}")
    if options.recheck and options.redraw:
        raise UsageError("--recheck and --redraw: each prints an answer of its own; give one")
    answer = "recheck" if options.recheck else "redraw" if options.redraw else ""
    if options.json and not answer and "json" not in asked:
        asked.append("json")
    choices = parse_choices(asked)
    printed = [choice.format for choice in choices if choice.file is None]
    if answer and printed:
        name = printed[0]
        raise UsageError(
            f"--format {name}: --{answer} prints to standard output; give a file: "
            f"{name}={FORMATS[name]}"
        )
    if options.ledger and not any(choice.format == "html" for choice in choices):
        raise UsageError("--ledger: it adds to the HTML page; give --html FILE too")
    return choices


def _warn(document: dict[str, Any], options: argparse.Namespace) -> None:
    """Print a warning where a file is not as it was written, unless a recheck will."""
    changed = "" if options.recheck else "; ".join(digest_differences(document))
    if changed:
        print(clean(f"provado: warning: {options.file}: {changed}"), file=sys.stderr)


def _write(
    found: Run, document: dict[str, Any], choices: tuple[FormatChoice, ...], ledger: bool
) -> None:
    """Put the run into every format first, so that a complaint leaves nothing half done.

    JSON is given out as it was read: a digest made anew would hide that the file was changed.
    """
    texts = [(choice.file, _text(found, document, choice.format, ledger)) for choice in choices]
    write_all({file: text for file, text in texts if file is not None})
    for file, text in texts:
        if file is None:
            show_text(text)


def _text(found: Run, document: dict[str, Any], format: str, ledger: bool) -> str:
    if format == "json":
        return schema.dumps(document)
    if format == "html" and ledger:
        from provado.reports.audit_report.page.page import cited

        decided = decide_all(cited(found), processors())
        return page.render(found, ledger=decided)
    return render(found, format)


def _redraw(found: Run, options: argparse.Namespace) -> int:
    from provado.reports.commands.recheck import redraw

    redrawn, other = redraw.redraw(found, processors()), redraw.other_versions(found)
    status = redraw.exit_status(redrawn)
    document = {
        "schema": schema.REDRAW,
        "same": status == AS_EXPECTED,
        "audits": schema.plain(redrawn),
        "other_versions": list(other),
    }
    lines = [clean(f"{audit.name}: {audit.words}") for audit in redrawn]
    lines += [clean(f"versions: {'; '.join(other)}")] if other else []
    show(document, lambda: "\n".join(lines), as_json=options.json)
    return status


def _recheck(checked: tuple[Rechecked, ...], left: str, options: argparse.Namespace) -> int:
    agree = all(recheck.agrees for recheck in checked)
    document = {
        "schema": schema.RECHECK,
        "agrees": agree,
        "checks": [{**schema.plain(recheck), "agrees": recheck.agrees} for recheck in checked],
        "not_covered": BEYOND,
    }
    lines = [clean(recheck.line) for recheck in checked]
    words = "\n".join([*lines, f"unchecked: {left}", BEYOND])
    show(document, lambda: words, as_json=options.json)
    return AS_EXPECTED if agree else SURPRISE
