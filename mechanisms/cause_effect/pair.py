"""Which of two variables causes the other, by the additive noise model under a total (ε, δ).

The rows are split at random, both directions are fitted on one half and scored on the other
(Algorithm 1 of Kusner et al., Private Causal Inference (2016)); the smaller released score names
the direction.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.cause_effect import additive_noise_model as anm
from provado.mechanisms.definitions.parameters import UsageError, vector
from provado.mechanisms.regression.kernel_ridge import scale_to_unit

from .pair_budget import SCORES, Budget, Protect, plan_for, share_budget
from .pair_release import Released, TrainTestRows, release

LEAST_ROWS = 4

SURE = 0.95
"""Least probability of a direction at which it is called that of cause and effect.

Where both scores would be equal without noise, whatever their value, noise alone then names a cause
in at most one of twenty runs; at .8 it would in up to 28 of 100.
"""

_NOISY, _LOUD = math.log(10), math.log(50)
"""Scales of Laplace noise that it exceeds with probability .05 and .01."""

_USUAL, _INDEPENDENT = 1.0, 3.84
"""Times 1/m: HSIC of independent columns on average, and what it seldom exceeds, see ``fits``."""

Range = tuple[float, float]


@dataclass(frozen=True)
class PairAnswer:
    """The released answer about a pair; where rows are protected, the budget covers all of it.

    n, m: training and test rows. score: its name.
    released: the scores and the distribution of their noise.
    budget: the shares of the total (ε, δ); ``None`` where nothing is protected.
    bounds: for x and y, where the bounds came from that map the data to [−1, 1].
    """

    n: int
    m: int
    score: str
    released: Released
    budget: Budget | None
    bounds: tuple[str, str]

    @property
    def scores(self) -> tuple[float, float]:
        """Return (s_{X→Y}, s_{Y→X}); NaN is ⊥."""
        return self.released.forward, self.released.backward

    @property
    def direction(self) -> anm.Direction | None:
        """Return the direction of the smaller score; ``None`` where a score is ⊥."""
        return None if any(map(math.isnan, self.scores)) else anm.direction_of(*self.scores)

    @property
    def confidence(self) -> float | None:
        """Return p of ``Released.confidence``; ``None`` where no direction is released."""
        told = self.direction in (anm.Direction.FORWARD, anm.Direction.BACKWARD)
        return self.released.confidence() if told else None

    @property
    def fits(self) -> tuple[bool, bool] | None:
        """Return for X → Y and Y → X whether the residuals may be independent of the cause.

        They may where HSIC is at most 3.84/m and what noise adds with probability .05. With
        kernels of at most 1, m times HSIC of independent columns is in the limit a weighted sum of
        χ² of mean at most 1, whatever the weights; see Székely and Bakirov, Extremal Probabilities
        for Gaussian Quadratic Forms (2003). It reads released scores only. ``None`` where a score
        is ⊥, and for other scores: a small rank correlation or interquartile range is not
        evidence of independence.
        """
        if self.score != "hsic" or self.direction is None:
            return None
        most = self._limit(_INDEPENDENT, _NOISY)
        return bool(self.scores[0] <= most), bool(self.scores[1] <= most)

    def _limit(self, sampling: float, scales: float) -> float:
        noise = self.released.noise
        return sampling / self.m + (0.0 if noise is None else scales * noise.scale)

    @property
    def cause(self) -> anm.Direction | None:
        """Return the direction that alone fits; ``None`` without.

        The limits leave a gap: its score is one that is usual for independent residuals, noise
        makes that of the other so large with probability at most .01, and has turned the two with
        probability at most 1 − ``SURE``.
        """
        if self.fits is None or (self.confidence or 0.0) < SURE:
            return None
        one = min(self.scores) <= self._limit(_USUAL, _NOISY)
        other = max(self.scores) > self._limit(_INDEPENDENT, _LOUD)
        return self.direction if one and other else None


def discover_pair(
    x: ArrayLike,
    y: ArrayLike,
    *,
    score: str,
    protect: Protect,
    epsilon: Fraction | int | float | None = None,
    delta: float | None = None,
    x_range: Range | None = None,
    y_range: Range | None = None,
    lam: float = anm.LAMBDA,
    rng: Generator,
) -> PairAnswer:
    """Return the scores of both directions, private for the rows that ``protect`` names.

    score: a name of ``anm.margins.SCORES``.
    x, y: shape (n + m,), at least 4 finite numbers, in any unit.
    epsilon, delta: the total of all that is released; δ is needed where scores pass a test first.
        Neither is used for ``Protect.NONE``.
    x_range, y_range: bounds known beforehand, mapped to [−1, 1]; what lies outside is clipped.
        Without them the extremes of the training half are taken where it is not protected, and
        those of all rows where nothing is.
    lam: λ of the regressions; public. A larger one moves residuals less from one training row.
    rng: of split and noise; anyone who knows its seed can take the noise off.

    Guarantee: (ε, δ)-DP, for the total of ``PairAnswer.budget``, under replacement of one test row,
    one training row, or any one row; the number of rows and the split are public, and so are the
    rows that ``protect`` does not name. Source: Kusner et al. (2016), Algorithm 1 and sections 4
    and 5, repaired where the modules of ``private`` say so. Raises ``UsageError`` for parameters
    outside their range.
    """
    columns = vector(x, "x"), vector(y, "y")
    if columns[0].size != columns[1].size or columns[0].size < LEAST_ROWS:
        raise UsageError(
            f"x has {columns[0].size} rows and y has {columns[1].size}: they must have one "
            f"length, at least {LEAST_ROWS}"
        )
    if score not in SCORES:
        raise UsageError(f"score is {score!r}: it must be one of {', '.join(SCORES)}")
    budget = _budget(score, protect, epsilon, delta)
    split = anm.split_half(columns[0].size, rng)
    units = [
        _in_unit(column, given, name, protect, split)
        for column, given, name in zip(columns, (x_range, y_range), ("x", "y"), strict=True)
    ]
    table = np.column_stack([unit for unit, _ in units])
    rows = TrainTestRows(table[split.train], table[split.test])
    if budget is None:
        released = _unprotected(rows, score, lam)
    else:
        released = release(rows, score, protect, budget, lam=lam, rng=rng)
    bounds = units[0][1], units[1][1]
    return PairAnswer(len(rows.train), len(rows.test), score, released, budget, bounds)


def _budget(
    score: str, protect: Protect, epsilon: Fraction | int | float | None, delta: float | None
) -> Budget | None:
    if protect is Protect.NONE:
        return None
    if epsilon is None:
        raise UsageError(f"epsilon is missing: protecting {protect} needs a total ε")
    return share_budget(plan_for(score, protect), epsilon, delta)


def _unprotected(rows: TrainTestRows, score: str, lam: float) -> Released:
    fitted = anm.fit_directions(*rows.train.T, kernel=anm.REGRESSION_KERNEL, lam=lam)
    found = anm.score_directions(anm.residuals(fitted, *rows.test.T), SCORES[score].of)
    return Released(found.score_forward, found.score_backward)


def _in_unit(
    column: NDArray[np.float64],
    given: Range | None,
    name: str,
    protect: Protect,
    split: anm.TrainTestSplit,
) -> tuple[NDArray[np.float64], str]:
    """Return a column mapped to [−1, 1], and where its bounds came from."""
    if given is not None:
        if not given[0] < given[1]:
            raise UsageError(f"{name}_range is {given!r}: the first must be below the second")
        return scale_to_unit(column, *given), "given"
    if protect in (Protect.TRAINING, Protect.BOTH):
        raise UsageError(
            f"{name}_range is missing: training rows are protected, and bounds computed from them "
            "would leak them; give bounds known beforehand"
        )
    seen, source = (
        (column[split.train], "training half") if protect is Protect.TEST else (column, "all rows")
    )
    low, high = float(seen.min()), float(seen.max())
    if low == high:
        raise UsageError(
            f"{name} is constant on the {source}, so that it has no bounds: give {name}_range"
        )
    return scale_to_unit(column, low, high), source
