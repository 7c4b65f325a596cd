"""What a method releases as noisy tables: its plan, its cost, and what stands, for a document."""

import math
from collections.abc import Mapping
from typing import Any

from provado.mechanisms.graph_discovery.methods.rounds import Answer
from provado.mechanisms.graph_discovery.methods.tables import FoundInTables, Standing
from provado.mechanisms.graph_discovery.noisy_tables.plan import TablesPlan
from provado.reports.text.formatting import plain


def plan_to_json(plan: TablesPlan, redraws: int) -> dict[str, Any]:
    """Return a plan as it stands in a document of schema ``provado-graph/1``."""
    kinds = {
        "all columns": (plan.whole, 1),
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
    parts = [
        f"{_tables(one)} with discrete {named} {plain(one['parameter'])} on each cell"
        for one in plan["tables"]
    ]
    return (
        f"{', '.join(parts)}; expected error of a correlation {plain(plan['error'])}, "
        "whatever the rows hold"
    )


def planned_cost(plan: TablesPlan) -> dict[str, Any]:
    """Return what a plan charges, in full."""
    epsilon, delta = plan.cost()
    by = "sum" if plan.law == "laplace" else "zcdp"
    empty = ("rounds", "round_epsilon", "basic", "advanced", "tight")
    return dict.fromkeys(empty) | {"total": {"epsilon": epsilon, "delta": delta, "by": by}}


def answers_of(found: FoundInTables) -> tuple[Answer, ...]:
    """Return the tests that took an edge away, each with how many there were since the last."""
    answers, since = list[Answer](), 0
    for test in found.tried:
        since += 1
        if test.gone:
            answers.append(Answer(test.x, test.y, test.given, since, True))
            since = 0
    return tuple(answers)


def standing_of(
    found: Any, standing: Standing | None, x: int, y: int
) -> dict[str, float | None] | None:
    """Return how often an edge comes up in redraws, and the share of its arrow, or of none."""
    if not isinstance(found, FoundInTables):
        return None
    shares = found.direction
    sure = 1 - shares[x, y] - shares[y, x] if found.cpdag[y, x] else shares[x, y]
    edge = None if standing is None else float(standing.edge[x, y])
    return {"edge": edge, "direction": float(sure)}


def _tables(one: Mapping[str, Any]) -> str:
    if one["of"] == "all columns":
        return "one table of all columns"
    if one["of"] == "fine bins":
        return f"{one['number']:,} histogram{'s' if one['number'] > 1 else ''} to cut bins by"
    number, what = one["number"], one["of"] if one["number"] > 1 else one["of"][:-1]
    return f"{number:,} tables of {what}" if number > 1 else f"the table of the {what}"
