"""The axis of the forest plot: linear, or compressed above the claims where ε spreads far."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

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
        candidates = _round_numbers(self.top) if math.isfinite(self.bend) else _even(self.top)
        kept = [0.0]
        for value in candidates:
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


def _even(top: float) -> list[float]:
    """Return at most six multiples of a round step, up to ``top``."""
    power = 10.0 ** math.floor(math.log10(top))
    step = next(m * power for m in (0.2, 0.5, 1.0, 2.0) if top / (m * power) < 7)
    return [i * step for i in range(1, int(top / step) + 1)]


def _round_numbers(top: float) -> list[float]:
    """Return 1, 2, 5 times powers of ten up to ``top``, powers of ten first."""
    high = math.floor(math.log10(top))
    return [
        value
        for mantissa in (1, 5, 2)
        for power in range(high, high - 4, -1)
        if (value := mantissa * 10.0**power) <= top
    ]
