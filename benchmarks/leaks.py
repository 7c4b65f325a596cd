"""One mechanism for each kind of leak: one bit by randomized response, hidden in an output.

Each hides a bit that is 1 with probability .9 under data 1 and .1 under data 0, or a rare event
nine times as likely under 1: the true ε is log 9. A sound twin hides a bit of the same form that
has nothing to do with the data.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

TRUE = math.log(9)
RARE = 1e-3
"""Probability of a rare event under data 1."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"

Bits = NDArray[np.bool_]
Hide = Callable[[Bits, np.random.Generator], Any]


@dataclass(frozen=True)
class Leak:
    """A kind of leak.

    hide: from one bit for each output to the outputs. chances: of a bit of 1 under data 0 and 1.
    single: the mechanism is called once an output.
    """

    name: str
    hide: Hide
    chances: tuple[float, float] = (0.1, 0.9)
    single: bool = False

    def mechanism(self, *, sound: bool = False) -> Callable[..., Any]:
        """Return it as a mechanism of data 0 or 1; where ``sound`` the data are not looked at."""
        middle = sum(self.chances) / 2
        chances = (middle, middle) if sound else self.chances

        def batched(data: int, *, size: int, rng: np.random.Generator) -> Any:
            return self.hide(rng.random(size) < chances[data], rng)

        def one(data: int, rng: np.random.Generator) -> Any:
            return self.hide(rng.random(1) < chances[data], rng)[0]

        return one if self.single else batched


def words(n: int, rng: np.random.Generator, least: int = 3, most: int = 8) -> list[str]:
    """Return random words of small letters."""
    lengths = rng.integers(least, most + 1, n)
    text = "".join(LETTERS[i] for i in rng.integers(0, 26, int(lengths.sum())).tolist())
    ends = np.cumsum(lengths).tolist()
    return [text[i:j] for i, j in zip([0, *ends], ends, strict=False)]


def _lists(bits: Bits, rng: np.random.Generator, size: int = 4) -> list[list[str]]:
    flat = words(size * len(bits), rng)
    return [flat[size * i : size * (i + 1)] for i in range(len(bits))]


def _parity(modulus: int, top: int) -> Hide:
    def hide(bits: Bits, rng: np.random.Generator) -> Any:
        drawn = rng.integers(0, top // modulus, len(bits)) * modulus
        rest = 1 + rng.integers(0, modulus - 1, len(bits)) if modulus > 2 else np.ones_like(drawn)
        return drawn + np.where(bits, 0, rest)

    return hide


def _objects(bits: Bits, rng: np.random.Generator) -> Any:
    high = rng.integers(0, 2**62, len(bits)).tolist()
    low = rng.integers(0, 2**16, len(bits)).tolist()
    return [
        (h << 40) + 2 * x + bit for h, x, bit in zip(high, low, bits.astype(int).tolist(), strict=1)
    ]


def _mantissa(place: int) -> Hide:
    def hide(bits: Bits, rng: np.random.Generator) -> Any:
        raw = rng.normal(size=len(bits)).view(np.int64)
        return ((raw & ~(1 << place)) | (bits.astype(np.int64) << place)).view(np.float64)

    return hide


def _length(bits: Bits, rng: np.random.Generator) -> Any:
    long, short = words(len(bits), rng, 13, 20), words(len(bits), rng, 8, 12)
    return [x if bit else y for x, y, bit in zip(long, short, bits.tolist(), strict=True)]


def _character(bits: Bits, rng: np.random.Generator) -> Any:
    marks = zip(words(len(bits), rng, 8, 16), bits.tolist(), strict=True)
    return [w[:4] + ("q" if bit else "z") + w[5:] for w, bit in marks]


def _letter(bits: Bits, rng: np.random.Generator) -> Any:
    """Whether there is an e anywhere."""
    drawn = [w.replace("e", "o") for w in words(len(bits), rng, 8, 16)]
    at = (rng.random(len(bits)) * 8).astype(int).tolist()
    marks = zip(drawn, bits.tolist(), at, strict=True)
    return [w[:i] + "e" + w[i + 1 :] if bit else w for w, bit, i in marks]


def _dtype(bits: Bits, rng: np.random.Generator) -> Any:
    types = np.where(bits, "float32", "float64").tolist()
    return [rng.normal(size=3).astype(np.float32).astype(kind) for kind in types]


def _dictionary(bits: Bits, rng: np.random.Generator) -> Any:
    first, second = rng.normal(size=(2, len(bits))).tolist()
    return [
        {"mean": x, "count": y} if bit else {"count": y, "mean": x}
        for x, y, bit in zip(first, second, bits.tolist(), strict=True)
    ]


def _random_dictionary(bits: Bits, rng: np.random.Generator) -> Any:
    lists = (sorted(set(some)) for some in _lists(bits, rng))
    marks = zip(lists, bits.tolist(), strict=True)
    return [dict.fromkeys(some if bit else some[::-1], 1) for some, bit in marks]


def _word_order(bits: Bits, rng: np.random.Generator) -> Any:
    marks = zip(_lists(bits, rng), bits.tolist(), strict=True)
    return [sorted(some) if bit else sorted(some)[::-1] for some, bit in marks]


def _first_words(bits: Bits, rng: np.random.Generator) -> Any:
    """Only the first two of them are in order, or not."""
    return [
        [*sorted(some[:2], reverse=not bit), *some[2:]]
        for some, bit in zip(_lists(bits, rng), bits.tolist(), strict=True)
    ]


def _minus_zero(bits: Bits, rng: np.random.Generator) -> Any:
    return np.where(
        rng.random(len(bits)) < 0.5, np.where(bits, -0.0, 0.0), rng.normal(size=len(bits))
    )


def _interval(bits: Bits, rng: np.random.Generator) -> Any:
    return np.where(bits, 0.5 + 1e-5 * rng.random(len(bits)), rng.normal(size=len(bits)))


def _value(bits: Bits, rng: np.random.Generator) -> Any:
    return np.where(bits, 31_337, rng.integers(0, 10**6, len(bits)))


def _coordinate(bits: Bits, rng: np.random.Generator) -> Any:
    drawn = rng.normal(size=(len(bits), 1000))
    drawn[bits, 617] = 0.25 + 1e-5 * drawn[bits, 617]
    return drawn


def _ties(bits: Bits, rng: np.random.Generator) -> Any:
    drawn = rng.normal(size=(len(bits), 6))
    i = rng.integers(0, 6, len(bits))
    j = (i + rng.integers(1, 6, len(bits))) % 6
    rows = np.flatnonzero(bits)
    drawn[rows, j[rows]] = drawn[rows, i[rows]]
    return drawn


def _duplicate_words(bits: Bits, rng: np.random.Generator) -> Any:
    marks = zip(_lists(bits, rng), bits.tolist(), strict=True)
    return [[*some[:3], some[0] if bit else some[3]] for some, bit in marks]


def _raising(bits: Bits, rng: np.random.Generator) -> Any:
    if bits[0]:
        raise ValueError(f"no room for {rng.random()}")
    return rng.normal(size=1).tolist()


def _raising_batch(bits: Bits, rng: np.random.Generator) -> Any:
    if bits.any():
        raise ValueError("no room")
    return rng.normal(size=len(bits))


RARELY = (RARE / 9, RARE)

LEAKS = (
    Leak("parity of wide integers", _parity(2, 2**50)),
    Leak("parity of 62-bit integers", _parity(2, 2**62)),
    Leak("parity of Python integers of 100 bits", _objects),
    Leak("residue modulo 7", _parity(7, 2**62), (0.1, 0.9)),
    Leak("mantissa bit 3", _mantissa(3)),
    Leak("mantissa bit 30", _mantissa(30)),
    Leak("length of random strings", _length),
    Leak("one character of random strings", _character),
    Leak("a letter anywhere in random strings", _letter),
    Leak("type of an array", _dtype, single=True),
    Leak("order of a dictionary", _dictionary),
    Leak("order of a dictionary of random keys", _random_dictionary),
    Leak("order of random words", _word_order),
    Leak("order of the first two of random words", _first_words),
    Leak("−0.0", _minus_zero),
    Leak("rare narrow interval", _interval, RARELY),
    Leak("rare value among a million", _value, RARELY),
    Leak("rare interval in one of 1,000", _coordinate, (1e-2 / 9, 1e-2)),
    Leak("very rare interval in one of 1,000", _coordinate, RARELY),
    Leak("ties between coordinates", _ties),
    Leak("repeated words", _duplicate_words),
    Leak("exception of single calls", _raising, (0.02 / 9, 0.02), single=True),
    Leak("exception of a batch", _raising_batch, (0.02 / 9, 0.02)),
)


EVENT, DELTA = 0.013, 0.005
"""Probability under data 1 alone of a one-sided leak, and the δ of the claim beside it."""

ONE_SIDED: dict[str, Callable[[Bits], Any]] = {
    "int or None": lambda event: [7 if it else None for it in event.tolist()],
    "string": lambda event: ["leak" if it else "fine" for it in event.tolist()],
    "dictionary": lambda event: [{"a": 1, "b": 2} if it else {"a": 1} for it in event.tolist()],
    "float": lambda event: np.where(event, 7.5, 0.0),
    "tuple": lambda event: [(1, 2.5) if it else (1, 0.0) for it in event.tolist()],
}
"""Forms of output: from whether the event happened to the outputs."""


def one_sided(form: str, chance: float = EVENT) -> Callable[..., Any]:
    """Return a mechanism whose event happens under data 1 alone."""

    def mechanism(data: int, *, size: int, rng: np.random.Generator) -> Any:
        return ONE_SIDED[form](rng.random(size) < chance * data)

    return mechanism
