"""The graph of discrete columns from a few noisy tables that serve every test.

Other private searches pay for each test. Here the contingency tables are paid for, once, with exact
integer noise; all tests, the directions and whatever else is asked of the tables are
post-processing. Most tests given one column need no more than the tables of pairs, see
``provado.mechanisms.graph_discovery.noisy_tables.estimates``. Or the graph of the best score that
the tables show is found.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from types import MappingProxyType
from typing import Unpack

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from provado.mechanisms.definitions.parameters import UsageError, natural, probability

from ..noisy_tables.dependence import Dependence
from ..noisy_tables.directions import discounted, explained, shares_of_directions
from ..noisy_tables.edge_search import Tried, search_edges
from ..noisy_tables.plan import TRIPLES_BELOW, TablesPlan, plan_tables
from ..noisy_tables.release import NoisyTables, Redrawn, Tables
from ..noisy_tables.score import search_scores
from ..search.cpdag import Discovered, directed_by_shares
from ..search.sampled_graphs import CHAINS
from ..search.skeleton import Skeleton
from ..search.work_limits import Work, end_of, is_over, most_tests, seconds_until
from ..tables.coded import CodedTable
from .method import Method

LEVEL = 0.01
"""Over all pairs together: each test has this over their number.

With many rows the harm is done by edges that stay: a test given too few columns finds what they
leave open. A true edge that is seen at all mostly lies far beyond the level.
"""

MAX_ORDER = 2

SURE = 0.8
"""Share from which on a direction is shown as an arrow."""

DIRECTED_AGAIN, CHAINS_AGAIN = 6, 6
"""Redraws that a direction has to stand, and chains of graphs for each."""


@dataclass(frozen=True, eq=False)
class FoundInTables(Discovered):
    """What was found in noisy tables.

    direction: shape (d, d), how sure x → y is, see ``shares_of_directions``. sure: how sure the
    arrows of ``cpdag`` are at least. tried: all tests, in order; none where scores were compared.
    tables: all that was released; its plan says what is charged. end: when the time for everything
    is over, see ``end_of``. again: the same search of other tables until then, which directs edges
    by so many ``chains``, by default none.
    """

    direction: NDArray[np.float64] = field(kw_only=True)
    sure: float = field(kw_only=True)
    tried: tuple[Tried, ...] = field(kw_only=True)
    tables: Tables = field(kw_only=True)
    end: float | None = field(kw_only=True)
    again: Callable[..., FoundInTables] = field(kw_only=True)


@dataclass(frozen=True, eq=False)
class EdgeStability:
    """How often edges come up in tables drawn again.

    redraws: how many times they were. edge: shape (d, d), the share in which a pair is adjacent.
    """

    redraws: int
    edge: NDArray[np.float64]


def discover_from_tables(
    data: CodedTable,
    *,
    plan: TablesPlan,
    rng: Generator,
    alpha: float | None = None,
    max_order: int = MAX_ORDER,
    sure: float = SURE,
    **work: Unpack[Work],
) -> FoundInTables:
    """Return the graph that noisy tables show, and what they cost.

    plan: see ``plan_tables``. alpha: level of a test; ``None`` for ``LEVEL`` over the pairs, which
    depends on nothing else. max_order: the largest sets that are conditioned on, at most 2. sure:
    the share from which on a direction is an arrow, above 1/2. work: see ``Work``; ``seconds`` hold
    for the search and all that tells how sure its directions are together.

    Guarantee: ``plan.cost()`` under replacement of one record, for n and the columns' levels fixed
    beforehand; see ``NoisyTables``. The records are read for the planned tables and nothing else.
    Raises ``UsageError`` for arguments out of range, and a plan of other records or levels.
    """
    check(alpha, max_order, sure)
    search = by_tests(alpha, max_order)
    result = in_tables(data.names, NoisyTables(data, plan, rng), search, sure=sure, **work)
    return directed_again(result)


def discover_by_score(
    data: CodedTable, *, plan: TablesPlan, rng: Generator, sure: float = SURE, **work: Unpack[Work]
) -> FoundInTables:
    """Return the graph of the best score that noisy tables show, and what they cost.

    plan: see ``plan_tables``; tables of three columns are not needed. sure: as of
    ``discover_from_tables``. work: see ``Work``; families that are scored are counted as tests.
    Nothing is separated by a set; ``search_scores`` says which scores there are.

    Guarantee: that of ``discover_from_tables``, whose tables these are. Raises ``UsageError`` for
    a plan of other records or levels.
    """
    check(None, 0, sure)
    result = in_tables(data.names, NoisyTables(data, plan, rng), by_score, sure=sure, **work)
    return directed_again(result)


Search = Callable[..., tuple[Skeleton, tuple[Tried, ...]]]
"""Of tables, what they say of dependence, and ``Work``: a skeleton, and the tests that made it."""


def by_tests(alpha: float | None, max_order: int) -> Search:
    """Return the search by tests at a level; see ``discover_from_tables``."""

    def search(
        _tables: Tables, dependence: Dependence, **work: Unpack[Work]
    ) -> tuple[Skeleton, tuple[Tried, ...]]:
        level = LEVEL / math.comb(dependence.width, 2) if alpha is None else alpha
        return search_edges(dependence, alpha=level, max_order=max_order, **work)

    return search


def by_score(
    tables: Tables, dependence: Dependence, **work: Unpack[Work]
) -> tuple[Skeleton, tuple[Tried, ...]]:
    """Return the skeleton of the best score; nothing is tested."""
    graph, families, stopped = search_scores(tables, dependence, **work)
    return Skeleton(graph | graph.T, MappingProxyType({}), families, stopped), ()


def in_tables(
    names: tuple[str, ...],
    tables: Tables,
    search: Search,
    *,
    sure: float,
    chains: int = CHAINS,
    end: float | None = None,
    **work: Unpack[Work],
) -> FoundInTables:
    """Return the graph that released tables show; nothing but these is examined.

    chains: of graphs that tell how sure directions are. end: in place of ``seconds``, see
    ``end_of``.
    """
    end = end_of(work.get("seconds")) if end is None else end
    work["seconds"] = seconds_until(end)
    seen = Dependence(tables)
    skeleton, tried = search(tables, seen, **work)
    direction = shares_of_directions(
        tables, seen, skeleton.adjacency, skeleton.stopped, tried, chains=chains, end=end
    )
    return FoundInTables(
        names=names,
        skeleton=skeleton.adjacency,
        cpdag=directed_by_shares(skeleton.adjacency, direction, sure),
        direction=direction,
        sure=sure,
        separating=skeleton.separating,
        tests=skeleton.tests,
        tried=tried,
        stopped=skeleton.stopped,
        tables=tables,
        end=end,
        again=partial(
            in_tables,
            names,
            search=search,
            sure=sure,
            chains=0,
            end=end,
            max_tests=work.get("max_tests"),
        ),
    )


def directed_again(result: FoundInTables) -> FoundInTables:
    """Return what was found, its edges directed half by the release and half by its redraws.

    Redraws have skeletons of their own, so that a direction that depends on a doubtful edge, or on
    the lack of one, is less sure. A redraw without the edge itself says nothing of its direction
    and does not count, unless noise makes larger errors than sampling: then the edge is in doubt.
    ``discounted`` lowers shares in dense skeletons. Where noise or few records make errors above
    ``TRIPLES_BELOW``, so that many weak edges are missing, ``explained`` lowers those of directions
    without a reason that is as sure. Post-processing; the same release gives the same result.
    """
    direction = result.direction
    # Below, the mean cannot come up to an arrow.
    if direction.max() >= 2 * result.sure - 1:
        rng, others = np.random.default_rng(0), np.zeros(direction.shape)
        number = np.full(direction.shape, DIRECTED_AGAIN)
        little_noise = result.tables.plan.error <= 2 / math.sqrt(result.tables.plan.n)
        for _ in range(DIRECTED_AGAIN):
            if is_over(result.end):
                break
            redraw = result.again(Redrawn(result.tables, rng), chains=CHAINS_AGAIN)
            others += redraw.direction
            if little_noise:
                number -= ~redraw.skeleton
        direction = (direction + others / np.maximum(number, 1) * result.skeleton) / 2
    direction = discounted(result.skeleton, direction)
    plan = result.tables.plan
    if math.hypot(plan.error, 1 / math.sqrt(plan.n)) > TRIPLES_BELOW:
        direction = explained(result.skeleton, direction, result.skeleton)
    cpdag = directed_by_shares(result.skeleton, direction, result.sure)
    return replace(result, direction=direction, cpdag=cpdag)


def edge_stability(result: FoundInTables, *, redraws: int, rng: Generator) -> EdgeStability | None:
    """Return how often each edge comes up in tables drawn again.

    redraws: how many times; each is searched as the run was, and ends where that would have. Those
    for which no time is left are not counted; ``None`` where that is all of them.
    Post-processing of what was released; see ``Redrawn``. Raises ``UsageError`` for less than one.
    """
    again = (result.again(Redrawn(result.tables, rng)) for _ in range(natural(redraws, "redraws")))
    in_time = takewhile(lambda once: once.stopped != "seconds", again)
    edges = [once.skeleton for once in in_time]
    return EdgeStability(len(edges), np.mean(edges, axis=0)) if edges else None


def check(alpha: float | None, max_order: int, sure: float) -> None:
    """Raise ``UsageError`` for arguments out of range."""
    if not 0.5 < sure <= 1:
        raise UsageError(f"sure is {sure!r}: it must be above 1/2 and at most 1")
    if alpha is not None:
        probability(alpha, "alpha")
    if max_order not in range(MAX_ORDER + 1):
        raise UsageError(f"max_order is {max_order!r}: tables are conditioned on at most 2 columns")


def _tests(d: int, n: int, max_order: int | None) -> tuple[int, ...]:
    del n
    *fewer, last = most_tests(d, MAX_ORDER if max_order is None else max_order)
    # Each pair may go once more at the end, if effects add up.
    return (*fewer, last + math.comb(d, 2) * (max_order in (None, MAX_ORDER)))


def _families(d: int, n: int, max_order: int | None) -> tuple[int, ...]:
    """Return how many families there are by the number of parents; none is scored without."""
    del n, max_order
    return (0, *(d * math.comb(d - 1, k) for k in range(1, d)))


METHODS = (
    Method(
        "tables",
        None,
        "Noisy tables",
        discover_from_tables,
        {"alpha": None, "max_order": MAX_ORDER, "sure": SURE},
        plan=plan_tables,
        tests=_tests,
    ),
    Method(
        "tables-score",
        None,
        "Noisy tables by score",
        discover_by_score,
        {"sure": SURE},
        plan=partial(plan_tables, triples=False),
        tests=_families,
        counts="families",
    ),
)
