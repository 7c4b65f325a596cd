"""``provado discover``: which of two columns causes the other, told within a privacy budget."""

from __future__ import annotations

import argparse
import math
import re
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

from provado.mechanisms import UsageError
from provado.mechanisms.anm.settings import LAMBDA
from provado.mechanisms.discovery.pair import discover_pair
from provado.mechanisms.discovery.pair_budget import Protect, ScoreName, plan_for
from provado.reports import option
from provado.reports.columns import load_columns
from provado.reports.pair_answer import Asked, answer_to_json
from provado.reports.pair_words import answer_words
from provado.reports.run import AS_EXPECTED
from provado.reports.show import show_json

_finite = option.real("a finite number", math.isfinite)

SEED_WARNING = (
    "provado: warning: --seed: whoever knows the seed can take the noise off, and nothing is "
    "private then; the seed must stay secret; for tests only"
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "discover",
        help="tell which of two columns causes the other, within a privacy budget",
        description="Tells which of two columns causes the other, by the additive noise model: "
        "both directions are fitted on a random half of the rows and scored on the other; the "
        "smaller score wins. Scores are released within a total (ε, δ) for the protected rows.",
        allow_abbrev=False,
    )
    # As it stands, argparse takes -1e3 for an option, not for a number.
    parser._negative_number_matcher = re.compile(r"-\.?\d")
    parser.set_defaults(run=run)
    parser.add_argument("file", type=Path, metavar="data.csv", help="a .csv or .parquet table")
    parser.add_argument("--x", required=True, metavar="COLUMN", help="the column X")
    parser.add_argument("--y", required=True, metavar="COLUMN", help="the column Y")
    parser.add_argument(
        "--score", choices=list(map(str, ScoreName)), default="hsic", help="of dependence (hsic)"
    )
    privacy = parser.add_argument_group("privacy")
    privacy.add_argument(
        "--protect",
        choices=list(map(str, Protect)),
        default="test",
        help="the rows that are protected (test)",
    )
    privacy.add_argument("--epsilon", type=_exact, help="total ε of all that is printed")
    privacy.add_argument(
        "--delta",
        type=option.share,
        help="total δ; needed by iqr, and by spearman and kendall where training rows are "
        "protected; otherwise it is spent on nothing, and the tight ε is given at it",
    )
    for axis in "xy":
        privacy.add_argument(
            f"--{axis}-range",
            nargs=2,
            type=_finite,
            metavar=("LO", "HI"),
            help=f"bounds of {axis.upper()} known beforehand; needed where training rows are "
            "protected; rows outside are clipped",
        )
    how = parser.add_argument_group("how")
    how.add_argument(
        "--lam",
        type=option.positive,
        default=LAMBDA,
        help=f"λ of the regressions ({LAMBDA:g}); a larger one is smoother, and makes the privacy "
        "of training rows cheaper",
    )
    how.add_argument(
        "--seed",
        type=option.whole(0),
        help="of split and noise, for tests (default: fresh randomness); a seed that is known to "
        "others voids the privacy, so it is never printed",
    )
    how.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Answer for one pair; return the exit status."""
    score, protect = ScoreName(options.score), Protect(options.protect)
    _check(options, score, protect)
    columns = load_columns(options.file, [options.x, options.y])
    if options.seed is not None and protect is not Protect.NONE:
        print(SEED_WARNING, file=sys.stderr)
    answer = discover_pair(
        columns[options.x],
        columns[options.y],
        score=score,
        protect=protect,
        epsilon=options.epsilon,
        delta=options.delta,
        x_range=options.x_range and tuple(options.x_range),
        y_range=options.y_range and tuple(options.y_range),
        lam=options.lam,
        rng=np.random.default_rng(options.seed),
    )
    asked = Asked(
        x=options.x,
        y=options.y,
        score=score,
        protect=protect,
        epsilon=options.epsilon,
        delta=options.delta,
        lam=options.lam,
        seeded=options.seed is not None,
    )
    document = answer_to_json(answer, asked)
    if options.json:
        show_json(document)
    else:
        print("\n".join(answer_words(document)))
    return AS_EXPECTED


def _exact(text: str) -> Fraction:
    """Return a number above 0 as the fraction that is written, which a float would round."""
    option.positive(text)
    return Fraction(text)


def _check(options: argparse.Namespace, score: ScoreName, protect: Protect) -> None:
    """Refuse what the pair's data are not needed to refuse, in terms of the options."""
    for name, bounds in (("--x-range", options.x_range), ("--y-range", options.y_range)):
        if bounds is not None and not bounds[0] < bounds[1]:
            raise UsageError(f"{name} {bounds[0]:g} {bounds[1]:g}: LO must be below HI")
        if bounds is None and protect in (Protect.TRAINING, Protect.BOTH):
            raise UsageError(
                f"{name}: needed with --protect {protect}: bounds computed from the data would "
                "leak training rows; give bounds known beforehand"
            )
    if protect is Protect.NONE:
        return
    if options.epsilon is None:
        raise UsageError(f"--epsilon: needed with --protect {protect}: the total ε to spend")
    if plan_for(score, protect).tests and options.delta is None:
        raise UsageError(
            f"--delta: needed with --score {score} --protect {protect}, whose scores are told "
            "only after a test, for which ε alone does not suffice; give one far below 1/rows"
        )
