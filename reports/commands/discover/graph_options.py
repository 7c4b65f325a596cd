"""Options of ``provado discover`` that only graphs have, or only pairs."""

import argparse
from pathlib import Path

from provado.audit.options import domains
from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.methods.method import methods
from provado.mechanisms.graph_discovery.methods.pc import Test
from provado.mechanisms.graph_discovery.noisy_tables.release import CUTS

PAIR_METHOD = "anm"

DEFAULT_METHOD = "tables"
"""Of a graph, where a budget is given."""

_PAIR = ("x", "y", "score", "protect", "x_range", "y_range")


def add_graph_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that only graphs have."""
    graph = parser.add_argument_group("graphs")
    graph.add_argument("--columns", nargs="+", metavar="COLUMN", help="the vertices (all columns)")
    graph.add_argument(
        "--version",
        choices=("repaired", "released", "printed"),
        help="of a private method (repaired); the cost that the published ones state is no "
        "guarantee",
    )
    graph.add_argument(
        "--levels",
        type=Path,
        metavar="levels.json",
        help='levels of discrete columns known beforehand: {"column": ["a", "b"]}, or {"column": '
        '{"ordered": ["low", "high"]}} where their order has a meaning, for rank tests; without, '
        "those in the file, which are then taken to be known",
    )
    graph.add_argument(
        "--ranges",
        type=Path,
        metavar="ranges.json",
        help='ranges of numeric columns known beforehand: {"column": [0, 10]}; values outside '
        "are clipped; without, those in the file, which are then taken to be known; with tables, "
        "columns that have one are binned, beside discrete ones",
    )
    graph.add_argument(
        "--bins",
        choices=CUTS,
        help="of tables: how numeric columns are cut into bins: by a noisy histogram of each, for "
        "a tenth of the budget, so that bins hold about equally many records (quantiles); or width",
    )
    graph.add_argument(
        "--rounds",
        type=domains.whole(1),
        help="that the budget is shared among, fixed beforehand; the search ends with them "
        "(priv-pc: twice the pairs of columns; em-pc: the columns times the orders; others: the "
        "pairs; at most 1,000)",
    )
    graph.add_argument(
        "--redraws",
        type=domains.whole(0),
        help="of tables: how often what was released is drawn again, to see how often each edge "
        "stands (20); costs no privacy",
    )
    graph.add_argument(
        "--sure",
        type=domains.positive,
        metavar="SHARE",
        help="of tables: how sure a direction must be to be shown as an arrow, above 0.5 and at "
        "most 1 (0.8); others are plain lines",
    )
    graph.add_argument(
        "--test",
        choices=[*(test.value for test in Test), "rcit"],
        help="of --method pc: g (the default) and chi2 for levels without an order; kendall and "
        "spearman rank columns whose levels are ordered: those that --levels declares, where it "
        "declares any, and g tests the other pairs; rcit for numeric columns",
    )
    graph.add_argument(
        "--alpha",
        type=domains.share,
        help="level of the tests (0.1; pc 0.01; numeric 0.05; tables: 0.01 over the pairs)",
    )
    graph.add_argument(
        "--tweak",
        type=domains.small_share,
        help="of the sieve of priv-pc (0.02), or of the band of curate as released (0.005)",
    )
    graph.add_argument("--threshold", type=domains.share, help="T of priv-pc as printed")
    graph.add_argument(
        "--max-order", type=domains.whole(0), help="the largest sets that are conditioned on"
    )
    graph.add_argument(
        "--max-tests",
        type=domains.whole(1),
        metavar="N",
        help="the most tests; the search then ends with the answer so far, which says so",
    )
    graph.add_argument(
        "--seconds",
        type=domains.seconds,
        metavar="S",
        help="the longest that the search goes on, as --max-tests. A private one never looks at "
        "the clock, which would reveal the data: before anything is drawn, tests are timed on "
        "made-up columns of as many rows and levels, and S becomes a number of the dearest of them",
    )
    graph.add_argument(
        "--bandwidth",
        type=domains.positive,
        help="of the kernels of numeric columns, mapped to [-1, 1] (1; pc: median distance)",
    )
    graph.add_argument(
        "--permutations",
        type=domains.whole(1),
        help="of a test of numeric columns (100; dphsic-pc: 199)",
    )
    graph.add_argument(
        "--out", type=Path, metavar="DIR", help="leave graph.html, .svg, .graphml and .json in DIR"
    )
    graph.add_argument("--verbose", action="store_true", help="print what each round answered")
    graph.add_argument(
        "--progress",
        action="store_true",
        help="print on standard error how far the run is (on a terminal it always is)",
    )


def method_names() -> list[str]:
    """Return the names that ``--method`` takes."""
    return [PAIR_METHOD, *dict.fromkeys(method.name for method in methods())]


def is_pair(options: argparse.Namespace) -> bool:
    """Tell whether a pair is asked for, not a graph; fill in the method of a graph.

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
    graph = argparse.ArgumentParser()
    add_graph_options(graph)
    for name in vars(graph.parse_args([])) if pair else _PAIR:
        if getattr(options, name) not in (None, False):
            flag = f"--{name.replace('_', '-')}"
            what = "a pair of columns" if pair else f"--method {options.method}"
            raise UsageError(f"{flag}: it has no meaning for {what}")
    return pair
