"""Margins of a pair under every score, and the chance that noise leaves the direction right."""

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.cause_effect import additive_noise_model as anm
from provado.mechanisms.scores.hsic.hsic import hsic, hsic_sensitivity_improved
from provado.mechanisms.scores.score import DependenceScore, scores

from .direction_probability import four_laplace_correct, two_laplace_correct

_PAPER = ("spearman", "kendall", "hsic", "iqr")
"""In the order of Table 2 of Kusner et al. (2016)."""


def _scores() -> dict[str, DependenceScore]:
    found = dict(scores())
    found["hsic"] = replace(
        found["hsic"],
        of=partial(hsic, kernel_a=anm.INPUT_KERNEL, kernel_b=anm.RESIDUAL_KERNEL),
        sensitivity=hsic_sensitivity_improved,
    )
    return {name: found.pop(name) for name in _PAPER} | found


SCORES = _scores()
"""The scores of a pair: the paper's, and what else is found; with the sensitivity of two Laplace
releases, without one where four are needed."""


def margins(
    x: ArrayLike, y: ArrayLike, *, splits: int, rng: Generator
) -> dict[str, NDArray[np.float64]]:
    """Return γ = s_{Y→X} − s_{X→Y} of every score on ``splits`` random halvings of one pair.

    x, y: shape (n,), in [−1, 1]. Shape of each result: (splits,); above 0 says X → Y. NaN where a
    score is −∞ on both sides.

    Source: Kusner et al., Private Causal Inference (2016), Algorithm 1 and section 6. Raises
    ``UsageError`` as ``fit_directions``.
    """
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    found = {name: np.empty(splits) for name in SCORES}
    for i in range(splits):
        parts = anm.split_half(first.size, rng)
        fitted = anm.fit_directions(first[parts.train], second[parts.train])
        left = anm.residuals(fitted, first[parts.test], second[parts.test])
        for name, score in SCORES.items():
            result = anm.score_directions(left, score.of)
            with np.errstate(invalid="ignore"):
                found[name][i] = np.subtract(result.score_backward, result.score_forward)
    return found


def chance_of_positive(
    name: str, margin: ArrayLike, *, m: int, epsilon: float
) -> NDArray[np.float64]:
    """Return the chance that the private margin is above 0, with noise for the test set.

    name: of ``SCORES``. margin: γ, any shape; ±∞ decides, NaN is a tossed coin.
    m: test records. epsilon: the paper's ε, of each of the two scores (2ε in all) or of each of
        the four log-IQRs, given that all four are released.

    Source: Kusner et al., Private Causal Inference (2016), Theorem 2, and Theorem 4.2 with its
    exponent corrected.
    """
    score = SCORES[name]
    gap = np.asarray(margin, dtype=np.float64)
    finite = np.where(np.isfinite(gap), gap, 0.0)
    if score.sensitivity is None:
        chance = four_laplace_correct(finite, 1 / epsilon)
    else:
        chance = two_laplace_correct(finite, float(score.sensitivity(m)) / epsilon)
    return np.where(np.isinf(gap), np.where(gap > 0, 1.0, 0.0), chance)
