"""``provado discover``: causes among columns, released within a privacy budget."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from provado.reports.commands.discover.graph_run import run_graph
from provado.reports.commands.discover.options import OPTIONS, is_pair, method_names
from provado.reports.commands.discover.pair import SEED_WARNING, run_pair
from provado.reports.targets.argument_parser import Parser, add_options

__all__ = ["SEED_WARNING", "add", "run"]

HELP = "find causes among the columns of a table, within a privacy budget"
DESCRIPTION = (
    "Finds the causal graph of all columns (or --columns), by noisy tables unless "
    "--method names another way. With --x and --y, finds which of two columns causes the "
    "other by the additive noise model: both directions are fitted on a random half of the "
    "rows and scored on the other; the smaller score wins."
)


def add(parser: Parser) -> None:
    """Add the arguments of the command."""
    # As it stands, argparse takes -1e3 for an option, not for a number.
    parser._negative_number_matcher = re.compile(r"-\.?\d")
    parser.add_argument("file", type=Path, metavar="data.csv", help="a .csv or .parquet table")
    parser.add_argument(
        "--method",
        choices=method_names(),
        metavar="METHOD",
        help=f"one of {', '.join(method_names())} (tables); pc-numeric, pcd and dphsic-pc take "
        "numeric columns, the others discrete ones; anm is that of a pair",
    )
    add_options(parser, OPTIONS)
    parser.shorten(
        "file method epsilon delta x y score columns levels ranges out json",
        "provado discover people.csv --epsilon 1 --delta 1e-6",
        "provado discover people.csv --method pc --out graph",
        "provado discover people.csv --x age --y income --epsilon 1",
    )


def run(options: argparse.Namespace) -> int:
    """Answer for a pair or a graph; return the exit status."""
    return run_pair(options) if is_pair(options) else run_graph(options)
