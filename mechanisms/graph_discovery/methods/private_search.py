"""PC answered by rounds of a sparse vector, and what the run charges.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
Algorithm 2. The orientation of edges reads only what the tests answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.accounting.tight import Part
from provado.mechanisms.graph_discovery.search.cpdag import Graph, orient
from provado.mechanisms.graph_discovery.search.skeleton import (
    Skeleton,
    find_skeleton,
    largest_order,
)
from provado.mechanisms.graph_discovery.search.work import Stop, Work
from provado.mechanisms.graph_discovery.tables.coded import CodedTable

from .budget import Spent
from .rounds import Answer, Noise, Questions, Rounds


@dataclass(frozen=True, eq=False)
class PrivatelyDiscovered:
    """What a private discovery found and what it charges.

    names: of the vertices. skeleton: shape (d, d), symmetric. cpdag: shape (d, d), see ``Graph``.
    separating: the separating set of each separated pair (i, j), i < j. tests: how many were asked.
    answers: the tests that passed; each ended a round. spent: what is charged.
    stopped: what ran out, where something did.
    """

    names: tuple[str, ...]
    skeleton: NDArray[np.bool_]
    cpdag: Graph
    separating: Mapping[tuple[int, int], tuple[int, ...]]
    tests: int
    answers: tuple[Answer, ...]
    spent: Spent
    stopped: Stop | None = None

    @property
    def complete(self) -> bool:
        """Whether the search came to its end; if not, it is the answer so far."""
        return self.stopped is None


def run_rounds(
    data: CodedTable,
    asked: Questions,
    noise: Noise,
    rng: np.random.Generator,
    *,
    parts: tuple[Part, ...],
    epsilon: float,
    max_order: int | None = None,
    rounds: int | None = None,
    **work: Unpack[Work],
) -> PrivatelyDiscovered:
    """Return what PC finds by noisy margins that may come from anywhere.

    data: gives names and n only. parts, epsilon: what one round is made of, and its ε. rounds: the
    most there may be, all charged; ``None`` charges the answers that were given, as printed.
    work: see ``Work``.

    As in the released code an edge that goes is gone for the tests that follow at once.
    """
    order = largest_order(data.n, len(data.names)) if max_order is None else max_order
    tests = Rounds(asked, noise, rng, limit=rounds)
    found = find_skeleton(len(data.names), tests, max_order=order, stable=False, **work)
    charged = len(tests.answers) if rounds is None else rounds
    return with_directions(data.names, found, tests.answers, Spent(charged, epsilon, parts))


def with_directions(
    names: tuple[str, ...], found: Skeleton, answers: Sequence[Answer], spent: Spent
) -> PrivatelyDiscovered:
    """Return what a private search found, its edges directed by ``found`` alone."""
    return PrivatelyDiscovered(
        names=names,
        skeleton=found.adjacency,
        cpdag=orient(found),
        separating=found.separating,
        tests=found.tests,
        answers=tuple(answers),
        spent=spent,
        stopped=found.stopped,
    )
