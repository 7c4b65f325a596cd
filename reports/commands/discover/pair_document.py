"""The answer about a pair of columns as a JSON document; ``discover_schema.json`` explains it."""

import argparse
import importlib.util
import math
from typing import Any

from provado.mechanisms.accounting.tight import tight_composition
from provado.mechanisms.cause_effect.pair import PairAnswer
from provado.mechanisms.cause_effect.pair_budget import Budget, Protect
from provado.reports.documents import schema

LARGEST_TIGHT = 50.0
"""Beyond this ε the tight figure is left out: it takes long, and such an ε protects nobody."""

RELATION = {
    Protect.NONE: "none: nothing is protected",
    Protect.TEST: "replace-one of the test rows; the training rows are public",
    Protect.TRAINING: "replace-one of the training rows; the test rows are public",
    Protect.BOTH: "replace-one of any row, training or test",
}


def answer_to_json(
    answer: PairAnswer, options: argparse.Namespace, score: str, protect: Protect, lam: float
) -> dict[str, Any]:
    """Return the document of schema ``provado-discover/1``; ``options`` are the command's."""
    noise = answer.released.noise
    (forward, backward), fits = map(_score, answer.scores), answer.fits
    return {
        "schema": schema.DISCOVER,
        "x": options.x,
        "y": options.y,
        "method": "additive noise model",
        "score": score,
        "protect": str(protect),
        "relation": RELATION[protect],
        "lambda": lam,
        "seeded": options.seed is not None,
        "rows": {"training": answer.n, "test": answer.m},
        "bounds": {"x": answer.bounds[0], "y": answer.bounds[1]},
        "scores": {"X→Y": forward, "Y→X": backward},
        "noise_scale": None if noise is None else noise.scale,
        "noise_terms": 0 if noise is None else noise.terms,
        "direction": None if answer.direction is None else str(answer.direction),
        "probability": answer.confidence,
        "fits": None if fits is None else {"X→Y": fits[0], "Y→X": fits[1]},
        "cause": None if answer.cause is None else str(answer.cause),
        "total": _total(answer.budget),
        "tight": None if answer.budget is None else _tight(answer.budget, options.delta),
    }


def _score(value: float) -> float | str | None:
    return None if math.isnan(value) else schema.number(value)


def _total(budget: Budget | None) -> dict[str, Any]:
    if budget is None:
        return {"epsilon": "inf", "delta": 0.0}
    # To the nearest float, as the budget was read: what is at most that stays at most that.
    return {"epsilon": float(budget.epsilon), "delta": float(budget.delta)}


def _tight(budget: Budget, allowed: float | None) -> dict[str, float] | None:
    """Return a smaller ε at the δ that may be spent, where there is one to tell."""
    epsilon = float(budget.epsilon)
    delta = float(budget.delta) if budget.plan.tests else allowed
    if not delta or epsilon > LARGEST_TIGHT or not importlib.util.find_spec("dp_accounting"):
        return None
    found = tight_composition(budget.tight_parts, delta)
    return {"epsilon": min(found, epsilon), "delta": delta}
