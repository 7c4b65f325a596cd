"""What any audit could certify of a Rényi divergence from so many trials, by exact calculation.

A lower limit on D_α that is wrong with probability at most ``level`` is a test of every pair of
distributions of smaller divergence. Let (P, Q) be two Gaussians, and (P*, Q*) a pair near them. The
chance that the limit exceeds D_α(P* ‖ Q*) although trials follow (P, Q) is at most the power of the
best test of (P*, Q*) against (P, Q), which is that of Neyman and Pearson. Where this power is one
half, half of all audits certify no more than D_α(P* ‖ Q*), whatever they do.

The pair is that of ``ladder_plan.nearest``, on cells so fine that a finer pair is hardly nearer;
the bound holds for any pair, and its divergence is computed without cells.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import log_ndtr, logsumexp

from provado.audit.pipeline.curve_plan import nearest

Floats = NDArray[np.float64]

CELLS, PLACES, MOST_U = 240, 1500, 60.0


def most_certified(order: float, mu: float, trials: int, level: float = 0.05) -> float:
    """Return, as a share of D_α of N(μ, 1) from N(0, 1), what half of all audits do not exceed."""
    cuts = np.concatenate([[-np.inf], np.linspace(-6.0, order * mu + 6, CELLS), [np.inf]])
    p, q = (np.exp(_log_mass(cuts - at)) for at in (mu, 0.0))
    # ∫ p^α q^{1−α} over a cell is that of the Gaussian at αμ, times e^{α(α−1)μ²/2}.
    inner = order * (order - 1) * mu * mu / 2 + _log_mass(cuts - order * mu)

    def pair(log_k: float) -> tuple[Floats, Floats]:
        found = nearest(p, q, order, math.exp(log_k))
        shift = (order - 1) * found.divergence
        won = 1 + found.k * order * np.expm1((order - 1) * found.logs - shift)
        kept = 1 - found.k * (order - 1) * np.expm1(order * found.logs - shift)
        return won, kept

    def power(log_k: float) -> float:
        return best_power(p, q, *pair(log_k), trials, level)

    low = math.log(1 / trials)
    while power(low) > 0.5:
        low -= 2
    high = low + 2
    while power(high) < 0.5:
        low, high = high, high + 2
    # The chance of a trial's coin, and of its outputs, are those of (P*, Q*) but for rounding.
    won, kept = pair(brentq(lambda one: power(one) - 0.5, low, high, xtol=1e-3))
    total = logsumexp(inner - order * np.log(won) + (order - 1) * np.log(kept))
    return float(total / (order - 1) / (order * mu * mu / 2))


def best_power(p: Floats, q: Floats, won: Floats, kept: Floats, trials: int, level: float) -> float:
    """Return the power of the best test of (p/won, q/kept) against (p, q).

    Each trial falls as the first or as the second of a pair by a fair coin.
    """
    gains = np.log(np.concatenate([won, kept]))
    truth = np.concatenate([p, q]) / 2
    other = truth * np.exp(-gains)
    under = law(gains, other / other.sum(), trials)
    threshold = brentq(lambda at: 1 - under(at) - level, -10.0, 10.0)
    return 1 - law(gains, truth, trials)(under.place(threshold), standard=False)


@dataclass(frozen=True)
class Law:
    """The distribution of a sum of independent gains, by its characteristic function.

    Source: Gil-Pelaez, Note on the inversion theorem (1951).
    """

    mean: float
    spread: float
    u: Floats
    transform: NDArray[np.complex128]

    def place(self, at: float) -> float:
        """Return the value that lies so many standard deviations above the mean."""
        return self.mean + at * self.spread

    def __call__(self, at: float, *, standard: bool = True) -> float:
        """Return the probability of at most ``at``, in standard deviations from the mean or not."""
        value = at if standard else (at - self.mean) / self.spread
        whole = self.transform * np.exp(-1j * self.u * value)
        return float(0.5 - (whole.imag / self.u).sum() * (self.u[1] - self.u[0]) / math.pi)


def law(gains: Floats, chances: Floats, trials: int) -> Law:
    """Return the law of the sum of so many gains, each of which has these chances."""
    mean = float(chances @ gains)
    spread = math.sqrt(trials * float(chances @ (gains - mean) ** 2))
    u = (np.arange(PLACES) + 0.5) * (MOST_U / PLACES)
    one = np.expm1(1j * np.outer(u / spread, gains - mean)) @ chances
    return Law(trials * mean, spread, u, np.exp(trials * np.log1p(one)))


def _log_mass(cuts: Floats) -> Floats:
    """Return the log of what the standard Gaussian has between neighboring cuts."""
    lower, upper = cuts[:-1], cuts[1:]
    # Of the two tails the one with digits left.
    near, far = np.where(lower > 0, -lower, upper), np.where(lower > 0, -upper, lower)
    return np.asarray(log_ndtr(near) + np.log(-np.expm1(log_ndtr(far) - log_ndtr(near))))
