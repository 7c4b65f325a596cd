"""The graph of the best score that noisy tables show.

What is released is that of ``tables`` without tables of three columns, which no score needs.
"""

import math
from functools import partial
from types import MappingProxyType
from typing import Unpack

from numpy.random import Generator

from ..noisy_tables.dependence import Dependence
from ..noisy_tables.directions import shares_of_directions
from ..noisy_tables.plan import TablesPlan, plan_tables
from ..noisy_tables.release import NoisyTables, Tables
from ..noisy_tables.score import search_scores
from ..search.cpdag import directed_by_shares
from ..search.sampled_graphs import CHAINS
from ..search.work_limits import Work, end_of, seconds_until
from ..tables.coded import CodedTable
from .method import Method
from .tables import SURE, FoundInTables, check, directed_again


def discover_by_score(
    data: CodedTable, *, plan: TablesPlan, rng: Generator, sure: float = SURE, **work: Unpack[Work]
) -> FoundInTables:
    """Return the graph of the best score that noisy tables show, and what they cost.

    plan: see ``plan_tables``. sure: as of ``discover_from_tables``. work: see ``Work``;
    families that are scored are counted as tests. Nothing is separated by a set; ``search_scores``
    says which scores there are.

    Guarantee: that of ``discover_from_tables``, whose tables these are. Raises ``UsageError`` for
    a plan of other records or levels.
    """
    check(None, 0, sure)
    return directed_again(by_score(data.names, NoisyTables(data, plan, rng), sure=sure, **work))


def by_score(
    names: tuple[str, ...],
    tables: Tables,
    *,
    sure: float,
    chains: int = CHAINS,
    end: float | None = None,
    **work: Unpack[Work],
) -> FoundInTables:
    """Return the graph of the best score of released tables; nothing but these is examined.

    Its edges are directed as those of ``in_tables`` are. end: as there.
    """
    end = end_of(work.get("seconds")) if end is None else end
    work["seconds"] = seconds_until(end)
    graph, families, stopped = search_scores(tables, **work)
    skeleton = graph | graph.T
    direction = shares_of_directions(
        tables, Dependence(tables), skeleton, stopped, chains=chains, end=end
    )
    return FoundInTables(
        names=names,
        skeleton=skeleton,
        cpdag=directed_by_shares(skeleton, direction, sure),
        direction=direction,
        sure=sure,
        separating=MappingProxyType({}),
        tests=families,
        tried=(),
        stopped=stopped,
        tables=tables,
        end=end,
        again=partial(
            by_score, names, sure=sure, chains=0, end=end, max_tests=work.get("max_tests")
        ),
    )


def _families(d: int, n: int, max_order: int | None) -> tuple[int, ...]:
    """Return how many families there are by the number of parents; none is scored without."""
    del n, max_order
    return (0, *(d * math.comb(d - 1, k) for k in range(1, d)))


METHODS = (
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
