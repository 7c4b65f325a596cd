"""How the certified ε grew with the trials, from the counts at the checkpoints."""

import math

from provado.audit.bounds import epsilon_lower
from provado.audit.result import AuditResult, PairResult
from provado.reports.pages.element import Markup, tag
from provado.reports.text import sentences
from provado.reports.text.formatting import down

from .figure import LEFT, RIGHT, axes, figure, horizontal, vertical


def growth(result: AuditResult, pair: PairResult, level: int) -> Markup | None:
    """Return the figure, or ``None`` where no counts but the last were recorded."""
    points = bounds_so_far(pair)
    if len(points) < 2:
        return None
    x = horizontal(points[0][0], points[-1][0], log=True)
    # An entry knows the exact ε of its first pair only.
    true = result.true_epsilon if pair.index == 0 else None
    shown = [result.epsilon, *(bound for _, bound in points if math.isfinite(bound))]
    if true is not None and true < 3 * max(shown):
        shown.append(true)
    y = vertical(0, 1.12 * max(shown))
    claimed = round(y.place(result.epsilon), 1)
    parts: list[Markup] = [
        axes(x, "trials", [_short(tick) for tick in x.ticks()], y, "certified ε"),
        tag("line", x1=LEFT, x2=RIGHT, y1=claimed, y2=claimed, class_="claim"),
        tag("text", "claim", x=LEFT + 5, y=claimed - 4, class_="said"),
    ]
    if true is not None and true in shown and abs(y.place(true) - claimed) > 1:
        at = round(y.place(true), 1)
        parts.append(tag("line", x1=LEFT, x2=RIGHT, y1=at, y2=at, class_="true"))
        if abs(at - claimed) > 12:
            parts.append(tag("text", "true ε", x=LEFT + 5, y=at - 4, class_="said"))
    places = [(x.place(trials), y.place(bound)) for trials, bound in points]
    line = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in places)
    parts.append(tag("path", d=line, class_="grown"))
    # Lines of no length with round ends: dots.
    parts.append(tag("path", d="".join(f"M{a:.1f} {b:.1f}h0" for a, b in places), class_="dot"))
    caption = (
        "Each point is valid alone, with the confidence of the last; they are not valid together."
        if pair.method.bets is None or pair.method.aimed is not None
        else "The bound is of the kind that stays valid at every stopping time."
    )
    said = f"{caption} {_conclusion(points, result.epsilon)}"
    return figure("Certified ε against trials", _described(points, result), parts, said, level)


def bounds_so_far(pair: PairResult) -> list[tuple[int, float]]:
    """Return the trials at each checkpoint with the ε that the counts until there certify.

    Of a sequential audit only the last bets are known.
    """
    if pair.method.bettors:
        return []
    # An exact test is for all trials together.
    points = [
        (c.trials, epsilon_lower(c, pair.method.anytime)) for c in pair.checkpoints if c.trials
    ]
    return [*points[:-1], (points[-1][0], pair.epsilon_lower)] if points else []


def _conclusion(points: list[tuple[int, float]], claimed: float) -> str:
    above = [trials for trials, bound in points if bound > claimed]
    if points[-1][1] > claimed:
        return f"Conclusion: the bound exceeds the claim, first after {above[0]:,} trials."
    return "Conclusion: the bound does not exceed the claim. That is no proof of the claim."


def _short(trials: float) -> str:
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if trials >= size:
            return f"{trials / size:g}{unit}"
    return f"{trials:g}"


def _described(points: list[tuple[int, float]], result: AuditResult) -> str:
    said = "; ".join(f"{trials:,}: {down(bound, 3)}" for trials, bound in points)
    return f"Trials and certified ε: {said}. The claim is {sentences.claim(result)}."
