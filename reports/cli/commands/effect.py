"""``provado effect``: a causal estimate beside an associative one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from provado.audit.experiments.effects.observational import EffectStudy, effect_study
from provado.audit.options import domains
from provado.audit.target.output_encoding import BrokenMechanismError
from provado.audit.workers import Broken
from provado.mechanisms import Mechanism, UsageError
from provado.reports.commands.effect.page import render
from provado.reports.commands.effect.words import (
    associative_sentence,
    causal_sentence,
    no_effect_sentence,
    study_to_json,
    table,
    title,
)
from provado.reports.documents import schema
from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED, SURPRISE
from provado.reports.documents.write import check_places, save, show_json
from provado.reports.targets.columns import load_population, point_in
from provado.reports.targets.load import load_target, source_file
from provado.reports.tasks.resources import run_in_processes
from provado.reports.text.formatting import clean

_FILES = ("effect.html", "effect.json")

HELP = "compare the causal with the associative effect of a data point"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "effect",
        help=HELP,
        description="Estimates how much one data point changes the output: by an experiment that "
        "sets it (which differential privacy bounds by e^ε), and by a study of a population that "
        "conditions on it (which correlated data points can push above e^ε).",
        epilog="Exit status: 0 no violation, 1 the experiment certifies more than --epsilon, 2 "
        "wrong usage, 3 the mechanism broke, 4 input or output failed. An association above e^ε is "
        "no violation.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="path/to/file.py:name or module:name; takes a vector of the data points, in the "
        "order of the population's columns",
    )
    parser.add_argument(
        "--population",
        required=True,
        metavar="family.csv",
        help="a table, each row a whole dataset, each column a data point; or module:sampler, "
        "called as sampler(size, rng)",
    )
    parser.add_argument(
        "--point", required=True, metavar="NAME", help="the data point: its column (or position)"
    )
    parser.add_argument(
        "--values",
        required=True,
        nargs=2,
        type=domains.finite,
        metavar=("D", "D′"),
        help="its values",
    )
    parser.add_argument(
        "--base",
        nargs="+",
        type=domains.finite,
        metavar="VALUE",
        help="the dataset to intervene on (the population's first)",
    )
    parser.add_argument("--epsilon", type=domains.positive, help="the claimed ε")
    parser.add_argument(
        "--samples",
        type=domains.whole(1),
        default=100_000,
        help="trials an estimate (100,000)",
    )
    parser.add_argument(
        "--confidence", type=domains.share, default=0.95, help="of all limits together (0.95)"
    )
    parser.add_argument("--seed", type=domains.seed, default=0, help="replays the study (0)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="leave effect.html and effect.json in DIR"
    )


def run(options: argparse.Namespace) -> int:
    """Make the study; return the exit status."""
    population = load_population(options.population)
    target = load_target(options.target)
    if options.out is not None:
        read = (source_file(options.target), source_file(options.population), options.population)
        inputs = [Path(file) for file in read if file is not None]
        check_places([options.out / name for name in _FILES], inputs)
    call, epsilon = _claim(target.mechanism, options)
    point = point_in(population, options.point)

    def work() -> EffectStudy | Broken:
        try:
            with target.importable():
                return effect_study(
                    call,
                    population,
                    point=point,
                    values=tuple(options.values),
                    base=options.base,
                    epsilon=epsilon,
                    samples=options.samples,
                    confidence=options.confidence,
                    seed=options.seed,
                    name=target.name,
                )
        except BrokenMechanismError as error:
            return Broken(str(error))

    # In a process of its own: what a mechanism prints must not end up in the JSON, and where it
    # ends its process, this one goes on.
    study = run_in_processes([work], processes=1, time_limit=domains.MOST_SECONDS)[0]
    if isinstance(study, Broken):
        reason = clean(f"{target.text}: {study.reason}")
        print(f"provado: not completed: {reason}", file=sys.stderr)
        return NOT_COMPLETED
    document = study_to_json(study, options.population)
    if options.out is not None:
        texts = zip(_FILES, (render(study), schema.dumps(document)), strict=True)
        save({options.out / name: text for name, text in texts})
    if options.json:
        show_json(document)
    else:
        _show(study)
    return SURPRISE if study.violation else AS_EXPECTED


def _claim(mechanism: Any, options: argparse.Namespace) -> tuple[Any, float | None]:
    """Return the callable and the claimed ε: the one given, else the mechanism's own."""
    if not isinstance(mechanism, Mechanism):
        return mechanism, options.epsilon
    if options.epsilon is not None:
        return mechanism.run, options.epsilon
    epsilon, delta = mechanism.promise.point()
    if delta > 0:
        raise UsageError(
            f"target {options.target!r}: it promises {mechanism.promise.words()}; effects are "
            "bounded by e^ε for δ = 0 only: give --epsilon"
        )
    return mechanism.run, epsilon


def _show(study: EffectStudy) -> None:
    print(f"{clean(title(study))}\n")
    print(f"{table(study)}\n")
    for sentence in (causal_sentence, associative_sentence, no_effect_sentence):
        print(clean(sentence(study)))
