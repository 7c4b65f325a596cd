"""The figures of one pair: its trade-off, its effect sizes, how its bound grew with the trials.

The trade-off has the rule's error rates against the least that the claim allows; effect sizes stand
against e^±ε.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from provado.audit.bounds import TradeOff, epsilon_lower
from provado.audit.bounds.binomial import binomial_limits
from provado.audit.bounds.counts import EffectSize
from provado.audit.bounds.trade_off import value_at
from provado.audit.result import AuditResult, PairResult
from provado.mechanisms.definitions.curve import point_at
from provado.reports.pages.markup import Markup, join, tag
from provado.reports.text import sentences
from provado.reports.text.formatting import counted, down, plain

from .figure import (
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
    template,
    vertical,
)

_MOST = 1e6
"""Beyond this ratio everything is drawn at the edge."""


def sizes(result: AuditResult, pair: PairResult, level: int) -> Markup | None:
    """Return the figure, or ``None`` where the rule never made a guess."""
    shown = [effect for effect in pair.effects if not math.isnan(effect.relative_probability)]
    if not shown:
        return None
    x = _axis(result, shown)
    low, high = (x.place(math.exp(sign * min(result.epsilon, 700.0))) for sign in (-1, 1))
    one = round(x.place(1.0), 1)
    parts = [
        _rectangle(low, TOP, high, BOTTOM, 1, "allowed"),
        axes(x, "relative probability", _labels(x)),
        tag("line", x1=one, x2=one, y1=TOP, y2=BOTTOM, class_="curve"),
        *(_row(effect, i, x) for i, effect in enumerate(pair.effects)),
    ]
    caption = template().sizes_caption(result.delta > 0, _conclusion(shown, result))
    return figure("Effect sizes", _described_sizes(shown, result), parts, caption, level)


def _rectangle(
    left: float, top: float, right: float, bottom: float, digits: int, class_: str
) -> Markup:
    places = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    return tag("rect", **{key: round(at, digits) for key, at in places.items()}, class_=class_)


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
    sentence = f"says {effect.guess}"
    name = tag("text", sentence, x=LEFT - 6, y=round(y + 4, 1), text_anchor="end")
    kind = "d" if effect.guess == "D" else "d-prime"
    ratio, (low, high) = effect.relative_probability, effect.relative_probability_interval
    if math.isnan(ratio):
        beside = round(x.place(1.0) + 8, 1)
        return join(name, tag("text", "never", x=beside, y=round(y + 4, 1)))
    shown = mark(kind == "d", x.place(ratio), y)
    return tag("g", name, *interval(x, low, high, y, "reach"), shown, class_=f"point {kind}")


def _described_sizes(shown: list[EffectSize], result: AuditResult) -> str:
    sentence = "; ".join(f"{e.guess} {plain(e.relative_probability)}" for e in shown)
    allowed = plain(math.exp(min(result.epsilon, 700.0)))
    return f"Relative probability of saying {sentence}. The claim allows at most e^ε = {allowed}."


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
    parts.append(tag("path", d=_line(places), class_="grown"))
    # Lines of no length with round ends: dots.
    parts.append(tag("path", d="".join(f"M{a:.1f} {b:.1f}h0" for a, b in places), class_="dot"))
    caption = (
        "Each point is valid alone, with the confidence of the last; they are not valid together."
        if pair.method.bets is None or pair.method.aimed is not None
        else "The bound is of the kind that stays valid at every stopping time."
    )
    sentence = "; ".join(f"{trials:,}: {down(bound, 3)}" for trials, bound in points)
    described = f"Trials and certified ε: {sentence}. The claim is {sentences.claim(result)}."
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
        return f"Conclusion: the bound exceeds the claim, first after {counted(above[0], 'trial')}."
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


_BAND = (
    " Strip: where the whole curve of thresholds of this score lies, at the pair’s confidence for "
    "all of it; no test of the mechanism need miss more than its upper edge."
)

_STEPS = 161
"""Places at which a curve is drawn."""

_WINDOWS = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 5e-4, 2e-4, 1e-4, 5e-5)


def tradeoff(result: AuditResult, pair: PairResult, level: int) -> Markup | None:
    """Return the figure, or ``None`` where there were no trials under one of the interventions."""
    points = points_of(pair)
    if not points:
        return None
    x, y = window(points)
    claimed = claimed_points(result)
    curve = smooth_places(x, y, claimed) if result.curve else curve_places(x, y, *claimed[0])
    left = (x.start, y.place(min(least_by_claim(x.low, claimed), y.high)))
    right = curve[-1] if curve else (x.end, y.end)
    around = [left, *curve, right, (right[0], y.start), (x.start, y.start)]
    parts = [
        tag("path", d=f"{_line(around)}Z", class_="excluded"),
        *_band(pair.trade_off, x, y),
        axes(x, "false-positive rate", _labels(x), y, "false-negative rate"),
        tag("path", d=_line(curve), class_="curve") if curve else None,
        *(_mark(point, x, y) for point in points),
    ]
    caption = template().errors_caption(_BAND if pair.trade_off is not None else "")
    described = _described(points, claimed) + _described_band(pair.trade_off)
    return figure("Errors of the rule", described, parts, caption, level)


def window(points: Sequence[Point]) -> tuple[Axis, Axis]:
    """Return the axes: the whole square, or one corner of it where all points lie close to it.

    A rule that seldom speaks has its points near (0, 1), one that is seldom wrong near (0, 0).
    """
    wrong = max(point.wrong_limits[1] for point in points)
    missed = max(point.missed_limits[1] for point in points)
    said = max(1 - point.missed_limits[0] for point in points)
    far_from_top, far_from_bottom = 1.25 * max(wrong, said), 1.25 * max(wrong, missed)
    size = min((w for w in _WINDOWS if w >= min(far_from_top, far_from_bottom)), default=1.0)
    at_top = far_from_top <= far_from_bottom and size < 1
    y = vertical(1 - size, 1) if at_top else vertical(0, size)
    return horizontal(0, size), y


def curve_places(x: Axis, y: Axis, epsilon: float, delta: float) -> list[tuple[float, float]]:
    """Return the places of the claim's curve in the window, from left to right; lines join them.

    The curve turns where its sides meet, at (1 − δ)/(1 + e^ε), and at 1 − δ. It is its own
    inverse, so it crosses the window's upper and lower edges at its values there. Empty where all
    of it lies above the window.
    """
    if least_missed(x.high, epsilon, delta) >= y.high:
        return []
    enters = least_missed(y.high, epsilon, delta) if y.high < 1 else x.low
    leaves = least_missed(y.low, epsilon, delta) if y.low > 0 else x.high
    start, end = min(max(x.low, enters), x.high), max(min(x.high, leaves), x.low)
    meet = (1 - delta) / (1 + math.exp(min(epsilon, 700.0)))
    turns = {start, end, *(at for at in (meet, 1 - delta) if start < at < end)}
    # Two turns may lie nearer to each other than two places can.
    places = {x.place(at): y.place(least_missed(at, epsilon, delta)) for at in sorted(turns)}
    return list(places.items())


def smooth_places(x: Axis, y: Axis, points: Points) -> list[tuple[float, float]]:
    """Return the places of a claim of many points in the window, from left to right.

    What lies above or below the window is left out, up to the first that does on either side.
    """
    step = (x.high - x.low) / (_STEPS - 1)
    every = [(at, least_by_claim(at, points)) for at in (x.low + step * i for i in range(_STEPS))]
    inside = [(at, value) for at, value in every if y.low <= value <= y.high]
    return [(x.place(at), y.place(value)) for at, value in inside]


def _band(limits: TradeOff | None, x: Axis, y: Axis) -> list[Markup]:
    """Return the strip between the two limits on the whole curve, and its upper edge."""
    if limits is None:
        return []
    upper, lower = (_within(corners, x, y) for corners in (limits.most, limits.least))
    strip = tag("path", d=f"{_line([*upper, *reversed(lower)])}Z", class_="between")
    return [strip, tag("path", d=_line(upper), class_="limit")]


def _within(corners: Points, x: Axis, y: Axis) -> list[tuple[float, float]]:
    """Return the places of a convex falling curve; the window's edges stand for what is beyond.

    Corners that fall on one place, to a tenth of a unit, are one.
    """
    crossings = [at for end in (y.low, y.high) if (at := _reaches(corners, end)) is not None]
    every = {x.low, x.high, *crossings, *(at for at, _ in corners)}
    inside = (at for at in sorted(every) if x.low <= at <= x.high)
    places = [(x.place(at), y.place(value_at(corners, at))) for at in inside]
    return list(dict.fromkeys((round(a, 1), round(b, 1)) for a, b in places))


def _reaches(corners: Points, value: float) -> float | None:
    """Return where a falling curve has a value; ``None`` where it nowhere has."""
    for (left, above), (right, below) in pairwise(corners):
        if above >= value > below:
            return left + (right - left) * (above - value) / (above - below)
    return None


def _line(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in places)


def _labels(x: Axis) -> list[str]:
    return [f"{tick:g}" for tick in x.ticks()]


def _mark(point: Point, x: Axis, y: Axis) -> Markup:
    left, right = (x.place(end) for end in point.wrong_limits)
    bottom, top = (y.place(end) for end in point.missed_limits)
    kind = "d" if point.guess == "D" else "d-prime"
    return tag(
        "g",
        _rectangle(left, top, right, bottom, 2, "box"),
        mark(kind == "d", x.place(point.wrong), y.place(point.missed)),
        class_=f"point {kind}",
    )


def _described(points: Sequence[Point], claimed: Points) -> str:
    return " ".join(
        f"Saying {point.guess}: wrongly at a rate of {_range(point.wrong_limits)}, missed at "
        f"{_range(point.missed_limits)}; the claim allows no less than "
        f"{plain(least_by_claim(point.wrong, claimed))}."
        for point in points
    )


def _described_band(limits: TradeOff | None) -> str:
    if limits is None:
        return ""
    at = ", ".join(f"{plain(value_at(limits.most, wrong))} at {wrong:g}" for wrong in (0.01, 0.1))
    return f" The whole curve: some test misses at most {at}."


def _range(limits: tuple[float, float]) -> str:
    return f"{plain(limits[0])} to {plain(limits[1])}"


@dataclass(frozen=True)
class Point:
    """The rule's guess of one dataset, read as a test of the other against it.

    guess: the guessed dataset, ``D`` or ``D′``. wrong: the false-positive rate, how often the rule
    says so under the other intervention. missed: the false-negative rate, how often it does not
    say so under this one. The limits of each are Clopper–Pearson limits.
    """

    guess: str
    wrong: float
    wrong_limits: tuple[float, float]
    missed: float
    missed_limits: tuple[float, float]


def points_of(pair: PairResult) -> tuple[Point, ...]:
    """Return the points of both guesses, without one whose rates have no trials.

    The limits of all four rates hold together with probability at least 1 − the pair's alpha, if
    the number of trials was fixed in advance: each end gets an eighth of it.
    """
    alpha = pair.method.alpha / 8
    points = []
    for effect in pair.effects:
        if not (effect.trials and effect.other_trials):
            continue
        hit = rate_limits(effect.hits, effect.trials, alpha)
        points.append(
            Point(
                guess=effect.guess,
                wrong=effect.other_hits / effect.other_trials,
                wrong_limits=rate_limits(effect.other_hits, effect.other_trials, alpha),
                missed=1 - effect.hits / effect.trials,
                missed_limits=(1 - hit[1], 1 - hit[0]),
            )
        )
    return tuple(points)


def rate_limits(hits: int, trials: int, alpha: float) -> tuple[float, float]:
    """Return the exact binomial limits, each wrong with probability ≤ ``alpha``."""
    low, high = binomial_limits(hits, trials, alpha)
    return float(low), float(high)


Points = tuple[tuple[float, float], ...]
"""Points (ε, δ) of a claim: one, or some of a curve."""

DRAWN, LEAST_DRAWN = 25, 1e-5
"""So many points of a curve are drawn, from ε = 0 to where it falls to ``LEAST_DRAWN``."""


def claimed_points(result: AuditResult) -> Points:
    """Return what the claim rules out, as points (ε, δ); of a curve some, the tested one too."""
    tested = (result.epsilon, result.delta)
    if result.curve is None:
        return (tested,)
    promise = result.curve.promise()
    if result.curve.points:
        return (tested, *((e, promise.delta(e)) for e, _ in result.curve.points))
    last = point_at(promise, LEAST_DRAWN)[0]
    every = [last * step / (DRAWN - 1) for step in range(DRAWN)]
    return (tested, *((epsilon, promise.delta(epsilon)) for epsilon in every))


def least_by_claim(wrong: float, points: Points) -> float:
    """Return the least false-negative rate that all points of a claim allow together."""
    return max(least_missed(wrong, epsilon, delta) for epsilon, delta in points)


def least_missed(wrong: float, epsilon: float, delta: float) -> float:
    """Return f(wrong): the least false-negative rate that (ε, δ)-DP allows at a false-positive one.

    f(x) = max(0, 1 − δ − e^ε·x, e^−ε·(1 − δ − x)).
    Source: Dong, Roth and Su, Gaussian Differential Privacy, Proposition 2.5, after Wasserman and
    Zhou (2010) and Kairouz, Oh and Viswanath (2015).
    """
    # Beyond e^700 a float overflows; nothing drawn tells it from infinity.
    steep, flat = math.exp(min(epsilon, 700.0)), math.exp(-epsilon)
    return max(0.0, 1 - delta - steep * wrong, flat * (1 - delta - wrong))
