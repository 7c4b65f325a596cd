"""Stratified Spearman's ρ from contingency tables.

With mid-ranks only: ranks that break ties by position need the order of the rows, which a table
does not hold. Two forms are named apart.

``"midrank"``: 1 − 6Σd²/(n(n² − 1)), as ``provado.mechanisms.scores.conditional_ranks`` computes
it from rows. Ties push it up: under independence of two fair coins it lies near 1/4, not 0, so a
test by it would take any two coarse columns to be dependent.

``"corrected"``: the correlation of the mid-ranks. Under every permutation of one column its mean is
0 and its variance 1/(n − 1) exactly, whatever the ties; hence the weights n − 1, and a z-score of
variance 1.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
section 3.3 and Appendix E, after Taylor, Kendall's and Spearman's Correlation Coefficients in the
Presence of a Blocking Variable (1987); the correction for ties: Kendall, Rank Correlation Methods
(1948), chapter 3.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.graph_discovery.tables.coded import Tables
from provado.mechanisms.graph_discovery.tables.contingency import counted
from provado.mechanisms.scores.conditional_ranks import Rule

Form = Literal["midrank", "corrected"]


def rho_terms(
    tables: Tables, *, form: Form = "corrected", rule: Rule = "released"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return each stratum's w·ρ and w, w = n − 1; both are 0 where it does not count.

    tables: shape (strata, levels, levels), levels in their order. form: what ρ is under ties, see
    above. rule: which strata count, see ``counted``; with ``"corrected"``, never one in which a
    column is constant, where the correlation is not defined. Raises ``UsageError`` for an unknown
    form or rule.
    """
    if form not in ("midrank", "corrected"):
        raise UsageError(f"form is {form!r}: it must be 'midrank' or 'corrected'")
    counts, sizes = counted(tables, rule)
    n = np.maximum(sizes, 2).astype(np.float64)
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    first, second = _doubled_midranks(rows), _doubled_midranks(columns)
    if form == "midrank":
        apart = (first[:, :, None] - second[:, None, :]) ** 2
        moved = np.einsum("kij,kij->k", tables, apart) / 4
        rho = 1 - 6 * moved / (n * (n * n - 1))
    else:
        # Centred, so that neither sum loses digits to the mean.
        first -= n[:, None] + 1
        second -= n[:, None] + 1
        square = np.einsum("ki,ki->k", rows, first**2) * np.einsum("ki,ki->k", columns, second**2)
        counts = counts & (square > 0)
        scale = np.sqrt(np.where(square > 0, square, 1.0))
        rho = np.einsum("kij,ki,kj->k", tables, first, second) / scale
    weights = (n - 1) * counts
    return weights * rho, weights


def _doubled_midranks(sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return first plus last rank of each level; shape as of sizes, (strata, levels)."""
    until = np.cumsum(sizes, axis=1)
    return (2 * until - sizes + 1).astype(np.float64)
