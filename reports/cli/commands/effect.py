"""``provado effect``: a causal estimate beside an associative one."""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from provado.audit.experiments.effects.observational import EffectStudy, effect_study
from provado.audit.options import domains
from provado.audit.options.declaration import Place, named, placed
from provado.audit.options.domains import OptionDomain, whole
from provado.audit.target.output_encoding import BrokenMechanismError
from provado.audit.workers import Broken
from provado.mechanisms import Mechanism, UsageError
from provado.reports.commands.effect import page
from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED, SURPRISE
from provado.reports.documents.write import check_places, deliver, places
from provado.reports.targets.argument_parser import add_options
from provado.reports.targets.csv_and_parquet import load_population, point_in
from provado.reports.targets.load import load_target, source_file
from provado.reports.tasks.resources import completed
from provado.reports.text.formatting import clean
from provado.reports.text.terminal import fitted

HELP = "compare the causal with the associative effect of a data point"


OPTIONS = placed(
    Place("study", ()),
    (
        "population",
        OptionDomain(parse={"required": True, "metavar": "family.csv"}),
        "a table in which each row is a whole dataset and each column a data point; or "
        "module:sampler, which is called as sampler(size, rng)",
    ),
    (
        "point",
        OptionDomain(parse={"required": True, "metavar": "NAME"}),
        "the data point: the name or the position (from 0) of its column",
    ),
    (
        "values",
        domains.finite.typed(required=True, nargs=2, metavar=("D", "D′")),
        "the two values of the data point to compare",
    ),
    (
        "base",
        domains.finite.typed(nargs="+", metavar="VALUE"),
        "the dataset to intervene on (default: the first of the population)",
    ),
    ("epsilon", domains.positive, "the claimed ε"),
    ("samples", whole(1).typed(default=100_000), "trials for each estimate (default: 100,000)"),
    (
        "confidence",
        domains.share.typed(default=0.95),
        "confidence of all limits together (default: 0.95)",
    ),
    ("seed", domains.seed.typed(default=0), "seed of all random draws (default: 0)"),
    ("json", domains.flag, "print JSON instead of the table"),
    ("out", domains.folder, "write effect.html and effect.json to DIR"),
    ("redact", domains.flag, "omit values of the data and outputs from every report"),
    ("anonymous", domains.flag, named("anonymous").help),
)


DESCRIPTION = (
    "Estimates how much one data point changes the output, in two ways. An experiment sets it; "
    "differential privacy bounds that effect by e^ε. A study of a population conditions on it; "
    "correlated data points can raise that effect above e^ε."
)
EPILOG = (
    "Exit status: 0 no violation, 1 the certified bound exceeds --epsilon, 2 wrong usage, 3 not "
    "completed, 4 input or output failed. An association above e^ε is no violation."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="path/to/file.py:name or module:name of a function of the data points, in the order "
        "of the population's columns",
    )
    add_options(parser, OPTIONS, grouped=False)


def run(options: argparse.Namespace) -> int:
    """Make the study; return the exit status."""
    population = load_population(options.population)
    target = load_target(options.target)
    read = (source_file(options.target), source_file(options.population), options.population)
    into = places("effect", options.out)
    check_places(into, [Path(file) for file in read if file is not None])
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
                    name=target.name,
                    **{key: getattr(options, key) for key in ("samples", "confidence", "seed")},
                )
        except BrokenMechanismError as error:
            return Broken(str(error))

    about = f"{target.text}: "
    done: list[Any] = completed([work], redacted=options.redact, about=about)
    if not done:
        return NOT_COMPLETED
    study: EffectStudy = page.redacted(done[0]) if options.redact else done[0]
    document = page.study_to_json(study, options.population)
    deliver(document, partial(_words, study), partial(page.render, study), into, options)
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


def _words(study: EffectStudy) -> str:
    head = [clean(page.title(study)), "", page.limits_table(study), ""]
    return "\n".join([*head, *map(fitted, page.sentences(study))])
