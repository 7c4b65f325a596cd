"""χ² and G of one stack of tables, from the terms that the tests of PC add up."""

from dataclasses import dataclass
from typing import Literal

from scipy.special import chdtrc

from provado.mechanisms.graph_discovery.tables.coded import Tables
from provado.mechanisms.graph_discovery.tables.contingency import chi_squared_terms


@dataclass(frozen=True)
class ChiSquared:
    """A statistic with its degrees of freedom under conditional independence."""

    statistic: float
    degrees: int

    @property
    def p_value(self) -> float:
        """Pr[χ² > statistic]; 1 where no degree of freedom is left."""
        return float(chdtrc(self.degrees, self.statistic)) if self.degrees else 1.0


def chi_squared(tables: Tables, *, statistic: Literal["chi2", "g"] = "chi2") -> ChiSquared:
    """Return Pearson's χ² or the G statistic, summed over the strata.

    tables: shape (strata, levels, levels). The degrees of freedom of a stratum are
    (rows − 1)(columns − 1) over the levels that occur in it, as in causal-learn; other programs
    count levels that do not occur too. Raises ``UsageError`` for an unknown statistic.
    """
    values, degrees = chi_squared_terms(tables, statistic=statistic)
    return ChiSquared(max(0.0, float(values.sum())), int(degrees.sum()))
