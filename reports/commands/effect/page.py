"""The effect-size page: both estimates with limits on a log scale, beside the claimed band."""

import math
from collections.abc import Sequence

from provado.audit.experiments.effects.observational import EffectStudy
from provado.audit.experiments.effects.relative import EventEffect
from provado.reports.commands.effect import words
from provado.reports.documents.origin import provado_version
from provado.reports.pages.figures.figure import Axis, Tick, axis_row, grid
from provado.reports.pages.frame import frame, installed, macros, piece, section, table
from provado.reports.pages.markup import Markup, tag
from provado.reports.text.formatting import clean, plain

_TEMPLATE = "commands/effect/page.html"


def render(study: EffectStudy) -> str:
    """Return the page as text. It needs no network, no script and no other file."""
    sentences = (words.causal_sentence, words.associative_sentence, words.no_effect_sentence)
    sections = (
        section("summary", "Summary", *(tag("p", clean(say(study))) for say in sentences)),
        section("plot", "Effect sizes", plot(study)),
        section("counts", "Counts", _table(study)),
        section("methods", "How to read this", macros(_TEMPLATE).methods(study.confidence)),
        section("versions", "Versions", installed()),
    )
    footer = f"Provado {provado_version()}"
    return frame(clean(words.title(study)), sections, footer=footer, style=piece("effect.css"))


def _table(study: EffectStudy) -> Markup:
    d, d_prime = (f"{clean(study.point)} = {value}" for value in words.values_of(study))
    heads = ["event"]
    for kind, estimate in (("do", "causal"), ("given", "associative")):
        heads += [f"{kind} {d}", f"{kind} {d_prime}", f"{estimate} ratio", f"{estimate} limits"]
    rows = [(words.name(one), *_cells(one), *_cells(other)) for one, other in words.shown(study)]
    return table("Outputs that showed each event", heads, rows, visible=False)


def _cells(one: EventEffect) -> Sequence[str]:
    return f"{one.hits:,}", f"{one.other_hits:,}", plain(one.ratio), words.limits(one)


_HEIGHT, _PLACES = 44, {"causal": 14, "associative": 30}
_LEFT, _RIGHT = 3.0, 97.0
"""Of the strip's width, in percent: marks at the ends of the axis are not cut."""

_MOST = math.log(1e6)
"""Beyond this ratio everything is drawn at the edge."""


def plot(study: EffectStudy) -> Markup:
    """Return the plot; shape and color both distinguish the estimates."""
    pairs = words.shown(study)
    reach = _reach(study, pairs)
    x = Axis(math.exp(-reach), math.exp(reach), _LEFT, _RIGHT, log=True)
    ticks = [Tick(x.place(tick), f"{tick:g}") for tick in sorted({1.0, *x.ticks()})]
    rows = [_row(study, one, other, x) for one, other in pairs]
    axis = axis_row(ticks, "ratio")
    return tag("div", _legend(study), axis, *rows, class_="forest effects", style=grid(ticks))


def _reach(study: EffectStudy, pairs: list[tuple[EventEffect, EventEffect]]) -> float:
    """Return the logarithm of the largest ratio shown, at least 2."""
    sizes = [math.log(2), study.epsilon or 0.0]
    for pair in pairs:
        for one in pair:
            ends = (one.low, one.high, one.ratio)
            sizes += [abs(math.log(end)) for end in ends if 0 < end < math.inf]
    return min(1.05 * max(sizes), _MOST)


def _row(study: EffectStudy, one: EventEffect, other: EventEffect, x: Axis) -> Markup:
    estimates = {"causal": one, "associative": other}
    said = "; ".join(
        f"{kind} {plain(e.ratio)} ({words.limits(e)})" for kind, e in estimates.items()
    )
    marks = [part for kind, e in estimates.items() for part in _interval(kind, e, x)]
    strip = tag("svg", *_band(study, x, _HEIGHT), *marks, width="100%", height=_HEIGHT)
    label = clean(f"{words.name(one)}: {said}")
    figures = [tag("span", plain(e.ratio), class_=kind) for kind, e in estimates.items()]
    return tag(
        "div",
        tag("span", words.name(one), class_="name"),
        tag("span", strip, class_="strip", role="img", aria_label=label),
        tag("span", *figures, class_="figures", aria_hidden="true"),
        class_="row",
    )


def _interval(kind: str, one: EventEffect, x: Axis) -> list[Markup]:
    """Return limits and estimate; an end that runs off the axis gets no cap."""
    y = _PLACES[kind]
    places = [x.place(end) for end in (one.low, one.high)]
    lines = [(places[0], places[1], y, y)]
    lines += [
        (at, at, y - 4, y + 4)
        for end, at in zip((one.low, one.high), places, strict=True)
        if x.low < end < x.high
    ]
    parts = [
        tag("line", x1=f"{a:.2f}%", x2=f"{b:.2f}%", y1=top, y2=bottom, class_=kind)
        for a, b, top, bottom in lines
    ]
    return parts if math.isnan(one.ratio) else [*parts, _mark(kind, x.place(one.ratio), y)]


def _mark(kind: str, place: float, y: int) -> Markup:
    at = f"{place:.2f}%"
    if kind == "causal":
        return tag("circle", cx=at, cy=y, r=4.5, class_=kind)
    diamond = tag("path", d="M0-5.5L5.5 0L0 5.5L-5.5 0Z", class_=kind)
    return tag("svg", diamond, x=at, y=y, overflow="visible")


def _band(study: EffectStudy, x: Axis, height: int) -> list[Markup]:
    if study.epsilon is None:
        return []
    low, high = (x.place(math.exp(sign * min(study.epsilon, 700.0))) for sign in (-1, 1))
    x_to = {"x": f"{low:.2f}%", "width": f"{high - low:.2f}%"}
    return [tag("rect", y=0, height=height, class_="allowed", **x_to)]


def _legend(study: EffectStudy) -> Markup:
    d, d_prime = words.values_of(study)
    point = clean(study.point)
    entries = [
        (_mark("causal", 50, 10), f"causal: do({point} = {d}) / do({point} = {d_prime})"),
        (_mark("associative", 50, 10), f"associative: given {point} = {d} / given {d_prime}"),
    ]
    if study.epsilon is not None:
        band = tag("rect", x=2, y=3, width=20, height=14, class_="allowed")
        entries.append((band, f"the claim, ε = {plain(study.epsilon)}"))
    items = [tag("li", tag("svg", key, width=24, height=20), text) for key, text in entries]
    return tag("ul", *items, class_="legend")
