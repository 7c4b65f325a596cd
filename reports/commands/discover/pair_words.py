"""The answer about a pair of columns in words."""

import math
from typing import Any

from provado.reports.text.formatting import clean, down, plain, typed, up

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
        (f"{private} {x} → {y}", _score(document, "X→Y")),
        (f"{private} {y} → {x}", _score(document, "Y→X")),
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


def _score(document: dict[str, Any], way: str) -> str:
    value = document["scores"][way]
    if value is None:
        return "⊥: withheld, as the noisy test before its release was not passed"
    return plain(float(value))


def _noise(document: dict[str, Any]) -> str:
    scale = document["noise_scale"]
    if document["protect"] == "none":
        return ""
    if scale is None:
        return "none: a score is told exactly if a noisy test finds it stable, else withheld"
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
    return f"cannot tell: {_open(document)}; the smaller score is that of {smaller}"


def _open(document: dict[str, Any]) -> str:
    """Return why no direction is called that of cause and effect."""
    fits = document["fits"]
    if fits is None:
        return (
            f"a small {document['score']} does not show that a direction fits (--score hsic does)"
        )
    if all(fits.values()):
        return "both directions fit, within sampling and noise"
    if not any(fits.values()):
        return "neither direction fits an additive noise model"
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
    said = [f"{name}: {words[bounds[axis]]}" for name, axis in ((x, "x"), (y, "y"))]
    return "; ".join(said) + "; rows outside are clipped"
