"""The graph of many columns as a JSON document; ``graph_schema.json`` explains it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from provado.mechanisms.graph_discovery.methods.budget import (
    ComposedCost,
    SpentRounds,
    cheapest,
    totals,
)
from provado.mechanisms.graph_discovery.methods.method import Method
from provado.mechanisms.graph_discovery.methods.rounds import Answer, PrivatelyDiscovered
from provado.mechanisms.graph_discovery.methods.tables import FoundInTables, Standing
from provado.mechanisms.graph_discovery.search.cpdag import Discovered
from provado.reports.documents import schema

from .graph_data import Ordered
from .graph_noise import noise_of
from .graph_request import Allotment, Asked
from .graph_tables import answers_of, plan_to_json, planned_cost, standing_of

NOT_PRIVATE = "none: nothing is protected"
REPLACE_ONE = "replace-one: the number of rows and the columns are public, and so are their "


def graph_to_json(
    found: Discovered | PrivatelyDiscovered,
    asked: Asked,
    budget: Allotment | None,
    standing: Standing | None = None,
) -> dict[str, Any]:
    """Return the document of schema ``provado-graph/1``.

    budget: ``None`` for PC. standing: of what was found in noisy tables, if they were drawn again.
    """
    method, names = asked.method, found.names
    planned = found.tables.plan if isinstance(found, FoundInTables) else None
    flaw, answers, cost = method.flaw, None, None
    if isinstance(found, FoundInTables):
        answers, cost = answers_of(found), planned_cost(found.tables.plan)
    elif isinstance(found, PrivatelyDiscovered) and budget is not None:
        answers, cost = found.answers, _cost(found.spent, budget)
    return {
        "schema": schema.GRAPH,
        "method": method.name,
        "version": method.version,
        "title": method.title,
        "private": method.private,
        "guarantee": method.private and flaw is None,
        "flaw": None if flaw is None else {"words": flaw.words, "ledger": list(flaw.ledger)},
        "relation": _relation(method),
        "rows": asked.table.n,
        "columns": [_column(name, asked) for name in names],
        "domain": _domain(names, asked),
        "parameters": {name: schema.plain(value) for name, value in asked.parameters.items()},
        "seeded": asked.seeded,
        "edges": _edges(found, standing),
        "separated": [
            {"x": names[x], "y": names[y], "given": [names[z] for z in given]}
            for (x, y), given in sorted(found.separating.items())
        ],
        "counts": method.counts,
        "tests": found.tests,
        "complete": found.complete,
        "stopped": found.stopped,
        "work": asked.work.to_json(),
        "answers": None if answers is None else [_answer(a, names) for a in answers],
        "budget": None if budget is None else schema.plain(budget),
        "plan": None if planned is None else plan_to_json(planned, getattr(standing, "redraws", 0)),
        "noise": None if budget is None else noise_of(asked, budget),
        "cost": cost,
    }


def _relation(method: Method) -> str:
    if not method.private:
        return NOT_PRIVATE
    return REPLACE_ONE + ("ranges" if method.numeric else "levels")


def _domain(names: tuple[str, ...], asked: Asked) -> str:
    known = {*(asked.levels or ()), *(asked.ranges or ())}
    return "given" if known.issuperset(names) else "file"


def _column(name: str, asked: Asked) -> dict[str, Any]:
    # Levels and ranges that the file told are not told on: they may be somebody's.
    return {
        "name": name,
        "levels": _listed(asked.levels, name, asked.ranges),
        "ordered": isinstance((asked.levels or {}).get(name), Ordered),
        "range": _listed(asked.ranges, name, None),
        "edges": _listed(asked.edges, name, None),
    }


def _listed(known: Mapping[str, Any] | None, name: str, instead: Any) -> list[Any] | None:
    """Return what was given of a column, unless it is taken by what was given ``instead``."""
    if known is None or name not in known or name in (instead or ()):
        return None
    return list(known[name])


def _edges(
    found: Discovered | PrivatelyDiscovered, standing: Standing | None
) -> list[dict[str, Any]]:
    names, graph = found.names, found.cpdag
    edges = []
    for i, j in np.argwhere(graph):
        directed = not graph[j, i]
        if directed or i < j:
            kind = "directed" if directed else "undirected"
            edge = {"from": names[i], "to": names[j], "kind": kind}
            edges.append(edge | {"stands": standing_of(found, standing, i, j)})
    return edges


def _answer(answer: Answer, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "x": names[answer.x],
        "y": names[answer.y],
        "given": [names[z] for z in answer.given],
        "asked": answer.asked,
        "deleted": bool(answer.deleted),
    }


def _cost(spent: SpentRounds, budget: Allotment) -> dict[str, Any]:
    found = {total.by: _total(total) for total in totals(spent, budget.delta)}
    best = cheapest(spent, budget.delta)
    return {
        "rounds": spent.rounds,
        "round_epsilon": spent.epsilon,
        "basic": found["basic"],
        "advanced": found.get("advanced"),
        "tight": found.get("tight"),
        "total": {**_total(best), "by": best.by},
    }


def _total(total: ComposedCost) -> dict[str, float]:
    return {"epsilon": total.epsilon, "delta": total.delta}
