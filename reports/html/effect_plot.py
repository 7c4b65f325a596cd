"""The effect-size plot: one inline SVG, ratios on a log scale, two intervals an event."""

from __future__ import annotations

import math

from provado.audit.effects.observational import EffectStudy
from provado.audit.effects.relative import EventEffect
from provado.reports.effect.words import limits, name, shown
from provado.reports.words.numbers import plain

from .element import Markup, join, tag
from .figure import Axis, interval, mark

_WIDTH, _LEFT, _RIGHT = 860, 250, 20
_TOP, _ROW, _BOTTOM = 34, 44, 34
_MOST = math.log(1e6)
"""Beyond this ratio everything is drawn at the edge."""


def plot(study: EffectStudy) -> Markup:
    """Return the plot; shape and color both tell the estimates apart."""
    pairs = shown(study)
    reach = _reach(study, pairs)
    x = Axis(math.exp(-reach), math.exp(reach), _LEFT, _WIDTH - _RIGHT, log=True)
    bottom = _TOP + _ROW * len(pairs)
    parts = [*_band(study, x, bottom), *_axis(x, bottom), *_legend(study)]
    for i, (one, other) in enumerate(pairs):
        y = _TOP + _ROW * (i + 0.5)
        said = name(one)
        parts.append(tag("text", said, x=_LEFT - 12, y=y + 4, class_="event", text_anchor="end"))
        parts.append(_interval(one, x, y - 8, "causal"))
        parts.append(_interval(other, x, y + 8, "associative"))
    said = "; ".join(
        f"{name(one)}: causal {plain(one.ratio)} ({limits(one)}), "
        f"associative {plain(other.ratio)} ({limits(other)})"
        for one, other in pairs
    )
    box = f"0 0 {_WIDTH} {bottom + _BOTTOM}"
    return tag("svg", *parts, viewBox=box, role="img", aria_label=said)


def _reach(study: EffectStudy, pairs: list[tuple[EventEffect, EventEffect]]) -> float:
    """Return the logarithm of the largest ratio shown, at least 2."""
    sizes = [math.log(2), study.epsilon or 0.0]
    for pair in pairs:
        for one in pair:
            ends = (one.low, one.high, one.ratio)
            sizes += [abs(math.log(end)) for end in ends if 0 < end < math.inf]
    return min(1.05 * max(sizes), _MOST)


def _interval(one: EventEffect, x: Axis, y: float, kind: str) -> Markup:
    parts = interval(x, one.low, one.high, y)
    if not math.isnan(one.ratio):
        parts.append(mark(kind == "causal", x.place(one.ratio), y))
    words = f"{kind}: {plain(one.ratio)}, {limits(one)} ({one.hits:,} : {one.other_hits:,})"
    return tag("g", tag("title", words), *parts, class_=kind)


def _band(study: EffectStudy, x: Axis, bottom: float) -> list[Markup]:
    if study.epsilon is None:
        return []
    low, high = (x.place(math.exp(sign * study.epsilon)) for sign in (-1, 1))
    return [tag("rect", x=low, y=_TOP, width=high - low, height=bottom - _TOP, class_="band")]


def _axis(x: Axis, bottom: float) -> list[Markup]:
    parts = []
    for tick in sorted({1.0, *x.ticks()}):
        at, kind = x.place(tick), "none" if tick == 1 else "grid"
        parts.append(tag("line", x1=at, x2=at, y1=_TOP, y2=bottom, class_=kind))
        parts.append(tag("text", f"{tick:g}", x=at, y=bottom + 18, text_anchor="middle"))
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
        parts.append(tag("g", mark(kind == "causal", x, 14), class_=kind))
        parts.append(tag("text", text, x=x + 12, y=18))
        x += 40 + 7 * len(text)
    if study.epsilon is not None:
        parts.append(tag("rect", x=x, y=8, width=14, height=12, class_="band"))
        parts.append(tag("text", f"claimed, ε = {plain(study.epsilon)}", x=x + 20, y=18))
    return [join(*parts)]
