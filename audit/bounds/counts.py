"""What is kept of an experiment: six integers, and the effect sizes that they show.

The integers count the guesses made under each intervention. Effect sizes are the relative
probability and the risk difference of an event under the two interventions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from scipy.special import ndtri

from provado.mechanisms import UsageError

_MORE = ("cells", "beside")
_NO_COUNT = (*_MORE, "unread")


@dataclass(frozen=True)
class Counts:
    """Trials by intervention (do(D) or do(D′)) and by the guess of the rule.

    cells: where the claim is a curve, trials by cell of the rule's score, those under do(D) first,
        then those under do(D′), and in each the scores of NaN last; else empty.
    unread: the part of their outputs that stayed unread, in words; else empty.
    beside: the counts of other rules on the same trials, where they have several; else empty.

    Counts of independent trials add, from any number of workers, in any order.
    """

    d_guessed_d: int = 0
    d_guessed_d_prime: int = 0
    d_abstained: int = 0
    d_prime_guessed_d: int = 0
    d_prime_guessed_d_prime: int = 0
    d_prime_abstained: int = 0
    cells: tuple[int, ...] = field(default=(), kw_only=True)
    unread: str = field(default="", kw_only=True)
    beside: tuple[Counts, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        every = [(name, value) for name, value in vars(self).items() if name not in _NO_COUNT]
        for name, value in (*every, *(("cells", value) for value in self.cells)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise UsageError(f"{name} is {value!r}: a count is an integer of at least 0")

    @property
    def correct(self) -> int:
        """C: guesses that named the intervention that was made."""
        return self.d_guessed_d + self.d_prime_guessed_d_prime

    @property
    def wrong(self) -> int:
        """W: guesses that named the other one."""
        return self.d_guessed_d_prime + self.d_prime_guessed_d

    @property
    def abstained(self) -> int:
        """A: trials on which the rule abstained."""
        return self.d_abstained + self.d_prime_abstained

    @property
    def guesses(self) -> int:
        """C + W."""
        return self.correct + self.wrong

    @property
    def trials(self) -> int:
        """C + W + A."""
        return self.guesses + self.abstained

    @property
    def d_trials(self) -> int:
        """Trials under do(D)."""
        return self.d_guessed_d + self.d_guessed_d_prime + self.d_abstained

    @property
    def d_prime_trials(self) -> int:
        """Trials under do(D′)."""
        return self.d_prime_guessed_d + self.d_prime_guessed_d_prime + self.d_prime_abstained

    @property
    def side(self) -> int:
        """1 where only D was guessed, −1 where only D′ was, else 0."""
        d = self.d_guessed_d + self.d_prime_guessed_d
        return 0 if 0 < d < self.guesses or not self.guesses else 1 if d else -1

    def guessed(self, side: int = 0) -> tuple[int, int, int]:
        """Return right and wrong guesses, and the other trials.

        side: 1 for guesses of D alone, −1 for those of D′ alone, 0 for all.
        """
        d, d_prime = self.d_guessed_d, self.d_prime_guessed_d_prime
        right = (d + d_prime, d, d_prime)[side]
        wrong = (self.wrong, self.d_prime_guessed_d, self.d_guessed_d_prime)[side]
        return right, wrong, self.trials - right - wrong

    def __add__(self, other: Counts) -> Counts:
        # By name: ``astuple`` copies deeply, a hundred times as slowly.
        mine, others = vars(self), vars(other)
        summed = {name: mine[name] + others[name] for name in mine if name not in _NO_COUNT}
        more: dict[str, Any] = {
            name: tuple(a + b for a, b in zip(mine[name], others[name], strict=True))
            if mine[name] and others[name]
            else mine[name] or others[name]
            for name in _MORE
        }
        return Counts(**summed, **more, unread=self.unread or other.unread)

    @property
    def each(self) -> tuple[Counts, ...]:
        """The counts of each rule alone, this one's first."""
        return replace(self, beside=()), *self.beside

    @property
    def six(self) -> tuple[int, int, int, int, int, int]:
        """The six integers that the guesses are, without cells."""
        return (
            self.d_guessed_d,
            self.d_guessed_d_prime,
            self.d_abstained,
            self.d_prime_guessed_d,
            self.d_prime_guessed_d_prime,
            self.d_prime_abstained,
        )


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
        _effect("D", c.d_guessed_d, c.d_trials, c.d_prime_guessed_d, c.d_prime_trials, confidence),
        _effect(
            "D′",
            c.d_prime_guessed_d_prime,
            c.d_prime_trials,
            c.d_guessed_d_prime,
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
