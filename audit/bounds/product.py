"""The bound of a sequential audit: the wealth of bets on all blocks, multiplied up.

Before each block every bettor fixes a stake for each output, from earlier blocks alone. Under
(ε, δ)-DP a trial's 1 + λ(1{correct} − e^ε·1{wrong}) − ½(κ + κ′)δ has mean at most 1 given the past,
where κ and κ′ are the largest stakes of the bettor in that block on guesses of D and of D′: the
stake may depend on the output, and E[λ·1{correct}] ≤ e^ε·E[λ·1{wrong}] + ½κδ for guesses of D, in
the same way for those of D′. A bettor has one cap for both sides, or bets on one side alone. So
each bettor's product over trials and blocks is a nonnegative supermartingale that starts at 1, and
so is a mixture of them. By Ville's inequality it ever reaches 1/α with probability at most α,
whenever and whyever the audit stops.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from provado.mechanisms import UsageError

from .betting import largest_refuted

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
    goal = -math.log(alpha) + 1e-9

    def refuted(epsilon: float) -> bool:
        return product_log_wealth(epsilon, delta, bettors) >= goal

    return largest_refuted(refuted)
