"""``provado report``: reads an ``audit.json`` again; shows it, rechecks it, renders it."""

from __future__ import annotations

import argparse
from pathlib import Path

from provado.reports import schema
from provado.reports.document import load_json
from provado.reports.from_json import run_from_json
from provado.reports.html import render
from provado.reports.recheck import Checked, recheck_document
from provado.reports.run import AS_EXPECTED, SURPRISE
from provado.reports.show import show_json, show_run
from provado.reports.to_json import run_to_json
from provado.reports.words import clean
from provado.reports.write import write_files


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "report",
        help="show an audit.json, recheck its verdicts or render it",
        description="Reads an audit.json: shows it, rechecks it from its counts, or renders it.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("file", type=Path, metavar="audit.json")
    parser.add_argument(
        "--recheck",
        action="store_true",
        help="compute every bound and verdict again from the counts; status 1 if any differs",
    )
    parser.add_argument("--html", type=Path, metavar="FILE", help="render the page into FILE")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Do what was asked of one file; return the exit status."""
    document = load_json(options.file)
    found = run_from_json(document, str(options.file))
    if options.html is not None:
        write_files(options.html.parent, {options.html.name: render(found)})
    if options.recheck:
        return _recheck(recheck_document(document, str(options.file)), options)
    if options.json:
        show_json(run_to_json(found))
    elif options.html is None:
        show_run(found)
    return AS_EXPECTED


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
