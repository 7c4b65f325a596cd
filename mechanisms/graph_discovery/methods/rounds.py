"""Rounds of a sparse vector inside PC: noisy tests until one passes, then fresh noise.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
Algorithm 2 and section 3.1; Lyu, Su and Li, Understanding the Sparse Vector Technique (2017).

**PC answered by rounds of a sparse vector, and what the run charges.** Source: Wang, Pang and Song,
Towards Practical Differentially Private Causal Graph Discovery (2020), Algorithm 2. The orientation
of edges reads only what the tests answered.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Unpack

from numpy.random import Generator

from provado.mechanisms.accounting.pld import Part
from provado.mechanisms.definitions.parameters import natural, positive

from ..independence_tests.margin import Margin, PublicFacts
from ..search.cpdag import Discovered, orient
from ..search.skeleton import Skeleton, find_skeleton, largest_order
from ..search.work_limits import NoMoreTests, OrderedWork
from ..tables.coded import CodedTable
from .budget import SpentRounds

Ask = Callable[[int, int, tuple[int, ...]], float]
"""The margin of a test of columns x and y given others."""


@dataclass(frozen=True)
class Questions:
    """Where margins come from.

    whole: on all records. fresh: draws the rows that the next round's sieve looks at.
    """

    whole: Ask
    fresh: Callable[[Generator], Ask]


@dataclass(frozen=True)
class RoundNoise:
    """Scales of Laplace noise, in units of a query's sensitivity.

    threshold: drawn once a round. query: on each test. examination: on the test that passed, asked
    again on all records; ``None`` where passing is enough.
    """

    threshold: float
    query: float
    examination: float | None


def vector_noise(epsilon: float, query: int = 4) -> RoundNoise:
    """Return the noise of the sparse vector alone: Lap(2/ε) and Lap(query/ε)."""
    scale = positive(epsilon, "epsilon")
    return RoundNoise(2 / scale, query / scale, None)


@dataclass(frozen=True)
class Answer:
    """A test that passed, which ended its round.

    x, y, given: columns by number. tests: how many tests the round saw, this one the last.
    deleted: whether the edge went.
    """

    x: int
    y: int
    given: tuple[int, ...]
    tests: int
    deleted: bool


def questions(data: CodedTable, margin: Margin, m: int) -> Questions:
    """Return margins on ``data``, and on a new subset of m of its records for each round."""
    short = data.collapsed()

    def on(rows: CodedTable, sieve: bool) -> Ask:
        def ask(x: int, y: int, given: tuple[int, ...]) -> float:
            look = PublicFacts(rows.n, short.n, short.strata(given), sieve)
            return margin(rows.tables(x, y, given), look)

        return ask

    return Questions(on(short, sieve=False), lambda rng: on(short.subset(m, rng), sieve=True))


class Rounds:
    """A test for ``find_skeleton`` that answers by noisy margins, round after round."""

    def __init__(
        self, asked: Questions, noise: RoundNoise, rng: Generator, *, limit: int | None = None
    ) -> None:
        """Start the first round. limit: how many rounds there may be; ``None`` sets no bound."""
        self._asked, self._noise, self._rng = asked, noise, rng
        self._limit = math.inf if limit is None else limit
        self.answers: list[Answer] = []
        self._begin()

    def __call__(self, x: int, y: int, given: tuple[int, ...]) -> bool:
        """Return whether the edge goes; raises ``NoMoreTests`` once the rounds are used up."""
        if len(self.answers) >= self._limit:
            raise NoMoreTests
        self._seen += 1
        noisy = self._sieve(x, y, given) + self._rng.laplace(scale=self._noise.query)
        if noisy < self._level:
            return False
        deleted = self._examined(x, y, given)
        self.answers.append(Answer(x, y, given, self._seen, deleted))
        if len(self.answers) < self._limit:
            self._begin()
        return deleted

    def _begin(self) -> None:
        self._seen = 0
        self._sieve = self._asked.fresh(self._rng)
        self._level = self._rng.laplace(scale=self._noise.threshold)

    def _examined(self, x: int, y: int, given: tuple[int, ...]) -> bool:
        scale = self._noise.examination
        if scale is None:
            return True
        return self._asked.whole(x, y, given) + float(self._rng.laplace(scale=scale)) >= 0


@dataclass(frozen=True, eq=False)
class PrivatelyDiscovered(Discovered):
    """What a private discovery found and what it charges.

    answers: the tests that passed; each ended a round. spent: what is charged.
    """

    answers: tuple[Answer, ...] = field(kw_only=True)
    spent: SpentRounds = field(kw_only=True)


class PrivateWork(OrderedWork):
    """What each private method that asks in rounds takes, by name.

    epsilon: ε of a round, or of a test. rng: draws all noise.
    """

    epsilon: float
    rng: Generator


def run_rounds(
    names: tuple[str, ...],
    asked: Questions,
    noise: RoundNoise,
    parts: tuple[Part, ...],
    rounds: int | None,
    *,
    epsilon: float,
    rng: Generator,
    **work: Unpack[OrderedWork],
) -> PrivatelyDiscovered:
    """Return what PC finds by noisy margins that may come from anywhere.

    parts: what one round is made of. rounds: the most there may be, all charged; ``None`` charges
    the answers that were given, as printed. work: see ``PrivateWork``.

    As in the released code an edge that goes is gone for the tests that follow at once.
    """
    scale = positive(epsilon, "epsilon")
    limit = None if rounds is None else natural(rounds, "rounds")
    tests = Rounds(asked, noise, rng, limit=limit)
    result = find_skeleton(len(names), tests, stable=False, **work)
    charged = len(tests.answers) if limit is None else limit
    return with_directions(names, result, tests.answers, SpentRounds(charged, scale, parts))


def run_rounds_on(
    data: CodedTable,
    asked: Questions,
    noise: RoundNoise,
    parts: tuple[Part, ...],
    rounds: int | None,
    **work: Unpack[PrivateWork],
) -> PrivatelyDiscovered:
    """Return the same for a table; without an order, up to the one that its rows allow."""
    if work.get("max_order") is None:
        work["max_order"] = largest_order(data.n, len(data.names))
    return run_rounds(data.names, asked, noise, parts, rounds, **work)


def with_directions(
    names: tuple[str, ...], skeleton: Skeleton, answers: Sequence[Answer], spent: SpentRounds
) -> PrivatelyDiscovered:
    """Return what a private search found, its edges directed by the ``skeleton`` alone."""
    return PrivatelyDiscovered(
        names=names,
        skeleton=skeleton.adjacency,
        cpdag=orient(skeleton),
        separating=skeleton.separating,
        tests=skeleton.tests,
        answers=tuple(answers),
        spent=spent,
        stopped=skeleton.stopped,
    )
