"""Relative probabilities of output events, with exact limits that hold for all events at once.

And Fisher's test of no effect on counts: the case ε = 0 of an experiment of any size.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincc, betainccinv

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.parameters import natural


@dataclass(frozen=True)
class EventEffect:
    """Pr[E | side D] against Pr[E | side D′] for one output event E.

    event: E in words. hits, other_hits: trials in which E happened on the side D and on D′.
    ratio: hits / other_hits, an estimate of the relative probability, equation (26) of Tschantz,
        Sen, Datta 2022: sides are tossed by a fair coin. ``math.inf`` for k/0, NaN for 0/0.
    low, high: exact limits on the relative probability; 0 and ``math.inf`` where nothing is known.
    """

    event: str
    hits: int
    other_hits: int
    ratio: float
    low: float
    high: float

    @property
    def factor_lower(self) -> float:
        """Certified lower limit on the effect in either direction: max(RP, 1/RP) ≥ this ≥ 1."""
        return max(self.low, _inverse(self.high), 1.0)

    @property
    def factor_upper(self) -> float:
        """Upper limit on max(RP, 1/RP)."""
        return max(self.high, _inverse(self.low))


@dataclass(frozen=True)
class Estimate:
    """The effects of all events of one arm. Events are disjoint and together cover every output.

    trials, other_trials: trials on the side D and on D′. level: probability with which all limits
    hold together, at least.
    """

    trials: int
    other_trials: int
    level: float
    events: tuple[EventEffect, ...]

    @property
    def largest(self) -> EventEffect:
        """The event with the largest certified effect, the first of them."""
        return max(self.events, key=lambda effect: effect.factor_lower)

    @property
    def factor_lower(self) -> float:
        """Certified lower limit on the maximum relative probability, equation (27)."""
        return self.largest.factor_lower

    @property
    def factor_upper(self) -> float:
        """Upper limit on the maximum over the events that were seen, no others; NaN if none was."""
        seen = [event.factor_upper for event in self.events if event.hits or event.other_hits]
        return max(seen, default=math.nan)


def estimate(
    events: Sequence[str], hits: Sequence[int], other_hits: Sequence[int], alpha: float
) -> Estimate:
    """Return the effects of disjoint events from their counts on the sides D and D′.

    Guarantee: where each trial's side was tossed by a fair coin and the events were fixed before,
    all limits hold together with probability at least 1 − ``alpha``, of which each event gets an
    equal share (Bonferroni).
    """
    share = alpha / len(events)
    effects = []
    for event, a, b in zip(events, hits, other_hits, strict=True):
        low, high = relative_probability_limits(a, b, share)
        ratio = a / b if b else (math.inf if a else math.nan)
        effects.append(EventEffect(event, int(a), int(b), ratio, low, high))
    return Estimate(int(sum(hits)), int(sum(other_hits)), 1 - alpha, tuple(effects))


def relative_probability_limits(hits: int, other_hits: int, alpha: float) -> tuple[float, float]:
    """Return exact two-sided limits on p/q from how often the event happened on each side.

    Each trial tosses a fair coin for its side, so a trial in which the event happens was on the
    side D with probability p/(p + q), whatever the number of such trials: the Clopper–Pearson
    limits of ``hits`` out of ``hits + other_hits`` become limits on p/q as odds.

    Guarantee: Pr[p/q outside] ≤ ``alpha``, half of it on each side. Rounded outward, so that the
    exact tail probability at each limit never exceeds its half. Counts below 0 and an ``alpha``
    outside (0, 1) raise ``UsageError``.
    """
    if min(hits, other_hits) < 0:
        raise UsageError(f"counts are {hits!r} and {other_hits!r}: a count is at least 0")
    if not 0 < alpha < 1:
        raise UsageError(f"alpha is {alpha!r}: it must lie strictly between 0 and 1")
    low = _lower_odds(hits, other_hits, alpha / 2)
    upside_down = _lower_odds(other_hits, hits, alpha / 2)
    return low, _inverse(upside_down) * (1 + 2**-52)


def _lower_odds(hits: int, other_hits: int, alpha: float) -> float:
    if hits == 0:
        return 0.0
    # The limit's complement is computed directly: near 1 the limit itself has no digits left.
    miss = float(betainccinv(other_hits + 1, hits, alpha))
    if not 0 < miss < 1:
        return 0.0
    odds = (1 - miss) / miss
    step = 1e-12
    # Pr[Binomial(hits + other_hits, odds/(1 + odds)) ≥ hits], as the coin would have it.
    while odds > 0 and float(betaincc(other_hits + 1, hits, 1 / (1 + odds))) > alpha:
        odds *= 1 - step
        step *= 2
    return odds


def _inverse(value: float) -> float:
    return 1 / value if value else math.inf


DRAWS = 9999
"""Random assignments that are examined beside the one seen; the least p-value is 1/10,000."""


def no_effect_p_value(
    treated: Sequence[int],
    control: Sequence[int],
    *,
    rng: np.random.Generator,
    draws: int = DRAWS,
) -> Fraction:
    """Return a valid p-value of no effect at all, by random re-assignment of the trials.

    treated, control: how often each event was seen under do(D_i = d) and under do(D_i = d′). With
    ε = 0 every assignment of the same sizes was as likely to go with the outputs seen; the p-value
    is the share of (the one seen and) ``draws`` random ones that are at least as extreme by
    Pearson's statistic.

    Guarantee: under no effect it is at most a with probability at most a, for any number of draws.
    Source: Fisher, The Design of Experiments (1935), to which section 8 of Tschantz, Sen, Datta
    2022 points. Raises ``UsageError`` for counts below 0 or of different lengths.
    """
    one, two = np.asarray(treated, dtype=np.int64), np.asarray(control, dtype=np.int64)
    if one.shape != two.shape or one.ndim != 1 or not one.size:
        raise UsageError(
            f"counts: {one.size} events under treatment and {two.size} under control; the same "
            "events must be listed in both, at least one"
        )
    if min(one.min(), two.min()) < 0:
        raise UsageError(f"counts are {treated!r} and {control!r}: a count is at least 0")
    draws = natural(draws, "draws")
    margins = one + two
    tables = rng.multivariate_hypergeometric(
        margins, int(one.sum()), size=draws, method="marginals"
    )
    seen = _statistic(one[np.newaxis], margins)[0]
    # Rounding in the statistic may order tables anew, yet it remains one function of the table.
    extreme = int(np.count_nonzero(_statistic(tables, margins) >= seen))
    return Fraction(1 + extreme, 1 + draws)


def _statistic(tables: NDArray[np.int64], margins: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return Pearson's chi-square of 2 × k tables, up to a factor that both margins fix."""
    total = max(int(margins.sum()), 1)
    expected = margins * (tables.sum(axis=1, keepdims=True) / total)
    result: NDArray[np.float64] = ((tables - expected) ** 2 / np.maximum(margins, 1)).sum(axis=1)
    return result
