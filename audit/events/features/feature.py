"""Real-valued features of an output, integer keys of it, and kinds of event in a report's words."""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from provado.audit.target.exceptions import own_error
from provado.audit.target.output_encoding import Encoded, Ints, mix

_MOST_NAMED = 4


class EventKind(StrEnum):
    """How an event is read off one output."""

    STRUCTURE = "structure"
    VALUES = "values"
    THRESHOLDS = "thresholds"
    INTERVALS = "intervals"
    FLOAT_BITS = "float-bits"
    WITHIN = "within"
    WEIGHTED = "weighted"
    TREES = "trees"
    RESIDUES = "residues"
    BITS = "bits"
    ZERO_SIGN = "zero-sign"
    TIES = "ties"
    TEXT = "text"
    ORDER = "order"
    TYPES = "types"
    PLACES = "places"
    JOINT = "joint"


WORDS = {
    EventKind.STRUCTURE: "structure, type, text, exceptions, True and False, None, NaN and ∞",
    EventKind.VALUES: "structure and single values",
    EventKind.THRESHOLDS: "thresholds",
    EventKind.INTERVALS: "unions of intervals",
    EventKind.FLOAT_BITS: "sign, exponent and lowest set bit",
    EventKind.WITHIN: "intervals within each structure and value",
    EventKind.WEIGHTED: "a weighted sum",
    EventKind.TREES: "boosted trees",
    EventKind.RESIDUES: "residues of whole numbers",
    EventKind.BITS: "single bits of numbers",
    EventKind.ZERO_SIGN: "the sign of zero",
    EventKind.TIES: "repeated numbers and words",
    EventKind.TEXT: "length, characters and parts of text",
    EventKind.ORDER: "order of words and keys",
    EventKind.TYPES: "types of arrays",
    EventKind.PLACES: "decimals and lowest bits",
    EventKind.JOINT: "pairs of coordinates",
}
"""Each kind in words, which stand before what it is read off."""

WITHOUT_NUMBERS = frozenset(EventKind) - {
    EventKind.VALUES,
    EventKind.THRESHOLDS,
    EventKind.INTERVALS,
    EventKind.FLOAT_BITS,
    EventKind.WITHIN,
    EventKind.WEIGHTED,
    EventKind.TREES,
    EventKind.PLACES,
    EventKind.JOINT,
}
"""Kinds that need no number of the output to be named."""


@dataclass(frozen=True)
class EventSet:
    """One kind of event that was a candidate, and the numbers of the output that it was read off.

    of: their names, ``output[3]``, ``sum of the output``; empty where it is no number.
    """

    kind: EventKind
    of: tuple[str, ...] = ()
    failed = ""

    def words(self) -> str:
        """Return it in words: ``thresholds of output[0], output[1]``."""
        if not self.of:
            return WORDS[self.kind]
        named = ", ".join(self.of[:_MOST_NAMED])
        if len(self.of) > _MOST_NAMED:
            named = f"{len(self.of)} numbers ({named}, …)"
        return f"{WORDS[self.kind]} of {named}"


@dataclass(frozen=True)
class LeftOut(EventSet):
    """A kind that was left out. failed: the error of our own that was the reason."""

    failed: str = ""


@contextlib.contextmanager
def leaving_out(failed: list[EventSet], *kinds: EventKind) -> Iterator[None]:
    """Leave kinds of event out, and note why, where looking for them fails by an error of ours."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:  # whatever a library below may raise
        failed += [LeftOut(kind, failed=own_error(error)) for kind in kinds]


def left_out(looked: Iterable[EventSet]) -> list[str]:
    """Return a sentence on the kinds that were left out, for each error that was the reason."""
    failed: dict[str, list[str]] = {}
    for event_set in looked:
        failed.setdefault(event_set.failed, []).append(WORDS[event_set.kind])
    return [
        f"Left out of the audit: {', '.join(kinds)}: {why}." for why, kinds in failed.items() if why
    ]


def merged(looked: Iterable[EventSet]) -> tuple[EventSet, ...]:
    """Return each kind once, in order, with all that it was read off; what read nothing is out."""
    result: dict[EventKind, dict[str, None]] = {}
    failed: dict[EventKind, str] = {}
    for event_set in looked:
        if event_set.of or event_set.failed or event_set.kind in WITHOUT_NUMBERS:
            result.setdefault(event_set.kind, {}).update(dict.fromkeys(event_set.of))
        if event_set.failed:
            failed.setdefault(event_set.kind, event_set.failed)
    return tuple(
        LeftOut(kind, tuple(of), failed[kind]) if kind in failed else EventSet(kind, tuple(of))
        for kind, of in result.items()
    )


Floats = NDArray[np.float64]


class Feature(Protocol):
    """A number read off each output; NaN where it has none."""

    def read(self, outputs: Encoded) -> Floats:
        """Return the feature, shape (n,)."""
        ...

    def words(self) -> str:
        """Return its name in a sentence: ``output[3]``."""
        ...


@dataclass(frozen=True)
class Column:
    """One coordinate of the output."""

    j: int
    width: int

    def read(self, outputs: Encoded) -> Floats:
        """Return the coordinate."""
        return outputs.column(self.j)

    def words(self) -> str:
        """Return ``output`` or ``output[j]``."""
        return "output" if self.width == 1 else f"output[{self.j}]"


@dataclass(frozen=True)
class Difference:
    """The step from one coordinate to the next, output[j + 1] − output[j]."""

    j: int

    def read(self, outputs: Encoded) -> Floats:
        """Return the difference."""
        # Infinite coordinates belong to the pattern; their difference says nothing.
        with np.errstate(invalid="ignore"):
            return outputs.column(self.j + 1) - outputs.column(self.j)

    def words(self) -> str:
        """Return the difference in symbols."""
        return f"output[{self.j + 1}] − output[{self.j}]"


@dataclass(frozen=True)
class Aggregate:
    """Sum, largest or smallest coordinate: ``name`` is ``"sum"``, ``"max"`` or ``"min"``."""

    name: str

    def read(self, outputs: Encoded) -> Floats:
        """Return the aggregate over all coordinates; NaN where one is missing."""
        values = outputs.values
        with np.errstate(invalid="ignore"):
            result = getattr(values, self.name)(axis=1)
        return np.asarray(result, dtype=np.float64)

    def words(self) -> str:
        """Return ``sum of the output``."""
        return f"{self.name} of the output"


class Key(Protocol):
    """An integer read off each output such that equal keys mean: treat alike."""

    def read(self, outputs: Encoded) -> Ints:
        """Return the keys, shape (n,)."""
        ...

    def words(self) -> str:
        """Return in words what is read of an output."""
        ...

    def spell(self, outputs: Encoded, row: int) -> str:
        """Return the text of one output's key; empty where the output itself says it best."""
        ...

    def event_set(self) -> EventSet:
        """Return the kind of event that a table of the keys examines."""
        ...


@dataclass(frozen=True)
class Exact:
    """Structure of the output and the exact values of some of its ``width`` coordinates.

    coarse: the structure without text, names of keys, NaN and ∞.
    """

    columns: tuple[int, ...]
    width: int = 0
    coarse: bool = False

    def read(self, outputs: Encoded) -> Ints:
        """Return structure and coordinates, mixed into one key."""
        key = outputs.coarse if self.coarse else outputs.pattern
        for j in self.columns:
            key = mix(key, outputs.values[:, j], 1000 + j)
        return key

    def words(self) -> str:
        """Return in words that outputs are compared by value."""
        return "the output"

    def spell(self, outputs: Encoded, row: int) -> str:  # noqa: ARG002
        """Return nothing: the output is its own text."""
        return ""

    def compared(self, outputs: Encoded, row: int) -> Encoded:
        """Return one output with ``None`` for each number that is not compared."""
        one = outputs.part(slice(row, row + 1))
        # NaN and ∞ belong to the structure.
        values = one.values.astype(object)
        values[np.isfinite(one.values) | self.coarse] = None
        values[:, [*self.columns]] = one.values[:, [*self.columns]]
        return replace(one, values=values)

    def event_set(self) -> EventSet:
        """Return the structure, or the structure with the coordinates."""
        if not self.columns:
            return EventSet(EventKind.STRUCTURE)
        return EventSet(
            EventKind.VALUES, tuple(Column(j, self.width).words() for j in self.columns)
        )


@dataclass(frozen=True)
class FloatBits:
    """Sign, exponent and place of the lowest set bit of one coordinate, beside the structure.

    Floating-point noise leaves the exact answer visible here: which multiples of 2^place are
    reachable depends on the answer that was added (Mironov, On Significance of the Least
    Significant Bits for Differential Privacy, 2012).
    """

    j: int
    width: int

    def read(self, outputs: Encoded) -> Ints:
        """Return structure, sign, exponent and lowest-set-bit place, mixed into one key."""
        sign, exponent, place = float_bits(outputs.column(self.j))
        return mix(outputs.pattern, (sign * 4096 + exponent) * 4096 + place, 2000 + self.j)

    def code(self, outputs: Encoded) -> Ints:
        """Return sign, exponent and place as a number below 2^18 + 2^11, without the structure."""
        bits = np.ascontiguousarray(outputs.column(self.j)).view(np.int64)
        # 1023 and the place, below 63; 0 for 0.0, and for −0.0 what no other number has.
        lowest = np.negative(bits)
        lowest &= bits
        lowest = lowest.astype(np.float64).view(np.int64)
        lowest >>= 52
        code = (bits.view(np.uint64) >> 52).view(np.int64)
        code <<= 6
        code += lowest
        return code

    def words(self) -> str:
        """Name the coordinate."""
        return Column(self.j, self.width).words()

    def spell(self, outputs: Encoded, row: int) -> str:
        """Return in words which multiples of which power of two, in which octave."""
        value = outputs.column(self.j)[row : row + 1]
        if not np.isfinite(value[0]) or value[0] == 0:
            return "nan or absent" if np.isnan(value[0]) else str(value[0])
        (sign,), (exponent,), (place,) = float_bits(value)
        side = "−" if sign else ""
        octave = f"{side}[2^{exponent - 1100}, 2^{exponent - 1099})"
        return f"an odd multiple of 2^{place - 1100} in {octave}"

    def event_set(self) -> EventSet:
        """Return the bits of the coordinate."""
        return EventSet(EventKind.FLOAT_BITS, (self.words(),))


def float_bits(values: Floats) -> tuple[Ints, Ints, Ints]:
    """Return sign (0 or 1), exponent e with |x| in [2^e, 2^(e+1)), place p of the lowest set bit.

    A finite double other than 0 is an odd multiple of 2^p; both numbers are offset by 1100 so that
    they are never negative. Zero has exponent and place 0.
    """
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    sign = (bits < 0).astype(np.int64)
    biased = (bits >> 52) & 0x7FF
    fraction = bits & ((1 << 52) - 1)
    whole = np.where(biased > 0, fraction | (1 << 52), fraction)
    lowest = (whole & -whole).astype(np.float64)
    trailing = (lowest.view(np.int64) >> 52) - 1023
    place = np.maximum(biased, 1) - 1075 + trailing
    exponent = np.maximum(biased, 1) - 1023
    zero = whole == 0
    return (
        np.where(zero, 0, sign),
        np.where(zero, 0, exponent + 1100),
        np.where(zero, 0, place + 1100),
    )
