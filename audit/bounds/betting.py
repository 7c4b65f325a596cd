"""The betting bounds: for δ > 0, and valid at every stopping time for any δ.

Under (ε, δ)-DP each trial's X = 1{correct} − e^ε·1{wrong} − δ has mean at most 0 given the past,
so for every λ in [0, 1/(e^ε + δ)) the wealth ∏(1 + λX) = (1 + λ(1−δ))^C (1 − λ(e^ε+δ))^W
(1 − λδ)^A is a nonnegative supermartingale that starts at 1, and so is any mixture over λ. By
Ville's inequality it ever reaches 1/α with probability at most α.

A sequential audit multiplies up the wealth of bets on all blocks. Before each block every bettor
fixes a stake for each output, from earlier blocks alone. Under (ε, δ)-DP a trial's
1 + λ(1{correct} − e^ε·1{wrong}) − ½(κ + κ′)δ has mean at most 1 given the past, where κ and κ′ are
the largest stakes of the bettor in that block on guesses of D and of D′: the stake may depend on
the output, and E[λ·1{correct}] ≤ e^ε·E[λ·1{wrong}] + ½κδ for guesses of D, in the same way for
those of D′. A bettor has one cap for both sides, or bets on one side alone. So each bettor's
product over trials and blocks is such a supermartingale, and so is a mixture of them.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms import UsageError


@dataclass(frozen=True)
class Bets:
    """A mixture of bets, fixed before the first trial: stakes λ > 0 and weights that sum to ≤ 1."""

    stakes: tuple[float, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.stakes) != len(self.weights) or not self.stakes:
            raise UsageError("bets: stakes and weights must be of one length, at least 1")
        # Written so that a NaN, which compares false, is refused too.
        positive = all(0 < number < math.inf for number in (*self.stakes, *self.weights))
        if not positive or sum(self.weights) > 1 + 1e-12:
            raise UsageError("bets: stakes and weights must be above 0, weights sum to at most 1")


MIXED_STAKES = 60


def mixture(planned: float, delta: float, *, anytime: bool) -> Bets:
    """Return the bets around a planned stake: all but that stake follows from the arguments.

    Nine tenths of the wealth (half, if the user may stop at any time) go to the planned stake; the
    rest is spread over all scales, so that a bad forecast costs little.
    """
    spread = np.geomspace(1e-7, 0.9 / (1 + delta), MIXED_STAKES)
    share = 0.5 if anytime else 0.9
    weights = [share, *np.full(MIXED_STAKES, (1 - share) / MIXED_STAKES).tolist()]
    return Bets((planned, *spread.tolist()), tuple(weights))


def log_wealth(
    epsilon: float, delta: float, correct: int, wrong: int, abstained: int, bets: Bets
) -> float:
    """Return the log of the mixed wealth against the claim (``epsilon``, ``delta``).

    Stakes that the claim does not allow (1 − λ(e^ε + δ) ≤ 0) count as wealth 0, which keeps the
    mixture a supermartingale and makes the wealth non-increasing in ``epsilon``.
    """
    stakes = np.asarray(bets.stakes)
    loss = stakes * (math.exp(epsilon) + delta)
    allowed = loss < 1
    if not allowed.any():
        return -math.inf
    stakes, loss = stakes[allowed], loss[allowed]
    terms: NDArray[np.float64] = (
        np.log(np.asarray(bets.weights)[allowed])
        + correct * np.log1p(stakes * (1 - delta))
        + wrong * np.log1p(-loss)
        + abstained * np.log1p(-stakes * delta)
    )
    largest = terms.max()
    return float(largest + np.log(np.exp(terms - largest).sum()))


def betting_epsilon_lower(
    correct: int, wrong: int, abstained: int, delta: float, alpha: float, bets: Bets
) -> float:
    """Return the lower limit ε̂ ≥ 0 on ε at the given δ that the counts certify at 1 − ``alpha``.

    Guarantee: under (ε, δ)-DP, the probability that ε̂ > ε at any time that a user may choose to
    stop is at most ``alpha``. The limit is the largest ε that the wealth refutes, found by
    bisection (the wealth falls as ε grows) and rounded down by less than 1e-9.
    """
    return _largest_refuted_at(
        alpha, lambda epsilon: log_wealth(epsilon, delta, correct, wrong, abstained, bets)
    )


def _largest_refuted_at(alpha: float, wealth: Callable[[float], float]) -> float:
    """Return the largest ε that a log-wealth, which falls as ε grows, refutes at 1 − ``alpha``."""
    goal = -math.log(alpha) + 1e-9
    return largest_refuted(lambda epsilon: wealth(epsilon) >= goal)


def largest_refuted(refuted: Callable[[float], bool]) -> float:
    """Return the largest ε ≥ 0 that is refuted, rounded down by less than 1e-9; else 0.

    refuted: true up to some ε and false beyond it.
    """
    if not refuted(0.0):
        return 0.0
    low, high = 0.0, 1.0
    while refuted(high):
        low, high = high, 2 * high
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low


def largest_refuted_share(refuted: Callable[[float], bool]) -> float:
    """Return the largest δ from 0 to 1 that is refuted, rounded down by less than 1e-9 of itself.

    refuted: true up to some δ and false beyond it. 0 where not even that is refuted.
    """
    if not refuted(0.0):
        return 0.0
    low, high = 0.0, 1.0
    while high - low > 1e-9 * high and high > 1e-300:
        middle = (low + high) / 2
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low


Staked = tuple[float, float, int, int] | tuple[float, float, int, int, int]
"""A cap κ, a stake λ ≤ κ (0: no bet), and how many trials with them were right and wrong; then 1
where only guesses of D were bet on in that block, −1 where only those of D′ were."""


@dataclass(frozen=True)
class Bettor:
    """A part of the wealth that one bettor got, and all its bets added up by cap and stake."""

    weight: float
    staked: tuple[Staked, ...]

    def __post_init__(self) -> None:
        # Written so that a NaN, which compares false, is refused too.
        if not 0 < self.weight <= 1:
            raise UsageError(f"bettor: weight is {self.weight!r}: it must lie in (0, 1]")
        for row in self.staked:
            if not 0 <= row[1] <= row[0] <= 1 or min(row[2:4]) < 0:
                raise UsageError(f"bettor: {tuple(row)!r} must be 0 ≤ stake ≤ cap ≤ 1, then counts")
            if len(row) > 5 or row[4:] not in ((), (1,), (-1,)):
                raise UsageError(f"bettor: {tuple(row)!r} must end with counts, or a side, 1 or -1")

    @property
    def trials(self) -> int:
        """All trials, those without a bet included."""
        return sum(row[2] + row[3] for row in self.staked)


def check_bettors(bettors: Sequence[Bettor]) -> None:
    """Raise ``UsageError`` unless the weights sum to at most 1."""
    if math.fsum(bettor.weight for bettor in bettors) > 1 + 1e-12:
        raise UsageError("bettors: their weights must sum to at most 1")


def product_log_wealth(epsilon: float, delta: float, bettors: Sequence[Bettor]) -> float:
    """Return the log of the wealth of all bettors against the claim (``epsilon``, ``delta``).

    A bettor that ever placed a stake that the claim does not allow, λe^ε + κδ ≥ 1, has none: this
    keeps each a supermartingale and makes the wealth non-increasing in ``epsilon``.
    """
    terms = []
    for bettor in bettors:
        if not bettor.staked:
            terms.append(math.log(bettor.weight))
            continue
        cap, stake, correct, wrong = np.array([row[:4] for row in bettor.staked], np.float64).T
        charge = cap * delta * np.array([0.5 if len(row) > 4 else 1.0 for row in bettor.staked])
        loss = stake * math.exp(min(epsilon, 700.0)) + charge
        if (loss < 1).all():
            gained = correct @ np.log1p(stake - charge) + wrong @ np.log1p(-loss)
            terms.append(math.log(bettor.weight) + float(gained))
    if not terms:
        return -math.inf
    largest = max(terms)
    return largest + math.log(math.fsum(math.exp(term - largest) for term in terms))


def product_epsilon_lower(delta: float, alpha: float, bettors: Sequence[Bettor]) -> float:
    """Return the lower limit ε̂ ≥ 0 on ε at the given δ that the wealth certifies at 1 − ``alpha``.

    Guarantee: under (ε, δ)-DP, the probability that ε̂ > ε at any time that a user may choose to
    stop is at most ``alpha``. The limit is the largest ε that the wealth refutes, found by
    bisection (the wealth falls as ε grows) and rounded down by less than 1e-9.
    """
    return _largest_refuted_at(alpha, lambda epsilon: product_log_wealth(epsilon, delta, bettors))
