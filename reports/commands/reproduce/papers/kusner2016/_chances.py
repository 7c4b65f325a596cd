"""Noisy directions by simulation, and exact limits on how likely an event is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.reports.commands.reproduce.findings import Comparison

BLOCK = 250_000
LEVEL = 1e-3
"""Chance that a correct formula fails one of the limits compared, shared by all of them."""


def kept(margin: float, scale: float, releases: int, trials: int, rng: np.random.Generator) -> int:
    """Return in how many of ``trials`` the noisy smaller side stays smaller.

    margin: γ, the larger minus the smaller side without noise. scale: σ of the Laplace noise on
    each of ``releases`` numbers, half of which are added up on either side.
    """
    hits = 0
    for start in range(0, trials, BLOCK):
        size = (min(BLOCK, trials - start), releases // 2)
        smaller = rng.laplace(scale=scale, size=size).sum(axis=1)
        larger = margin + rng.laplace(scale=scale, size=size).sum(axis=1)
        hits += int(np.count_nonzero(smaller < larger))
    return hits


def within(hits: ArrayLike, trials: int, chances: ArrayLike) -> NDArray[np.bool_]:
    """Return where a claimed chance lies in the exact limits, which share ``LEVEL``."""
    # Here and below, so that the experiments are listed without scipy.
    from provado.audit.bounds.binomial import binomial_limits

    found = np.asarray(hits)
    low, high = binomial_limits(found, trials, LEVEL / max(found.size, 1) / 2)
    claimed = np.asarray(chances, dtype=np.float64)
    return np.asarray((low <= claimed) & (claimed <= high))


def rises(hits: Sequence[int], trials: int) -> bool | None:
    """Return whether chances rise from each to the next; ``None`` where their limits overlap.

    hits: of each, in ``trials``, which may be of several chances: the mean of these is meant, for
    which the limits hold as well (Hoeffding 1956: a sum of unequal coins spreads less).
    """
    from provado.audit.bounds.binomial import binomial_limits

    low, high = binomial_limits(hits, trials, LEVEL / len(hits) / 2)
    if np.any(high[1:] < low[:-1]):
        return False
    return True if np.all(high[:-1] < low[1:]) else None


def theorem_2(
    place: str, where: str, hits: Sequence[int], trials: int, chances: ArrayLike
) -> Comparison:
    """Return Theorem 2 beside simulated directions, ``trials`` each."""
    fits = within(hits, trials, chances)
    return Comparison(
        "two scores with Laplace noise keep their order with probability "
        "1 − (γ + 2σ)/(4σ)·e^(−γ/σ)",
        place,
        f"{where}: in {int(fits.sum())} of {fits.size} exact intervals from {trials:,} noisy "
        "directions each.",
        bool(fits.all()) if fits.size else None,
    )


def theorem_4(
    place: str,
    where: str,
    hits: Sequence[int],
    trials: int,
    printed: ArrayLike,
    repaired: ArrayLike,
) -> Comparison:
    """Return Theorem 4.2 beside simulated directions; the repaired form where it explains them."""
    fits, mended = within(hits, trials, printed), within(hits, trials, repaired)
    right = mended.all() and mended.size
    return Comparison(
        "four noisy log-IQRs keep the direction with probability "
        "1 − e^(−σ/γ)(48σ³ + 33σ²γ + 9σγ² + γ³)/(96σ³)",
        place,
        f"{where}: the printed formula lies in {int(fits.sum())} of {fits.size} exact intervals "
        f"from {trials:,} noisy directions each, the one with e^(−γ/σ) in {int(mended.sum())}.",
        bool(fits.all()) if fits.size else None,
        "The exponent is printed upside down: with e^(−γ/σ) the formula is exact." if right else "",
    )
