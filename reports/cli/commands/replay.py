"""``provado replay``: two runs under the same noise, with one data point changed."""

import argparse
from functools import partial

from provado.audit.options import domains
from provado.audit.options.declaration import REPLAY, Place, named, placed, taken_by
from provado.audit.options.domains import OptionDomain
from provado.reports.commands.replay.request import read_tasks
from provado.reports.commands.replay.words import lines_of
from provado.reports.config.plan import files_of
from provado.reports.config.read import choose
from provado.reports.documents.exit_status import NOT_COMPLETED, joined_status
from provado.reports.documents.origin import Provenance
from provado.reports.documents.write import check_places, deliver, one_or_several, places
from provado.reports.targets.argument_parser import PROVE_OPTIONS, Parser, add_options, add_targets
from provado.reports.tasks.resources import completed

from ...commands.replay.document import Replayed, replay_to_json, replayed, replays_to_sarif

HELP = "run a program twice with the same noise and one record changed"

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


_SAMPLES = OptionDomain(parse={"type": domains.samples, "metavar": "N"})

OPTIONS = (
    *placed(
        Place("replay", ()),
        ("certify", domains.flag, "audit each pair that has a finding"),
        ("samples", _SAMPLES, "with --certify: number of trials for each pair"),
        ("out", domains.folder, "write replay.html and replay.json to DIR"),
        ("sarif", domains.file, "write the findings as SARIF"),
        ("json", domains.flag, "print JSON instead of the report"),
    ),
    *map(named, ("redact", "anonymous")),
)


def add(parser: Parser) -> None:
    """Add the arguments of the command."""
    add_targets(
        parser,
        "path/to/file.py:name or module:name of a function of a dataset, or the name of a "
        "[replay.NAME] in the configuration (default: all of these)",
    )
    rows = {row.name: row for row in PROVE_OPTIONS}
    add_options(parser, [rows["config"], *taken_by(REPLAY), *OPTIONS], REPLAY, grouped=False)
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
    into, more = places("replay", out), [file for file in [options.sarif] if file is not None]
    check_places([*into, *more], files_of(options, chosen))
    redacted = chosen.redacted(options.redact)
    works = [partial(replayed, task, options.certify, options.samples, redacted) for task in tasks]
    result = completed(works, redacted=redacted)
    statuses = [replay_result.exit_status for replay_result in result]
    status = joined_status([*statuses, *[NOT_COMPLETED] * (len(tasks) - len(result))])
    if not result:
        return status
    several = chosen.configuration is not None or len(tasks) > 1
    document = one_or_several(result, list(map(replay_to_json, result)), status, several=several)
    logs = {file: replays_to_sarif([item.replay for item in result], status) for file in more}
    words = ("\n".join(lines_of(replay_result)) for replay_result in result)
    deliver(document, lambda: "\n\n".join(words), partial(_page, result), into, options, logs)
    return status


def _page(result: list[Replayed], made: Provenance) -> str:
    # Imported here: most calls leave no page.
    from provado.reports.commands.replay.page import render

    return render(result, made)
