"""Values of a program's parameters, with which its probabilities are computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from .ir import Binary, Coin, Expression, Name, Number, Uniform
from .polynomial import ratio
from .waves import ONE, Share, Wave
from .ways import UndecidedProgramError, Ways


@dataclass(frozen=True)
class Setting:
    """Values of all parameters but ``rate``: scales are numbers divided by it, or plain numbers.

    rate: the parameter that stays open, usually ε; ``None`` where all have values.
    """

    ways: Ways
    values: Mapping[str, Fraction]
    rate: str | None

    def scale(self, draw_scale: Expression) -> Fraction:
        """Return a scale, times the rate where there is one."""
        found = ratio(_filled(draw_scale, self.values))
        if self.rate is not None:
            c, unit = found.inverse().unit()
            if unit.top.terms != ((((self.rate, 1),), Fraction(1)),) or unit.bottom.terms != (
                ((), Fraction(1)),
            ):
                raise UndecidedProgramError(f"a scale is no number divided by {self.rate}")
            if c <= 0:
                raise UndecidedProgramError("a scale is not above 0")
            return 1 / c
        top, bottom = dict(found.top.terms).get(()), dict(found.bottom.terms).get(())
        if top is None or bottom is None or top / bottom <= 0:
            raise UndecidedProgramError("a scale is not above 0")
        return top / bottom

    def weight(self, draw: Coin | Uniform, outcome: int) -> Share:
        """Return the probability of an outcome of a coin, or of a whole number."""
        if isinstance(draw, Uniform):
            return Share(Wave.of(1), Wave.of(draw.count))
        p = self._share(draw.p)
        return p if outcome else Share(p.bottom - p.top, p.bottom)

    def _share(self, part: Expression) -> Share:
        match part:
            case Number(value):
                return Share(Wave.of(value), ONE.bottom)
            case Name(name) if name in self.values:
                return Share(Wave.of(self.values[name]), ONE.bottom)
            case Name(self.rate):
                return Share(Wave.rate(), ONE.bottom)
            case Binary("exp", power, _):
                found = self._share(power)
                return Share(Wave.exp(found.top, found.bottom, self.rate is None), ONE.bottom)
            case Binary(op, left, right):
                a, b = self._share(left), self._share(right)
                if op in ("+", "-"):
                    other = b if op == "+" else Share(Wave() - b.top, b.bottom)
                    return a + other
                if op == "*":
                    return a * b
                if op == "/" and b.top:
                    return Share(a.top * b.bottom, a.bottom * b.top)
        raise UndecidedProgramError("a coin's probability is beyond exponentials and ratios")


def _filled(part: Expression, values: Mapping[str, Fraction]) -> Expression:
    match part:
        case Name(name) if name in values:
            return Number(values[name])
        case Binary(op, left, right):
            return Binary(op, _filled(left, values), _filled(right, values))
    return part
