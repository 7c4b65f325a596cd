"""Probabilities of the patterns that sparse-vector mechanisms release, and the ε of their pairs."""

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions.parameters import vector
from provado.mechanisms.noise.quadrature import laplace_below, laplace_density, line_nodes
from provado.mechanisms.noise.threshold_patterns import ABOVE, BELOW, HALTED, symbols
from provado.mechanisms.textbook.sparse_vector import PAIR, SparseVector, numeric_sparse


def patterns(k: int, cutoff: int | None) -> list[tuple[int, ...]]:
    """Return all outputs without numbers that k queries can have; 2^k of them without a cut-off."""
    every = np.array(list(itertools.product((False, True), repeat=k)))
    return sorted(set(map(tuple, symbols(every, cutoff).tolist())))


def pattern_probabilities(
    answers: ArrayLike,
    wanted: Iterable[Sequence[int]],
    *,
    threshold: float,
    threshold_scale: float,
    query_scale: float,
) -> NDArray[np.float64]:
    """Return the probability of each pattern of codes, to about 1e-14.

    Given the noise z on the threshold T the comparisons are independent, so it is
    ∫ f(z)·Π_i Pr[a_i + ν_i ≥ T + z or its opposite] dz, by quadrature between the kinks.
    """
    truth = vector(answers, "answers")
    z, weights = line_nodes(
        (0.0, *(truth - threshold)),
        width=min(threshold_scale, query_scale or threshold_scale),
        tail=threshold_scale,
    )
    below = laplace_below(threshold + z - truth[:, None], query_scale)
    # In the order of the codes, so that a code is an index: BELOW, ABOVE, and HALTED as the last.
    chances = np.stack([below, 1 - below, np.ones_like(below)])
    mass = weights * laplace_density(z, threshold_scale)
    queries = np.arange(truth.size)
    return np.array([mass @ np.prod(chances[list(one), queries], axis=0) for one in wanted])


def pattern_epsilon(
    pair: tuple[ArrayLike, ArrayLike], wanted: Iterable[Sequence[int]], **noise: float
) -> float:
    """Return the largest |ln(Pr[pattern | D]/Pr[pattern | D′])| over the patterns given.

    noise: threshold, threshold_scale and query_scale, as of ``pattern_probabilities``. Infinite
    where a pattern is possible under one dataset only.
    """
    chosen = list(wanted)
    d, d_prime = (pattern_probabilities(answers, chosen, **noise) for answers in pair)
    if np.any((d == 0) != (d_prime == 0)):
        return math.inf
    possible = d > 0
    return float(np.max(np.abs(np.log(d[possible] / d_prime[possible]))))


_SILENT = (BELOW,) * 10
_FIRST = [(BELOW,) * i + (ABOVE,) + (HALTED,) * (9 - i) for i in range(10)]

ONE_ABOVE = [_SILENT, *_FIRST]
"""All patterns of a cut-off of 1."""

AGREES = (ABOVE,) * 5 + (BELOW,) * 5
"""Of the 1,024 patterns of ``SWAP`` the one that agrees with D everywhere: it separates most."""


def pair_epsilon(
    variant: SparseVector, pair: tuple[Any, Any], wanted: list[tuple[int, ...]], threshold: float
) -> float:
    """Return the largest loss of a pair over patterns, at ε = Δ = c = 1."""
    noise = dict(zip(("threshold_scale", "query_scale"), variant.scales(), strict=True))
    return pattern_epsilon(pair, wanted, threshold=threshold, **noise)


def numeric_epsilon() -> float:
    """Return ε of ``PAIR`` for NumericSparse: the pattern's, and 1/9 where a number comes with it.

    The number is independent of the pattern, and its answer moves by 1 for every query.
    """
    with_number = pair_epsilon(numeric_sparse, PAIR, _FIRST, 0.5) + 1 / 9
    return max(pair_epsilon(numeric_sparse, PAIR, [_SILENT], 0.5), with_number)
