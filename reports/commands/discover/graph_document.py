"""The document of a graph: what was asked, released and spent, as JSON and as GraphML."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.mechanisms.graph_discovery.independence_tests.margin import ProvedMargin, PublicFacts
from provado.mechanisms.graph_discovery.methods import budget as budgets
from provado.mechanisms.graph_discovery.methods import runtime_estimate
from provado.mechanisms.graph_discovery.methods.method import Counts, Method
from provado.mechanisms.graph_discovery.methods.rounds import Answer, PrivatelyDiscovered
from provado.mechanisms.graph_discovery.methods.tables import EdgeStability, FoundInTables
from provado.mechanisms.graph_discovery.noisy_tables.dependence import Dependence
from provado.mechanisms.graph_discovery.noisy_tables.plan import TablesPlan
from provado.mechanisms.graph_discovery.search.cpdag import Discovered
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.mechanisms.graph_discovery.tables.numeric import NumericTable
from provado.reports.documents import schema
from provado.reports.documents.origin import library
from provado.reports.text.formatting import duration, plain

from .graph_data import Edges, Levels, Ordered, Ranges

WORTH_TIMING = 100
"""Fewer tests may be done sooner than timed."""

_MOST = 10**15
"""More tests are not counted: they would take centuries."""


@dataclass(frozen=True)
class SearchLimits:
    """The most work that a search may do, and where it ends.

    by_order: the most tests at each order from 0 on. times: the seconds of a test at each order,
    as timed on columns that are made up, or ``None``. max_tests: where the search ends, if given.
    seconds: as asked for. by_clock: whether ``seconds`` end it by the clock; otherwise they are in
    ``max_tests``.
    """

    by_order: tuple[int, ...]
    times: tuple[float, ...] | None
    max_tests: int | None
    seconds: float | None
    by_clock: bool

    @property
    def tests(self) -> int | None:
        """The most tests in all; ``None`` for more than 10^15."""
        total = sum(self.by_order)
        return total if total <= _MOST else None

    @property
    def longest(self) -> float | None:
        """The seconds that all of them take; ``None`` where that is not known, or for ages."""
        if self.times is None or self.tests is None:
            return None
        times = self.times
        return sum(n * runtime_estimate.at_order(times, k) for k, n in enumerate(self.by_order))

    def arguments(self) -> dict[str, Any]:
        """Return what the method takes."""
        result: dict[str, Any] = {} if self.max_tests is None else {"max_tests": self.max_tests}
        return result | ({"seconds": self.seconds} if self.by_clock else {})

    def to_json(self) -> dict[str, Any]:
        """Return the part ``work`` of a document of schema ``provado-graph/2``."""
        return {
            "most_tests": self.tests,
            "by_order": None if self.tests is None else list(self.by_order),
            "test_seconds": None if self.times is None else list(self.times),
            "longest": self.longest,
            "max_tests": self.max_tests,
            "seconds": self.seconds,
        }


def bounded(
    method: Method,
    table: runtime_estimate.Table,
    arguments: Mapping[str, Any],
    *,
    max_tests: int | None,
    seconds: float | None,
) -> SearchLimits:
    """Return what the search may cost; for a private method, ``seconds`` as tests.

    arguments: of the method. Tests are timed where there may be at least 100 of them, or where the
    time decides how many there are.
    """
    by_order = method.tests(len(table.names), table.n, arguments.get("max_order"))
    # What was released may be asked by the clock; and its tests are few.
    in_tests = seconds is not None and method.private and method.plan is None
    worth = method.plan is None and (sum(by_order) >= WORTH_TIMING or in_tests)
    times = runtime_estimate.time_tests(method.function, table, arguments) if worth else None
    if times is not None and seconds is not None and in_tests:
        fit = runtime_estimate.tests_within(seconds, times, len(by_order) - 1)
        max_tests = fit if max_tests is None else min(fit, max_tests)
    return SearchLimits(by_order, times, max_tests, seconds, seconds is not None and not in_tests)


def work_words(title: str, work: SearchLimits, counts: Counts = "tests") -> str:
    """Return on one line what the search may cost."""
    orders = len(work.by_order) - 1
    number = f"at most {work.tests:,}" if work.tests is not None else "perhaps more than 10^15"
    others = "no others" if not orders else f"up to {orders} other{'s' if orders > 1 else ''}"
    if counts == "tests":
        text = f"{title}: {number} tests, of two columns given {others}"
    else:
        text = f"{title}: {number} families, of a column and {others}, are scored"
    if work.times is not None:
        longest = "for ages" if work.longest is None else f"up to {duration(work.longest)}"
        first, last = (f"{plain(1e3 * t, 2)} ms" for t in (work.times[0], max(work.times)))
        text += f"; {first} to {last} a test, timed on made-up columns: {longest}"
    if work.max_tests is not None:
        text += f"; it ends after {work.max_tests:,} {counts}"
    if work.by_clock and work.seconds is not None:
        text += f"; it ends after {duration(work.seconds)}"
    if work.max_tests is None and not work.by_clock and work.times is not None:
        text += "; --max-tests or --seconds end it earlier, with the answer so far"
    return text


@dataclass(frozen=True)
class Allotment:
    """What may be spent, and how it is shared out: fixed before the search.

    epsilon, delta: in total. rounds: how many share it. round_epsilon: ε of each. Both are ``None``
    where a plan says what it is spent on.
    """

    epsilon: float
    delta: float
    rounds: int | None
    round_epsilon: float | None


@dataclass(frozen=True, eq=False)
class GraphRequest:
    """What was asked. levels, ranges: of the columns, ``None`` where taken from the file.

    work: what the search may cost, and where it ends. edges: of numeric columns that were binned,
    where the bins begin.
    """

    method: Method
    parameters: Mapping[str, Any]
    table: CodedTable | NumericTable
    levels: Levels | None
    ranges: Ranges | None
    seeded: bool
    work: SearchLimits
    edges: Edges


_INDEPENDENT = np.array([[[1, 1], [1, 1]]])


def noise_of(request: GraphRequest, budget: Allotment) -> dict[str, float] | None:
    """Return a query's noise beside how far independent columns lie above the level.

    Both in units of the sensitivity that is proved for the test, without a conditioning set and on
    all rows; with one the sensitivity is larger. They depend on n, ε and the level only. ``None``
    for methods that have no such unit.
    """
    method, n = request.method, request.table.n
    if method.noise is None or budget.round_epsilon is None:
        return None
    margin = ProvedMargin(request.parameters["alpha"], float(request.parameters.get("tweak", 0.0)))
    distance = margin(_INDEPENDENT, PublicFacts(n, n, 1, sieve=True))
    return {"scale": method.noise(budget.round_epsilon, n).query, "distance": max(distance, 0.0)}


def plan_to_json(plan: TablesPlan, redraws: int) -> dict[str, Any]:
    """Return a plan as a part of a document of schema ``provado-graph/2``."""
    kinds = {
        "all columns": (plan.whole, 1),
        "single columns": (plan.single, len(plan.levels)),
        "pairs": (plan.pairs, math.comb(len(plan.levels), 2)),
        "triples": (plan.triple, plan.triples),
        "fine bins": (plan.margin, plan.margins),
    }
    return {
        "law": plan.law,
        "tables": [
            {"of": of, "number": number, "parameter": float(noise.parameter)}
            for of, (noise, number) in kinds.items()
            if noise is not None and number
        ],
        "error": plan.error,
        "redraws": redraws,
    }


def plan_words(plan: Mapping[str, Any]) -> str:
    """Return a plan in words."""
    named = {"laplace": "Laplace of scale", "gaussian": "Gaussian of variance"}[plan["law"]]
    parts = ", ".join(
        f"{_tables(item)} with discrete {named} {plain(item['parameter'])} on each cell"
        for item in plan["tables"]
    )
    error = f"expected error of a correlation {plain(plan['error'])}"
    return f"{parts}; {error}, whatever the rows hold"


def planned_cost(plan: TablesPlan) -> dict[str, Any]:
    """Return what a plan charges, in full."""
    epsilon, delta = plan.cost()
    by = "sum" if plan.law == "laplace" else "zcdp"
    empty = ("rounds", "round_epsilon", "basic", "advanced", "tight")
    return dict.fromkeys(empty) | {"total": {"epsilon": epsilon, "delta": delta, "by": by}}


def answers_of(result: FoundInTables) -> tuple[Answer, ...]:
    """Return the tests that took an edge away, each with how many there were since the last."""
    answers, since = list[Answer](), 0
    for test in result.tried:
        since += 1
        if test.gone:
            answers.append(Answer(test.x, test.y, test.given, since, True))
            since = 0
    return tuple(answers)


def stability_of(
    found: Any, stability: EdgeStability | None, x: int, y: int
) -> dict[str, float | None] | None:
    """Return how often an edge comes up in redraws, and the share of its arrow, or of none."""
    if not isinstance(found, FoundInTables):
        return None
    shares = found.direction
    sure = 1 - shares[x, y] - shares[y, x] if found.cpdag[y, x] else shares[x, y]
    edge = None if stability is None else float(stability.edge[x, y])
    return {"edge": edge, "direction": float(sure)}


def _tables(value: Mapping[str, Any]) -> str:
    if value["of"] == "all columns":
        return "one table of all columns"
    if value["of"] == "fine bins":
        return f"{value['number']:,} histogram{'s' if value['number'] > 1 else ''} to cut bins by"
    number, what = value["number"], value["of"] if value["number"] > 1 else value["of"][:-1]
    return f"{number:,} tables of {what}" if number > 1 else f"the table of the {what}"


NOT_PRIVATE = "none: nothing is protected"
REPLACE_ONE = "replace-one: the number of rows and the columns are public, and so are their "


def graph_to_json(
    result: Discovered | PrivatelyDiscovered,
    request: GraphRequest,
    budget: Allotment | None,
    stability: EdgeStability | None = None,
) -> dict[str, Any]:
    """Return the document of schema ``provado-graph/2``.

    budget: ``None`` for PC. stability: of what was found in noisy tables, if they were drawn again.
    """
    method, names = request.method, result.names
    relation = REPLACE_ONE + ("ranges" if method.numeric else "levels")
    known = {*(request.levels or ()), *(request.ranges or ())}
    flaw, planned, answers, cost = method.flaw, None, None, None
    if isinstance(result, FoundInTables):
        planned = result.tables.plan
        answers, cost = answers_of(result), planned_cost(planned)
    elif isinstance(result, PrivatelyDiscovered) and budget is not None:
        answers, cost = result.answers, _cost(result.spent, budget)
    return {
        "schema": schema.GRAPH,
        "method": method.name,
        "version": method.version,
        "title": method.title,
        "private": method.private,
        "guarantee": method.private and flaw is None,
        "flaw": None if flaw is None else {"words": flaw.words, "ledger": list(flaw.ledger)},
        "relation": relation if method.private else NOT_PRIVATE,
        "rows": request.table.n,
        "columns": [_column(name, request) for name in names],
        "domain": "given" if known.issuperset(names) else "file",
        "parameters": {name: schema.plain(value) for name, value in request.parameters.items()},
        "seeded": request.seeded,
        "edges": _edges(result, stability),
        "separated": [
            {"x": names[x], "y": names[y], "given": [names[z] for z in given]}
            for (x, y), given in sorted(result.separating.items())
        ],
        "counts": method.counts,
        "tests": result.tests,
        "complete": result.complete,
        "stopped": result.stopped,
        "work": request.work.to_json(),
        "answers": None if answers is None else [_answer(a, names) for a in answers],
        "budget": None if budget is None else schema.plain(budget),
        "plan": None
        if planned is None
        else plan_to_json(planned, getattr(stability, "redraws", 0)),
        "noise": None if budget is None else noise_of(request, budget),
        "cost": cost,
    }


def _column(name: str, request: GraphRequest) -> dict[str, Any]:
    # Levels and ranges that the file told are not told on: they may be somebody's.
    return {
        "name": name,
        "levels": _listed(request.levels, name, request.ranges),
        "ordered": isinstance((request.levels or {}).get(name), Ordered),
        "range": _listed(request.ranges, name, None),
        "edges": _listed(request.edges, name, None),
    }


def _listed(known: Mapping[str, Any] | None, name: str, instead: Any) -> list[Any] | None:
    """Return what was given of a column, unless it is taken by what was given ``instead``."""
    if known is None or name not in known or name in (instead or ()):
        return None
    return list(known[name])


def _edges(
    result: Discovered | PrivatelyDiscovered, stability: EdgeStability | None
) -> list[dict[str, Any]]:
    names, graph = result.names, result.cpdag
    seen = Dependence(result.tables) if isinstance(result, FoundInTables) else None
    edges = []
    for i, j in np.argwhere(graph):
        directed = not graph[j, i]
        if directed or i < j:
            kind = "directed" if directed else "undirected"
            edge = {"from": names[i], "to": names[j], "kind": kind}
            edge |= {"stability": stability_of(result, stability, i, j)}
            edges.append(edge | {"alike": seen is not None and seen.alike(i, j)})
    return edges


def _answer(answer: Answer, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "x": names[answer.x],
        "y": names[answer.y],
        "given": [names[z] for z in answer.given],
        "tests": answer.tests,
        "deleted": bool(answer.deleted),
    }


def _cost(spent: budgets.SpentRounds, budget: Allotment) -> dict[str, Any]:
    result = {total.by: _total(total) for total in budgets.totals(spent, budget.delta)}
    best = budgets.cheapest(spent, budget.delta)
    return {
        "rounds": spent.rounds,
        "round_epsilon": spent.epsilon,
        "basic": result["basic"],
        "advanced": result.get("advanced"),
        "tight": result.get("tight"),
        "total": {**_total(best), "by": best.by},
    }


def _total(total: budgets.ComposedCost) -> dict[str, float]:
    return {"epsilon": total.epsilon, "delta": total.delta}


def graphml(document: dict[str, Any]) -> str:
    """Return a document of schema ``provado-graph/2`` as GraphML.

    Vertices are the columns' names. An edge a → b is one directed edge; a − b is one in each
    direction; ``undirected`` tells them apart, ``stability`` says how often an edge comes up again,
    ``direction_stability`` how sure its arrow is, or that it has none. What the graph has cost, and
    whether it is complete, stands in its attributes.
    Characters that XML cannot hold are written as escapes. Raises ``UsageError`` where networkx is
    not installed.
    """
    networkx = library("networkx")
    graph = networkx.DiGraph()
    told = "schema method version rows private guarantee complete stopped tests"
    attributes = {name: document[name] for name in told.split()}
    if document["cost"] is not None:
        total = document["cost"]["total"]
        attributes |= {"epsilon": total["epsilon"], "delta": float(total["delta"])}
    graph.graph.update({key: value for key, value in attributes.items() if value is not None})
    graph.add_nodes_from(_allowed(column["name"]) for column in document["columns"])
    for edge in document["edges"]:
        ends, both = (_allowed(edge["from"]), _allowed(edge["to"])), edge["kind"] == "undirected"
        facts = {"undirected": both} | _stands(edge)
        graph.add_edge(*ends, **facts)
        if both:
            graph.add_edge(*reversed(ends), **facts)
    text = "\n".join(networkx.generate_graphml(graph)) + "\n"
    # XML's truth values are written small; no text among the attributes is True or False.
    return text.replace(">True</data>", ">true</data>").replace(">False</data>", ">false</data>")


def _stands(edge: dict[str, Any]) -> dict[str, float]:
    result = edge["stability"] or {"edge": None, "direction": None}
    shares = {"stability": result["edge"], "direction_stability": result["direction"]}
    return {name: share for name, share in shares.items() if share is not None}


def _allowed(text: str) -> str:
    """Return text with the characters that XML 1.0 has no place for written as escapes."""
    return "".join(
        c
        if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c >= "\U00010000"
        else c.encode("unicode_escape").decode()
        for c in text
    )
