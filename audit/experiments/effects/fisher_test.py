"""Fisher's test of no effect on counts: the case ε = 0 of an experiment of any size."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.parameters import natural

DRAWS = 9999
"""Random assignments that are looked at beside the one seen; the least p-value is 1/10,000."""


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
