"""Searches by all the tests on one table, and what follows from many of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.graph_discovery.tables.numeric import NumericTable
from provado.reports.commands.reproduce.findings import Cell, Curve, Panel
from provado.reports.commands.reproduce.sources.skeleton_f1 import precision_and_recall, skeleton_f1

from ._tests import EPSILONS, INFINITE, LOOKS, TESTS, asked_of

GRID = (*EPSILONS, math.inf)
MEASURES = ("precision", "recall", "f1")

Means = Mapping[tuple[str, str], NDArray[np.float64]]
"""By test and measure the mean over repetitions at each ε, then without privacy."""


def searched(
    data: NumericTable,
    ranks: Sequence[NDArray[np.float64]],
    true: ArrayLike,
    rng: np.random.Generator,
    order: int,
) -> dict[str, dict[str, list[float]]]:
    """Return precision, recall and F1 of the skeleton by test, at each ε and without privacy.

    ranks: see ``asked_of``. order: of the largest conditioning sets.
    """
    found: dict[str, dict[str, list[float]]] = {}
    for test, asked in asked_of(data, ranks, rng).items():
        graphs = [asked.skeleton(data.names, epsilon, rng, order) for epsilon in GRID]
        both = [precision_and_recall(graph, true) for graph in graphs]
        found[test] = {
            "precision": [one[0] for one in both],
            "recall": [one[1] for one in both],
            "f1": [skeleton_f1(graph, true) for graph in graphs],
        }
    return found


def mean_of(results: Sequence[Mapping[str, Mapping[str, Sequence[float]]]]) -> Means:
    """Return the means over the results of ``searched``."""
    return {
        (test, measure): np.mean([one[test][measure] for one in results], axis=0)
        for test in TESTS
        for measure in MEASURES
    }


def panel(title: str, measure: str, means: Means) -> Panel:
    """Return a measure of all tests against ε."""
    curves = []
    for test in TESTS:
        color, dashed = LOOKS[test]
        y = tuple(means[test, measure].tolist())
        curves.append(Curve(test, (*EPSILONS, INFINITE), y, color=color, dashed=dashed))
    where = f"ε; without privacy at {INFINITE:g}"
    return Panel(title, where, measure, tuple(curves), log_x=True, limits=(-0.03, 1.03))


def cells(means: Means, test: str) -> tuple[Cell, ...]:
    """Return precision, recall and F1 at ε = 1, then the same without privacy."""
    one = EPSILONS.index(1.0)
    return (
        *(float(means[test, measure][one]) for measure in MEASURES),
        *(float(means[test, measure][-1]) for measure in MEASURES),
    )


HEAD = ("precision, ε = 1", "recall", "F1", "precision, ∞", "recall", "F1")
"""Of ``cells``."""
