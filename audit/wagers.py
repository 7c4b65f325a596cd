"""Bettors who stake by Kelly's rule on the chance that an output came from D."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .bounds.product import Bettor, Staked

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

PLANNED = 512
"""Earlier outputs from which a cap is chosen, at most."""


class Wagers:
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
        shape = (len(self._against), len(LEVELS), len(LEVELS), 2)
        self._counts = np.zeros(shape, dtype=np.int64)
        self._caps: Ints | None = None

    def plan(self, chances: Floats) -> None:
        """Fix the caps for the next block, from the chances of D that earlier outputs had.

        At δ = 0 a cap costs nothing: each stake is its own.
        """
        if self.delta == 0 or not len(chances):
            return
        chances = chances[:: -(-len(chances) // PLANNED)]
        right = np.maximum(chances, 1 - chances)[None, :, None]
        against = np.exp(self._against)[:, None, None]
        charge = self.stakes[:, None, :] * self.delta
        stakes = self._kelly(right, charge, against)
        stakes = np.minimum(stakes, self.stakes[:, None, :])
        with np.errstate(divide="ignore", invalid="ignore"):
            grown = right * np.log1p(stakes - charge)
            grown = (grown + (1 - right) * np.log1p(-stakes * against - charge)).sum(axis=1)
        self._caps = np.argmax(np.nan_to_num(grown, nan=-np.inf), axis=1)

    def bet(self, chances: Floats, was_d: NDArray[np.bool_]) -> None:
        """Take what a block gave: the chance of D of each output, and whether it was D."""
        correct = (chances > 0.5) == was_d
        right = np.maximum(chances, 1 - chances)[None, :]
        rows = np.arange(len(self._against))[:, None]
        caps: Ints = np.zeros((len(rows), 1), dtype=np.int64)
        charge: Floats = np.zeros((len(rows), 1))
        if self.delta > 0:
            caps = caps if self._caps is None else self._caps[:, None]
            charge = self.stakes[rows, caps] * self.delta
        stakes = self._kelly(right, charge, np.exp(self._against)[:, None])
        # Rounded down to a level, so that no bet is larger than the best one.
        level = np.searchsorted(LEVELS, stakes * np.exp(self._against)[:, None], side="right") - 1
        level = np.minimum(level, caps) if self.delta > 0 else level
        caps = np.broadcast_to(caps, level.shape) if self.delta > 0 else level
        np.add.at(self._counts, (rows, caps, level, np.where(correct, 0, 1)[None, :]), 1)

    def bettors(self) -> tuple[Bettor, ...]:
        """Return all bets as data."""
        rows: list[list[Staked]] = [[] for _ in self.weights]
        there = np.argwhere(self._counts.any(axis=3))
        counts = self._counts[tuple(there.T)].tolist()
        for (who, cap, level), (right, wrong) in zip(there.tolist(), counts, strict=True):
            stakes = self.stakes[who]
            rows[who].append((float(stakes[cap]), float(stakes[level]), right, wrong))
        each = zip(self.weights.tolist(), rows, strict=True)
        return tuple(Bettor(weight, tuple(staked)) for weight, staked in each)

    def _kelly(self, right: Floats, charge: Floats, against: Floats) -> Floats:
        """Return the stake under which wealth grows fastest where a guess is right so often."""
        return np.asarray(np.maximum((1 - charge) * (right / against - (1 - right)), 0.0))
