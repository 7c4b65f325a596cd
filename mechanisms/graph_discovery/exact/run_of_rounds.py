"""PC by rounds of a sparse vector on few columns: many runs at once, and their exact distribution.

On fixed records, without subsampling, a run depends on the data only through the distribution of
one margin for each test. So these are computed once, and a run is Laplace draws and a walk down the
tree of courses. ``rounds.Rounds`` is the one that runs on any data, one run at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions.parameters import natural
from provado.mechanisms.graph_discovery.methods.rounds import Noise
from provado.mechanisms.graph_discovery.search.search_tree import Asked, Step
from provado.mechanisms.noise.quadrature import laplace_below, laplace_density, line_nodes

from .graph_distribution import Distribution, Graphs


@dataclass(frozen=True, eq=False)
class Margins:
    """The distribution of a test's margin: its values, and the probability of each."""

    values: NDArray[np.float64]
    masses: NDArray[np.float64]

    def draw(self, size: int, rng: np.random.Generator) -> NDArray[np.float64] | np.float64:
        """Return ``size`` independent margins, or the only one that there is."""
        if self.values.size == 1:
            return np.float64(self.values[0])
        return rng.choice(self.values, size=size, p=self.masses)

    def noisy_below(self, x: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
        """Return Pr[margin + Lap(scale) < x]."""
        total = np.zeros_like(x)
        for value, mass in zip(self.values.tolist(), self.masses.tolist(), strict=True):
            total += mass * laplace_below(x - value, scale)
        return total


def point_mass(margin: float) -> Margins:
    """Return the distribution of a margin that depends on nothing but the records."""
    return Margins(np.array([margin]), np.ones(1))


@dataclass(frozen=True, eq=False)
class RunOfRounds:
    """All that a run depends on.

    start: the tree of courses. sieve, whole: the distribution of each test's margin above its
    threshold, in the sieve and in the examination. noise: scales, in the margins' unit. limit: the
    most rounds; ``None`` sets no bound.
    """

    start: Step
    sieve: Mapping[Asked, Margins]
    whole: Mapping[Asked, Margins]
    noise: Noise
    limit: int | None

    def draw(self, size: int, rng: np.random.Generator) -> Graphs:
        """Return ``size`` independent graphs. Raises ``UsageError`` for a size below 1."""
        trials = np.arange(natural(size, "size"))
        graphs = np.zeros(trials.size, dtype=np.int16)
        level = rng.laplace(scale=self.noise.threshold, size=trials.size)
        answers = np.zeros(trials.size, dtype=np.int16)

        def walk(step: Step, trials: NDArray[np.intp]) -> None:
            """Go on with ``trials``, which have come to ``step``."""
            if self.limit is not None:
                done = answers[trials] >= self.limit
                graphs[trials[done]] = step.graph
                trials = trials[~done]
            if step.asked is None or not trials.size:
                graphs[trials] = step.graph
                return
            asked, kept, deleted = step.branches()
            margin = self.sieve[asked].draw(trials.size, rng)
            gone = margin + rng.laplace(scale=self.noise.query, size=trials.size) >= level[trials]
            passed = trials[gone]
            answers[passed] += 1
            level[passed] = rng.laplace(scale=self.noise.threshold, size=passed.size)
            if self.noise.examination is not None:
                exam = rng.laplace(scale=self.noise.examination, size=passed.size)
                gone[gone] = self.whole[asked].draw(passed.size, rng) + exam >= 0
            walk(kept, trials[~gone])
            walk(deleted, trials[gone])

        walk(self.start, trials)
        return graphs

    def distribution(self) -> Distribution:
        """Return the probability of each graph, by quadrature near rounding error."""
        finite = [m.values[np.isfinite(m.values)] for m in self.sieve.values()]
        scales = self.noise.threshold, self.noise.query
        breaks = np.concatenate([np.zeros(1), *finite])
        nodes, weights = line_nodes(breaks, width=min(scales), tail=scales[0])
        fresh = weights * laplace_density(nodes, self.noise.threshold)
        below = {a: m.noisy_below(nodes, self.noise.query) for a, m in self.sieve.items()}
        distribution: Distribution = {}

        def weigh(step: Step, weight: NDArray[np.float64], answers: int) -> None:
            """Go on with a probability that is spread over this round's noisy threshold."""
            if step.asked is None or answers == self.limit:
                distribution[step.graph] = distribution.get(step.graph, 0.0) + float(weight.sum())
                return
            asked, kept, deleted = step.branches()
            passed = float(weight @ (1 - below[asked]))
            stays = self._stays(asked)
            weigh(kept, weight * below[asked], answers)
            if stays:
                weigh(kept, passed * stays * fresh, answers + 1)
            weigh(deleted, passed * (1 - stays) * fresh, answers + 1)

        weigh(self.start, fresh, 0)
        return distribution

    def _stays(self, asked: Asked) -> float:
        """Return how likely an edge that passed the sieve fails the examination."""
        scale = self.noise.examination
        if scale is None:
            return 0.0
        return float(self.whole[asked].noisy_below(np.zeros(1), scale)[0])
