"""PCD on two vertices: one edge, one permutation test, as printed and repaired.

Source: Zhang et al., Differentially Private Nonlinear Causal Discovery from Numerical Data (2023),
Algorithm 1 and Theorem 5, with no conditioning set, so that Δ_R is that of equation (4).

The columns hold −1 and 1 only. HSIC with squared exponential kernels of bandwidth h, fixed
beforehand, is then (1 − e^(−2/h²))²·q²/(4(m − 1)²), q = Σst − (Σs)(Σt)/m, and under a random
permutation the number of rows (1, 1) is hypergeometric: no kernel matrix is needed.

Repaired, the noise is on the score, of a scale fixed beforehand. The twin is as printed: noise only
near the level, of a scale taken from the data.
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.definitions import Mechanism, PureDP, ReplaceOne, Source, UsageError
from provado.mechanisms.definitions.parameters import integers, natural, positive, probability
from provado.mechanisms.scores.hsic.hsic import hsic_sensitivity_improved

from ..independence_tests.margin import rank_of_level
from ..independence_tests.rcit import hsic_sensitivity_short
from .priv_pc_edge import upper_tail


@dataclass(frozen=True)
class _Test:
    """A score and the distribution of its permuted copies.

    score: HSIC of the columns. values, masses: what a permuted score can be, falling, and how
    likely each is. greater: how likely it is above the score, ties decided exactly. rows: m.
    """

    score: float
    values: NDArray[np.float64]
    masses: NDArray[np.float64]
    greater: float
    rows: int

    def above(self, level: float) -> float:
        """Return the probability that a permuted score is above ``level``."""
        return float(self.masses[self.values > level].sum())


def pcd_edge(
    records: ArrayLike,
    *,
    epsilon: float,
    alpha: float,
    permutations: int,
    bandwidth: float,
    size: int,
    rng: Generator,
) -> NDArray[np.bool_]:
    """Return for each of ``size`` runs of Algorithm 1 whether the edge is deleted.

    records: shape (m, 2), each −1 or 1. epsilon, alpha: ε and the level. permutations: k, drawn
    anew in each run. bandwidth: h of both kernels.

    Far from the level the printed algorithm decides without noise, and near it with noise of a
    scale taken from the data: it is not ε-DP. Raises ``UsageError`` for bad arguments.
    """
    level, k = probability(alpha, "alpha"), natural(permutations, "permutations")
    in_a, in_p, in_b = _shares(_test(records, bandwidth))
    counts = rng.multinomial(
        k, (in_a, in_p - in_a, in_b - in_p, 1 - in_b), size=natural(size, "size")
    )
    a, p, b = (counts[:, :last].sum(axis=1) / k for last in (1, 2, 3))
    change = np.where(p > level, p - a, b - p)
    unit = change / positive(epsilon, "epsilon")
    left = p + 4 * unit * rng.laplace(size=p.size)
    right = level + 2 * unit * rng.laplace(size=p.size)
    near = np.where(p > level, a <= level, b >= level)
    deleted: NDArray[np.bool_] = np.where(near, left >= right, p > level)
    return deleted


def pcd_deletion(
    records: ArrayLike, *, epsilon: float, alpha: float, permutations: int, bandwidth: float
) -> float:
    """Return the probability that ``pcd_edge`` deletes the edge, to about 1e-12.

    A sum over how many of the k permuted scores lie above the score, and above it shifted by
    ±2Δ_R, of the tail of two Laplace variables.
    """
    # Here, so that the catalogue loads without scipy.
    from scipy.stats import binom

    k = natural(permutations, "permutations")
    in_a, in_p, in_b = _shares(_test(records, bandwidth))
    total = 0.0
    for above, weight in enumerate(binom.pmf(np.arange(k + 1), k, in_p)):
        p = above / k
        if p > alpha:
            others = binom.pmf(np.arange(above + 1), above, in_a / in_p if in_p else 0.0)
            result = [
                _deletes(p, p - i / k, i / k <= alpha, alpha, epsilon) for i in range(above + 1)
            ]
        else:
            rest = k - above
            share = (in_b - in_p) / (1 - in_p) if in_p < 1 else 0.0
            others = binom.pmf(np.arange(rest + 1), rest, min(1.0, share))
            result = [
                _deletes(p, i / k, (above + i) / k >= alpha, alpha, epsilon)
                for i in range(rest + 1)
            ]
        total += float(weight) * float(np.dot(others, result))
    return total


def pcd_edge_repaired(
    records: ArrayLike,
    *,
    epsilon: float,
    alpha: float,
    permutations: int,
    bandwidth: float,
    size: int,
    rng: Generator,
) -> NDArray[np.bool_]:
    """Return for each of ``size`` runs whether the edge is deleted, with noise on the score.

    p ≤ α says that the score is at least the r-th largest permuted one, r = ⌊αk⌋ + 1. With fixed
    kernels each of the k + 1 scores moves by at most Δ = 8/(m − 1), so that the difference moves by
    at most 2Δ; with noise Lap(2Δ/ε) on it the edge is deleted where it is below 0.

    Guarantee: ε-DP under replacement of one record; every test costs ε, whatever comes out. The
    arguments are those of ``pcd_edge``.
    """
    test, rank = _test(records, bandwidth), rank_of_level(alpha, permutations)
    # The r-th largest of k uniforms, and the permuted score at that height.
    height = rng.beta(rank, permutations - rank + 1, size=natural(size, "size"))
    place = np.searchsorted(np.cumsum(test.masses), height)
    ranked = test.values[np.minimum(place, test.values.size - 1)]
    scale = 2 * float(hsic_sensitivity_short(test.rows)) / positive(epsilon, "epsilon")
    return test.score - ranked + rng.laplace(scale=scale, size=height.size) < 0


def _deletes(p: float, change: float, near: bool, alpha: float, epsilon: float) -> float:
    if not near or change <= 0:
        return float(p > alpha or (near and p >= alpha))
    return upper_tail((alpha - p) * epsilon / change)


def _shares(test: _Test) -> tuple[float, float, float]:
    """Return how likely one permuted score counts in A, in p and in B."""
    shift = 2 * float(hsic_sensitivity_improved(test.rows))
    in_a, in_b = test.above(test.score + shift), test.above(test.score - shift)
    return in_a, max(in_a, test.greater), max(in_b, test.greater)


def _test(records: ArrayLike, bandwidth: float) -> _Test:
    table = integers(records, "records")
    if table.ndim != 2 or table.shape[1] != 2 or len(table) < 2 or np.any(np.abs(table) != 1):
        raise UsageError(
            f"records has shape {table.shape}: it must be (m, 2) with m ≥ 2, each entry −1 or 1"
        )
    s, t = table.T
    own, squares, masses, unit = permuted_squares(s, t, bandwidth)
    order = np.argsort(-squares, kind="stable")
    greater = float(masses[squares > own].sum())
    values = squares[order].astype(np.float64) * unit
    return _Test(own * unit, values, masses[order], greater, len(table))


def permuted_squares(
    s: NDArray[np.int64], t: NDArray[np.int64], bandwidth: float
) -> tuple[int, NDArray[np.int64], NDArray[np.float64], float]:
    """Return (m·q)² of two columns; of their permuted copies; their chances; and HSIC's unit.

    s, t: shape (m,), each −1 or 1. In integers, so that ties with the columns' own are exact; times
    the unit they are HSIC. Copies are not in order, and equal ones may stand twice.
    """
    # Here, so that the catalogue loads without scipy.
    from scipy.stats import hypergeom

    m, plus_s, plus_t = s.size, int((s == 1).sum()), int((t == 1).sum())
    both = np.arange(max(0, plus_s + plus_t - m), min(plus_s, plus_t) + 1)
    marginal = (2 * plus_s - m) * (2 * plus_t - m)
    squares = (m * (m - 2 * plus_s - 2 * plus_t + 4 * both) - marginal) ** 2
    masses = np.asarray(hypergeom.pmf(both, m, plus_s, plus_t), dtype=np.float64)
    unit = math.expm1(-2 / positive(bandwidth, "bandwidth") ** 2) ** 2 / (4 * (m - 1) ** 2 * m * m)
    return (m * int(s @ t) - marginal) ** 2, squares, masses, unit


SOURCE = Source(
    "Zhang et al., Differentially Private Nonlinear Causal Discovery from Numerical Data (2023)",
    "Algorithm 1 and Theorem 5",
)
PAIR = (
    ((1, 1),) * 54 + ((-1, -1),) * 54,
    ((1, -1),) + ((1, 1),) * 53 + ((-1, -1),) * 54,
)
"""108 records that agree in both columns; then one that does not."""

SETTING: dict[str, Any] = {
    "epsilon": 1.0,
    "alpha": 0.05,
    "permutations": 100,
    "bandwidth": 0.8,
}


_SOUND = Mechanism(
    name="pcd/one-edge",
    run=partial(pcd_edge_repaired, **SETTING),
    promise=PureDP(SETTING["epsilon"]),
    relation=ReplaceOne(),
    pairs=(PAIR,),
    source=SOURCE,
    summary="PCD on two vertices with noise on the score, whatever the data.",
    true_epsilon=0.05692236621243812,
    tags=("causal-discovery",),
)

MECHANISMS: tuple[Mechanism, ...] = (
    _SOUND,
    _SOUND.twin(
        "pcd-one-edge",
        run=partial(pcd_edge, **SETTING),
        summary="PCD on two vertices as printed: it decides without noise far from the level, and "
        "scales the noise near it by the data's own sensitivity.",
        true_epsilon=1.5352032577777668,
    ),
)
