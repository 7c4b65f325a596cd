"""``provado discover``: causes among columns, released within a privacy budget."""

import argparse
import re
from fractions import Fraction
from pathlib import Path

from provado.audit.options import domains
from provado.audit.options.declaration import HOW, Place, placed
from provado.audit.options.domains import OptionDomain, choice, whole
from provado.mechanisms import UsageError
from provado.mechanisms.cause_effect.additive_noise_model import LAMBDA
from provado.mechanisms.cause_effect.pair_budget import SCORES, Protect
from provado.mechanisms.graph_discovery.methods.method import methods
from provado.mechanisms.graph_discovery.methods.pc import Test
from provado.mechanisms.graph_discovery.noisy_tables.release import CUTS
from provado.reports.commands.discover.graph_run import run_graph
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

PAIR_METHOD = "anm"

DEFAULT_METHOD = "tables"
"""Of a graph, where a budget is given."""


def exact(text: str) -> Fraction:
    """Return a number above 0 as the fraction that is written, which a float would round."""
    domains.positive(text)
    return Fraction(text)


_COLUMN = OptionDomain(parse={"metavar": "COLUMN"})
_BOUNDS = domains.finite.typed(nargs=2, metavar=("LO", "HI"))

BUDGET_OPTIONS = placed(
    Place("privacy", ()),
    ("epsilon", domains.positive.typed(type=exact), "total ε of everything that is released"),
    (
        "delta",
        domains.share,
        "total δ. Graphs: with it the same ε releases more. Pairs: needed by iqr, and by "
        "spearman and kendall where training rows are protected; otherwise δ is not needed, and "
        "the exact ε at that δ is shown",
    ),
)
PAIR_OPTIONS = placed(
    Place("pairs", ()),
    ("x", _COLUMN, "the column X"),
    ("y", _COLUMN, "the column Y"),
    ("score", choice(*SCORES), "the dependence score (hsic)"),
    ("protect", choice(*map(str, Protect)), "the rows that are protected (test)"),
    *(
        (
            f"{axis}_range",
            _BOUNDS,
            f"bounds of {axis.upper()} known beforehand; needed where training rows are protected; "
            "rows outside are clipped",
        )
        for axis in "xy"
    ),
)
GRAPH_OPTIONS = placed(
    Place("graphs", ()),
    (
        "columns",
        OptionDomain(parse={"nargs": "+", "metavar": "COLUMN"}),
        "the vertices (all columns)",
    ),
    (
        "version",
        choice("repaired", "released", "printed"),
        "of a private method (repaired); the cost that the published ones state is no guarantee",
    ),
    (
        "levels",
        domains.file.typed(metavar="levels.json"),
        'levels of discrete columns known beforehand: {"column": ["a", "b"]}, or {"column": '
        '{"ordered": ["low", "high"]}} where their order has a meaning, for rank tests; without, '
        "those in the file, which the guarantee then does not protect",
    ),
    (
        "ranges",
        domains.file.typed(metavar="ranges.json"),
        'ranges of numeric columns known beforehand: {"column": [0, 10]}; values outside '
        "are clipped; without, those in the file, which the guarantee then does not protect; with "
        "tables, columns that have one are binned, beside discrete ones",
    ),
    (
        "bins",
        choice(*CUTS),
        "of tables: how numeric columns are cut into bins: by a noisy histogram of each, for "
        "a tenth of the budget, so that bins hold about equally many records (quantiles); or width",
    ),
    (
        "rounds",
        whole(1),
        "that the budget is shared among, fixed beforehand; the search ends with them "
        "(priv-pc: twice the pairs of columns; em-pc: the columns times the orders; others: the "
        "pairs; at most 1,000)",
    ),
    (
        "redraws",
        whole(0),
        "of tables: how often what was released is drawn again, to show how stable each edge "
        "is (20); costs no privacy",
    ),
    (
        "sure",
        domains.positive.typed(metavar="SHARE"),
        "of tables: how sure a direction must be to be shown as an arrow, above 0.5 and at "
        "most 1 (0.8); others are plain lines",
    ),
    (
        "test",
        choice(*(test.value for test in Test), "rcit"),
        "of --method pc: g (the default) and chi2 for levels without an order; kendall and "
        "spearman rank columns whose levels are ordered: those that --levels declares, where it "
        "declares any, and g tests the other pairs; rcit for numeric columns",
    ),
    (
        "alpha",
        domains.share,
        "level of the tests (0.1; pc 0.01; numeric 0.05; tables: 0.01 over the pairs)",
    ),
    (
        "tweak",
        domains.small_share,
        "of the sieve of priv-pc (0.02), or of the band of curate as released (0.005)",
    ),
    ("threshold", domains.share, "T of priv-pc as printed"),
    ("max_order", whole(0), "the largest sets that are conditioned on"),
    (
        "max_tests",
        whole(1).typed(metavar="N"),
        "the most tests; the search then ends with the answer so far, which says so",
    ),
    (
        "seconds",
        domains.seconds.typed(metavar="S"),
        "the longest that the search goes on, as --max-tests. A private one never looks at "
        "the clock, which would depend on the data: before anything is drawn, tests are timed on "
        "made-up columns of as many rows and levels, and S becomes a number of the dearest of them",
    ),
    (
        "bandwidth",
        domains.positive,
        "of the kernels of numeric columns, mapped to [-1, 1] (1; pc: median distance)",
    ),
    ("permutations", whole(1), "of a test of numeric columns (100; dphsic-pc: 199)"),
    ("out", domains.folder, "leave graph.html, .svg, .graphml and .json in DIR"),
    ("verbose", domains.flag, "print what each round answered"),
    (
        "progress",
        domains.flag,
        "print on standard error how far the run is (on a terminal it always is)",
    ),
)
HOW_OPTIONS = placed(
    Place(HOW, ()),
    (
        "lam",
        domains.positive,
        f"λ of the regressions (a pair {LAMBDA:g}, numeric graphs 1); a larger one is smoother, "
        "and makes privacy cheaper",
    ),
    (
        "seed",
        domains.seed,
        "of split and noise, for tests (default: fresh randomness); a seed that is known to others "
        "voids the privacy, so it is never printed",
    ),
    ("json", domains.flag, "print JSON"),
)

OPTIONS = (*BUDGET_OPTIONS, *PAIR_OPTIONS, *GRAPH_OPTIONS, *HOW_OPTIONS)


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


def method_names() -> list[str]:
    """Return the names that ``--method`` takes."""
    return [PAIR_METHOD, *dict.fromkeys(method.name for method in methods())]


def is_pair(options: argparse.Namespace) -> bool:
    """Return whether a pair is asked for, not a graph; fill in the method of a graph.

    Raises ``UsageError`` where neither or both are, or an option belongs to the other.
    """
    named = options.x is not None or options.y is not None
    if options.method is None and not named:
        if options.epsilon is None:
            raise UsageError(
                "--epsilon: needed for a graph, or a --method that is not private, such as pc; or "
                "give --x and --y for a pair"
            )
        options.method = DEFAULT_METHOD
    pair = options.method in (None, PAIR_METHOD)
    for option in GRAPH_OPTIONS if pair else PAIR_OPTIONS:
        if getattr(options, option.name) not in (None, False):
            what = "a pair of columns" if pair else f"--method {options.method}"
            raise UsageError(f"--{option.word}: it has no meaning for {what}")
    return pair
