"""Parts of outputs that rarely distinguish: residues, bits, signs of zero, equal coordinates.

There are many of them. They are screened cheaply, and those that distinguish best are kept.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import chdtrc

from provado.audit.target.output_encoding import Encoded, Ints

from .feature import Column, EventKind, EventSet, Feature, Floats, float_bits
from .text import Noted, noted_features

MOST_DECIMALS = 9


@dataclass(frozen=True)
class _Coordinate:
    """A coordinate of outputs, of which a part is read."""

    j: int
    width: int

    @property
    def name(self) -> str:
        """Return the coordinate in words."""
        return Column(self.j, self.width).words()


@dataclass(frozen=True)
class Residue(_Coordinate):
    """A coordinate in units of 2^``place``, modulo ``modulus``; NaN where it is no whole number."""

    modulus: int
    place: int = 0
    kind = EventKind.RESIDUES

    def read(self, outputs: Encoded) -> Floats:
        """Return the residue, also of numbers that a double rounds."""
        column = outputs.values[:, self.j]
        if column.dtype.kind in "iub":
            units = column.astype(np.int64, copy=False) if column.dtype.kind != "u" else column
            rest = (units % self.modulus).astype(np.float64)
        else:
            with np.errstate(invalid="ignore", over="ignore"):
                units = np.ldexp(column.astype(np.float64), -self.place)
                whole, rest = units == np.floor(units), np.full(len(units), np.nan)
                rest[whole] = np.mod(units[whole], self.modulus)
        if outputs.rest is not None and self.place == 0:
            rest = np.mod(rest + np.mod(outputs.rest[:, self.j], self.modulus), self.modulus)
        return rest

    def words(self) -> str:
        """Return ``output mod 7``."""
        whole = self.name if self.place == 0 else f"({self.name} / 2^{self.place})"
        return f"{whole} mod {self.modulus}"


@dataclass(frozen=True)
class Bit(_Coordinate):
    """One bit of a coordinate as a double: bit ``place`` of the fraction, the lowest is 0."""

    place: int
    kind = EventKind.BITS

    def read(self, outputs: Encoded) -> Floats:
        """Return 0 or 1."""
        bits = np.ascontiguousarray(outputs.column(self.j)).view(np.int64)
        return (bits >> self.place & 1).astype(np.float64)

    def words(self) -> str:
        """Return ``bit 12 of the fraction of output``."""
        return f"bit {self.place} of the fraction of {self.name}"


@dataclass(frozen=True)
class Digit(_Coordinate):
    """Whether a coordinate holds an odd number of whole 2^``place``."""

    place: int
    kind = EventKind.BITS

    def read(self, outputs: Encoded) -> Floats:
        """Return 0 or 1; NaN where there is no finite number."""
        with np.errstate(invalid="ignore", over="ignore"):
            units = np.floor(np.ldexp(outputs.column(self.j), -self.place))
            return np.asarray(np.mod(units, 2.0), dtype=np.float64)

    def words(self) -> str:
        """Return ``the digit 2^-8 of output``."""
        return f"the binary digit 2^{self.place} of {self.name}"


@dataclass(frozen=True)
class FractionDigits(_Coordinate):
    """How many digits of base 10, or of base 2, a coordinate has behind the point.

    Base 10: at most ``MOST_DECIMALS``, and more are as many. step: what the coordinate was rounded
    to a multiple of, 0 for nothing. Base 2: negative where the number is a multiple of 2, 4, ….
    """

    base: int
    step: float = 0.0
    kind = EventKind.PLACES

    def read(self, outputs: Encoded) -> Floats:
        """Return the number of digits; NaN where there is no finite number."""
        x = outputs.column(self.j)
        if self.base == 2:
            return np.where(np.isfinite(x) & (x != 0), 1100.0 - float_bits(x)[2], np.nan)
        result = np.where(np.isfinite(x), float(MOST_DECIMALS), np.nan)
        with np.errstate(invalid="ignore", over="ignore"):
            for places in reversed(range(MOST_DECIMALS)):
                if self.step * 10.0**places < 0.01:
                    moved = x * 10.0**places
                    near = np.abs(moved) * 2.0**-51 + self.step * 10.0**places
                    result[np.abs(moved - np.rint(moved)) <= near] = places
        return result

    def words(self) -> str:
        """Return ``the number of decimals of output``."""
        digits = "decimals" if self.base == 10 else "binary places"
        return f"the number of {digits} of {self.name}"


@dataclass(frozen=True)
class ZeroSign(_Coordinate):
    """Whether a coordinate is 0.0 or −0.0: 1 or −1, and 0 for any other number."""

    kind = EventKind.ZERO_SIGN

    def read(self, outputs: Encoded) -> Floats:
        """Return 1, −1 or 0."""
        column = outputs.column(self.j)
        return np.where(column == 0, np.copysign(1.0, column), 0.0)

    def words(self) -> str:
        """Return ``the sign of output where it is 0``."""
        return f"the sign of {self.name} where it is 0"


@dataclass(frozen=True)
class NanBits(_Coordinate):
    """Sign and payload of a coordinate where it is NaN; −1 where it is a number."""

    kind = EventKind.BITS

    def read(self, outputs: Encoded) -> Floats:
        """Return all bits but those of the exponent, the sign above the others."""
        column = np.ascontiguousarray(outputs.column(self.j))
        bits = column.view(np.uint64)
        told = (bits & np.uint64(2**52 - 1)).astype(np.float64) + (bits >> np.uint64(63)) * 2.0**52
        return np.where(np.isnan(column), told, -1.0)

    def words(self) -> str:
        """Return ``the kind of NaN of output``."""
        return f"the kind of NaN of {self.name}"


@dataclass(frozen=True)
class Ties:
    """How many coordinates are equal to another one, but for one of each value."""

    kind = EventKind.TIES

    def read(self, outputs: Encoded) -> Floats:
        """Return the number of coordinates less that of distinct ones; NaN counts as none."""
        ordered = np.sort(outputs.values, axis=1)
        equal = ordered[:, 1:] == ordered[:, :-1]
        return np.asarray(np.count_nonzero(equal, axis=1), dtype=np.float64)

    def words(self) -> str:
        """Say so."""
        return "the number of repeated coordinates"


SCREENED, NUMBERS, NOTED = 8192, 2**17, 2000
"""Samples of each side that are screened, numbers in them, and samples that have notes."""

MOST_COLUMNS = 24
"""Columns whose parts are examined: the most informative ones."""

MODULI = (*range(2, 33), 60, 64, 100, 128, 256, 1000)

FRACTION_BITS, DIGITS = 52, 32
"""Bits of the fraction of a double; binary digits from the leading one of a typical number down."""

KEPT, KEPT_OF_A_KIND = 3, 2
IMPROBABLE = 1e-8
"""How many are kept, and how improbable one must be if it tells nothing."""

FEW, FEW_TEXTS = 256, 64
"""Values of a part that are taken one by one; texts of which each is an event of its own anyway."""


class Part(Feature, Protocol):
    """A feature that belongs to a kind of event."""

    @property
    def kind(self) -> EventKind:
        """Which kind."""
        ...


@dataclass(frozen=True)
class PartKey:
    """The value of a part, as a key of a table."""

    part: Part | Feature

    def read(self, outputs: Encoded) -> Ints:
        """Return the bits of the value, of which no two NaN differ."""
        values = self.part.read(outputs)
        return np.where(np.isnan(values), np.nan, values + 0.0).view(np.int64)

    def words(self) -> str:
        """Return the part."""
        return self.part.words()

    def spell(self, outputs: Encoded, row: int) -> str:
        """Return its value; nothing where the output itself says it best."""
        if isinstance(self.part, Noted) and self.part.how in ("form", "part"):
            return self.part.spell(outputs, row)
        return f"{float(self.part.read(outputs.part(slice(row, row + 1)))[0]):.10g}"

    def event_set(self) -> EventSet:
        """Return its kind."""
        return EventSet(getattr(self.part, "kind", EventKind.VALUES), (self.part.words(),))


def distinguishing_parts(
    columns: list[Column], discrete: Collection[int], a: Encoded, b: Encoded
) -> tuple[list[Part], set[EventKind]]:
    """Return the few parts that distinguish D from D′ best on the first samples, and the screened.

    columns: in order of how much they tell by themselves. discrete: those of which each value is
    an event of its own anyway.
    """
    width = max(a.values.shape[1], 1)
    size = max(min(SCREENED, NUMBERS // min(width, MOST_COLUMNS)), 256)
    x, y = a.part(slice(0, size)), b.part(slice(0, size))
    parts: list[Part] = [*_of_numbers(columns[:MOST_COLUMNS], discrete, x, y)]
    result = [(_gain(part.read(x), part.read(y)), part) for part in parts]
    if a.notes is not None or b.notes is not None:
        x, y = a.part(slice(0, NOTED)), b.part(slice(0, NOTED))
        notes = [part.notes.tolist() for part in (x, y) if part.notes is not None]
        noted: list[Part] = [*noted_features([note for some in notes for note in some], FEW_TEXTS)]
        result += [(_gain(part.read(x), part.read(y)), part) for part in noted]
    kept: list[Part] = []
    for gain, part in sorted(result, key=lambda item: -item[0]):
        fewer = sum(item.kind is part.kind for item in kept) < KEPT_OF_A_KIND
        if gain > 0 and fewer and len(kept) < KEPT:
            kept.append(part)
    return kept, {part.kind for _, part in result}


def _of_numbers(
    columns: list[Column], discrete: Collection[int], a: Encoded, b: Encoded
) -> Iterator[Part]:
    if len(columns) > 1:
        yield Ties()
    for column in columns:
        j, width = column.j, column.width
        values = np.concatenate([column.read(a), column.read(b)])
        if np.isnan(values).any():
            yield NanBits(j, width)
        values = values[np.isfinite(values)]
        if not len(values):
            continue
        if a.values.dtype.kind == "f" and (values == 0).any():
            yield ZeroSign(j, width)
        values = values[values != 0]
        if not len(values) or j in discrete:
            continue
        _, exponent, places = float_bits(values)
        place = int(places.min()) - 1100
        top = int(exponent.max()) - 1100
        is_whole = a.rest is not None or b.rest is not None or place >= 0
        if is_whole or top - place < 53:
            unit = 0 if is_whole else place
            yield from (Residue(j, width, modulus, unit) for modulus in MODULI)
        else:
            usual = int(np.median(exponent)) - 1100
            yield from (Bit(j, width, place) for place in range(FRACTION_BITS))
            yield from (Digit(j, width, usual - digit) for digit in range(DIGITS))


def _gain(a: Floats, b: Floats) -> float:
    """Return by how much the chi-square of two samples exceeds its degrees of freedom.

    Zero where that is no wonder. Values are taken as they are if they are few, else by quantile.
    """
    pooled = np.concatenate([a, b])
    pooled = np.where(np.isnan(pooled), -2.0, pooled)
    if pooled.min() >= -2 and pooled.max() < FEW and not np.any(pooled != np.floor(pooled)):
        cells = pooled.astype(np.int64) + 2
    else:
        values, cells = np.unique(pooled, return_inverse=True)
        if len(values) > FEW:
            edges = np.quantile(pooled, np.linspace(0, 1, 33)[1:-1], method="lower")
            cells = np.searchsorted(np.unique(edges), pooled, side="right")
    x = np.bincount(cells[: len(a)], minlength=int(cells.max()) + 1)
    y = np.bincount(cells[len(a) :], minlength=len(x))
    total = (x + y).astype(float)
    seen = total > 0
    # Samples of either side may be more; scaled to what each expects.
    expected = total[seen] * len(a) / len(pooled)
    spread = expected * len(b) / len(pooled)
    chi = float((((x[seen] - expected) ** 2) / np.maximum(spread, 1e-9)).sum())
    freedom = int(seen.sum()) - 1
    if freedom < 1 or float(chdtrc(freedom, chi)) > IMPROBABLE:
        return 0.0
    return chi - freedom
