"""The direction of a pair of columns: the command, its document and its words."""

import argparse
import importlib.util
import math
import sys
from dataclasses import asdict
from typing import Any

import numpy as np

from provado.mechanisms import UsageError
from provado.mechanisms.accounting.pld import tight_composition
from provado.mechanisms.cause_effect.additive_noise_model import LAMBDA
from provado.mechanisms.cause_effect.pair import EXCLUDED, POSSIBLE, PairAnswer, discover_pair
from provado.mechanisms.cause_effect.pair_budget import Budget, Protect, plan_for
from provado.reports.documents import schema
from provado.reports.documents.exit_status import AS_EXPECTED
from provado.reports.documents.write import show
from provado.reports.targets.csv_and_parquet import load_columns
from provado.reports.text.formatting import clean, down, plain, typed, up

LARGEST_TIGHT = 50.0
"""Beyond this ε the tight figure is left out: it takes long, and such an ε protects nobody."""

_WAYS = ("X→Y", "Y→X")

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
        "explained": answer.explained
        and {way: asdict(result) for way, result in zip(_WAYS, answer.explained, strict=True)},
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
    """Return a smaller ε at the δ that may be spent, or ``None``."""
    epsilon = float(budget.epsilon)
    delta = float(budget.delta) if budget.plan.tests else allowed
    if not delta or epsilon > LARGEST_TIGHT or not importlib.util.find_spec("dp_accounting"):
        return None
    result = tight_composition(budget.tight_parts, delta)
    return {"epsilon": min(result, epsilon), "delta": delta}


_ASSUMED = (
    "the effect is a function of the cause and independent noise that is added, and no common "
    "cause is left out"
)
_HALVES = {"test": "the test rows", "training": "the training rows", "both": "all rows"}


def answer_words(document: dict[str, Any]) -> list[str]:
    """Return the lines that say what a document of schema ``provado-discover/1`` holds."""
    x, y = clean(document["x"]), clean(document["y"])
    rows, protect = document["rows"], document["protect"]
    private = "score" if protect == "none" else "private score"
    fields = [
        ("rows", f"{rows['training']:,} to train, {rows['test']:,} to test, split at random"),
        (f"{private} {x} → {y}", _score_words(document, "X→Y")),
        (f"{private} {y} → {x}", _score_words(document, "Y→X")),
        ("noise", _noise(document)),
        ("direction", _direction(document, x, y)),
        ("probability", _probability(document)),
        ("assumed", _ASSUMED if document["cause"] else ""),
        ("privacy", _privacy(document)),
        ("neighbors", _relation(document)),
        ("bounds", _bounds(document, x, y)),
    ]
    width = max(len(name) for name, _ in fields)
    title = f"{x}, {y}: additive noise model, {document['score']}"
    return [title, *(f"  {name.ljust(width)}  {text}" for name, text in fields if text)]


def _score_words(document: dict[str, Any], way: str) -> str:
    value = document["scores"][way]
    if value is None:
        return "⊥: withheld, as the noisy test before its release was not passed"
    return plain(float(value))


def _noise(document: dict[str, Any]) -> str:
    scale = document["noise_scale"]
    if document["protect"] == "none":
        return ""
    if scale is None:
        return "none: a score is released exactly if a noisy test finds it stable, else withheld"
    if document["score"] == "iqr":
        return f"Laplace of scale {plain(scale)} on each of {document['noise_terms']} log IQRs"
    warning = ", more than any score: the answer is all but noise" if scale > 1 else ""
    return f"Laplace of scale {plain(scale)} on each score{warning}"


def _direction(document: dict[str, Any], x: str, y: str) -> str:
    ways = {"X→Y": f"{x} → {y}", "Y→X": f"{y} → {x}"}
    if document["direction"] is None:
        return (
            "none: a score was withheld; more rows, a larger ε or δ, or (where training rows "
            "are protected) a larger --lam make a release likelier"
        )
    if document["direction"] == "undecided":
        return "undecided: the scores are equal"
    if document["cause"] is not None:
        return f"{ways[document['cause']]}, from cause to effect: only this direction fits"
    smaller = ways[document["direction"]]
    return f"cannot tell: {_open(document, x, y)}; the smaller score is that of {smaller}"


def _open(document: dict[str, Any], x: str, y: str) -> str:
    """Return why no direction is called that of cause and effect."""
    fits = document["fits"]
    if fits is None:
        small = f"a small {document['score']}"
        return f"{small} does not show that a direction fits (--score hsic does)"
    if all(fits.values()):
        return "both directions fit, within sampling and noise"
    if not any(fits.values()):
        return "neither direction fits an additive noise model"
    if document["explained"] is None:
        return "other explanations can only be excluded on rows without protection"
    turned = document["direction"] == "Y→X"
    cause, effect = (y, x) if turned else (x, y)
    own, reverse = (document["explained"][way] for way in _WAYS[:: -1 if turned else 1])
    unprotected = {"none": "all rows", "test": "the training rows"}
    rows = unprotected.get(document["protect"], "the test rows")
    if own["lumped"]:
        return (
            f"one value of {cause} is so frequent that {effect} → {cause} could not be a sum with "
            "continuous noise even if it were true"
        )
    if own["additive"] < POSSIBLE:
        return f"on {rows} the noise that {cause} → {effect} leaves depends on {cause}"
    if reverse["widest"] >= EXCLUDED:
        return (
            f"on {rows} {effect} → {cause} is possible as well, if the size of the noise depends "
            f"on {effect} or the scale of {cause} bends"
        )
    return "sampling or noise may have turned the direction"


def _probability(document: dict[str, Any]) -> str:
    p = document["probability"]
    if p is None:
        return ""
    if document["protect"] == "none":
        return "this is the non-private direction"
    if document["noise_scale"] is None or math.isinf(_margin(document)):
        return "1: no noise was added that could have turned the direction"
    theorem = 2 if document["noise_terms"] == 2 else 4
    return (
        f"{down(p)} that this is the non-private direction, in this sense: if the non-private one "
        f"were the other, a private margin this large would come up with probability at most "
        f"{up(1 - p)} (Theorem {theorem} of Kusner et al. at the private margin)"
    )


def _margin(document: dict[str, Any]) -> float:
    scores = document["scores"]
    return float(scores["Y→X"]) - float(scores["X→Y"])


def _privacy(document: dict[str, Any]) -> str:
    if document["protect"] == "none":
        return "none: nothing is protected, ε = ∞"
    total, tight = document["total"], document["tight"]
    text = (
        f"(ε, δ) = ({typed(total['epsilon'])}, {typed(total['delta'])}) in total for "
        f"{_HALVES[document['protect']]}, by basic composition"
    )
    if tight is None:
        return text
    # Rounding up must not take it above the total, which holds as well.
    epsilon = up(tight["epsilon"], 5)
    if float(epsilon) >= total["epsilon"]:
        epsilon = typed(total["epsilon"])
    return f"{text}; tight: ({epsilon}, {typed(tight['delta'])})"


def _relation(document: dict[str, Any]) -> str:
    if document["protect"] == "none":
        return ""
    return f"{document['relation']}; the number of rows and the split are public"


def _bounds(document: dict[str, Any], x: str, y: str) -> str:
    words = {
        "given": "given",
        "training half": "extremes of the training half, which is not protected",
        "all rows": "extremes of all rows",
    }
    bounds = document["bounds"]
    sentences = [f"{name}: {words[bounds[axis]]}" for name, axis in ((x, "x"), (y, "y"))]
    return "; ".join(sentences) + "; rows outside are clipped"


SEED_WARNING = (
    "provado: warning: --seed: anyone who knows the seed can take the noise off, and nothing is "
    "private then; the seed must stay secret; for tests only"
)


def run_pair(options: argparse.Namespace) -> int:
    """Answer for one pair; return the exit status."""
    score = options.score or "hsic"
    protect = Protect(options.protect or "test")
    lam = LAMBDA if options.lam is None else options.lam
    _check(options, score, protect)
    columns = load_columns(options.file, [options.x, options.y])
    if options.seed is not None and protect is not Protect.NONE:
        print(SEED_WARNING, file=sys.stderr)
    answer = discover_pair(
        columns[options.x],
        columns[options.y],
        score=score,
        protect=protect,
        epsilon=options.epsilon,
        delta=options.delta,
        x_range=options.x_range and tuple(options.x_range),
        y_range=options.y_range and tuple(options.y_range),
        lam=lam,
        rng=np.random.default_rng(options.seed),
    )
    document = answer_to_json(answer, options, score, protect, lam)
    show(document, lambda: "\n".join(answer_words(document)), as_json=options.json)
    return AS_EXPECTED


def _check(options: argparse.Namespace, score: str, protect: Protect) -> None:
    """Refuse what the pair's data are not needed to refuse, in terms of the options."""
    for name, value in (("--x", options.x), ("--y", options.y)):
        if value is None:
            raise UsageError(f"{name}: needed for a pair: the other column's name")
    for name, bounds in (("--x-range", options.x_range), ("--y-range", options.y_range)):
        if bounds is not None and not bounds[0] < bounds[1]:
            raise UsageError(f"{name} {bounds[0]:g} {bounds[1]:g}: LO must be below HI")
        if bounds is None and protect in (Protect.TRAINING, Protect.BOTH):
            raise UsageError(
                f"{name}: needed with --protect {protect}: bounds computed from the data would "
                "leak training rows; give bounds known beforehand"
            )
    if protect is Protect.NONE:
        return
    if options.epsilon is None:
        raise UsageError(f"--epsilon: needed with --protect {protect}: the total ε to spend")
    if plan_for(score, protect).tests and options.delta is None:
        raise UsageError(
            f"--delta: needed with --score {score} --protect {protect}, whose scores are released "
            "only after a test, for which ε alone does not suffice; give one far below 1/rows"
        )
