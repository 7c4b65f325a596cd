"""``provado discover``: causes among columns, told within a privacy budget."""

from __future__ import annotations

import argparse
import re
from fractions import Fraction
from pathlib import Path

from provado.audit.options import domains
from provado.mechanisms.cause_effect.additive_noise_model import LAMBDA
from provado.mechanisms.cause_effect.margins import SCORES
from provado.mechanisms.cause_effect.pair_budget import Protect
from provado.reports.commands.discover.graph_options import add_graph_options, is_pair, method_names
from provado.reports.commands.discover.graph_run import run_graph
from provado.reports.commands.discover.pair import SEED_WARNING, run_pair
from provado.reports.targets.argument_parser import Parser

__all__ = ["SEED_WARNING", "add", "run"]

HELP = "find causes among the columns of a table, within a privacy budget"


def add(subparsers: argparse._SubParsersAction[Parser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "discover",
        help=HELP,
        description="Finds the causal graph of all columns (or --columns), by noisy tables unless "
        "--method names another way. With --x and --y, finds which of two columns causes the "
        "other by the additive noise model: both directions are fitted on a random half of the "
        "rows and scored on the other; the smaller score wins.",
        allow_abbrev=False,
    )
    # As it stands, argparse takes -1e3 for an option, not for a number.
    parser._negative_number_matcher = re.compile(r"-\.?\d")
    parser.set_defaults(run=run)
    parser.add_argument("file", type=Path, metavar="data.csv", help="a .csv or .parquet table")
    parser.add_argument(
        "--method",
        choices=method_names(),
        metavar="METHOD",
        help=f"one of {', '.join(method_names())} (tables); pc-numeric, pcd and dphsic-pc take "
        "numeric columns, the others discrete ones; anm is that of a pair",
    )
    privacy = parser.add_argument_group("privacy")
    privacy.add_argument("--epsilon", type=_exact, help="total ε of everything that is released")
    privacy.add_argument(
        "--delta",
        type=domains.share,
        help="total δ. Graphs: with it the same ε releases more. Pairs: needed by iqr, and "
        "by spearman and kendall where training rows are protected; otherwise it is spent on "
        "nothing, and the tight ε is given at it",
    )
    pair = parser.add_argument_group("pairs")
    pair.add_argument("--x", metavar="COLUMN", help="the column X")
    pair.add_argument("--y", metavar="COLUMN", help="the column Y")
    pair.add_argument("--score", choices=list(SCORES), help="of dependence (hsic)")
    pair.add_argument(
        "--protect", choices=list(map(str, Protect)), help="the rows that are protected (test)"
    )
    for axis in "xy":
        pair.add_argument(
            f"--{axis}-range",
            nargs=2,
            type=domains.finite,
            metavar=("LO", "HI"),
            help=f"bounds of {axis.upper()} known beforehand; needed where training rows are "
            "protected; rows outside are clipped",
        )
    add_graph_options(parser)
    how = parser.add_argument_group("how")
    how.add_argument(
        "--lam",
        type=domains.positive,
        help=f"λ of the regressions (a pair {LAMBDA:g}, numeric graphs 1); a larger one is "
        "smoother, and makes privacy cheaper",
    )
    how.add_argument(
        "--seed",
        type=domains.seed,
        help="of split and noise, for tests (default: fresh randomness); a seed that is known to "
        "others voids the privacy, so it is never printed",
    )
    how.add_argument("--json", action="store_true", help="print JSON")
    parser.shorten(
        "file method epsilon delta x y score columns levels ranges out json",
        "provado discover people.csv --epsilon 1 --delta 1e-6",
        "provado discover people.csv --method pc --out graph",
        "provado discover people.csv --x age --y income --epsilon 1",
    )


def run(options: argparse.Namespace) -> int:
    """Answer for a pair or a graph; return the exit status."""
    return run_pair(options) if is_pair(options) else run_graph(options)


def _exact(text: str) -> Fraction:
    """Return a number above 0 as the fraction that is written, which a float would round."""
    domains.positive(text)
    return Fraction(text)
