"""What stands for noise while a function is run, and the releases that it notes.

The same stand-ins serve a run with symbols, for all data, and a run with data, where every number
with noise comes out as the ``told`` that is given: a draw hides one number, once.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from provado.proofs.sensitivity.change.arrays import Following, SymbolicNumber
from provado.proofs.sensitivity.change.expression import (
    Function,
    PublicSymbol,
    depends_on_data,
    symbols_within,
)
from provado.proofs.sensitivity.change.ratio import Ratio
from provado.proofs.sensitivity.change.vectors import SymbolicVector, is_several
from provado.proofs.sensitivity.trace.untraceable import Blocked, line_of_query, said, stop

NoiseKind = Literal["Laplace", "discrete Laplace", "Gaussian", "exponential", "geometric", "Gumbel"]
DIFFERENCES: Mapping[NoiseKind, NoiseKind] = {
    "exponential": "Laplace",
    "geometric": "discrete Laplace",
}
"""What the difference of two independent draws alike is (Kotz, Kozubowski, Podgórski 2001; Inusah,
Kozubowski 2006): of scale b with density e^(−x/b), and of chance p with −1/ln(1 − p)."""
SYMMETRIC = ("Laplace", "discrete Laplace", "Gaussian")
CHOOSING = ("Laplace", "exponential", "Gumbel")
"""Noise by which the largest number may be chosen: its rule is known."""

MOST_WAYS = 64
"""Ways through a function, by what its noisy numbers decide, that are followed."""


@dataclass(frozen=True)
class Release:
    """Numbers that were released at one place.

    kind: the noise, of ``scale`` on each number; ``None`` for numbers without any. chosen: that the
    place of the largest with noise was released, and nothing else of them. line: of the function.
    number: which of all numbers that came out is the first of these.
    """

    kind: NoiseKind | None
    values: tuple[Any, ...]
    scale: Any
    line: int
    chosen: bool = False
    number: int = -1


@dataclass(frozen=True)
class Way:
    """One way through a function: what it releases, in order, and what it returns.

    rounded: numbers that came out of a rounding, with what was rounded. asked: the conditions on
    numbers that came out by which it was taken.
    """

    releases: tuple[Release, ...]
    returned: tuple[Any, ...]
    rounded: Mapping[int, Ratio]
    asked: Mapping[Ratio, bool]


@dataclass
class ReleaseRun:
    """One run of a function.

    following: that of a run with symbols; ``None`` of one with data. told: what noisy numbers are
    in a run with data, one after the other. ways: what conditions on noisy numbers were, so far.
    """

    following: Following | None = None
    told: Sequence[float] = ()
    ways: list[bool] = field(default_factory=list)
    releases: list[Release] = field(default_factory=list)
    asked: dict[Ratio, bool] = field(default_factory=dict)
    rounded: dict[int, Ratio] = field(default_factory=dict)
    candidates: dict[int, int] = field(default_factory=dict)
    drawn: int = 0

    def release(self, release: Release) -> list[Any]:
        """Note a release; return what comes out: one for each number, or the place chosen."""
        values = tuple(self.exactly(settle(value)) for value in release.values)
        scale, number = self.exactly(release.scale), self.drawn
        if self.following is not None and depends_on_data(scale):
            raise stop("a scale of noise depends on the data")
        self.releases.append(replace(release, values=values, scale=scale, number=number))
        if release.chosen:
            self.candidates[number] = len(values)
            return [self.unknown(name="place") if self.following else 0]
        return [self.unknown() for _ in values]

    def is_place(self, value: Ratio) -> bool:
        """Tell whether it is a place that was chosen, which is a whole number."""
        return any(
            isinstance(s, PublicSymbol) and s.name.startswith("place") for s in value.symbols
        ) and value == Ratio.symbol(next(iter(value.symbols)))

    def exactly(self, value: Any) -> Any:
        """Return a number as an expression; in a run with data, as it is."""
        if self.following is None:
            return float(value)
        value = value.number() if isinstance(value, Weight) else value
        number = value if isinstance(value, SymbolicNumber) else self.following.constant(value)
        if number is None:
            raise stop(f"noise is added to {said(value)}")
        return number.value

    def unknown(self, rounded: Ratio | None = None, name: str = "output") -> Any:
        """Return a number that came out, or was computed of such alone: any, on both sides.

        rounded: what it is, rounded to a whole number or finer.
        """
        number, self.drawn = self.drawn, self.drawn + 1
        if rounded is not None:
            self.rounded[number] = rounded
            name = bare_noise(rounded) or name
        if self.following is None:
            return self.told[number % len(self.told)]
        return SymbolicNumber(Ratio.symbol(PublicSymbol(f"{name} {number}")), self.following)

    def decide(self, value: Ratio) -> bool:
        """Return which way is taken by a condition on what came out; the next run takes others."""
        if depends_on_data(value):
            raise stop("the way that the program takes depends on the data")
        if value not in self.asked:
            if len(self.asked) == MOST_WAYS:
                raise stop("noisy numbers decide again and again")
            if len(self.asked) == len(self.ways):
                self.ways.append(True)
            self.asked[value] = self.ways[len(self.asked)]
        return self.asked[value]

    def place(self, value: Ratio) -> int:
        """Return which place was chosen on this way, where it stands in a list."""
        if not self.is_place(value):
            raise stop("a number that came out stands for a place in a list, or for how many")
        (symbol,) = value.symbols
        assert isinstance(symbol, PublicSymbol)
        several = range(self.candidates[int(symbol.name.split()[1])])
        asked = (Ratio.symbol(PublicSymbol(f"{symbol.name} is {k}")) for k in several[:-1])
        return next((k for k, ratio in enumerate(asked) if self.decide(ratio)), several[-1])

    def next_ways(self) -> list[bool] | None:
        """Return the conditions of the next way; ``None`` after the last one."""
        rest = self.ways[: len(self.asked)]
        while rest and not rest[-1]:
            rest.pop()
        return [*rest[:-1], False] if rest else None


def came_out(symbol: PublicSymbol) -> bool:
    """Tell whether it is a number that came out of a release, and no argument."""
    name, _, number = symbol.name.rpartition(" ")
    return name.startswith(("output", "place", BARE)) and number.isdecimal()


BARE = "noise of line"
"""What came out of a draw that was added to nothing, before the line and the number."""


def bare_noise(value: Ratio) -> str:
    """Return which draw, added to nothing, an expression holds; empty where it holds none."""
    names = [s.name for s in symbols_within(value) if isinstance(s, PublicSymbol)]
    return next((name.rpartition(" ")[0] for name in names if name.startswith(BARE)), "")


class NoiseDraw(Blocked):
    """A draw of noise, before it is added to a number."""

    what = "a draw of noise"
    __array_ufunc__ = None

    def __init__(self, run: ReleaseRun, kind: NoiseKind, scale: Any) -> None:
        self._run, self._kind, self._scale, self._used = run, kind, scale, False
        self._line = line_of_query()

    def take(self) -> None:
        """Use it up."""
        if self._used:
            raise stop("one draw of noise is used twice: draw another for each number")
        self._used = True

    def __add__(self, other: Any) -> Any:
        if is_several(other):
            raise stop("one draw of noise is added to several numbers: draw one for each (size=)")
        if self._kind in ("geometric", "discrete Laplace") and not _is_whole(other):
            raise stop(f"{self._kind} noise is added to what may be no whole number")
        self.take()
        return NoisyNumber(self._run, self._kind, other, self._scale)

    def __sub__(self, other: Any) -> Any:
        if self.is_like(other):
            self.take()
            other.take()
            return NoiseDraw(self._run, DIFFERENCES[self._kind], self.of_difference())
        self._symmetric("subtracted from")
        return self + (-other)

    def is_like(self, other: Any) -> bool:
        """Tell whether the difference to another draw is noise that is known."""
        alike = isinstance(other, NoiseDraw) and other is not self and self._kind in DIFFERENCES
        same = alike and self._run.exactly(self._scale) == self._run.exactly(other._scale)
        return same and other._kind == self._kind

    def of_difference(self) -> Any:
        """Return the scale of the difference of two such draws."""
        if self._kind == "exponential":
            return self._scale
        left = 1 - self._scale
        power = _logarithm(left.value) if isinstance(left, SymbolicNumber) else None
        return -1 / (np.log(left) if power is None else SymbolicNumber(power, left.following))

    def __rsub__(self, other: Any) -> Any:
        self._symmetric("subtracted")
        return self + other

    def __neg__(self) -> Any:
        self._symmetric("negated")
        return self

    def __mul__(self, factor: Any) -> Any:
        if is_several(factor):
            raise stop("one draw of noise is multiplied by several numbers")
        factor = settle(factor)
        if isinstance(factor, SymbolicNumber) and depends_on_data(factor.value):
            raise stop("noise is multiplied by what depends on the data")
        if self._kind in ("geometric", "discrete Laplace"):
            raise stop(f"{self._kind} noise is multiplied")
        scale = self._scale * factor
        sign = sign_of(scale)
        if sign == 0 or sign is None:
            raise stop("noise is multiplied by what may be 0")
        if sign < 0:
            self._symmetric("multiplied by a number below 0")
            scale = -scale
        self.take()
        return NoiseDraw(self._run, self._kind, scale)

    __rmul__ = __mul__

    def __truediv__(self, factor: Any) -> Any:
        return self * (1 / factor)

    def _symmetric(self, what: str) -> None:
        if self._kind not in SYMMETRIC:
            alike = ", or subtracted from a draw alike" * (self._kind in DIFFERENCES)
            raise stop(f"{self._kind} noise is {what}: it is followed where it is added{alike}")

    def settled(self) -> Any:
        """Return it as a number of its own, which is as public as any other random number."""
        self.take()
        return self._run.unknown(name=f"{BARE} {self._line}")

    __radd__ = __add__
    __iadd__, __isub__, __imul__, __itruediv__ = __add__, __sub__, __mul__, __truediv__

    def item(self) -> NoiseDraw:
        """Return the draw."""
        return self


def _logarithm(value: Ratio) -> Ratio | None:
    """Return x of a number e^x, where it is a product of such."""
    ratio = Ratio.number(0)
    for part, sign in ((value.top, 1), (value.bottom, -1)):
        if len(part.terms) != 1 or part.terms[0][1] != 1:
            return None
        for symbol, power in part.terms[0][0]:
            if not isinstance(symbol, Function) or symbol.name != "exp":
                return None
            ratio = ratio + Ratio.number(sign * power) * symbol.argument
    return ratio


def _is_whole(value: Any) -> bool:
    """Tell whether a number is whole for all data."""
    if isinstance(value, SymbolicNumber):
        return value.kind in "bi"
    return float(value).is_integer()


def sign_of(value: Any) -> int | None:
    """Return the sign of a scale, where it is the same for all data and numbers of records."""
    if not isinstance(value, SymbolicNumber):
        return int(np.sign(float(value)))
    result = 1
    for part in (value.value.top, value.value.bottom):
        low, high = value.following.range_of(Ratio.of(part))
        if low == high == 0:
            return 0
        above, below = low is not None and low > 0, high is not None and high < 0
        if not (above or below):
            return None
        result *= 1 if above else -1
    return result


class NoisyNumber(NDArrayOperatorsMixin, Blocked):
    """A number with noise. It is released once anything but its place among others is used."""

    what = "a noisy number"
    takes_numbers = True

    def __init__(self, run: ReleaseRun, kind: NoiseKind, value: Any, scale: Any) -> None:
        self._run, self._kind, self._number, self._scale = run, kind, value, scale
        self._line, self._out, self._chosen = line_of_query(), None, ""

    def __sub__(self, other: Any) -> Any:
        draw = NoiseDraw(self._run, self._kind, self._scale)
        alike = isinstance(other, NoiseDraw) and other.is_like(draw)
        if alike and self.choose("their difference to other noise") is not None:
            other.take()
            kind = DIFFERENCES[self._kind]
            return NoisyNumber(self._run, kind, self._number, draw.of_difference())
        return super().__sub__(other)

    # A number has no items to be changed in place.
    __iadd__, __isub__ = NDArrayOperatorsMixin.__add__, __sub__
    __imul__, __itruediv__ = NDArrayOperatorsMixin.__mul__, NDArrayOperatorsMixin.__truediv__

    def settled(self) -> Any:
        """Return what came out, having released it."""
        if self._chosen:
            raise stop(f"numbers with noise are used beside {self._chosen}")
        if self._out is None:
            release = Release(self._kind, (self._number,), self._scale, self._line)
            (self._out,) = self._run.release(release)
        return self._out

    def choose(
        self, what: str = "the place of the largest of them"
    ) -> tuple[NoiseKind, Any, Any] | None:
        """Return noise, number and scale, to be used for ``what`` alone.

        ``None`` where it was released already.
        """
        if self._out is not None or self._chosen:
            return None
        self._chosen = what
        return self._kind, self._number, self._scale

    def item(self) -> NoisyNumber:
        """Return the number."""
        return self

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return getattr(ufunc, method)(*map(settle, inputs), **options)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        return function(*map(settle, args), **options)

    def __bool__(self) -> bool:
        return bool(self.settled())

    def __format__(self, form: str) -> str:
        self.settled()
        return "a noisy number"

    def __str__(self) -> str:
        return format(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.settled(), name)


def settle(value: Any) -> Any:
    """Return what came out of a noisy number or a draw; anything else as it is."""
    if isinstance(value, NoisyNumber | NoiseDraw):
        return value.settled()
    if isinstance(value, SymbolicVector):
        return SymbolicVector(tuple(map(settle, value.cells)))
    if type(value) in (list, tuple):
        return type(value)(map(settle, value))
    return value


class Weight(NDArrayOperatorsMixin, Blocked):
    """e^score of a candidate, which may be divided by the sum of all of them.

    whole: the scores of that sum, once it was divided by it.
    """

    what = "a weight e^score"
    takes_numbers = True

    def __init__(
        self, score: SymbolicNumber, whole: tuple[SymbolicNumber, ...] | None = None
    ) -> None:
        self.score, self.whole = score, whole

    def number(self) -> Any:
        """Return it as any other number."""
        if self.whole is not None:
            raise stop("a share of weights is used for anything but a choice")
        return np.exp(self.score)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method == "__call__" and not options and len(inputs) == 2:
            first, second = inputs
            if ufunc is np.add and isinstance(second, Weight | WeightSum):
                if isinstance(first, Weight | WeightSum):
                    return WeightSum((*members(first), *members(second)))
                if isinstance(first, int | float) and first == 0:
                    return second
            if ufunc is np.divide and isinstance(first, Weight) and isinstance(second, WeightSum):
                return Weight(first.score, tuple(scores_of(second.weights)))
        return getattr(ufunc, method)(*map(_number, inputs), **options)


class WeightSum(Weight):
    """The sum of weights."""

    what = "a sum of weights e^score"

    def __init__(self, weights: tuple[Weight, ...]) -> None:
        self.weights, self.whole = weights, None

    def number(self) -> Any:
        """Return it as any other number."""
        return functools.reduce(operator.add, [weight.number() for weight in self.weights])


def members(value: Weight) -> tuple[Weight, ...]:
    """Return the weights that are added up."""
    return value.weights if isinstance(value, WeightSum) else (value,)


def scores_of(weights: Iterable[Weight]) -> list[SymbolicNumber]:
    """Return the scores of candidates."""
    return [weight.score for weight in weights]


def _number(value: Any) -> Any:
    return value.number() if isinstance(value, Weight) else value
