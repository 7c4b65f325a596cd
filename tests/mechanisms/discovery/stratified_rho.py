"""The stratified ρ of one stack of tables, from the terms that the tests of PC add up."""

import math
from dataclasses import dataclass

from provado.mechanisms.graph_discovery.independence_tests.discrete import Form, rho_terms
from provado.mechanisms.graph_discovery.tables.coded import Tables
from provado.mechanisms.graph_discovery.tables.contingency import Stratified
from provado.mechanisms.scores.conditional_ranks import Rule


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

    tables: shape (strata, levels, levels), levels in their order. form: what ρ is under ties, see
    above. rule: which strata count, see ``counted``; with ``"corrected"``, never one in which a
    column is constant, where the correlation is not defined. Raises ``UsageError`` for an unknown
    form or rule.
    """
    weighted, weights = rho_terms(tables, form=form, rule=rule)
    return StratifiedRho(float(weighted.sum()), float(weights.sum()))
