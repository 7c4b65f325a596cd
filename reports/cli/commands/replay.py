"""``provado replay``: two runs under the same noise, with one data point changed."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from provado.audit.counterfactual.api import TIME_LIMIT
from provado.mechanisms.statement.relation import RELATIONS
from provado.reports.ask import option
from provado.reports.ask.domain import FORMS
from provado.reports.ask.promise import FORMS as FORMS_OF_CLAIMS
from provado.reports.ask.promise import promise_option
from provado.reports.config.choose import choose
from provado.reports.counterfactual import sarif
from provado.reports.counterfactual.asked import files_of, read_asked
from provado.reports.counterfactual.replayed import Replayed, replayed
from provado.reports.counterfactual.to_json import replay_to_json
from provado.reports.counterfactual.words import lines_of
from provado.reports.data import schema
from provado.reports.data.output import save, show_json
from provado.reports.data.several import joined_status, one_or_several
from provado.reports.data.write import check_places
from provado.reports.run.exit_status import NOT_COMPLETED
from provado.reports.run.workers import Broken, run_apart
from provado.reports.words.clean import clean

HELP = "run twice under the same noise, one data point changed, and see what else changes"

_FILES = ("replay.json", "replay.html")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "replay",
        help=HELP,
        description="A counterfactual replay: runs the program under do(D_i = d) and under "
        "do(D_i = d′) with the same noise, the noisy outputs frozen, and reports where control "
        "flow parts, what each noise call protects and costs, and what depends on the data "
        "without noise. Three to eight runs a pair.",
        epilog="Exit status: 0 nothing found, or as expected, 1 findings, 2 wrong usage, "
        "3 not completed or not followed, 4 input or output failed. Findings are no verdicts: "
        "`provado audit` certifies.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "targets",
        nargs="*",
        metavar="TARGET",
        help="path/to/file.py:name or module:name, which takes a dataset; or the name of a "
        "[replay.NAME] in the configuration; without any, all of these",
    )
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="a configuration other than the nearest"
    )
    parser.add_argument("--epsilon", type=option.positive, help="the claimed ε")
    parser.add_argument("--delta", type=option.small_share, help="the claimed δ (0)")
    parser.add_argument(
        "--promise", type=promise_option, metavar="CLAIM", help=f"instead: {FORMS_OF_CLAIMS}"
    )
    parser.add_argument(
        "--pair",
        nargs=2,
        action="append",
        metavar=("D0", "D1"),
        help="files of two neighboring datasets (.json, .npy, .csv); may be repeated",
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FILE",
        help="one dataset, of which a handful of neighbors are made, instead of --pair",
    )
    parser.add_argument(
        "--domain",
        action="append",
        metavar="[COLUMN=]WHAT",
        help=f"with --data, what a record may be: {FORMS}",
    )
    parser.add_argument("--relation", choices=sorted(RELATIONS), help="what neighbors are")
    parser.add_argument("--seed", type=option.seed, help="of the noise (0)")
    parser.add_argument(
        "--time-limit",
        type=option.seconds,
        metavar="SECONDS",
        help=f"for both runs of a pair ({TIME_LIMIT:g})",
    )
    parser.add_argument(
        "--certify", action="store_true", help="audit each pair that something is found on"
    )
    parser.add_argument(
        "--samples", type=option.samples, metavar="N", help="with --certify: trials of a pair"
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="leave replay.html and replay.json in DIR"
    )
    parser.add_argument("--sarif", type=Path, metavar="FILE", help="leave the findings as SARIF")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the report")


def run(options: argparse.Namespace) -> int:
    """Replay everything asked for; return the exit status."""
    chosen = choose(options.targets, "replay", options.config)
    asked, out = read_asked(options, chosen), chosen.out(options.out)
    places = [] if out is None else [out / name for name in _FILES]
    sarif_file = [] if options.sarif is None else [options.sarif]
    check_places([*places, *sarif_file], files_of(options, chosen))
    # In processes of their own: what a mechanism prints must not end up in the JSON.
    works = [partial(replayed, one, options.certify, options.samples) for one in asked]
    found: list[Replayed] = []
    for one in run_apart(works, processes=1, time_limit=option.MOST_SECONDS):
        if isinstance(one, Broken):
            print(f"provado: not completed: {clean(one.reason)}", file=sys.stderr)
        else:
            found.append(one)
    statuses = [one.exit_status for one in found]
    status = joined_status([*statuses, *[NOT_COMPLETED] * (len(asked) - len(found))])
    if not found:
        return status
    documents = [replay_to_json(one, one.exit_status) for one in found]
    expected = [(one.name, one.expected) for one in found]
    several = chosen.configuration is not None or len(asked) > 1
    document = one_or_several(expected, documents, status, several=several)
    files: dict[Path, str] = {}
    if out is not None:
        # Imported here: most calls leave no page.
        from provado.reports.html.replay_page import render

        files |= dict(zip(places, (schema.dumps(document), render(found)), strict=True))
    if options.sarif is not None:
        files[options.sarif] = sarif.render([one.replay for one in found], status)
    save(files)
    if options.json:
        show_json(document)
    else:
        print("\n\n".join("\n".join(lines_of(one)) for one in found))
    return status
