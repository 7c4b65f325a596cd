"""The effect-size plot of one pair: relative probabilities against the claimed e^±ε."""

import math

from provado.audit.bounds.counts import EffectSize
from provado.audit.result import AuditResult, PairResult
from provado.reports.pages.element import Markup, join, tag
from provado.reports.text.formatting import plain

from .figure import BOTTOM, LEFT, TOP, Axis, axes, figure, horizontal, interval, mark

_MOST = 1e6
"""Beyond this ratio everything is drawn at the edge."""


def sizes(result: AuditResult, pair: PairResult, level: int) -> Markup | None:
    """Return the figure, or ``None`` where the rule never said anything."""
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
