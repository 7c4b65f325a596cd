"""The additive noise model of one split: fitted on one half, scored on the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.cause_effect.additive_noise_model import (
    LAMBDA,
    REGRESSION_KERNEL,
    CausalPair,
    Direction,
    TrainTestSplit,
    direction_of,
    fit_directions,
    residuals,
    score_directions,
    split_half,
)
from provado.mechanisms.definitions.parameters import UsageError, vector
from provado.mechanisms.regression.kernel_ridge import scale_to_unit
from provado.mechanisms.regression.kernels import Kernel
from provado.mechanisms.scores.score import Score


@dataclass(frozen=True)
class ANMResult:
    """The scores of both directions; the direction follows from them.

    score_forward: s_{X→Y} = s(x′, r′_Y). score_backward: s_{Y→X} = s(y′, r′_X).
    """

    score_forward: float
    score_backward: float

    @property
    def direction(self) -> Direction:
        """Return the direction with the smaller score."""
        return direction_of(self.score_forward, self.score_backward)

    @property
    def margin(self) -> float:
        """Return γ = s_{Y→X} − s_{X→Y}, above 0 for X → Y."""
        return self.score_backward - self.score_forward


def anm(
    x: ArrayLike,
    y: ArrayLike,
    *,
    score: Score,
    kernel: Kernel = REGRESSION_KERNEL,
    lam: float = LAMBDA,
    rng: Generator | None = None,
    split: TrainTestSplit | None = None,
) -> ANMResult:
    """Fit both directions on one half of the records, score both on the other.

    x, y: shape (n,), in [−1, 1] (see ``regression.scale_to_unit``); n ≥ 4 for a random split.
    score: how dependent two vectors of one length are; for HSIC on residuals use fixed kernels,
        as ``INPUT_KERNEL`` and ``RESIDUAL_KERNEL``: bandwidths taken from the data void the
        sensitivities that the private versions assume.
    kernel, lam: of the regressions.
    rng, split: one of them: a random halving, or given rows.

    Not private. Source: Kusner et al., Private Causal Inference (2016), Algorithm 1, after Mooij et
    al. (2016). Raises ``UsageError`` for data outside [−1, 1], lengths that differ, rows that the
    data do not have, or unless exactly one of ``rng`` and ``split`` is given.
    """
    first, second = vector(x, "x"), vector(y, "y")
    if first.size != second.size:
        raise UsageError(f"y has {second.size} rows and x has {first.size}: one length is needed")
    parts = _chosen(first.size, rng, split)
    fitted = fit_directions(first[parts.train], second[parts.train], kernel=kernel, lam=lam)
    return ANMResult(
        *score_directions(residuals(fitted, first[parts.test], second[parts.test]), score)
    )


def _chosen(n: int, rng: Generator | None, split: TrainTestSplit | None) -> TrainTestSplit:
    if split is None and rng is not None:
        if n < 4:
            raise UsageError(f"x has {n} rows: a random split needs at least 4")
        return split_half(n, rng)
    if split is None or rng is not None:
        raise UsageError("rng and split: exactly one of them must be given")
    for rows, name in ((split.train, "train"), (split.test, "test")):
        if not rows.size or rows.max() >= n:
            raise UsageError(f"split.{name}: it must hold at least one row, each below {n}")
    return split


DECLARED_REACH = 4.0
"""Standardised columns are mapped from [−4, 4] to [−1, 1]."""


def in_unit(pair: CausalPair) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both columns of a pair mapped from [−4, 4] to [−1, 1] and clipped."""
    return (
        scale_to_unit(pair.x, -DECLARED_REACH, DECLARED_REACH),
        scale_to_unit(pair.y, -DECLARED_REACH, DECLARED_REACH),
    )
