"""Small parts of a number: its residue, single bits, the sign of zero; and equal coordinates."""

from dataclasses import dataclass

import numpy as np

from provado.audit.target.output_encoding import Encoded

from .feature import Column, Floats, float_bits
from .kinds import Kind

MOST_DECIMALS = 9


@dataclass(frozen=True)
class Residue:
    """A coordinate in units of 2^``place``, modulo ``modulus``; NaN where it is no whole number."""

    j: int
    width: int
    modulus: int
    place: int = 0
    kind = Kind.RESIDUES

    def read(self, outputs: Encoded) -> Floats:
        """Return the residue, also of numbers that a double rounds."""
        column = outputs.values[:, self.j]
        if column.dtype.kind in "iub":
            units = column.astype(np.int64, copy=False) if column.dtype.kind != "u" else column
            rest = (units % self.modulus).astype(np.float64)
        else:
            with np.errstate(invalid="ignore", over="ignore"):
                units = np.ldexp(column.astype(np.float64), -self.place)
                rest = np.where(units == np.floor(units), np.mod(units, self.modulus), np.nan)
        if outputs.rest is not None and self.place == 0:
            rest = np.mod(rest + np.mod(outputs.rest[:, self.j], self.modulus), self.modulus)
        return rest

    def words(self) -> str:
        """Return ``output mod 7``."""
        name = Column(self.j, self.width).words()
        return (
            f"{name} mod {self.modulus}"
            if self.place == 0
            else (f"({name} / 2^{self.place}) mod {self.modulus}")
        )


@dataclass(frozen=True)
class Bit:
    """One bit of a coordinate as a double: bit ``place`` of the fraction, the lowest is 0."""

    j: int
    width: int
    place: int
    kind = Kind.BITS

    def read(self, outputs: Encoded) -> Floats:
        """Return 0 or 1."""
        bits = np.ascontiguousarray(outputs.column(self.j)).view(np.int64)
        return (bits >> self.place & 1).astype(np.float64)

    def words(self) -> str:
        """Return ``bit 12 of the fraction of output``."""
        return f"bit {self.place} of the fraction of {Column(self.j, self.width).words()}"


@dataclass(frozen=True)
class Digit:
    """Whether a coordinate holds an odd number of whole 2^``place``."""

    j: int
    width: int
    place: int
    kind = Kind.BITS

    def read(self, outputs: Encoded) -> Floats:
        """Return 0 or 1; NaN where there is no finite number."""
        with np.errstate(invalid="ignore", over="ignore"):
            units = np.floor(np.ldexp(outputs.column(self.j), -self.place))
            return np.asarray(np.mod(units, 2.0), dtype=np.float64)

    def words(self) -> str:
        """Return ``the digit 2^-8 of output``."""
        return f"the binary digit 2^{self.place} of {Column(self.j, self.width).words()}"


@dataclass(frozen=True)
class Places:
    """How many digits of base 10, or of base 2, a coordinate has behind the point.

    Base 10: at most ``MOST_DECIMALS``, and more are as many. step: what the coordinate was rounded
    to a multiple of, 0 for nothing. Base 2: negative where the number is a multiple of 2, 4, ….
    """

    j: int
    width: int
    base: int
    step: float = 0.0
    kind = Kind.PLACES

    def read(self, outputs: Encoded) -> Floats:
        """Return the number of digits; NaN where there is no finite number."""
        x = outputs.column(self.j)
        if self.base == 2:
            return np.where(np.isfinite(x) & (x != 0), 1100.0 - float_bits(x)[2], np.nan)
        found = np.where(np.isfinite(x), float(MOST_DECIMALS), np.nan)
        with np.errstate(invalid="ignore", over="ignore"):
            for places in reversed(range(MOST_DECIMALS)):
                if self.step * 10.0**places < 0.01:
                    moved = x * 10.0**places
                    near = np.abs(moved) * 2.0**-51 + self.step * 10.0**places
                    found[np.abs(moved - np.rint(moved)) <= near] = places
        return found

    def words(self) -> str:
        """Return ``the number of decimals of output``."""
        digits = "decimals" if self.base == 10 else "binary places"
        return f"the number of {digits} of {Column(self.j, self.width).words()}"


@dataclass(frozen=True)
class ZeroSign:
    """Whether a coordinate is 0.0 or −0.0: 1 or −1, and 0 for any other number."""

    j: int
    width: int
    kind = Kind.ZERO_SIGN

    def read(self, outputs: Encoded) -> Floats:
        """Return 1, −1 or 0."""
        column = outputs.column(self.j)
        return np.where(column == 0, np.copysign(1.0, column), 0.0)

    def words(self) -> str:
        """Return ``the sign of output where it is 0``."""
        return f"the sign of {Column(self.j, self.width).words()} where it is 0"


@dataclass(frozen=True)
class NanBits:
    """Sign and payload of a coordinate where it is NaN; −1 where it is a number."""

    j: int
    width: int
    kind = Kind.BITS

    def read(self, outputs: Encoded) -> Floats:
        """Return all bits but those of the exponent, the sign above the others."""
        column = np.ascontiguousarray(outputs.column(self.j))
        bits = column.view(np.uint64)
        told = (bits & np.uint64(2**52 - 1)).astype(np.float64) + (bits >> np.uint64(63)) * 2.0**52
        return np.where(np.isnan(column), told, -1.0)

    def words(self) -> str:
        """Return ``the kind of NaN of output``."""
        return f"the kind of NaN of {Column(self.j, self.width).words()}"


@dataclass(frozen=True)
class Ties:
    """How many coordinates are equal to another one, but for one of each value."""

    kind = Kind.TIES

    def read(self, outputs: Encoded) -> Floats:
        """Return the number of coordinates less that of distinct ones; NaN counts as none."""
        ordered = np.sort(outputs.values, axis=1)
        equal = ordered[:, 1:] == ordered[:, :-1]
        return np.asarray(np.count_nonzero(equal, axis=1), dtype=np.float64)

    def words(self) -> str:
        """Say so."""
        return "the number of repeated coordinates"
