"""Answers ``provado discover --method``: the graph of many columns, and what it cost."""

import argparse
import sys
from typing import Any

import numpy as np

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.methods.budget import cheapest, round_epsilon
from provado.mechanisms.graph_discovery.methods.method import REQUIRED, Method, find
from provado.mechanisms.graph_discovery.methods.pc import Test
from provado.mechanisms.graph_discovery.methods.runtime_estimate import Table
from provado.mechanisms.graph_discovery.methods.tables import FoundInTables, edge_stability
from provado.mechanisms.graph_discovery.noisy_tables.plan import TablesPlan
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.mechanisms.graph_discovery.tables.numeric import numeric_columns
from provado.reports.documents import schema
from provado.reports.documents.exit_status import AS_EXPECTED
from provado.reports.documents.origin import library, provenance
from provado.reports.documents.write import check_places, save, show
from provado.reports.targets.csv_and_parquet import load_columns
from provado.reports.tasks.progress import Elapsed

from . import graph_data, graph_document
from .graph_data import Edges, read_mixed
from .graph_document import Allotment, GraphRequest, graphml
from .graph_picture import page, picture
from .graph_words import graph_words, warnings
from .pair import SEED_WARNING

REDRAWS = 20
"""Of released tables, to see which edges come up again."""

_FILES = ("graph.html", "graph.svg", "graph.graphml", "graph.json")


def run_graph(options: argparse.Namespace) -> int:
    """Find the graph, print and write it; return the exit status."""
    method = find(options.method, options.version, options.test)
    parameters = _parameters(method, options)
    levels, ranges = _known(method, options)
    _check_budget(method, options)
    if options.out is not None:
        read = (options.file, options.levels, options.ranges)
        inputs = [file for file in read if file is not None]
        check_places([options.out / name for name in _FILES], inputs)
        library("networkx")
    names = _names(options)
    table: Table
    edges: Edges = {}
    budget: Allotment | None
    plan: TablesPlan | None = None
    told, rng = parameters, np.random.default_rng(options.seed)
    if ranges is not None and method.plan is not None:
        mixed = read_mixed(options, names, levels, ranges)
        told = parameters | {"bins": mixed.bins, "cut": mixed.cut}
        budget = allotment = _whole_budget(options)
        plan = drawn = _plan(method, mixed.numbers.n, mixed.levels, allotment, mixed.margins)
        table, edges = mixed.table(drawn, rng)
    else:
        table = _table(method, options, names, levels, ranges)
        budget = _budget(method, options, table)
        if budget is not None and isinstance(table, CodedTable) and method.plan is not None:
            plan = _plan(method, table.n, table.levels, budget)
    arguments = _arguments(method, parameters, levels, budget, plan, rng)
    limits = {"max_tests": options.max_tests, "seconds": options.seconds}
    work = graph_document.bounded(method, table, arguments, **limits)
    if options.progress or sys.stderr.isatty():
        sentence = graph_document.work_words(method.title, work, method.counts)
        print(f"provado: {sentence}", file=sys.stderr)
    with Elapsed(method.title, method.counts, forced=options.progress) as elapsed:
        result = method.function(table, **arguments, **work.arguments(), seen=elapsed.seen)
    _check_cost(method, result, budget)
    redraws = REDRAWS if options.redraws is None else options.redraws
    again = isinstance(result, FoundInTables) and redraws
    stability = edge_stability(result, redraws=redraws, rng=rng) if again else None
    request = GraphRequest(
        method, told, table, levels, ranges, options.seed is not None, work, edges
    )
    document = graph_document.graph_to_json(result, request, budget, stability)
    if options.out is not None:
        _write(options, document)
    if options.seed is not None and method.private:
        print(SEED_WARNING, file=sys.stderr)
    for warning in warnings(document):
        print(f"provado: warning: {warning}", file=sys.stderr)
    words = graph_words(document, verbose=options.verbose)
    show(document, lambda: "\n".join(words), as_json=options.json)
    return AS_EXPECTED


def _parameters(method: Method, options: argparse.Namespace) -> dict[str, Any]:
    """Return the parameters of the method by name, each as given or by default."""
    offered = "alpha tweak threshold max_order lam bandwidth permutations sure test"
    which = method.name if method.version is None else f"{method.name}, {method.version}"
    for name in offered.split():
        given = getattr(options, name)
        # With rcit the test has already said which method is meant.
        told = name == "test" and given == "rcit" and method.name == "pc-numeric"
        if given is not None and name not in method.parameters and not told:
            flag = f"--{name.replace('_', '-')}"
            raise UsageError(f"{flag}: it has no meaning for --method {which}")
    result = {}
    for name, default in method.parameters.items():
        value = getattr(options, name)
        if value is None and default is REQUIRED:
            raise UsageError(f"--{name}: needed for --method {which}")
        result[name] = default if value is None else value
    return result


def _known(
    method: Method, options: argparse.Namespace
) -> tuple[graph_data.Levels | None, graph_data.Ranges | None]:
    """Return what was declared of the columns beforehand."""
    if options.levels is not None and method.numeric:
        raise UsageError(f"--levels: --method {method.name} takes numeric columns; give --ranges")
    if options.ranges is not None and not method.numeric and method.plan is None:
        raise UsageError(f"--ranges: --method {method.name} takes discrete columns; give --levels")
    return (
        None if options.levels is None else graph_data.load_levels(options.levels),
        None if options.ranges is None else graph_data.load_ranges(options.ranges),
    )


def _check_budget(method: Method, options: argparse.Namespace) -> None:
    if method.private and options.epsilon is None:
        raise UsageError(f"--epsilon: needed with --method {method.name}: the total ε to spend")
    for name in () if method.private else ("epsilon", "delta", "rounds"):
        if getattr(options, name) is not None:
            raise UsageError(f"--{name}: --method {method.name} is not private and spends nothing")
    for foreign in ("redraws", "bins") if method.plan is None else ("rounds",):
        if getattr(options, foreign) is not None:
            raise UsageError(f"--{foreign}: it has no meaning for --method {method.name}")
    if options.bins is not None and options.ranges is None:
        raise UsageError("--bins: needs --ranges, which say which columns are numeric")


def _names(options: argparse.Namespace) -> list[str]:
    names: list[str] = options.columns or graph_data.column_names(options.file)
    if "" in names:
        place = f"{options.file}: column {names.index('') + 1} has no name"
        raise UsageError(f"{place}: name it, or list the columns that are meant (--columns)")
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        place = "" if options.columns else f"{options.file}: "
        raise UsageError(f"{place}column {repeated[0]!r} is named twice: give different columns")
    if len(names) < 2:
        raise UsageError(f"{options.file}: a graph needs at least 2 columns, not {len(names)}")
    return names


def _table(
    method: Method,
    options: argparse.Namespace,
    names: list[str],
    levels: graph_data.Levels | None,
    ranges: graph_data.Ranges | None,
) -> Table:
    if not method.numeric:
        return graph_data.load_discrete(options.file, names, levels)
    lacking = [name for name in names if ranges is not None and name not in ranges]
    if lacking:
        raise UsageError(f"{options.ranges}: column {lacking[0]!r} has no range")
    used = None if ranges is None else {name: ranges[name] for name in names}
    columns = load_columns(options.file, names)
    try:
        return numeric_columns(columns, ranges=used)
    except UsageError as error:
        raise UsageError(f"{options.file}: {error}") from error


def _budget(method: Method, options: argparse.Namespace, table: Table) -> Allotment | None:
    if not method.private:
        return None
    allotment = _whole_budget(options)
    if method.parts is None or method.rounds is None:
        return allotment
    epsilon, delta = allotment.epsilon, allotment.delta
    rounds = options.rounds or method.rounds(len(table.names), table.n, options.max_order)
    share = round_epsilon(method.parts, rounds=rounds, epsilon=epsilon, delta=delta)
    return Allotment(epsilon, delta, rounds, share)


def _whole_budget(options: argparse.Namespace) -> Allotment:
    return Allotment(float(options.epsilon), options.delta or 0.0, None, None)


def _plan(
    method: Method, n: int, levels: tuple[int, ...], budget: Allotment, margins: int = 0
) -> TablesPlan:
    """Return what a method will release, and print it before anything is drawn."""
    assert method.plan is not None
    allowed = {"epsilon": budget.epsilon, "delta": budget.delta}
    plan = method.plan(n, levels, **allowed, margins=margins)
    sentence = graph_document.plan_words(graph_document.plan_to_json(plan, 0))
    print(f"provado: plan: {sentence}", file=sys.stderr)
    return plan


def _check_cost(method: Method, found: Any, budget: Allotment | None) -> None:
    """Raise ``RuntimeError`` where a guarantee costs more than was allowed: a bug."""
    if budget is None or method.flaw is not None:
        return
    if isinstance(found, FoundInTables):
        epsilon, delta = found.tables.plan.cost()
        over = delta > budget.delta
    else:
        epsilon = cheapest(found.spent, budget.delta).epsilon
        over = found.spent.rounds > budget.rounds
    if over or epsilon > budget.epsilon:
        raise RuntimeError(f"{method.name} charges ε = {epsilon}, more than the budget {budget}")


def _arguments(
    method: Method,
    parameters: dict[str, Any],
    levels: graph_data.Levels | None,
    budget: Allotment | None,
    plan: TablesPlan | None,
    rng: np.random.Generator,
) -> dict[str, Any]:
    """Return what the method takes beside the table and its work."""
    arguments = dict(parameters)
    if "test" in arguments:
        known = (levels or {}).items()
        ordered = {name for name, item in known if isinstance(item, graph_data.Ordered)}
        arguments |= {"test": Test(arguments["test"]), "ordered": ordered or None}
    if method.drawn:
        arguments["rng"] = rng
    if plan is not None:
        arguments["plan"] = plan
    elif budget is not None:
        arguments["epsilon"] = budget.round_epsilon
        if method.flaw is None:
            arguments["rounds"] = budget.rounds
    return arguments


def _write(options: argparse.Namespace, document: dict[str, Any]) -> None:
    made = provenance(anonymous=options.anonymous)
    texts = (page(document, made), picture(document), graphml(document), schema.dumps(document))
    save({options.out / name: text for name, text in zip(_FILES, texts, strict=True)})
