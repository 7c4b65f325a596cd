"""The graph of the best score that noisy tables show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

from provado.mechanisms.graphs.search.acyclic import cpdag_of
from provado.mechanisms.graphs.search.best_dag import best_dag
from provado.mechanisms.graphs.search.cpdag import Graph
from provado.mechanisms.graphs.search.families import Families
from provado.mechanisms.graphs.search.greedy_equivalence import greedy_equivalence
from provado.mechanisms.graphs.search.work import Stop, Work

from .dependence import Dependence
from .linear_score import LinearScore
from .release import Tables
from .table_score import TableScore

EXACT_COLUMNS = 8
"""Up to which all graphs are compared: 8·2⁷ families."""


@dataclass(frozen=True, eq=False)
class Scored:
    """The CPDAG of the best score that was found, how many families were scored, what ran out."""

    cpdag: Graph
    families: int
    stopped: Stop | None


def search_scores(tables: Tables, **work: Unpack[Work]) -> Scored:
    """Return the best graph: of all where few columns have one table, else by greedy steps.

    One table of all columns is scored by ``TableScore``, tables of pairs by ``LinearScore``. work:
    see ``Work``; families are counted as tests. All that is asked was released, so the clock may
    end it.
    """
    dependence = Dependence(tables)
    if tables.plan.whole is None:
        families = Families(LinearScore(dependence).gain, **work)
    else:
        families = Families(TableScore(tables, dependence).gain, **work)
    if tables.plan.whole is None or dependence.width > EXACT_COLUMNS:
        cpdag, stopped = greedy_equivalence(dependence.width, families)
    else:
        best, stopped = best_dag(dependence.width, families)
        cpdag = cpdag_of(best)
    return Scored(cpdag, families.scored, stopped)
