"""Parts of outputs that seldom tell anything: many are screened cheaply, the most telling kept."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import chdtrc

from provado.audit.target.output_encoding import Encoded, Ints

from .bit_features import Bit, Digit, NanBits, Residue, Ties, ZeroSign
from .feature import Column, Feature, Floats, float_bits
from .kinds import Kind, Looked
from .text import noted_features

SCREENED, NUMBERS, NOTED = 8192, 2**17, 2000
"""Samples of each side that are screened, numbers in them, and samples that have notes."""

MOST_COLUMNS = 24
"""Columns whose parts are looked at: the most telling ones."""

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
    def kind(self) -> Kind:
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
        if getattr(self.part, "how", "") == "form":
            return ""
        return f"{float(self.part.read(outputs.part(slice(row, row + 1)))[0]):.10g}"

    def looked(self) -> Looked:
        """Return its kind."""
        return Looked(getattr(self.part, "kind", Kind.VALUES), (self.part.words(),))


def telling_parts(
    columns: list[Column], discrete: Collection[int], a: Encoded, b: Encoded
) -> tuple[list[Part], set[Kind]]:
    """Return the few parts that tell D from D′ best on the first samples; and what was screened.

    columns: in order of how much they tell by themselves. discrete: those of which each value is
    an event of its own anyway.
    """
    width = max(a.values.shape[1], 1)
    size = max(min(SCREENED, NUMBERS // min(width, MOST_COLUMNS)), 256)
    x, y = a.part(slice(0, size)), b.part(slice(0, size))
    parts: list[Part] = [*_of_numbers(columns[:MOST_COLUMNS], discrete, x, y)]
    found = [(_gain(part.read(x), part.read(y)), part) for part in parts]
    if a.notes is not None or b.notes is not None:
        x, y = a.part(slice(0, NOTED)), b.part(slice(0, NOTED))
        notes = [part.notes.tolist() for part in (x, y) if part.notes is not None]
        noted: list[Part] = [*noted_features([note for some in notes for note in some], FEW_TEXTS)]
        found += [(_gain(part.read(x), part.read(y)), part) for part in noted]
    kept: list[Part] = []
    for gain, part in sorted(found, key=lambda one: -one[0]):
        fewer = sum(one.kind is part.kind for one in kept) < KEPT_OF_A_KIND
        if gain > 0 and fewer and len(kept) < KEPT:
            kept.append(part)
    return kept, {part.kind for _, part in found}


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
        whole = a.rest is not None or b.rest is not None or place >= 0
        if whole or top - place < 53:
            unit = 0 if whole else place
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
