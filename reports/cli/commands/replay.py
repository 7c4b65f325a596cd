"""``provado replay``: two runs under the same noise, with one data point changed."""

import argparse
import sys
from functools import partial
from pathlib import Path

from provado.audit.options import domains
from provado.audit.options.declaration import REPLAY, named, taken_by
from provado.audit.workers import Broken
from provado.reports.commands.replay.request import files_of, read_tasks
from provado.reports.commands.replay.words import lines_of
from provado.reports.config.read import choose
from provado.reports.documents import schema
from provado.reports.documents.exit_status import NOT_COMPLETED, joined_status
from provado.reports.documents.origin import provenance
from provado.reports.documents.write import check_places, one_or_several, save, show
from provado.reports.targets.argument_parser import Parser, add_options, add_targets
from provado.reports.tasks.resources import run_in_processes
from provado.reports.text.formatting import clean
from provado.reports.text.redact import masked

from ...commands.replay.document import Replayed, replay_to_json, replayed, replays_to_sarif

HELP = "run a program twice with the same noise and one record changed"

_FILES = ("replay.json", "replay.html")


DESCRIPTION = (
    "A counterfactual replay runs the program on two neighboring datasets with the same noise "
    "and reports where the two runs take different lines, what each noise call protects and "
    "costs, and what depends on the data without noise. It takes three to nine runs for each pair."
)
EPILOG = (
    "Exit status: 0 nothing found, or as expected, 1 findings, 2 wrong usage, "
    "3 not completed or not followed, 4 input or output failed. A finding is no verdict: "
    "`provado audit` certifies violations."
)


def add(parser: Parser) -> None:
    """Add the arguments of the command."""
    add_targets(
        parser,
        "path/to/file.py:name or module:name of a function of a dataset, or the name of a "
        "[replay.NAME] in the configuration (default: all of these)",
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="read this configuration instead of the nearest one",
    )
    add_options(parser, taken_by(REPLAY), REPLAY, grouped=False)
    parser.add_argument("--certify", action="store_true", help="audit each pair that has a finding")
    parser.add_argument(
        "--samples",
        type=domains.samples,
        metavar="N",
        help="with --certify: number of trials for each pair",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="write replay.html and replay.json to DIR"
    )
    parser.add_argument("--sarif", type=Path, metavar="FILE", help="write the findings as SARIF")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the report")
    add_options(parser, [named("redact"), named("anonymous")], grouped=False)
    parser.shorten(
        "targets epsilon delta pair data domain relation seed certify out json",
        "provado replay mine.py:count --epsilon 1 --pair d0.json d1.json",
        "provado replay mine.py:count --data people.csv --relation replace-one",
        "provado replay mine.py:count --epsilon 1 --pair d0.json d1.json --certify",
    )


def run(options: argparse.Namespace) -> int:
    """Replay everything asked for; return the exit status."""
    chosen = choose(options.targets, "replay", options.config)
    tasks, out = read_tasks(options, chosen), chosen.out(options.out)
    places = [] if out is None else [out / name for name in _FILES]
    sarif_file = [] if options.sarif is None else [options.sarif]
    check_places([*places, *sarif_file], files_of(options, chosen))
    # In processes of their own: what a mechanism prints must not end up in the JSON.
    redacted = chosen.redacted(options.redact)
    works = [partial(replayed, task, options.certify, options.samples, redacted) for task in tasks]
    result: list[Replayed] = []
    for process in run_in_processes(works, processes=1, time_limit=domains.MOST_SECONDS):
        if isinstance(process, Broken):
            reason = masked(process.reason) if redacted else process.reason
            print(f"provado: not completed: {clean(reason)}", file=sys.stderr)
        else:
            result.append(process)
    statuses = [replay_result.exit_status for replay_result in result]
    status = joined_status([*statuses, *[NOT_COMPLETED] * (len(tasks) - len(result))])
    if not result:
        return status
    several = chosen.configuration is not None or len(tasks) > 1
    document = one_or_several(result, list(map(replay_to_json, result)), status, several=several)
    files: dict[Path, str] = {}
    if out is not None:
        # Imported here: most calls leave no page.
        from provado.reports.commands.replay.page import render

        made = provenance(anonymous=options.anonymous)
        files |= dict(zip(places, (schema.dumps(document), render(result, made)), strict=True))
    if options.sarif is not None:
        files[options.sarif] = replays_to_sarif([item.replay for item in result], status)
    save(files)
    words = ("\n".join(lines_of(replay_result)) for replay_result in result)
    show(document, lambda: "\n\n".join(words), as_json=options.json)
    return status
