"""RAPPOR: a Bloom filter reported through one or two layers of randomized response."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from provado.mechanisms.definitions import Mechanism, PureDP, ReplaceOne, Source, UsageError
from provado.mechanisms.definitions.parameters import natural, probability

_WORK = (
    "Erlingsson, Pihur and Korolova, RAPPOR: Randomized Aggregatable Privacy-Preserving Ordinal "
    "Response (2014)"
)
SOURCE = Source(_WORK, "section 2 and Theorem 2")
ONE_TIME_SOURCE = Source(_WORK, "section 2.1 (One-time RAPPOR) and Theorem 1")


def bloom_filter(value: str, *, k: int, h: int) -> NDArray[np.int8]:
    """Return the k bits of a Bloom filter in which ``h`` hashes of ``value`` are set to 1.

    Hashes may meet, so between 1 and h bits are set. Raises ``UsageError`` for anything but a
    string.
    """
    if not isinstance(value, str):
        raise UsageError(f"value is {value!r}: RAPPOR reports on a string")
    bits = np.zeros(natural(k, "k"), dtype=np.int8)
    for hashing in range(natural(h, "h")):
        digest = hashlib.sha256(f"{hashing}:{value}".encode()).digest()
        bits[int.from_bytes(digest[:8], "big") % k] = 1
    return bits


def one_time_rappor(
    data: str | Sequence[str], *, k: int, h: int, f: float, size: int, rng: Generator
) -> NDArray[np.int8]:
    """Return ``size`` reports of k bits, each drawn anew from the permanent layer only.

    data: one client's string, bare or as a dataset of one record.
    k, h: bits and hashes of the Bloom filter.
    f: each bit becomes 1 with probability f/2, 0 with probability f/2, and else stays.

    Shape of the result: (size, k). Guarantee: ``one_time_rappor_epsilon``-DP under replacing the
    string. Source: Erlingsson, Pihur and Korolova, section 2.1 and Theorem 1. Raises ``UsageError``
    for parameters outside their range.
    """
    bits = bloom_filter(_client(data), k=k, h=h)
    toss = rng.random((natural(size, "size"), k))
    half = probability(f, "f") / 2
    return np.where(toss < half, np.int8(1), np.where(toss < 2 * half, np.int8(0), bits))


def rappor(
    data: str | Sequence[str],
    *,
    k: int,
    h: int,
    f: float,
    p: float,
    q: float,
    size: int,
    rng: Generator,
) -> NDArray[np.int8]:
    """Return ``size`` first reports of k bits: the permanent layer, then the instantaneous one.

    data, k, h, f: as for ``one_time_rappor``.
    p, q: a bit that the permanent layer made 0 (1) is reported as 1 with probability p (q).

    Each report stands for a client's first one: the permanent layer is drawn anew. Shape of the
    result: (size, k). Guarantee: ``rappor_epsilon``-DP under replacing the string. Source:
    Erlingsson, Pihur and Korolova, section 2 and Theorem 2. Raises ``UsageError`` for parameters
    outside their range.
    """
    zero, one = probability(p, "p"), probability(q, "q")
    permanent = one_time_rappor(data, k=k, h=h, f=f, size=size, rng=rng)
    report = rng.random(permanent.shape) < np.where(permanent == 1, one, zero)
    return report.astype(np.int8)


def one_time_rappor_epsilon(*, h: int, f: float) -> float:
    """Return ε∞ = 2h·ln((1 − f/2)/(f/2)) (Theorem 1)."""
    half = probability(f, "f") / 2
    return 2 * natural(h, "h") * math.log((1 - half) / half)


def rappor_epsilon(*, h: int, f: float, p: float, q: float) -> float:
    """Return ε₁ = h·ln(q*(1 − p*)/(p*(1 − q*))), where p* and q* are ``bit_probabilities``.

    Source: Theorem 2; it takes q > p, and the absolute value covers the mirror case.
    """
    zero, one = bit_probabilities(f=f, p=p, q=q)
    return natural(h, "h") * abs(math.log(one * (1 - zero) / (zero * (1 - one))))


def bit_probabilities(*, f: float, p: float, q: float) -> tuple[float, float]:
    """Return p* and q*: Pr[reported bit = 1] where the Bloom filter's bit is 0 and where it is 1.

    p* = f(p + q)/2 + (1 − f)p and q* = f(p + q)/2 + (1 − f)q (Lemma 1).
    """
    f, p, q = probability(f, "f"), probability(p, "p"), probability(q, "q")
    either = f * (p + q) / 2
    return either + (1 - f) * p, either + (1 - f) * q


def _client(data: str | Sequence[str]) -> str:
    if isinstance(data, str):
        return data
    if len(data) != 1:
        raise UsageError(f"data is {data!r}: RAPPOR takes one client's string at a time")
    return data[0]


_K, _H = 20, 4

# The eight hashes of these two strings fall on eight different bits, the worst case.
_PAIR = (("red",), ("blue",))

_EPSILON = rappor_epsilon(h=_H, f=0.75, p=0.45, q=0.55)
_ONE_TIME_EPSILON = one_time_rappor_epsilon(h=_H, f=0.95)

_FIRST_REPORT = Mechanism(
    name="rappor/first-report",
    run=partial(rappor, k=_K, h=_H, f=0.75, p=0.45, q=0.55),
    promise=PureDP(_EPSILON),
    relation=ReplaceOne(),
    pairs=(_PAIR,),
    source=SOURCE,
    summary="One client's first report of a 20-bit Bloom filter through both layers of noise.",
    true_epsilon=_EPSILON,
    tags=("local",),
)

MECHANISMS: tuple[Mechanism, ...] = (
    _FIRST_REPORT,
    replace(
        _FIRST_REPORT,
        name="rappor/one-time",
        run=partial(one_time_rappor, k=_K, h=_H, f=0.95),
        promise=PureDP(_ONE_TIME_EPSILON),
        source=ONE_TIME_SOURCE,
        summary="One client's 20-bit Bloom filter reported through the permanent layer only.",
        true_epsilon=_ONE_TIME_EPSILON,
    ),
)
