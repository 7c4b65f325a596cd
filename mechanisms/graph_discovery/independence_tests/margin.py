"""How far a test lies above its threshold, in units of the sensitivity that is taken for it.

In these units each query has sensitivity 1, so that one noise serves tests whose sensitivities
differ. Three readings of Priv-PC's test, named apart: printed, released, proved. Larger means
closer to independence.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
Algorithm 2; the authors' released code; the ledger's ``wang2020/thm3-conditional-kendall``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import probability
from provado.mechanisms.graph_discovery.tables.coded import Tables
from provado.mechanisms.graph_discovery.tables.contingency import stratified_tau
from provado.mechanisms.scores.conditional_ranks import (
    average_sensitivity,
    average_sensitivity_printed,
    p_value_sensitivity_released,
)


@dataclass(frozen=True)
class PublicFacts:
    """What is public of a test before its tables are counted: nothing in it depends on the data.

    m: rows looked at, of n records. strata: how many the columns' levels allow. sieve: whether the
    tweaked threshold of the sieve applies.
    """

    m: int
    n: int
    strata: int
    sieve: bool


class Margin(Protocol):
    """A rule that says how far a test lies above its threshold."""

    def __call__(self, tables: Tables, look: PublicFacts) -> float:
        """Return (score − threshold)/sensitivity. tables: of the rows that ``look`` describes."""
        ...


@dataclass(frozen=True)
class PrintedMargin:
    """The score 1 − |τ̄| with sensitivity 9/(2n), and (n/m)·9/(2n) on a subset, as printed.

    threshold, tweak: T and t, in terms of the score. τ̄ is the weighted average; the definition is
    lost. The printed sensitivity is refuted: ``wang2020/thm3-conditional-kendall``. Raises
    ``UsageError`` unless 0 ≤ tweak < threshold < 1.
    """

    threshold: float
    tweak: float

    def __post_init__(self) -> None:
        _check(self.threshold, self.tweak, "threshold")

    def __call__(self, tables: Tables, look: PublicFacts) -> float:
        """Return the margin."""
        score = 1 - abs(stratified_tau(tables).average)
        unit = float(average_sensitivity_printed(look.n)) * look.n / look.m
        return (score - self.threshold + self.tweak * look.sieve) / unit


@dataclass(frozen=True)
class ReleasedMargin:
    """The p-value of the z-score, with the sensitivity that the released code takes for it.

    alpha, tweak: independent where p ≥ alpha; the sieve asks for alpha − tweak. On m of n rows the
    sensitivity is taken √(n/m) times as large. It is no bound: see
    ``p_value_sensitivity_released``. Raises ``UsageError`` unless 0 ≤ tweak < alpha < 1.
    """

    alpha: float = 0.1
    tweak: float = 0.02

    def __post_init__(self) -> None:
        _check(self.alpha, self.tweak, "alpha")

    def __call__(self, tables: Tables, look: PublicFacts) -> float:
        """Return the margin."""
        unit = p_value_sensitivity_released(look.n) * math.sqrt(look.n / look.m)
        return (stratified_tau(tables).p_value - self.alpha + self.tweak * look.sieve) / unit


@dataclass(frozen=True)
class ProvedMargin:
    """The score −|τ̄| over all strata, with the sensitivity that is proved for it.

    alpha, tweak: the threshold is |τ̄| = q/(1.5·√m), q the normal quantile of 1 − alpha, for the
    sieve of 1 − (alpha − tweak). At that level z = Σwτ/√Σw ≈ 1.5·√m·τ̄ has the p-value alpha; the
    threshold itself does not depend on the data, as a p-value's sensitivity is not bounded.

    τ̄ on m rows in at most K strata moves by at most 12/(2m − 7K). Where K, fixed by the levels, is
    above m/7 the test is not asked: the edge stays. Raises ``UsageError`` unless
    0 ≤ tweak < alpha < 1/2.
    """

    alpha: float = 0.1
    tweak: float = 0.02

    def __post_init__(self) -> None:
        _check(self.alpha, self.tweak, "alpha")
        if self.alpha >= 0.5:
            raise UsageError(f"alpha is {self.alpha!r}: it must be below 1/2")

    def __call__(self, tables: Tables, look: PublicFacts) -> float:
        """Return the margin, −∞ where the test is not asked."""
        # Here, so that the catalogue loads without scipy.
        from scipy.special import ndtri

        if 7 * look.strata > look.m:
            return -math.inf
        level = self.alpha - self.tweak * look.sieve
        threshold = -float(ndtri(level)) / (1.5 * math.sqrt(look.m))
        score = -abs(stratified_tau(tables, rule="all").average)
        return (score + threshold) / float(average_sensitivity(look.m, look.strata))


def _check(level: float, tweak: float, name: str) -> None:
    if not 0 <= tweak < probability(level, name):
        raise UsageError(f"tweak is {tweak!r}: it must be at least 0 and below {name}, {level!r}")
