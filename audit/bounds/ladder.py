"""The ladder bound: a lower limit on a Rényi divergence from how outputs fall into cells.

One event shows only part of a divergence, 64 % of that between close Gaussians; a few dozen cells
show nearly all. For any g ≥ 0 on the outputs, Hölder's inequality gives E_P[g] ≤
e^{(α−1)D/α}·E_Q[g^β]^{1/β} with β = α/(α − 1) and D = D_α(P ‖ Q), and Donsker and Varadhan's
E_P[f] ≤ D + ln E_Q[e^f] where α is 1. A tangent of the power (of the logarithm) makes either
linear: E_P[u] − E_Q[v] ≤ b for numbers u, v, b that are fixed before the first trial. A trial that
intervened with do(D) or do(D′) by a fair coin then bets u − o or o − b − v, whose mean is at most 0
where the divergence is at most D, and wealth is a supermartingale as in ``betting``.

Source: van Erven and Harremoës, Rényi Divergence and Kullback–Leibler Divergence (2014), Theorem 30
(variational form); Donsker and Varadhan (1975).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms import UsageError

from .betting import Bets, largest_refuted

Floats = NDArray[np.float64]

MOST_SCALE = 1e6


@dataclass(frozen=True)
class Ladder:
    """What is staked on each cell, fixed before the first trial.

    alpha: its own share of the chance of a false alarm.
    order: α ≥ 1. weight: the promise holds D_α to ``weight`` times its parameter.
    swapped: whether P is the distribution under do(D′), not under do(D).
    logs: ln g of each cell, or f where the order is 1.
    tangent: where the power or the logarithm has its tangent, s > 0.
    offset: o, what a trial under P is compared with.
    """

    alpha: float
    order: float
    weight: float
    swapped: bool
    logs: tuple[float, ...]
    tangent: float
    offset: float
    bets: Bets

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise UsageError(f"ladder: alpha is {self.alpha!r}: it must lie between 0 and 1")
        numbers = (self.order, self.weight, self.tangent)
        if not (self.order >= 1 and all(0 < number < math.inf for number in numbers)):
            raise UsageError("ladder: order must be at least 1, weight and tangent above 0")
        if not self.logs or not all(map(math.isfinite, (*self.logs, self.offset))):
            raise UsageError("ladder: each cell needs a finite number, and so does the offset")

    def stakes(self, scale: float) -> tuple[Floats, Floats]:
        """Return what a trial under P and under Q wins in each cell, if D_α ≤ weight·``scale``."""
        cost, logs = self.weight * scale, np.array(self.logs)
        if self.order == 1:
            won, paid = logs, np.exp(logs) / self.tangent
            most = cost + math.log(self.tangent) - 1
        else:
            above = (self.order - 1) / self.order
            factor = math.exp(min(above * cost, 700.0))
            won = np.exp(logs)
            paid = factor * self.tangent ** (above - 1) * above * np.exp(logs / above)
            most = factor * self.tangent**above * (1 - above)
        return won - self.offset, self.offset - most - paid


def ladder_log_wealth(scale: float, cells: tuple[int, ...], ladder: Ladder) -> float:
    """Return the log of the mixed wealth against the claim D_α ≤ weight·``scale``.

    cells: trials in each cell under do(D), then under do(D′). A stake that could lose all in some
    cell counts as wealth 0, so that the wealth never rises with ``scale``.
    """
    counts = np.array(cells, dtype=np.float64).reshape(2, -1)
    p, q = counts[::-1] if ladder.swapped else counts
    won, kept = ladder.stakes(scale)
    stakes, weights = np.array(ladder.bets.stakes), np.array(ladder.bets.weights)
    worst = min(float(won.min()), float(kept.min()))
    allowed = stakes * -worst < 1
    if not allowed.any():
        return -math.inf
    stakes, weights = stakes[allowed], weights[allowed]
    terms = np.log1p(stakes[:, None] * won) @ p + np.log1p(stakes[:, None] * kept) @ q
    terms += np.log(weights)
    largest = float(terms.max())
    return largest + math.log(float(np.exp(terms - largest).sum()))


def ladder_lower(cells: tuple[int, ...], ladder: Ladder) -> float:
    """Return the lower limit on the promise's parameter that the cells certify, at least 0.

    Guarantee: if D_α ≤ weight·t in both directions, the probability that it ever exceeds t is at
    most ``ladder.alpha``. Rounded down by less than 1e-9.
    """
    if len(cells) != 2 * len(ladder.logs):
        raise UsageError(
            f"cells: {len(cells)} counts for {len(ladder.logs)} cells under two interventions"
        )
    goal = -math.log(ladder.alpha) + 1e-9
    return largest_refuted(
        lambda scale: scale < MOST_SCALE and ladder_log_wealth(scale, cells, ladder) >= goal
    )
