"""Stratified averages of rank correlations as z-scores, in exact sums."""

import math

from numpy.typing import ArrayLike

from provado.mechanisms.scores.conditional_ranks import (
    Rule,
    conditional_rho_sums,
    conditional_tau_sums,
)
from provado.mechanisms.scores.spearman import Ties


def conditional_tau_z(
    a: ArrayLike, b: ArrayLike, given: ArrayLike, *, rule: Rule = "released"
) -> float:
    """Return Σwτ/√Σw, of variance 1 under independence; 0 where no stratum counts.

    See ``conditional_tau_sums`` for arguments and errors.
    """
    top, bottom = conditional_tau_sums(a, b, given, rule=rule)
    return float(top) / math.sqrt(bottom) if bottom else 0.0


def conditional_rho_z(
    a: ArrayLike,
    b: ArrayLike,
    given: ArrayLike,
    *,
    rule: Rule = "released",
    ties: Ties = "position",
) -> float:
    """Return Σwρ/√Σw, of variance 1 under independence; 0 where no stratum counts."""
    top, bottom = conditional_rho_sums(a, b, given, rule=rule, ties=ties)
    return float(top) / math.sqrt(bottom) if bottom else 0.0
