"""EM-PC on few columns as a mechanism: rounds are finite choices, their distribution a sum."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.graph_discovery.methods.deletion_choice import (
    choice_probabilities,
    counts_proved,
    counts_released,
)
from provado.mechanisms.graph_discovery.methods.deletion_utility import (
    Deletion,
    GreedyUtility,
    ProvedUtility,
)
from provado.mechanisms.graph_discovery.methods.em_pc import Utility
from provado.mechanisms.graph_discovery.search.cpdag import orient
from provado.mechanisms.graph_discovery.search.search_tree import MOST_COLUMNS, Asked, graph_code
from provado.mechanisms.graph_discovery.search.skeleton import Skeleton

from .as_mechanism import coded_records
from .graph_distribution import Distribution, RunsByDistribution


@dataclass(frozen=True)
class _Course:
    """What a run has done so far: the deletions with the sets that separate, and its rounds."""

    gone: frozenset[Asked] = frozenset()
    rounds: int = 0

    def adjacency(self, d: int) -> NDArray[np.bool_]:
        adjacent = ~np.eye(d, dtype=bool)
        for x, y, _ in self.gone:
            adjacent[x, y] = adjacent[y, x] = False
        return adjacent

    def without(self, x: int, chosen: tuple[Deletion, ...]) -> _Course:
        gone = {(min(x, c.y), max(x, c.y), c.given) for c in chosen}
        return _Course(self.gone | gone, self.rounds + 1)

    def graph(self, d: int) -> int:
        separating = {(x, y): given for x, y, given in self.gone}
        return graph_code(orient(Skeleton(self.adjacency(d), separating, 0)))


def em_pc_runs(
    records: ArrayLike,
    *,
    repaired: bool,
    alpha: float,
    epsilon: float,
    max_order: int,
    rounds: int | None = None,
    levels: int = 2,
) -> RunsByDistribution:
    """Return the runs of EM-PC on records of 2 or 3 columns, ``repaired`` or as released.

    records, levels: as of ``coded_records``. Others, and errors, as of ``em_pc_repaired`` and
    ``em_pc_released``; ``rounds`` of ``None`` sets no bound.
    """
    table = coded_records(records, levels)
    d = len(table.names)
    if not 2 <= d <= MOST_COLUMNS:
        raise UsageError(f"records have {d} columns: all courses are listed for 2 to 3")
    utility: Utility = (ProvedUtility if repaired else GreedyUtility)(table, alpha=alpha)
    counts = counts_proved if repaired else counts_released

    def turn(course: _Course, x: int, order: int) -> list[tuple[_Course, float]]:
        """Return where the turn of node ``x`` at ``order`` leads, and how likely that is."""
        near = np.flatnonzero(course.adjacency(d)[x]).tolist()
        if course.rounds == rounds or len(near) <= order:
            return [(course, 1.0)]
        deletions, _ = utility.deletions(x, near, order)
        if not deletions:
            return [(course, 1.0)]
        choices = choice_probabilities(deletions, counts, epsilon=epsilon)
        return [(course.without(x, chosen), share) for chosen, share in choices.items()]

    courses = {_Course(): 1.0}
    for order, x in product(range(max_order + 1), range(d)):
        moved: dict[_Course, float] = {}
        for course, chance in courses.items():
            for then, share in turn(course, x, order):
                moved[then] = moved.get(then, 0.0) + chance * share
        courses = moved
    distribution: Distribution = {}
    for course, chance in courses.items():
        code = course.graph(d)
        distribution[code] = distribution.get(code, 0.0) + chance
    return RunsByDistribution(distribution)
