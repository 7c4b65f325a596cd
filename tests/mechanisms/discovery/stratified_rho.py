"""The stratified ρ of one stack of tables, from the terms that the tests of PC add up."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.independence_tests.discrete import (
    doubled_midranks,
    rho_terms,
)
from provado.mechanisms.graph_discovery.tables.coded import Tables
from provado.mechanisms.graph_discovery.tables.contingency import Stratified, counted
from provado.mechanisms.scores.conditional_ranks import Rule

Form = Literal["midrank", "corrected"]
"""1 − 6Σd²/(n(n² − 1)) of mid-ranks, which ties push up, or the correlation of the mid-ranks."""


@dataclass(frozen=True)
class StratifiedRho(Stratified):
    """Spearman's ρ over strata, w = n − 1."""

    @property
    def p_value(self) -> float:
        """Pr[|N(0, 1)| > |z|], two-sided; 0 where no stratum counts, as nothing was tested."""
        return math.erfc(abs(self.z) / math.sqrt(2)) if self.weights else 0.0


def stratified_rho(
    tables: Tables, *, form: Form = "corrected", rule: Rule = "released"
) -> StratifiedRho:
    """Return the stratified ρ of two columns from their tables.

    tables: shape (strata, levels, levels), levels in their order. form: what ρ is under ties.
    rule: which strata count, see ``counted``; with ``"corrected"``, never one in which a column is
    constant, where the correlation is not defined. Raises ``UsageError`` for an unknown form or
    rule.
    """
    if form not in ("midrank", "corrected"):
        raise UsageError(f"form is {form!r}: it must be 'midrank' or 'corrected'")
    if form == "corrected":
        weighted, weights = rho_terms(tables, rule=rule)
    else:
        counts, sizes = counted(tables, rule)
        n = np.maximum(sizes, 2).astype(np.float64)
        first, second = doubled_midranks(tables.sum(axis=2)), doubled_midranks(tables.sum(axis=1))
        apart = (first[:, :, None] - second[:, None, :]) ** 2
        moved = np.einsum("kij,kij->k", tables, apart) / 4
        weights = (n - 1) * counts
        weighted = weights * (1 - 6 * moved / (n * (n * n - 1)))
    return StratifiedRho(float(weighted.sum()), float(weights.sum()))
