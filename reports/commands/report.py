"""``provado report``: reads an ``audit.json`` again; shows it, rechecks it, puts it into forms."""

from __future__ import annotations

import argparse
from pathlib import Path

from provado.mechanisms import UsageError
from provado.reports import html, option, schema
from provado.reports.document import load_json
from provado.reports.formats import FORMATS, Choice, parse_choices, render
from provado.reports.from_json import run_from_json
from provado.reports.recheck import Checked, recheck_document
from provado.reports.run import AS_EXPECTED, SURPRISE, Run
from provado.reports.show import show_json, show_run, show_text
from provado.reports.verify_run import decide_all
from provado.reports.words import clean
from provado.reports.write import write_files


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "report",
        help="show an audit.json, recheck its verdicts or put it into other formats",
        description="Reads an audit.json: shows it, rechecks it from its counts, or puts it into "
        "other formats.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("file", type=Path, metavar="audit.json")
    parser.add_argument(
        "--recheck",
        action="store_true",
        help="compute every bound and verdict again from the counts; status 1 if any differs",
    )
    parser.add_argument(
        "--format",
        action="append",
        default=[],
        metavar="NAME[=FILE]",
        help=f"{', '.join(FORMATS)}; into FILE, else to standard output; may be repeated",
    )
    parser.add_argument("--html", metavar="FILE", help="as --format html=FILE")
    parser.add_argument(
        "--ledger",
        action="store_true",
        help="decide the published claims that the HTML cites, with their arguments; some seconds",
    )
    parser.add_argument("--json", action="store_true", help="as --format json; JSON of a recheck")


def run(options: argparse.Namespace) -> int:
    """Do what was asked of one file; return the exit status."""
    choices = _choices(options)
    document = load_json(options.file)
    found = run_from_json(document, str(options.file))
    _write(found, choices, options.ledger)
    if options.recheck:
        return _recheck(recheck_document(document, str(options.file)), options)
    if not choices:
        show_run(found)
    return AS_EXPECTED


def _choices(options: argparse.Namespace) -> tuple[Choice, ...]:
    """Return all that is to be written and printed; a recheck prints its own."""
    asked = list(options.format)
    if options.html is not None:
        asked.append(f"html={options.html}")
    if options.json and not options.recheck and "json" not in asked:
        asked.append("json")
    choices = parse_choices(asked)
    printed = [choice.format for choice in choices if choice.file is None]
    if options.recheck and printed:
        name = printed[0]
        raise UsageError(
            f"--format {name}: --recheck prints to standard output; give a file: "
            f"{name}={FORMATS[name]}"
        )
    if options.ledger and not any(choice.format == "html" for choice in choices):
        raise UsageError("--ledger: it adds to the HTML page; give --html FILE too")
    return choices


def _write(found: Run, choices: tuple[Choice, ...], ledger: bool) -> None:
    """Put the run into every format first, so that a complaint leaves nothing half done."""
    texts = [(choice.file, _text(found, choice.format, ledger)) for choice in choices]
    for file, text in texts:
        if file is not None:
            write_files(file.parent, {file.name: text})
    for file, text in texts:
        if file is None:
            show_text(text)


def _text(found: Run, format: str, ledger: bool) -> str:
    if format == "html" and ledger:
        decided = decide_all(html.cited(found), option.processors())
        return html.render(found, ledger=decided)
    return render(found, format)


def _recheck(checked: tuple[Checked, ...], options: argparse.Namespace) -> int:
    agree = all(one.agrees for one in checked)
    if options.json:
        show_json(
            {
                "schema": schema.RECHECK,
                "agrees": agree,
                "checks": [
                    {"name": one.name, "agrees": one.agrees, "differences": list(one.differences)}
                    for one in checked
                ],
            }
        )
    else:
        for one in checked:
            words = "agrees" if one.agrees else "DIFFERS"
            print(
                clean(f"{words:8}{one.name}{': ' * (not one.agrees)}" + "; ".join(one.differences))
            )
    return AS_EXPECTED if agree else SURPRISE
