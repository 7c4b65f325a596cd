"""Effect sizes: relative probability and risk difference of an event under two interventions."""

import math
from dataclasses import dataclass

from scipy.special import ndtri

from .counts import Counts


@dataclass(frozen=True)
class EffectSize:
    """Pr[E | do(D)] against Pr[E | do(D′)] for the event E that the rule guesses ``guess``.

    relative_probability: Pr[E | do(guessed)] / Pr[E | do(other)], equation (26) of Tschantz, Sen,
        Datta 2022; ``math.inf`` where E was never seen under the other intervention, NaN where it
        was never seen at all.
    risk_difference: Pr[E | do(guessed)] − Pr[E | do(other)].
    Both come with two-sided intervals at the confidence asked for. These are asymptotic and
    describe; the guarantee is the certified bound on ε.
    """

    guess: str
    hits: int
    trials: int
    other_hits: int
    other_trials: int
    relative_probability: float
    relative_probability_interval: tuple[float, float]
    risk_difference: float
    risk_difference_interval: tuple[float, float]


def effect_sizes(counts: Counts, confidence: float = 0.95) -> tuple[EffectSize, EffectSize]:
    """Return the effects for the events "the rule says D" and "the rule says D′"."""
    c = counts
    return (
        _effect("D", c.d_said_d, c.d_trials, c.d_prime_said_d, c.d_prime_trials, confidence),
        _effect(
            "D′",
            c.d_prime_said_d_prime,
            c.d_prime_trials,
            c.d_said_d_prime,
            c.d_trials,
            confidence,
        ),
    )


def _effect(guess: str, hits: int, n: int, other_hits: int, m: int, level: float) -> EffectSize:
    rate = hits / n if n else math.nan
    other = other_hits / m if m else math.nan
    never = math.inf if hits else math.nan
    return EffectSize(
        guess=guess,
        hits=hits,
        trials=n,
        other_hits=other_hits,
        other_trials=m,
        relative_probability=rate / other if other else never,
        relative_probability_interval=_interval(hits, n, other_hits, m, "ratio", level),
        risk_difference=rate - other,
        risk_difference_interval=_interval(hits, n, other_hits, m, "diff", level),
    )


def _interval(
    hits: int, n: int, other_hits: int, m: int, compare: str, level: float
) -> tuple[float, float]:
    """Return an interval: Newcombe's for a difference, adjusted logs for a ratio.

    Both are closed forms. Score intervals are found by iteration, which fails or goes astray for
    rates near 0 and 1. (NaN, NaN) where the event was never seen. Source: Fagerland, Lydersen,
    Laake, Recommended confidence intervals for two independent binomial proportions, Statistical
    Methods in Medical Research 24(2), 2015.
    """
    if not (n and m) or (hits == 0 and other_hits == 0):
        return (math.nan, math.nan)
    z = -float(ndtri((1 - level) / 2))
    if compare == "diff":
        return _newcombe(hits, n, other_hits, m, z)
    low, high = _adjusted_logs(hits, n, other_hits, m, z)
    # Half a count added to each keeps the logs finite; the limits need not be.
    return (low if hits else 0.0, high if other_hits else math.inf)


def _newcombe(hits: int, n: int, other_hits: int, m: int, z: float) -> tuple[float, float]:
    """Return the interval for a difference of rates, joined from an interval of Wilson for each."""
    rate, other = hits / n, other_hits / m
    (low, high), (other_low, other_high) = _wilson(rate, n, z), _wilson(other, m, z)
    below = math.sqrt((rate - low) ** 2 + (other_high - other) ** 2)
    above = math.sqrt((other - other_low) ** 2 + (high - rate) ** 2)
    return (rate - other - below, rate - other + above)


def _wilson(rate: float, n: int, z: float) -> tuple[float, float]:
    widening = 1 + z**2 / n
    center = (rate + z**2 / (2 * n)) / widening
    half = z * math.sqrt(rate * (1 - rate) / n + z**2 / (4.0 * n**2)) / widening
    return (max(center - half, 0.0), min(center + half, 1.0))


def _adjusted_logs(hits: int, n: int, other_hits: int, m: int, z: float) -> tuple[float, float]:
    """Return the interval for a ratio of rates, with half a count added to each of the four."""
    a, b, c, d = hits + 0.5, n + 0.5, other_hits + 0.5, m + 0.5
    half = z * math.sqrt(1 / a - 1 / b + 1 / c - 1 / d)
    log = math.log((a / b) / (c / d))
    return (math.exp(log - half), math.exp(log + half))
