"""One-off sieve-and-examine, for the share of ones among the records asked several times.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
Algorithm 1 and Theorem 1. Each query here is the same share of ones: its sensitivity is 1/n on n
records and 1/m on a subset of m, the point on which the algorithm turns. The twin has noise for the
sensitivity on all records, where the sieve sees few.
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import Mechanism, PureDP, ReplaceOne, Source, UsageError
from provado.mechanisms.definitions.parameters import integers, natural, positive
from provado.mechanisms.noise.sieve import sieve_scales

NONE = -1
"""The printed ⊥: no query passed the sieve, or the examination failed."""


def sieve_and_examine_share(
    bits: ArrayLike,
    *,
    queries: int,
    threshold: float,
    tweak: float,
    subset: int,
    epsilon: float,
    sensitivity: float,
    size: int,
    rng: Generator,
) -> NDArray[np.int8]:
    """Return ``size`` outputs of Algorithm 1: the query that passed, from 0 on, or ``NONE``.

    bits: n records, each 0 or 1. queries: how often the share of ones is asked, at most 127.
    threshold, tweak: T and t. subset: m of n records are drawn without replacement for the sieve.
    epsilon: ε; the sieve has noise Lap(2Δ/ε′) on T − t and Lap(4Δ/ε′) on each answer, ε′ as in
        ``sieve_epsilon``; the examination on all records has Lap(2Δ/ε).
    sensitivity: Δ, in terms of the share.

    Guarantee: ε-DP under replacement of one record if Δ ≥ 1/m; with Δ = 1/n, the sensitivity on all
    records, it is not. Source: Algorithm 1. Raises ``UsageError`` for parameters out of range.
    """
    ones, n = _ones(bits)
    k, trials = natural(queries, "queries"), natural(size, "size")
    unit = positive(sensitivity, "sensitivity")
    to_threshold, to_query, to_examination = sieve_scales(epsilon, n, subset, unit)
    seen = rng.hypergeometric(ones, n - ones, subset, size=(trials, 1)) / subset
    noisy = seen + rng.laplace(scale=to_query, size=(trials, k))
    level = threshold - tweak + rng.laplace(scale=to_threshold, size=(trials, 1))
    passed = noisy >= level
    examined = ones / n + rng.laplace(scale=to_examination, size=trials) >= threshold
    told = passed.any(axis=1) & examined
    return np.where(told, passed.argmax(axis=1), NONE).astype(np.int8)


def _ones(bits: ArrayLike) -> tuple[int, int]:
    records = integers(bits, "bits")
    if records.ndim != 1 or not records.size or np.any((records != 0) & (records != 1)):
        raise UsageError(f"bits is {bits!r}: it must be a non-empty vector of zeros and ones")
    return int(records.sum()), records.size


SOURCE = Source(
    "Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020)",
    "Algorithm 1 and Theorem 1",
)
PAIR = ((1,) * 16, (0,) + (1,) * 15)
"""Sixteen records; the one that differs is in a subset of one with probability 1/16."""

SETTING: dict[str, Any] = {
    "queries": 3,
    "threshold": 0.5,
    "tweak": 0.0,
    "subset": 1,
    "epsilon": 0.5,
}


_SOUND = Mechanism(
    name="priv-pc/sieve-and-examine",
    run=partial(sieve_and_examine_share, sensitivity=1.0, **SETTING),
    promise=PureDP(SETTING["epsilon"]),
    relation=ReplaceOne(),
    pairs=(PAIR,),
    source=SOURCE,
    summary="Sieve on one of 16 records, then examination on all, noise for Δ on one record.",
    true_epsilon=0.028068784406370235,
    tags=("causal-discovery",),
)

MECHANISMS: tuple[Mechanism, ...] = (
    _SOUND,
    _SOUND.twin(
        "sieve-and-examine-full-sensitivity",
        run=partial(sieve_and_examine_share, sensitivity=1 / 16, **SETTING),
        summary="Sieve on one of 16 records with noise for Δ = 1/16, the sensitivity on all 16; on "
        "the subset it is 1.",
        true_epsilon=0.7957116949435653,
    ),
)
