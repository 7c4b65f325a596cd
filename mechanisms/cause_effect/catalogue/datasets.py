"""What the entries of Kusner et al. (2016) share, and the pairs of neighbors that are audited.

Rows are tuples, so that a dataset can be compared and kept in a catalogue.

In the training and test sets for the releases that protect the training set, or both, all training
rows but one are (0, 0): such a set leaves the regressions near 0, with which test rows can be
placed exactly. Numbers within [−1, 1], kernel and λ as below.
"""

import math
from functools import partial
from typing import Any

from provado.mechanisms.definitions import Mechanism, PrivacyPromise, ReplaceOne, Source
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.iqr import quartile_positions

from ..releases.release import PairRelease

WORK = "Kusner et al., Private Causal Inference (2016)"

entry = partial(Mechanism, relation=ReplaceOne(), tags=("kusner2016",))
"""A mechanism whose data points are rows or values, one of which is replaced."""

Fields = dict[str, Any]
"""Fields of a ``Mechanism``, or parameters of a release, by name."""


def fields(
    release: PairRelease, promise: PrivacyPromise, *pairs: Any, place: str, **setting: Any
) -> Fields:
    """Return an entry's fields: a release under a setting, and its claim."""
    return {
        "run": partial(release, **setting),
        "promise": promise,
        "pairs": pairs,
        "source": Source(WORK, place),
    }


Values = tuple[float, ...]
Rows = tuple[tuple[float, float], ...]


def replaced(rows: Rows, index: int, row: tuple[float, float]) -> Rows:
    """Return the rows with one of them replaced."""
    return (*rows[:index], row, *rows[index + 1 :])


def twice(values: Values) -> Rows:
    """Return the rows (v, v): with f and g halving, both residuals are v/2."""
    return tuple((v, v) for v in values)


def step(m: int, low: float, high: float) -> tuple[Values, Values]:
    """Return m values whose IQR is ``low``, and a neighbor whose IQR is ``high``.

    Half of the values are 0; those up to the third quartile are ``low`` and those above it
    ``high``; the neighbor has the third quartile turned from ``low`` to ``high``. About m/4 points
    must change to move the IQR to any other place.
    """
    half, (_, q) = m // 2, quartile_positions(m)
    below = (0.0,) * half + (low,) * (q - half - 1)
    above = (high,) * (m - q)
    return (*below, low, *above), (*below, high, *above)


EDGE = step(400, 0.99, 1.01)
"""ln IQR just below 0 and just above 0; some 100 points must change to move it by a half."""

WIDE = step(400, 1.02, 2.6)
"""Both in [1, e), nearly as far apart as neighbors in one bin can be."""

JUMP: tuple[Values, Values] = ((0.0, 0.0, 0.0, 100.0), (0.0, 0.0, 5.0, 100.0))
"""IQR 0 and 5: no bin holds both, and a single point is enough to leave any bin."""

EDGE_ROWS = (twice(EDGE[0]), twice(EDGE[1]))
WIDE_ROWS = (twice(WIDE[0]), twice(WIDE[1]))
"""As above, for x′ and y′ at once."""

_FAR = math.exp(28)
FAR_ROWS = (twice((0.0, 0.0, 1.0, 2 * _FAR)), twice((0.0, 0.0, _FAR, 2 * _FAR)))
"""One row moves all four IQRs by a factor e^28, and a single row is enough to leave any bin."""

LINE: Rows = tuple((i / 25 - 1, i / 25 - 1) for i in range(50))
AGAINST: tuple[Rows, Rows] = (LINE, replaced(LINE, 49, (10.0, -10.0)))
"""All rows agree on the order; one is turned against all others, in both directions."""

CLUSTERS: Rows = ((0.0, 0.0),) * 25 + ((10.0, 10.0),) * 25
ASTRAY: tuple[Rows, Rows] = (CLUSTERS, replaced(CLUSTERS, 49, (0.0, 5.0)))
"""Two clusters, and one row that belongs to neither."""


def _median_flip() -> tuple[Rows, Rows]:
    """Two clusters of 190 and 210 rows: as many pairs within as across; one row moves over."""
    left = tuple(i / 1000 for i in range(190))
    right = tuple(10 + i / 1000 for i in range(210))
    rows = twice((*left, *right))
    return rows, replaced(rows, 399, (0.19, 0.19))


MEDIAN_FLIP = _median_flip()
"""The median distance is that within clusters for one and that across for the other."""


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
