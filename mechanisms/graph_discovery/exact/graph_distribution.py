"""The distribution of a discovered graph: how likely each is, and draws from it.

**PC by rounds of a sparse vector on few columns: many runs at once, and their exact distribution.**
On fixed records, without subsampling, a run depends on the data only through the distribution of
one margin for each test. So these are computed once, and a run is Laplace draws and a walk down the
tree of courses. ``rounds.Rounds`` is the one that runs on any data, one run at a time. The exact
distribution of the graph, from which the catalogue's true ε follow, is computed by the tests.

**Whole-graph discovery on few columns as a mechanism: records in, codes of CPDAGs out.**
``priv_pc_runs`` and ``svt_pc_runs`` are the methods of ``priv_pc`` and ``svt_pc`` with the sieve on
all records (m = n, a subset size that the method allows). For EM-PC and PCD see ``pcd_runs``.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import UsageError, integers, natural, positive

from ..independence_tests.margin import Margin, ReleasedMargin
from ..methods.priv_pc import sieve_noise
from ..methods.rounds import RoundNoise, questions, vector_noise
from ..search.search_tree import Asked, SearchStep, search_tree
from ..tables.coded import CodedTable

Graphs = NDArray[np.int16]
"""Codes of CPDAGs, see ``graph_code``; shape (size,)."""


@dataclass(frozen=True)
class RunsByDistribution:
    """Runs drawn from their distribution, where each is a finite choice of known probabilities."""

    known: Mapping[int, float]

    @classmethod
    def of(cls, courses: Iterable[tuple[int, float]]) -> Self:
        """Add up the chances of courses that end in the same graph."""
        known: dict[int, float] = {}
        for graph, chance in courses:
            known[graph] = known.get(graph, 0.0) + chance
        return cls(known)

    def draw(self, size: int, rng: Generator) -> Graphs:
        """Return ``size`` independent graphs. Raises ``UsageError`` for a size below 1."""
        graphs = np.array(list(self.known), dtype=np.int16)
        chances = np.array(list(self.known.values()))
        return rng.choice(graphs, size=natural(size, "size"), p=chances / chances.sum())


@dataclass(frozen=True, eq=False)
class Margins:
    """The distribution of a test's margin: its values, and the probability of each."""

    values: NDArray[np.float64]
    masses: NDArray[np.float64]

    def draw(self, size: int, rng: Generator) -> NDArray[np.float64] | np.float64:
        """Return ``size`` independent margins, or the only one that there is."""
        if self.values.size == 1:
            return np.float64(self.values[0])
        return rng.choice(self.values, size=size, p=self.masses)


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

    start: SearchStep
    sieve: Mapping[Asked, Margins]
    whole: Mapping[Asked, Margins]
    noise: RoundNoise
    limit: int | None

    def draw(self, size: int, rng: Generator) -> Graphs:
        """Return ``size`` independent graphs. Raises ``UsageError`` for a size below 1."""
        trials = np.arange(natural(size, "size"))
        graphs = np.zeros(trials.size, dtype=np.int16)
        level = rng.laplace(scale=self.noise.threshold, size=trials.size)
        answers = np.zeros(trials.size, dtype=np.int16)

        def walk(step: SearchStep, trials: NDArray[np.intp]) -> None:
            """Continue ``trials``, which have come to ``step``."""
            if self.limit is not None:
                done = answers[trials] >= self.limit
                graphs[trials[done]] = step.graph
                trials = trials[~done]
            if step.asked is None or not trials.size:
                graphs[trials] = step.graph
                return
            question, kept, deleted = step.branches()
            margin = self.sieve[question].draw(trials.size, rng)
            gone = margin + rng.laplace(scale=self.noise.query, size=trials.size) >= level[trials]
            passed = trials[gone]
            answers[passed] += 1
            level[passed] = rng.laplace(scale=self.noise.threshold, size=passed.size)
            if self.noise.examination is not None:
                exam = rng.laplace(scale=self.noise.examination, size=passed.size)
                gone[gone] = self.whole[question].draw(passed.size, rng) + exam >= 0
            walk(kept, trials[~gone])
            walk(deleted, trials[gone])

        walk(self.start, trials)
        return graphs


Method = Callable[[ArrayLike], RunOfRounds | RunsByDistribution]
"""From records to the runs of a method on them."""


def draw_graphs(records: ArrayLike, *, method: Method, size: int, rng: Generator) -> Graphs:
    """Return the graphs of ``size`` runs on ``records``, as codes (``graph_code``), shape (size,).

    method: such as ``priv_pc_runs`` with its keywords. Raises ``UsageError`` as the method does and
    for a size below 1.
    """
    return method(records).draw(size, rng)


def priv_pc_runs(
    records: ArrayLike,
    *,
    margin: Margin,
    epsilon: float,
    max_order: int,
    rounds: int | None = None,
    levels: int = 2,
    examined: bool = True,
) -> RunOfRounds:
    """Return the runs of Algorithm 2 of Wang, Pang and Song (2020) on records of 2 or 3 columns.

    records: shape (n, d), whole numbers from 0 to ``levels`` − 1. margin: ``PrintedMargin``,
    ``ReleasedMargin`` or ``ProvedMargin``, which make it that version of ``priv_pc``, with
    subset = n. rounds: the most there may be; ``None`` sets no bound, as printed and released.
    examined: without it, SVT-PC: released for a ``ReleasedMargin``, otherwise repaired.

    Raises ``UsageError`` for arguments out of range.
    """
    table, scale = coded_records(records, levels), positive(epsilon, "epsilon")
    noise = vector_noise(scale, 8 if isinstance(margin, ReleasedMargin) else 4)
    if examined:
        noise = sieve_noise(scale, table.n, table.n)
    start = search_tree(len(table.names), max_order)
    asked = questions(table, margin, table.n)
    # The sieve looks at all records: there is no subset to draw.
    looks = asked.fresh(np.random.default_rng(0)), asked.whole
    sieve, whole = ({test: point_mass(ask(*test)) for test in start.tests()} for ask in looks)
    limit = None if rounds is None else natural(rounds, "rounds")
    return RunOfRounds(start, sieve, whole, noise, limit)


svt_pc_runs = partial(priv_pc_runs, examined=False)
"""Return the runs of SVT-PC; arguments and errors as of ``priv_pc_runs``."""


def coded_records(records: ArrayLike, levels: int = 2) -> CodedTable:
    """Return records of shape (n, d), whole numbers from 0 to ``levels`` − 1, as a coded table.

    Raises ``UsageError`` for anything else.
    """
    table = integers(records, "records")
    if table.ndim != 2 or not table.size:
        raise UsageError(f"records has shape {table.shape}: it must be (n, d)")
    if natural(levels, "levels") < 2 or levels > 1 << 8:
        raise UsageError(f"levels is {levels!r}: it must be from 2 to 256")
    outside = table[(table < 0) | (table >= levels)]
    if outside.size:
        raise UsageError(f"records hold {int(outside[0])}: levels are 0 to {levels - 1}")
    n, d = table.shape
    codes = table.T.astype(np.uint8)
    return CodedTable(tuple(f"v{i}" for i in range(d)), (levels,) * d, codes, None, n)
