"""Bettors who stake by Kelly's rule on the chance that an output came from D."""

import numpy as np
from numpy.typing import NDArray

from provado.audit.bounds.betting import Bettor, Staked

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CLAIMED_SHARE = 0.9
"""Of the wealth, what bets against the claim itself; the rest bets against other ε, for a bound
that says more than whether the claim holds."""

BELOW, ABOVE = (0.0, 0.5, 0.8), (0.25, 0.6, 1.0, 1.5, 2.2, 3.2, 5.0, 8.0)
"""These others: parts of the claim, and what is added to it."""

LEVELS = np.array([0.0, *(0.97 * 0.87 ** np.arange(30)[::-1]).tolist()])
"""Stakes, as parts of the largest that the ε allows: wealth grows little less than with the best
ones, and few numbers say all."""

MOST_EXPONENT = 700.0

SIDES = (0, 1, -1)
"""What is bet on where δ > 0: guesses of both sides, or of one alone, which half of δ is for."""

STEPS, MOST_ODDS = 16, 30.0
"""Steps of one in the log-odds to which chances are rounded when a cap is chosen, so that rare
outputs count among many; the largest log-odds."""


class BettingStrategy:
    """The bets of all bettors so far, added up by cap and stake.

    weights: of the bettors; stakes: what each of them may place, shape (bettors, levels).
    """

    def __init__(self, epsilon: float, delta: float) -> None:
        others = [*(part * epsilon for part in BELOW), *(epsilon + more for more in ABOVE)]
        self.delta = delta
        self._against = np.minimum([epsilon, *others], MOST_EXPONENT)
        self.weights = np.array(
            [CLAIMED_SHARE, *np.full(len(others), (1 - CLAIMED_SHARE) / len(others))]
        )
        self.stakes = LEVELS * np.exp(-self._against)[:, None]
        shape = (len(self._against), len(SIDES), len(LEVELS), len(LEVELS), 2)
        self._counts = np.zeros(shape, dtype=np.int64)
        self._caps: tuple[Ints, Ints] | None = None

    def plan(self, chances: Floats) -> None:
        """Fix caps and sides for the next block, from the chances of D that earlier outputs had.

        At δ = 0 a cap costs nothing: each stake is its own.
        """
        if self.delta == 0 or not len(chances):
            return
        with np.errstate(divide="ignore"):
            odds = np.clip(np.log(chances) - np.log1p(-chances), -MOST_ODDS, MOST_ODDS)
        odds, number = np.unique(np.round(STEPS * odds), return_counts=True)
        chances, number = 1 / (1 + np.exp(-odds / STEPS)), number[None, :, None]
        right = np.maximum(chances, 1 - chances)[None, :, None]
        against = np.exp(self._against)[:, None, None]
        growth = []
        for side in SIDES:
            charge = self.stakes[:, None, :] * self.delta / (2 if side else 1)
            stakes = self._kelly(right, charge, against) * _bet_on(side, chances)[None, :, None]
            stakes = np.minimum(stakes, self.stakes[:, None, :])
            with np.errstate(divide="ignore", invalid="ignore"):
                grown = right * np.log1p(stakes - charge)
                grown = grown + (1 - right) * np.log1p(-stakes * against - charge)
                grown = (number * grown).sum(axis=1)
            growth.append(np.nan_to_num(grown, nan=-np.inf))
        best = np.argmax(np.concatenate(growth, axis=1), axis=1)
        self._caps = best // len(LEVELS), best % len(LEVELS)

    def bet(self, chances: Floats, was_d: NDArray[np.bool_]) -> None:
        """Take what a block gave: the chance of D of each output, and whether it was D."""
        correct = (chances > 0.5) == was_d
        right = np.maximum(chances, 1 - chances)[None, :]
        rows = np.arange(len(self._against))[:, None]
        sides = caps = np.zeros((len(rows), 1), dtype=np.int64)
        charge: Floats = np.zeros((len(rows), 1))
        if self.delta > 0 and self._caps is not None:
            sides, caps = (fixed[:, None] for fixed in self._caps)
            charge = self.stakes[rows, caps] * self.delta / np.where(sides, 2, 1)
        stakes = self._kelly(right, charge, np.exp(self._against)[:, None])
        on = np.array([_bet_on(side, chances) for side in SIDES])
        stakes = stakes * on[sides[:, 0]]
        # Rounded down to a level, so that no bet is larger than the best one.
        level = np.searchsorted(LEVELS, stakes * np.exp(self._against)[:, None], side="right") - 1
        level = np.minimum(level, caps) if self.delta > 0 else level
        caps = np.broadcast_to(caps, level.shape) if self.delta > 0 else level
        at = (rows, sides, caps, level, np.where(correct, 0, 1)[None, :])
        np.add.at(self._counts, at, 1)

    def bettors(self) -> tuple[Bettor, ...]:
        """Return all bets as data."""
        rows: list[list[Staked]] = [[] for _ in self.weights]
        there = np.argwhere(self._counts.any(axis=4))
        counts = self._counts[tuple(there.T)].tolist()
        for (who, side, cap, level), (right, wrong) in zip(there.tolist(), counts, strict=True):
            stakes = self.stakes[who]
            row = (float(stakes[cap]), float(stakes[level]), right, wrong)
            rows[who].append((*row, SIDES[side]) if side else row)
        each = zip(self.weights.tolist(), rows, strict=True)
        return tuple(Bettor(weight, tuple(staked)) for weight, staked in each)

    def _kelly(self, right: Floats, charge: Floats, against: Floats) -> Floats:
        """Return the stake under which wealth grows fastest where a guess is right so often."""
        return np.asarray(np.maximum((1 - charge) * (right / against - (1 - right)), 0.0))


def _bet_on(side: int, chances: Floats) -> Floats:
    """Return 1 for each output whose guess may be bet on, else 0."""
    return np.where(chances > 0.5, side >= 0, side <= 0).astype(np.float64)
