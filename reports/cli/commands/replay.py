"""``provado replay``: two runs under the same noise, with one data point changed."""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from provado.audit.counterfactual import Replay
from provado.audit.counterfactual import replay as counterfactual
from provado.audit.counterfactual.api import TIME_LIMIT
from provado.mechanisms import Mechanism, UsageError
from provado.mechanisms.statement.relation import RELATIONS
from provado.reports.ask import option
from provado.reports.ask.adapted import adapted
from provado.reports.ask.dataset import load_dataset, load_pair
from provado.reports.ask.domain import FORMS, read_domain
from provado.reports.ask.promise import FORMS as FORMS_OF_CLAIMS
from provado.reports.ask.promise import promise_option, read_promise
from provado.reports.ask.target import Target, load_target, source_file
from provado.reports.counterfactual import sarif
from provado.reports.counterfactual.to_json import replay_to_json
from provado.reports.counterfactual.words import lines
from provado.reports.data.output import save, show_json
from provado.reports.data.write import check_places
from provado.reports.run.exit_status import AS_EXPECTED, NOT_COMPLETED, SURPRISE
from provado.reports.run.workers import Broken, run_forked
from provado.reports.words.clean import clean

HELP = "run twice under the same noise, one data point changed, and see what else changes"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "replay",
        help=HELP,
        description="A counterfactual replay: runs the program under do(D_i = d) and under "
        "do(D_i = d′) with the same noise, the noisy outputs frozen, and reports where control "
        "flow parts, what each noise call protects and costs, and what depends on the data "
        "without noise. Two runs a pair.",
        epilog="Exit status: 0 nothing found, 1 findings, 2 wrong usage, 3 not completed, 4 input "
        "or output failed. Findings are no verdicts: `provado audit` certifies.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "target", metavar="TARGET", help="path/to/file.py:name or module:name; takes a dataset"
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
    parser.add_argument("--seed", type=option.seed, default=0, help="of the noise (0)")
    parser.add_argument(
        "--time-limit",
        type=option.seconds,
        default=TIME_LIMIT,
        metavar="SECONDS",
        help=f"for both runs of a pair ({TIME_LIMIT:g})",
    )
    parser.add_argument("--sarif", type=Path, metavar="FILE", help="leave the findings as SARIF")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the report")


def run(options: argparse.Namespace) -> int:
    """Replay everything asked for; return the exit status."""
    if options.promise and (options.epsilon or options.delta):
        raise UsageError("--promise and --epsilon: a claim is given in one way; give one")
    if options.pair and options.data is not None:
        raise UsageError("--pair and --data: neighbors are given or made; give one")
    if options.domain and options.data is None:
        raise UsageError("--domain: it says what may stand in --data; give that")
    inputs = [Path(file) for pair in options.pair or () for file in pair]
    inputs += [options.data] if options.data is not None else []
    target = load_target(options.target)
    inputs += [file for file in [source_file(options.target)] if file is not None]
    if options.sarif is not None:
        check_places([options.sarif], inputs)
    asked = _asked(options, target)

    def work() -> Replay:
        with target.importable():
            found = counterfactual(**asked)
        # What was replayed need not be data that can be sent.
        return replace(
            found,
            pairs=tuple(
                replace(pair, findings=tuple(replace(one, asked=None) for one in pair.findings))
                for pair in found.pairs
            ),
        )

    # In a process of its own: what a mechanism prints must not end up in the JSON.
    found = run_forked([work], processes=1, time_limit=option.MOST_SECONDS)[0]
    if isinstance(found, Broken):
        print(f"provado: not completed: {clean(found.reason)}", file=sys.stderr)
        return NOT_COMPLETED
    found = _with_commands(found, options)
    status = AS_EXPECTED if found.completed else NOT_COMPLETED
    status = SURPRISE if found.findings else status
    if options.sarif is not None:
        save({options.sarif: sarif.render([found], status)})
    if options.json:
        show_json(replay_to_json(found, status))
    else:
        print("\n".join(lines(found)))
    return status


def _asked(options: argparse.Namespace, target: Target) -> dict[str, Any]:
    relation = RELATIONS[options.relation] if options.relation else None
    pairs = [load_pair(tuple(files), relation) for files in options.pair or ()] or None
    data = None if options.data is None else load_dataset(options.data)
    promise = read_promise(options.promise) if options.promise else None
    mechanism = adapted(
        target.mechanism,
        name=target.name,
        epsilon=options.epsilon or promise,
        pairs=pairs or ([(data, data)] if data is not None else None),
        relation=relation,
    )
    if not (pairs or data is not None or isinstance(mechanism, Mechanism)):
        raise UsageError(
            f"--pair: {target.text} has no neighbors of its own; give --pair d0.json d1.json, or "
            "--data people.csv --relation add-or-remove-one"
        )
    return {
        "mechanism": mechanism,
        "epsilon": options.epsilon,
        "delta": options.delta,
        "promise": promise,
        "pair": pairs,
        "data": data,
        "domain": read_domain(options.domain) if options.domain else None,
        "relation": relation,
        "seed": options.seed,
        "time_limit": options.time_limit,
        "name": target.name,
    }


def _with_commands(found: Replay, options: argparse.Namespace) -> Replay:
    """Return the replay with the audit of each finding's pair as a command."""
    from provado.audit.counterfactual.result import Asked

    words = ["provado", "audit", options.target]
    for name in ("epsilon", "delta", "promise", "relation"):
        value = getattr(options, name)
        if value is not None:
            words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
    pairs = []
    for number, pair in enumerate(found.pairs):
        more: list[str] = []
        if options.pair:
            more = ["--pair", *options.pair[number]]
        elif options.data is not None:
            more = ["--data", str(options.data)]
            more += [word for one in options.domain or () for word in ("--domain", one)]
        asked = Asked(None, (None, None), None, None, command=shlex.join([*words, *more]))
        findings = tuple(replace(one, asked=asked) for one in pair.findings)
        pairs.append(replace(pair, findings=findings))
    return replace(found, pairs=tuple(pairs))
