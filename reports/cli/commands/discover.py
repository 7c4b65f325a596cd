"""``provado discover``: causes among columns, released within a privacy budget."""

import argparse
import re
from fractions import Fraction
from pathlib import Path

from provado.audit.options import domains
from provado.audit.options.declaration import HOW, Place, named, placed
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

HELP = "find causes among the columns of a table, under a privacy budget"
DESCRIPTION = (
    "Finds the causal graph of all columns, or of --columns. The default method releases noisy "
    "tables; --method chooses another. With --x and --y, finds which of two columns causes the "
    "other: it fits an additive noise model in both directions on a random half of the rows and "
    "scores both on the other half; the smaller score is the more likely direction."
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
        "total δ of everything that is released. For graphs, a δ > 0 means less noise at the same "
        "ε. For pairs, --score iqr needs it, and so do spearman and kendall if training rows are "
        "protected; other scores print the exact ε at that δ",
    ),
)
PAIR_OPTIONS = placed(
    Place("pairs", ()),
    ("x", _COLUMN, "the column X"),
    ("y", _COLUMN, "the column Y"),
    ("score", choice(*SCORES), "the dependence score (default: hsic)"),
    ("protect", choice(*map(str, Protect)), "the rows that are protected (default: test)"),
    *(
        (
            f"{axis}_range",
            _BOUNDS,
            f"bounds of {axis.upper()} known beforehand, required if training rows are protected; "
            "values outside are clipped",
        )
        for axis in "xy"
    ),
)
GRAPH_OPTIONS = placed(
    Place("graphs", ()),
    (
        "columns",
        OptionDomain(parse={"nargs": "+", "metavar": "COLUMN"}),
        "the columns that make up the graph (default: all)",
    ),
    (
        "version",
        choice("repaired", "released", "printed"),
        "version of a private method (default: repaired); the cost that the published versions "
        "state does not hold",
    ),
    (
        "levels",
        domains.file.typed(metavar="levels.json"),
        'file of the levels of discrete columns, known beforehand: {"column": ["a", "b"]}, or '
        '{"column": {"ordered": ["low", "high"]}} if the order matters, for rank tests (default: '
        "the levels in the data, which are then not protected)",
    ),
    (
        "ranges",
        domains.file.typed(metavar="ranges.json"),
        'file of the ranges of numeric columns, known beforehand: {"column": [0, 10]}; values '
        "outside are clipped; --method tables cuts these columns into bins (default: the ranges in "
        "the data, which are then not protected)",
    ),
    (
        "bins",
        choice(*CUTS),
        "with tables: how to cut numeric columns into bins. quantiles (default): bins with about "
        "equally many records, from a noisy histogram that costs a tenth of the budget; width: "
        "bins of equal width, at no cost",
    ),
    (
        "rounds",
        whole(1),
        "number of rounds that share the budget; the search ends after them (default: the number "
        "of pairs of columns; priv-pc twice that; em-pc the columns times the orders; at most "
        "1,000)",
    ),
    (
        "redraws",
        whole(0),
        "with tables: how often to draw the released tables again, to show how stable each edge is "
        "(default: 20); this costs no privacy",
    ),
    (
        "sure",
        domains.positive.typed(metavar="SHARE"),
        "with tables: the share from which a direction is shown as an arrow, above 0.5 and at "
        "most 1 (default: 0.8); other edges are plain lines",
    ),
    (
        "test",
        choice(*(test.value for test in Test), "rcit"),
        "with --method pc: g (default) or chi2 for levels without an order; kendall or spearman "
        "for columns whose levels --levels declares as ordered, with g for all other pairs; rcit "
        "for numeric columns",
    ),
    (
        "alpha",
        domains.share,
        "level of the tests (default: 0.1; pc 0.01; numeric methods 0.05; tables 0.01 divided by "
        "the number of pairs)",
    ),
    (
        "tweak",
        domains.small_share,
        "width of the sieve of priv-pc (default: 0.02), or of the band of curate as released "
        "(default: 0.005)",
    ),
    ("threshold", domains.share, "threshold T of priv-pc in its printed version"),
    ("max_order", whole(0), "size of the largest sets of columns that tests condition on"),
    (
        "max_tests",
        whole(1).typed(metavar="N"),
        "end the search after N tests with an answer that is marked as incomplete",
    ),
    (
        "seconds",
        domains.seconds.typed(metavar="S"),
        "end the search after S seconds with an answer that is marked as incomplete. A private "
        "search does not use the clock, as that would depend on the data: S is converted to a "
        "number of tests first, by timing tests on made-up columns",
    ),
    (
        "bandwidth",
        domains.positive,
        "bandwidth of the kernels for numeric columns, which are scaled to [-1, 1] (default: 1; "
        "pc: the median distance)",
    ),
    (
        "permutations",
        whole(1),
        "number of permutations in a test of numeric columns (default: 100; dphsic-pc 199)",
    ),
    ("out", domains.folder, "write graph.html, .svg, .graphml and .json to DIR"),
    ("anonymous", domains.flag, named("anonymous").help),
    ("verbose", domains.flag, "print the answer of each round"),
    ("progress", domains.flag, "print progress on standard error also when it is not a terminal"),
)
HOW_OPTIONS = placed(
    Place(HOW, ()),
    (
        "lam",
        domains.positive,
        f"λ of the regressions (default: {LAMBDA:g} for a pair, 1 for numeric graphs); a larger λ "
        "gives smoother functions that need less noise",
    ),
    (
        "seed",
        domains.seed,
        "seed of the split and the noise, for tests only (default: fresh randomness); a seed that "
        "others know voids the privacy, so it is never printed",
    ),
    ("json", domains.flag, "print JSON"),
)

OPTIONS = (*BUDGET_OPTIONS, *PAIR_OPTIONS, *GRAPH_OPTIONS, *HOW_OPTIONS)


def add(parser: Parser) -> None:
    """Add the arguments of the command."""
    # As it stands, argparse takes -1e3 for an option, not for a number.
    parser._negative_number_matcher = re.compile(r"-\.?\d")
    parser.add_argument("file", type=Path, metavar="data.csv", help="a table (.csv or .parquet)")
    parser.add_argument(
        "--method",
        choices=method_names(),
        metavar="METHOD",
        help=f"one of {', '.join(method_names())} (default: tables); pc-numeric, pcd and dphsic-pc "
        "take numeric columns, the others discrete ones; anm is the method for --x and --y",
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
