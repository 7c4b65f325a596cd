"""The frame of a small plot: axes, ticks, and a picture that says in words what it shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .element import Child, Markup, join, tag

WIDTH, HEIGHT = 320, 232
LEFT, RIGHT, TOP, BOTTOM = 58, 312, 10, 186
"""The plotting area, in the units of the view box; on most screens about a pixel each."""


@dataclass(frozen=True)
class Axis:
    """Maps values from ``low`` to ``high`` to places from ``start`` to ``end``.

    log: whether equal ratios have equal lengths; then 0 < low. Values beyond the ends are drawn at
    the ends.
    """

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def place(self, value: float) -> float:
        """Return the place of ``value``."""
        inside = min(max(value, self.low), self.high)
        low, high, at = (math.log(x) if self.log else x for x in (self.low, self.high, inside))
        return self.start + (at - low) / (high - low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Return a few round numbers on the axis, at least one."""
        return _powers(self.low, self.high) if self.log else _steps(self.low, self.high)


def horizontal(low: float, high: float, *, log: bool = False) -> Axis:
    """Return the axis along the bottom of the plotting area."""
    return Axis(low, high, LEFT, RIGHT, log)


def vertical(low: float, high: float) -> Axis:
    """Return the axis along its left side, upward."""
    # Within what a double leaves room for steps in.
    return Axis(low, min(max(high, low + 1e-300), 1e308), BOTTOM, TOP)


def axes(
    x: Axis, x_title: str, x_labels: Sequence[str], y: Axis | None = None, y_title: str = ""
) -> Markup:
    """Return grid, labels and titles; ``x_labels`` name the ticks of ``x``."""
    parts: list[Markup] = []
    for value, label in zip(x.ticks(), x_labels, strict=True):
        at = round(x.place(value), 1)
        parts.append(tag("line", x1=at, x2=at, y1=TOP, y2=BOTTOM, class_="grid"))
        parts.append(tag("text", label, x=at, y=BOTTOM + 15, text_anchor="middle"))
    for value in y.ticks() if y else ():
        at = round(y.place(value), 1) if y else 0.0
        parts.append(tag("line", x1=LEFT, x2=RIGHT, y1=at, y2=at, class_="grid"))
        parts.append(tag("text", f"{value:g}", x=LEFT - 6, y=at + 4, text_anchor="end"))
    middle = (LEFT + RIGHT) / 2
    parts.append(tag("text", x_title, x=middle, y=HEIGHT - 12, text_anchor="middle"))
    if y_title:
        turned = f"rotate(-90 10 {(TOP + BOTTOM) / 2:g})"
        parts.append(
            tag(
                "text",
                y_title,
                x=10,
                y=(TOP + BOTTOM) / 2 + 3,
                text_anchor="middle",
                transform=turned,
            )
        )
    return join(*parts)


def interval(x: Axis, low: float, high: float, y: float, class_: str | None = None) -> list[Markup]:
    """Return a line from ``low`` to ``high``; an end that runs off the axis gets no cap."""
    ends = [(end, round(x.place(end), 1)) for end in (low, high)]
    parts = [tag("line", x1=ends[0][1], x2=ends[1][1], y1=y, y2=y, class_=class_)]
    parts += [
        tag("line", x1=at, x2=at, y1=y - 4, y2=y + 4, class_=class_)
        for end, at in ends
        if x.low < end < x.high
    ]
    return parts


def mark(first: bool, x: float, y: float) -> Markup:
    """Return the mark of the first of two things, a circle, or of the second, a diamond."""
    shape = tag("circle", r=4) if first else tag("path", d="M0-5.5L5.5 0L0 5.5L-5.5 0Z")
    return tag("g", shape, transform=f"translate({x:.1f} {y:.1f})")


def figure(
    ident: str, title: str, described: str, parts: Sequence[Child], caption: Child, level: int
) -> Markup:
    """Return a titled figure. ``described`` says what it shows to who cannot see it."""
    names = {"title": f"{ident}-title", "desc": f"{ident}-desc"}
    picture = tag(
        "svg",
        tag("title", title, id=names["title"]),
        tag("desc", described, id=names["desc"]),
        *parts,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_labelledby=names["title"],
        aria_describedby=names["desc"],
    )
    return tag("figure", tag(f"h{level}", title), picture, tag("figcaption", caption))


def _steps(low: float, high: float) -> list[float]:
    """Return at most six multiples of a round step between the ends."""
    power = 10.0 ** math.floor(math.log10(high - low))
    step = next(m * power for m in (0.2, 0.5, 1.0, 2.0) if (high - low) / (m * power) < 6)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [i * step for i in range(first, last + 1)]


def _powers(low: float, high: float) -> list[float]:
    """Return powers of ten between the ends, also multiples of them where there are few."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for mantissas in ((1,), (1, 3), (1, 2, 5)):
        ticks = [m * 10.0**k for k in decades for m in mantissas]
        shown = [tick for tick in ticks if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]
        if len(shown) >= 3:
            break
    stride = max(-(-len(shown) // 6), 1)
    return shown[::stride] or [low]
