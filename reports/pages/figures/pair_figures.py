"""The figures of one pair: effect sizes against e^±ε, and the certified ε against the trials."""

import math

from provado.audit.bounds import epsilon_lower
from provado.audit.bounds.counts import EffectSize
from provado.audit.result import AuditResult, PairResult
from provado.reports.pages.figures.figure import (
    BOTTOM,
    LEFT,
    RIGHT,
    TOP,
    Axis,
    axes,
    figure,
    horizontal,
    interval,
    mark,
    vertical,
)
from provado.reports.pages.markup import Markup, join, tag
from provado.reports.text import sentences
from provado.reports.text.formatting import down, plain

_MOST = 1e6
"""Beyond this ratio everything is drawn at the edge."""


def sizes(result: AuditResult, pair: PairResult, level: int) -> Markup | None:
    """Return the figure, or ``None`` where the rule never made a guess."""
    shown = [effect for effect in pair.effects if not math.isnan(effect.relative_probability)]
    if not shown:
        return None
    x = _axis(result, shown)
    low, high = (x.place(math.exp(sign * min(result.epsilon, 700.0))) for sign in (-1, 1))
    band = tag(
        "rect",
        x=round(low, 1),
        y=TOP,
        width=round(high - low, 1),
        height=BOTTOM - TOP,
        class_="allowed",
    )
    one = round(x.place(1.0), 1)
    parts = [
        band,
        axes(x, "relative probability", [f"{tick:g}" for tick in x.ticks()]),
        tag("line", x1=one, x2=one, y1=TOP, y2=BOTTOM, class_="curve"),
        *(_row(effect, i, x) for i, effect in enumerate(pair.effects)),
    ]
    exceptions = ", apart from the exceptions that δ allows" if result.delta else ""
    caption = join(
        "Intervals are approximate. Shaded: from e",
        tag("sup", "−ε"),
        " to e",
        tag("sup", "ε"),
        f", what the claim allows{exceptions}. {_conclusion(shown, result)}",
    )
    return figure("Effect sizes", _described(shown, result), parts, caption, level)


def _conclusion(shown: list[EffectSize], result: AuditResult) -> str:
    most = math.exp(min(result.epsilon, 700.0))
    above = [e.guess for e in shown if e.relative_probability_interval[0] > most]
    if not above:
        return "Conclusion: no interval lies right of the shaded area; this shows no violation."
    return f"Conclusion: right of the shaded area, beyond e^ε: {' and '.join(above)}."


def _axis(result: AuditResult, shown: list[EffectSize]) -> Axis:
    reach = [math.exp(min(result.epsilon, math.log(_MOST))), 1.5]
    for effect in shown:
        for end in (effect.relative_probability, *effect.relative_probability_interval):
            reach += [max(end, 1 / end)] if 0 < end < math.inf else []
    most = min(1.15 * max(reach), _MOST)
    lows = (effect.relative_probability_interval[0] for effect in shown)
    below = min((low for low in lows if low > 0), default=1.0)
    # Nearly always both ratios exceed 1, and the left half would stand empty.
    least = min(math.exp(-min(result.epsilon, math.log(_MOST))), below) / 1.15
    return horizontal(max(least, 1 / most), most, log=True)


def _row(effect: EffectSize, row: int, x: Axis) -> Markup:
    y = round(TOP + (BOTTOM - TOP) * (1 + row) / 3, 1)
    said = f"says {effect.guess}"
    name = tag("text", said, x=LEFT - 6, y=round(y + 4, 1), text_anchor="end")
    kind = "d" if effect.guess == "D" else "d-prime"
    ratio, (low, high) = effect.relative_probability, effect.relative_probability_interval
    if math.isnan(ratio):
        beside = round(x.place(1.0) + 8, 1)
        return join(name, tag("text", "never", x=beside, y=round(y + 4, 1)))
    shown = mark(kind == "d", x.place(ratio), y)
    return tag("g", name, *interval(x, low, high, y, "reach"), shown, class_=f"point {kind}")


def _described(shown: list[EffectSize], result: AuditResult) -> str:
    said = "; ".join(f"{e.guess} {plain(e.relative_probability)}" for e in shown)
    allowed = plain(math.exp(min(result.epsilon, 700.0)))
    return f"Relative probability of saying {said}. The claim allows at most e^ε = {allowed}."


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
    said = "; ".join(f"{trials:,}: {down(bound, 3)}" for trials, bound in points)
    described = f"Trials and certified ε: {said}. The claim is {sentences.claim(result)}."
    return figure(
        "Certified ε against trials",
        described,
        parts,
        f"{caption} {_growth_conclusion(points, result.epsilon)}",
        level,
    )


def _growth_conclusion(points: list[tuple[int, float]], claimed: float) -> str:
    above = [trials for trials, bound in points if bound > claimed]
    if points[-1][1] > claimed:
        return f"Conclusion: the bound exceeds the claim, first after {above[0]:,} trials."
    return "Conclusion: the bound does not exceed the claim. That is no proof of the claim."


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


def _short(trials: float) -> str:
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if trials >= size:
            return f"{trials / size:g}{unit}"
    return f"{trials:g}"
