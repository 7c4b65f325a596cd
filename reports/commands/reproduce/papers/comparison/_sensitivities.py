"""The sensitivity that each method states for its test, on all datasets of a few records."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.graph_discovery.methods.deletion_utility import greedy_removals
from provado.mechanisms.graph_discovery.tables.contingency import stratified_tau
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.conditional.kendall import (
    average_sensitivity,
    average_sensitivity_printed,
    conditional_tau_average,
    p_value_sensitivity_curate,
    p_value_sensitivity_released,
)
from provado.mechanisms.scores.hsic.hsic import hsic, hsic_sensitivity_improved
from provado.mechanisms.scores.hsic.private_permutation import root_hsic_sensitivity
from provado.mechanisms.scores.rcit import rcit_score, rcit_sensitivity, rcit_sensitivity_printed

Record = tuple[int, ...]
Counts = tuple[int, ...]

ALPHA, WIDTH, LAM = 0.05, 1.0, 1.0


@dataclass(frozen=True)
class Stated:
    """A score of a few records, and how far one replaced record is said to move it.

    ledger: the statement that is about it in general. domain: the values of a record. n: records.
    value: of a dataset, given as how often each value occurs. bound: what is stated for n records.
    """

    methods: str
    what: str
    ledger: str
    domain: tuple[Record, ...]
    n: int
    value: Callable[[Counts], float]
    bound: float


def largest_move(stated: Stated) -> tuple[float, Counts, Counts]:
    """Return the largest change between all neighbors, replace-one, and two that reach it.

    Datasets that differ in the order of their records only count once: no score here sees it.
    """
    values = {counts: stated.value(counts) for counts in datasets(len(stated.domain), stated.n)}
    most, first, second = -1.0, next(iter(values)), next(iter(values))
    for counts, value in values.items():
        for gone, come in itertools.permutations(range(len(counts)), 2):
            # Each pair of neighbors once: the record that comes has the later value.
            if gone < come and counts[gone]:
                other = list(counts)
                other[gone] -= 1
                other[come] += 1
                moved = abs(values[tuple(other)] - value)
                if moved > most:
                    most, first, second = moved, counts, tuple(other)
    return most, first, second


def datasets(cells: int, n: int) -> Iterator[Counts]:
    """Yield every way to put n records into so many cells."""
    for bars in itertools.combinations(range(n + cells - 1), cells - 1):
        ends = (-1, *bars, n + cells - 1)
        yield tuple(b - a - 1 for a, b in itertools.pairwise(ends))


def _rows(domain: Sequence[Record], counts: Counts) -> NDArray[np.int64]:
    return np.repeat(np.array(domain), counts, axis=0)


def _average(domain: Sequence[Record], counts: Counts) -> float:
    rows = _rows(domain, counts)
    return float(conditional_tau_average(rows[:, 0], rows[:, 1], rows[:, 2]))


def _p_value(counts: Counts) -> float:
    # The last coordinate of a record is its stratum; the cells stand in that order.
    return stratified_tau(np.array(counts).reshape(2, 2, 2).transpose(2, 0, 1)).p_value


def _removals(critical: float, counts: Counts) -> float:
    return greedy_removals(np.array(counts).reshape(1, 2, 2), critical)


def _numeric(score: Callable[..., float], domain: Sequence[Record], counts: Counts) -> float:
    rows = _rows(domain, counts).astype(np.float64)
    return score(*rows.T)


def _rcit(x: ArrayLike, y: ArrayLike, z: ArrayLike) -> float:
    kernel = SquaredExponential(WIDTH)
    return rcit_score(x, y, z, kernel_x=kernel, kernel_y=kernel, ridge_kernel=kernel, lam=LAM)


def _hsic(x: ArrayLike, y: ArrayLike) -> float:
    kernel = SquaredExponential(WIDTH)
    return hsic(x, y, kernel, kernel)


def _root(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Return √(trace(KHLH))/m."""
    return math.sqrt(max(_hsic(x, y), 0.0)) * (x.size - 1) / x.size


def all_stated() -> tuple[Stated, ...]:
    """Return every sensitivity that a method takes for its test, with its score."""
    from scipy.special import chdtri

    bits = tuple(itertools.product((0, 1), repeat=3))
    signs = tuple(itertools.product((-1, 1), repeat=3))
    grid = tuple(itertools.product((-1, 0, 1), repeat=2))
    square = tuple(itertools.product((0, 1), repeat=2))
    n, few, many = 9, 6, 20
    slope = SquaredExponential(WIDTH).lipschitz
    average, margin = partial(_average, bits), partial(_numeric, _rcit, signs)
    root, score = partial(_numeric, _root, grid), partial(_numeric, _hsic, grid)
    greedy = partial(_removals, float(chdtri(1, ALPHA)))
    tau, removed = "wang2020/thm3-conditional-kendall", "wang2020/empc-sensitivity"
    return (
        Stated("priv-pc, svt-pc, printed", "average τ given a column, 9/(2n)", tau, bits, n,
               average, float(average_sensitivity_printed(n))),
        Stated("priv-pc, svt-pc, em-pc, curate, repaired", "average τ given a column, 12/(2n − 7K)",
               tau, bits, n, average, float(average_sensitivity(n, 2))),
        Stated("priv-pc, svt-pc, released", "p-value of τ given a column, ∫ φ to 6/√n", tau, bits,
               n, _p_value, p_value_sensitivity_released(n)),
        Stated("curate, released", "p-value of τ given a column, .7253/√n",
               "curate2024/sensitivity", bits, n, _p_value, p_value_sensitivity_curate(n)),
        Stated("em-pc, released", "rows removed greedily, 1", removed, square, many, greedy, 1.0),
        Stated("pcd, printed", "HSIC of residuals, equation (3)", "zhang2023/thm3-eq3", signs, few,
               margin, rcit_sensitivity_printed(few, LAM, WIDTH, WIDTH)),
        Stated("pcd, repaired", "HSIC of residuals, 8/(m − 1) + …", "zhang2023/thm3-eq3", signs,
               few, margin, rcit_sensitivity(few, LAM, slope, slope)),
        Stated("pcd, order 0", "HSIC, (12m − 11)/(m − 1)²", "zhang2023/thm1", grid, few, score,
               float(hsic_sensitivity_improved(few))),
        Stated("dphsic-pc", "root of HSIC, 4(m − 1)/m²", "kim2023/root-hsic", grid, few, root,
               root_hsic_sensitivity(few)),
    )  # fmt: skip
