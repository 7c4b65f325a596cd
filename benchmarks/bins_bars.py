"""Numeric columns in bins: cut evenly, by noisy histograms, and by quantiles that are known.

``python -m benchmarks.bins_bars`` prints F1 of the skeleton by noisy tables, averages over graphs
of linear models whose columns are normal or skewed. Exit 1 where the histograms lose more than a
tenth to even width anywhere, or do not gain three tenths on skewed columns.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from provado.mechanisms.graph_discovery.methods.tables import discover_from_tables
from provado.mechanisms.graph_discovery.noisy_tables.plan import CellNoise, plan_tables
from provado.mechanisms.graph_discovery.noisy_tables.release import cut_by_quantiles, plan_bins
from provado.mechanisms.graph_discovery.tables.coded import binned
from provado.mechanisms.graph_discovery.tables.numeric import NumericTable, numeric_columns
from provado.reports.commands.reproduce.sources.networks import skeleton_f1

COLUMNS, PARENTS, GRAPHS, DELTA = 8, 1.6, 6, 1e-6
CUTS = ("even width", "histograms", "quantiles known")
QUIET = CellNoise("laplace", Fraction(1, 200))
"""No noise is ever drawn."""
MOST_LOST, LEAST_WON = 0.1, 0.3


@dataclass(frozen=True)
class Kind:
    """Columns exp(skew·x), or x where skew is 0; ranges of as many deviations of x, widened."""

    words: str
    skew: float
    widened: float


KINDS = (
    Kind("normal, ±4 standard deviations", 0, 1),
    Kind("normal, ±12 standard deviations", 0, 3),
    Kind("exponentiated normal", 1, 1),
    Kind("exponentiated twice normal", 2, 1),
)
PLACES = ((100_000, 0.3), (100_000, 1.0), (100_000, 3.0), (10_000, 1.0))


def sample(kind: Kind, n: int, rng: np.random.Generator) -> tuple[np.ndarray, NumericTable]:
    """Return the skeleton of a random graph, and columns of a linear model on it."""
    graph = np.triu(rng.random((COLUMNS, COLUMNS)) < PARENTS / (COLUMNS - 1), 1)
    columns = np.zeros((COLUMNS, n))
    for y in range(COLUMNS):
        columns[y] = rng.normal(size=n)
        for x in np.flatnonzero(graph[:, y]):
            columns[y] += rng.choice([-1, 1]) * rng.uniform(0.6, 1.2) * columns[x]
        columns[y] /= columns[y].std()
    high = (np.exp(4 * kind.skew) if kind.skew else 4.0) * kind.widened
    low = 0.0 if kind.skew else -high
    shown = np.exp(kind.skew * columns) if kind.skew else columns
    named = {f"v{i}": column for i, column in enumerate(shown)}
    return graph | graph.T, numeric_columns(named, ranges=dict.fromkeys(named, (low, high)))


def score(kind: Kind, n: int, epsilon: float, cut: str, seed: int) -> float:
    """Return F1 of one graph."""
    rng = np.random.default_rng([seed, n])
    true, numbers = sample(kind, n, rng)
    paid = cut == "histograms"
    budget = {"epsilon": epsilon, "delta": DELTA}
    bins = plan_bins(n, (), COLUMNS, **budget, quantiles=paid)
    plan = plan_tables(n, (bins,) * COLUMNS, **budget, margins=COLUMNS if paid else 0)
    if cut == "even width":
        data = binned(numbers, bins)
    else:
        data = cut_by_quantiles(numbers, bins, plan.margin or QUIET, rng).table
    return skeleton_f1(discover_from_tables(data, plan=plan, rng=rng).skeleton, true)


def main() -> int:
    """Print a row for each kind of columns; exit 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=GRAPHS)
    graphs = parser.parse_args().graphs
    print("| columns and ranges | rows, ε | " + " | ".join(CUTS) + " |")
    fine = True
    for kind in KINDS:
        for n, epsilon in PLACES:
            means = [
                float(np.mean([score(kind, n, epsilon, cut, seed) for seed in range(graphs)]))
                for cut in CUTS
            ]
            shown = " | ".join(f"{mean:.2f}" for mean in means)
            print(f"| {kind.words} | {n:,}, {epsilon:g} | {shown} |", flush=True)
            won = means[1] - means[0]
            fine &= won >= (LEAST_WON if kind.skew else -MOST_LOST)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
