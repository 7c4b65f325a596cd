"""The frame of a small plot, in words too: axes, ticks, and the scale of plots in strips."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from provado.reports.pages.frame import macros
from provado.reports.pages.markup import Child, Markup, tag

WIDTH, HEIGHT = 320, 232
LEFT, RIGHT, TOP, BOTTOM = 58, 312, 10, 186
"""The plotting area, in the units of the view box; on most screens about a pixel each."""

WIDEST_LETTER = 6.6
"""Of the digits and signs of a label, in the same units: six tenths of the size of the letters."""


def template() -> Any:
    """Return the macros of ``figure.html``."""
    return macros("pages/templates/figure.html")


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
    across = [
        (round(x.place(value), 1), label) for value, label in zip(x.ticks(), x_labels, strict=True)
    ]
    up = [(round(y.place(value), 1), f"{value:g}") for value in y.ticks()] if y else []
    grid = "".join(f"M{at:g} {TOP}V{BOTTOM}" for at, _ in across)
    grid += "".join(f"M{LEFT} {at:g}H{RIGHT}" for at, _ in up)
    below = [(_inside(at, label), label) for at, label in across]
    area = (LEFT, RIGHT, TOP, BOTTOM)
    return Markup(template().axes(grid, below, up, x_title, y_title, area, HEIGHT))


def _inside(at: float, label: str) -> float:
    """Return where the middle of a label below the axis goes, so that the frame does not cut it."""
    return round(min(at, WIDTH - WIDEST_LETTER * len(label) / 2), 1)


def interval(x: Axis, low: float, high: float, y: float, class_: str) -> list[Markup]:
    """Return a line from ``low`` to ``high``; an end that runs off the axis gets no cap."""
    first, last = (round(x.place(end), 1) for end in (low, high))
    caps = [at for end, at in ((low, first), (high, last)) if x.low < end < x.high]
    line = tag("line", x1=first, x2=last, y1=y, y2=y, class_=class_)
    return [line, *(tag("line", x1=at, x2=at, y1=y - 4, y2=y + 4, class_=class_) for at in caps)]


def mark(first: bool, x: float, y: float) -> Markup:
    """Return the mark of the first of two things, a circle, or of the second, a diamond."""
    if first:
        return tag("circle", r=4, cx=round(x, 1), cy=round(y, 1))
    return tag("path", d=f"M{x:.1f} {y - 5.5:.1f}l5.5 5.5l-5.5 5.5l-5.5-5.5z")


def figure(
    title: str, described: str, parts: Sequence[Child], caption: Child, level: int
) -> Markup:
    """Return a titled figure. ``described`` says what it shows to who cannot see it."""
    return Markup(template().figure(title, described, parts, caption, level, WIDTH, HEIGHT))


def _steps(low: float, high: float, fewer_than: int = 6) -> list[float]:
    """Return multiples of a round step between the ends, fewer steps than so many."""
    power = 10.0 ** math.floor(math.log10(high - low))
    step = next(m * power for m in (0.2, 0.5, 1.0, 2.0) if (high - low) / (m * power) < fewer_than)
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


_LEFT, _RIGHT, _RIGHT_OF_FINITE, _INFINITY = 2.0, 97.0, 87.0, 96.0
_SPACING = 8.5
"""Least distance of two labels, in percent of the width: 25 pixels on a phone."""


@dataclass(frozen=True)
class Tick:
    """One labelled place of the axis, in percent of the width."""

    place: float
    label: str


@dataclass(frozen=True)
class Scale:
    """Maps ε ≥ 0 to percent of the width.

    top: the largest finite ε shown. bend: the ε around which the axis turns from linear to
    logarithmic (``math.inf``: linear throughout). infinite: whether ∞ has a place at the right.
    """

    top: float
    bend: float
    infinite: bool

    def place(self, epsilon: float) -> float:
        """Return the place of ``epsilon``; what lies beyond the top is drawn at the top."""
        if math.isinf(epsilon):
            return _INFINITY
        right = _RIGHT_OF_FINITE if self.infinite else _RIGHT
        part = self._bent(min(epsilon, self.top)) / self._bent(self.top)
        return _LEFT + part * (right - _LEFT)

    def ticks(self) -> list[Tick]:
        """Return round numbers that fit beside each other, 0 and ∞ among them."""
        bent = math.isfinite(self.bend)
        kept = [0.0]
        for value in _round_numbers(self.top) if bent else _steps(0.0, self.top, 7)[1:]:
            place = self.place(value)
            if all(abs(place - self.place(other)) >= _SPACING for other in kept):
                kept.append(value)
        ticks = [Tick(self.place(value), f"{value:g}") for value in sorted(kept)]
        return [*ticks, Tick(_INFINITY, "∞")] if self.infinite else ticks

    def _bent(self, epsilon: float) -> float:
        return epsilon if math.isinf(self.bend) else math.asinh(epsilon / self.bend)


def scale_of(values: Iterable[float], claims: Iterable[float]) -> Scale:
    """Return the scale on which all values show: bent where the largest is 8 times the least."""
    shown = [value for value in values if value >= 0]
    finite = [value for value in shown if math.isfinite(value)] or [1.0]
    # Within what a double leaves room for steps in.
    top = min(max(max(finite) * 1.04, 1e-300), 1e308) if any(finite) else 1.0
    least = min((claim for claim in claims if claim > 0), default=top)
    bend = max(least, top / 1000) if top > 8 * least else math.inf
    return Scale(top, bend, infinite=any(map(math.isinf, shown)))


def _round_numbers(top: float) -> list[float]:
    """Return 1, 2, 5 times powers of ten up to ``top``, powers of ten first."""
    high = math.floor(math.log10(top))
    return [
        value
        for mantissa in (1, 5, 2)
        for power in range(high, high - 4, -1)
        if (value := mantissa * 10.0**power) <= top
    ]
