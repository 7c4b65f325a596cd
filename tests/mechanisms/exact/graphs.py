"""The distributions of discovered graphs on fixed records, and the exact ε of pairs."""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.graph_discovery.exact.graph_distribution import (
    Margins,
    Method,
    RunOfRounds,
    RunsByDistribution,
)
from provado.mechanisms.graph_discovery.search.search_tree import Asked, SearchStep
from provado.mechanisms.noise.quadrature import laplace_below, laplace_density, line_nodes


def distribution(runs: RunOfRounds | RunsByDistribution) -> dict[int, float]:
    """Return the probability of each graph; of rounds by quadrature near rounding error."""
    if isinstance(runs, RunsByDistribution):
        return dict(runs.known)
    assert isinstance(runs, RunOfRounds)
    finite = [m.values[np.isfinite(m.values)] for m in runs.sieve.values()]
    scales = runs.noise.threshold, runs.noise.query
    breaks = np.concatenate([np.zeros(1), *finite])
    nodes, weights = line_nodes(breaks, width=min(scales), tail=scales[0])
    fresh = weights * laplace_density(nodes, runs.noise.threshold)
    below = {a: noisy_below(m, nodes, runs.noise.query) for a, m in runs.sieve.items()}
    found: dict[int, float] = {}

    def weigh(step: SearchStep, weight: NDArray[np.float64], answers: int) -> None:
        """Go on with a probability that is spread over this round's noisy threshold."""
        if step.asked is None or answers == runs.limit:
            found[step.graph] = found.get(step.graph, 0.0) + float(weight.sum())
            return
        asked, kept, deleted = step.branches()
        passed = float(weight @ (1 - below[asked]))
        stays = _stays(runs, asked)
        weigh(kept, weight * below[asked], answers)
        if stays:
            weigh(kept, passed * stays * fresh, answers + 1)
        weigh(deleted, passed * (1 - stays) * fresh, answers + 1)

    weigh(runs.start, fresh, 0)
    return found


def _stays(runs: RunOfRounds, asked: Asked) -> float:
    """Return how likely an edge that passed the sieve fails the examination."""
    scale = runs.noise.examination
    return 0.0 if scale is None else float(noisy_below(runs.whole[asked], np.zeros(1), scale)[0])


def noisy_below(margins: Margins, x: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """Return Pr[margin + Lap(scale) < x]."""
    total = np.zeros_like(x)
    for value, mass in zip(margins.values.tolist(), margins.masses.tolist(), strict=True):
        total += mass * laplace_below(x - value, scale)
    return total


def loss(first: Mapping[int, float], second: Mapping[int, float]) -> float:
    """Return the smallest ε so that neither distribution exceeds e^ε times the other anywhere.

    ∞ where one of them gives a graph that the other does not.
    """
    worst = 0.0
    for graph in first.keys() | second.keys():
        p, q = first.get(graph, 0.0), second.get(graph, 0.0)
        if max(p, q) > 0:
            worst = max(worst, abs(math.log(p / q)) if min(p, q) > 0 else math.inf)
    return worst


def pair_epsilon(pair: tuple[ArrayLike, ArrayLike], method: Method) -> float:
    """Return the exact smallest ε of a pair of neighbors, from the distributions of the graph."""
    return loss(*(distribution(method(records)) for records in pair))
