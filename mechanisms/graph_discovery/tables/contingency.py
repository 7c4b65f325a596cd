"""Tests of conditional independence from contingency tables: stratified Kendall's τ, χ² and G.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
Definition 6, as the authors' released code computes it; see
``provado.mechanisms.scores.conditional_ranks``, which computes the same from rows, exactly. For
χ² and G: Spirtes, Glymour and Scheines, Causation, Prediction, and Search (2000), section 5.5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.scores.conditional_ranks import Rule

from .coded import Tables


@dataclass(frozen=True)
class Stratified:
    """A correlation s over strata: Σ w_k·s_k and Σ w_k, w one over its variance."""

    weighted: float
    weights: float

    @property
    def average(self) -> float:
        """Σws/Σw in [−1, 1]; 0 where no stratum counts."""
        return self.weighted / self.weights if self.weights else 0.0

    @property
    def z(self) -> float:
        """Σws/√Σw, of variance 1 under independence; 0 where no stratum counts."""
        return self.weighted / math.sqrt(self.weights) if self.weights else 0.0


@dataclass(frozen=True)
class StratifiedTau(Stratified):
    """Kendall's τ-a over strata, w = 9n(n − 1)/(4n + 10), which is 1/variance without ties."""

    @property
    def p_value(self) -> float:
        """Pr[N(0, 1) > |z|]: one-sided, at most 1/2, as the released code has it.

        0 where no stratum counts: nothing was tested, so no edge may go. In the released code z is
        then 0/0, which is not above any level.
        """
        return math.erfc(abs(self.z) / math.sqrt(2)) / 2 if self.weights else 0.0


def concordances(tables: Tables) -> NDArray[np.int64]:
    """Return S = concordant − discordant pairs in each table; shape (strata,). Exact.

    tables: shape (strata, levels, levels), or leading axes more. No loop over pairs: each cell is
    multiplied by the records above it on the left less those above it on the right, from two
    cumulative sums.
    """
    if tables.shape[-2:] == (2, 2):
        crossed = tables[..., 0, 0] * tables[..., 1, 1] - tables[..., 0, 1] * tables[..., 1, 0]
        return np.asarray(crossed, dtype=np.int64)
    above = np.cumsum(tables, axis=-2) - tables
    left = np.cumsum(above, axis=-1)
    lead = 2 * left - above - left[..., -1:]
    return np.asarray(np.einsum("...ij,...ij->...", tables, lead), dtype=np.int64)


def stratified_tau(tables: Tables, *, rule: Rule = "released") -> StratifiedTau:
    """Return the stratified τ of two columns from their tables.

    tables: shape (strata, levels, levels). rule: which strata count; ``"all"`` takes each with at
    least two rows, ``"released"`` each with three in which neither column is constant. Raises
    ``UsageError`` for an unknown rule.
    """
    counts, sizes = counted(tables, rule)
    if not counts.all():
        tables, sizes = tables[counts], sizes[counts]
    n = sizes.astype(np.float64)
    share = 9 / (2 * n + 5)
    return StratifiedTau(float(share @ concordances(tables)), float(share @ (n * (n - 1))) / 2)


def chi_squared_terms(
    tables: Tables, *, statistic: Literal["chi2", "g"] = "chi2"
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return Pearson's χ² or the G statistic of each stratum, and its degrees of freedom.

    tables: shape (strata, levels, levels); both results: shape (strata,). The degrees of freedom
    are (rows − 1)(columns − 1) over the levels that occur in the stratum, as in causal-learn; other
    programs count levels that do not occur too. Raises ``UsageError`` for an unknown statistic.
    """
    # Here, so that the catalogue loads without scipy.
    from scipy.special import xlogy

    if statistic not in ("chi2", "g"):
        raise UsageError(f"statistic is {statistic!r}: it must be 'chi2' or 'g'")
    rows, columns = np.add.reduce(tables, axis=2), np.add.reduce(tables, axis=1)
    sizes = np.maximum(np.add.reduce(rows, axis=1), 1)
    free = np.maximum(np.add.reduce(rows > 0, axis=1) - 1, 0)
    degrees = free * np.maximum(np.add.reduce(columns > 0, axis=1) - 1, 0)
    expected = rows[:, :, None] * columns[:, None, :] / sizes[:, None, None]
    # Where nothing is expected nothing is seen, and nothing is added.
    divisor = np.where(expected > 0, expected, 1.0)
    if statistic == "g":
        parts = 2 * xlogy(tables, tables / divisor)
    else:
        parts = (tables - expected) ** 2 / divisor
    return np.asarray(np.add.reduce(parts, axis=(1, 2))), degrees


def tau_terms(
    tables: Tables, *, rule: Rule = "released"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return each stratum's w·τ and w, both 0 where it does not count; see ``stratified_tau``."""
    counts, sizes = counted(tables, rule)
    n = sizes.astype(np.float64)
    share = 9 / (2 * n + 5) * counts
    return share * concordances(tables), share * (n * (n - 1)) / 2


def counted(tables: Tables, rule: Rule) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return which strata count under the rule, and how many rows each has.

    ``"all"`` takes each with at least two rows, ``"released"`` each with three in which neither
    column is constant. Raises ``UsageError`` for an unknown rule.
    """
    if rule not in ("all", "released"):
        raise UsageError(f"rule is {rule!r}: it must be 'all' or 'released'")
    rows = tables.sum(axis=2)
    sizes = rows.sum(axis=1)
    if rule == "all":
        return sizes >= 2, sizes
    varies = (rows.max(axis=1) < sizes) & (tables.sum(axis=1).max(axis=1) < sizes)
    return varies & (sizes >= 3), sizes
