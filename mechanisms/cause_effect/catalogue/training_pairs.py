"""Training and test sets for the releases that protect the training set, or both.

All training rows but one are (0, 0): such a set leaves the regressions near 0, with which test rows
can be placed exactly. Numbers within [−1, 1], kernel and λ as below.
"""

from __future__ import annotations

from provado.mechanisms.regression.kernels import SquaredExponential

from .datasets import Rows, replaced, step, twice

KERNEL = SquaredExponential(0.5)
"""For both regressions."""

LAM = 1.0
"""λ, the largest for which the printed bound is stated."""


def idle(n: int, *rows: tuple[float, float]) -> Rows:
    """Return n training rows: the given ones last, (0, 0) before."""
    return ((0.0, 0.0),) * (n - len(rows)) + rows


APART: Rows = ((-0.9, -0.9), (-0.352, -0.352), (0.24, 0.24), (0.9, 0.9))
"""Four test rows whose residuals lie some .55 apart when the regressions are near 0."""

APART_PRINTED: Rows = ((-0.9, -0.9), (-0.4187, -0.4187), (0.24, 0.24), (0.9, 0.9))
"""The same some .48 apart, three times twice the printed bound."""

COUNTED = (idle(100, (0.9, -1.0)), idle(100, (-0.35, 1.0)))
"""Two training sets that order these residuals alike, at different distances from another order."""

CLOSE: Rows = ((-0.9, -0.9), (-0.5, 0.3), (0.5, 0.303), (0.9, 0.9))
"""Four test rows of which two have nearly one residual."""

FLIPPED = (idle(100, (0.5, -1.0)), idle(100, (0.5, 1.0)))
"""Two training sets that order the residuals of CLOSE differently."""

EDGE_TEST: Rows = ((1.0, 0.003), (0.003, 1.0)) * 2
"""Test rows whose residuals have IQR 1 up to what the regression predicts at 1."""

EDGE_TRAINING = (idle(326, (-1.0, -1.0)), idle(326, (1.0, 1.0)))
"""The IQR of both residual vectors lies just below 1, and just above."""

HSIC_TEST: Rows = ((0.9, -0.3),) * 10 + ((-0.9, 0.3),) * 10
HSIC_TRAINING = (idle(10, (0.9, -1.0)), idle(10, (0.9, 1.0)))
"""Two clusters of test rows, and a training row that moves the residuals of one against the other.
"""

SPREAD: Rows = tuple((i / 20 - 0.975, ((17 * i) % 40) / 20 - 0.975) for i in range(40))
"""Forty test rows, spread over the square."""

CROWDED = replaced(SPREAD, 29, (0.475, -0.123))
"""One of them beside another in y, and far from it in x."""

BOTH_RANKS = ((*idle(200, (0.5, 1.0)), *CROWDED), (*idle(200, (0.5, -1.0)), *CROWDED))
BOTH_RANKS_TEST = (BOTH_RANKS[0], replaced(BOTH_RANKS[0], 239, (0.975, -1.0)))
"""The first 200 rows are for training; one of them is replaced, or a row of the test set."""

BOTH_HSIC = ((*HSIC_TRAINING[0], *HSIC_TEST), (*HSIC_TRAINING[1], *HSIC_TEST))
BOTH_HSIC_TEST = (BOTH_HSIC[0], replaced(BOTH_HSIC[0], 29, (0.9, 0.3)))
"""The first 10 rows are for training."""

_LOW, _HIGH = (twice(values) for values in step(100, 0.36, 0.375))
BOTH_IQR_TEST = ((*idle(400), *_LOW), (*idle(400), *_HIGH))
BOTH_IQR = ((*idle(400), *_LOW), (*idle(400, (1.0, 1.0)), *_LOW))
"""The first 400 rows are for training; a test row takes all four ln IQRs across −1."""
