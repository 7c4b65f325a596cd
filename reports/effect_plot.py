"""The effect-size plot: one inline SVG, ratios on a log scale, two intervals an event."""

from __future__ import annotations

import math

from provado.audit.observational import EffectStudy
from provado.audit.relative import EventEffect
from provado.reports.effect_words import limits, name, shown
from provado.reports.html.element import Markup, join, tag
from provado.reports.numbers import plain

_WIDTH, _LEFT, _RIGHT = 860, 250, 20
_TOP, _ROW, _BOTTOM = 34, 44, 34
_MOST = math.log(1e6)
"""Beyond this ratio everything is drawn at the edge."""

_STEPS = (1, 2, 5)


def plot(study: EffectStudy) -> Markup:
    """Return the plot; shape and color both tell the estimates apart."""
    pairs = shown(study)
    reach = _reach(study, pairs)
    height = _TOP + _ROW * len(pairs) + _BOTTOM
    parts = [*_band(study, reach, height), *_axis(reach, height), *_legend(study)]
    for i, (one, other) in enumerate(pairs):
        y = _TOP + _ROW * (i + 0.5)
        parts.append(tag("text", name(one), x=_LEFT - 12, y=y + 4, class_="event", **_END))
        parts.append(_interval(one, reach, y - 8, "causal"))
        parts.append(_interval(other, reach, y + 8, "associative"))
    said = "; ".join(
        f"{name(one)}: causal {plain(one.ratio)} ({limits(one)}), "
        f"associative {plain(other.ratio)} ({limits(other)})"
        for one, other in pairs
    )
    return tag("svg", *parts, viewBox=f"0 0 {_WIDTH} {height}", role="img", aria_label=said)


_END = {"text_anchor": "end"}


def _reach(study: EffectStudy, pairs: list[tuple[EventEffect, EventEffect]]) -> float:
    """Return the logarithm of the largest ratio shown, at least 2."""
    sizes = [math.log(2), study.epsilon or 0.0]
    for pair in pairs:
        for one in pair:
            ends = (one.low, one.high, one.ratio)
            sizes += [abs(math.log(end)) for end in ends if 0 < end < math.inf]
    return min(1.05 * max(sizes), _MOST)


def _place(ratio: float, reach: float) -> float:
    log = -reach if ratio <= 0 else min(max(math.log(ratio), -reach), reach)
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (log + reach) / (2 * reach)


def _interval(one: EventEffect, reach: float, y: float, kind: str) -> Markup:
    low, high = _place(one.low, reach), _place(one.high, reach)
    parts = [tag("line", x1=low, x2=high, y1=y, y2=y)]
    # An open end runs off the scale and gets no cap.
    parts += [
        tag("line", x1=place, x2=place, y1=y - 4, y2=y + 4)
        for place, end in ((low, one.low), (high, one.high))
        if 0 < end < math.inf
    ]
    if not math.isnan(one.ratio):
        parts.append(_mark(kind, _place(one.ratio, reach), y))
    words = f"{kind}: {plain(one.ratio)}, {limits(one)} ({one.hits:,} : {one.other_hits:,})"
    return tag("g", tag("title", words), *parts, class_=kind)


def _mark(kind: str, x: float, y: float) -> Markup:
    if kind == "causal":
        return tag("circle", cx=x, cy=y, r=4.5)
    return tag("path", d=f"M{x:.2f} {y - 6:.2f}l6 6l-6 6l-6 -6Z")


def _band(study: EffectStudy, reach: float, height: int) -> list[Markup]:
    if study.epsilon is None:
        return []
    low, high = (_place(math.exp(sign * study.epsilon), reach) for sign in (-1, 1))
    return [
        tag("rect", x=low, y=_TOP, width=high - low, height=height - _TOP - _BOTTOM, class_="band"),
    ]


def _axis(reach: float, height: int) -> list[Markup]:
    parts, bottom = [], height - _BOTTOM
    last = -math.inf
    powers = range(math.floor(-reach / math.log(10)), math.ceil(reach / math.log(10)) + 1)
    ticks = sorted({step * 10.0**power for power in powers for step in _STEPS})
    for tick in ticks:
        place = _place(tick, reach)
        if abs(math.log(tick)) > reach:
            continue
        parts.append(
            tag(
                "line",
                x1=place,
                x2=place,
                y1=_TOP,
                y2=bottom,
                class_="none" if tick == 1 else "grid",
            )
        )
        if place - last > 34:
            parts.append(tag("text", f"{tick:g}", x=place, y=bottom + 18, text_anchor="middle"))
            last = place
    return parts


def _legend(study: EffectStudy) -> list[Markup]:
    d, d_prime = map(plain, study.values)
    entries = [
        ("causal", f"do({study.point} = {d}) / do({study.point} = {d_prime})"),
        ("associative", f"given {study.point} = {d} / given {study.point} = {d_prime}"),
    ]
    parts: list[Markup] = []
    x = 10
    for kind, text in entries:
        parts.append(tag("g", _mark(kind, x, 14), class_=kind))
        parts.append(tag("text", text, x=x + 12, y=18))
        x += 40 + 7 * len(text)
    if study.epsilon is not None:
        parts.append(tag("rect", x=x, y=8, width=14, height=12, class_="band"))
        parts.append(tag("text", f"claimed, ε = {plain(study.epsilon)}", x=x + 20, y=18))
    return [join(*parts)]
