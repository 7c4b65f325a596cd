"""Which of two variables causes the other, by the additive noise model under a total (ε, δ).

The rows are split at random, both directions are fitted on one half and scored on the other
(Algorithm 1 of Kusner et al., Private Causal Inference (2016)); the smaller released score names
the direction.

The two scores of a pair under each protection, and the noise that is on their margin.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.cause_effect import additive_noise_model as anm
from provado.mechanisms.definitions.parameters import UsageError, vector
from provado.mechanisms.regression.kernel_ridge import scale_to_unit
from provado.mechanisms.scores.hsic.hsic import hsic_sensitivity
from provado.mechanisms.scores.iqr import log_iqr
from provado.mechanisms.scores.score import RankScore

from .additive_noise_model import INPUT_KERNEL, REGRESSION_KERNEL, RESIDUAL_KERNEL, fit_directions
from .direction_probability import four_laplace_correct, two_laplace_correct
from .pair_budget import SCORES, Budget, Protect, plan_for, share_budget
from .releases.testing_set import grid_for, iqr_joint, iqr_scores, release_test_set
from .releases.training_set import (
    crowding_threshold,
    hsic_training_sensitivity,
    release_both_hsic,
    release_both_iqr,
    release_both_ranks,
    release_training_hsic,
    release_training_iqr,
    release_training_ranks,
)
from .unprotected_rows import Explanation, explain

IQR_GRID = 2.0**-14
"""Grid of released log IQRs: as fine as that of the other scores at sensitivity 1."""


@dataclass(frozen=True)
class TrainTestRows:
    """Training rows, shape (n, 2), and test rows, shape (m, 2), within [−1, 1]."""

    train: NDArray[np.float64]
    test: NDArray[np.float64]


@dataclass(frozen=True)
class MarginNoise:
    """Discrete Laplace noise on ``terms`` numbers that make up the margin of the two scores.

    scale: of each, in units of the score. step: the grid it lives on. rounded: whether rounding of
    the numbers themselves may turn the margin's sign, as it may where a score is a sum.
    """

    terms: Literal[2, 4]
    scale: float
    step: float
    rounded: bool

    def least_margin(self, margin: float) -> float:
        """Return a lower limit on the same margin with continuous noise and unrounded numbers.

        Discrete Laplace noise is ⌊E⌋ − ⌊E′⌋ for exponential E and E′, so it is less than one step
        from E − E′, which is Laplace noise. Rounding a number moves it by at most half a step; one
        step more stands for the floating-point sums.
        """
        steps = self.terms + (self.terms / 2 + 1 if self.rounded else 0)
        return margin - steps * self.step


@dataclass(frozen=True)
class Released:
    """The two released scores; NaN is ⊥. ``noise`` is ``None`` where none was added."""

    forward: float
    backward: float
    noise: MarginNoise | None = None

    def confidence(self) -> float:
        """Return p: were the other direction the non-private one, so large a margin is ≤ 1 − p.

        That is, a margin |s_{Y→X} − s_{X→Y}| of the released scores at least this large, in favour
        of this direction, would come up with probability at most 1 − p, given that both scores are
        released. It reads released scores only, so that it costs no privacy. It is Theorem 2 or 4
        (repaired) of Kusner et al. (2016) at the private margin, for which the theorems' true one
        must not be put in. 1 where no noise was added, or one score is −∞, which gets none.
        """
        margin = abs(self.backward - self.forward)
        if self.noise is None or math.isinf(margin):
            return 1.0
        distribution = two_laplace_correct if self.noise.terms == 2 else four_laplace_correct
        return float(distribution(self.noise.least_margin(margin), self.noise.scale))


def release(
    rows: TrainTestRows, score: str, protect: Protect, budget: Budget, *, lam: float, rng: Generator
) -> Released:
    """Return the two scores, released once within ``budget``; ``protect`` is not ``NONE``.

    Guarantee and errors as of ``pair.discover_pair``.
    """
    common = {"epsilon": budget.noise_epsilon, "size": 1, "rng": rng}
    if protect is Protect.TEST:
        fitted = fit_directions(*rows.train.T, kernel=REGRESSION_KERNEL, lam=lam)
        functions = {"f": fitted.f.predict, "g": fitted.g.predict}
        public: dict[str, object] = {"data": rows.test, **functions, **common}
    else:
        public = {"kernel": REGRESSION_KERNEL, "lam": lam, **common}
        if protect is Protect.TRAINING:
            public |= {"data": rows.train, "test": rows.test}
        else:
            public |= {"data": np.concatenate([rows.train, rows.test]), "n": len(rows.train)}
    stated = SCORES[score]
    if stated.sensitivity is None:
        return _iqr(rows, protect, budget, public)
    if protect is Protect.TEST:
        # All releases of HSIC take the bound of Theorem 3.
        moves = hsic_sensitivity if score == "hsic" else stated.sensitivity
        bound = moves(len(rows.test))
        result = _only(release_test_set, public, score=stated.of, sensitivity=bound)
        return _laplace(result, bound, budget)
    if isinstance(stated, RankScore):
        return _ranks(rows, stated, protect, budget, public)
    return _hsic(rows, protect, budget, public, lam)


def _iqr(
    rows: TrainTestRows, protect: Protect, budget: Budget, public: dict[str, object]
) -> Released:
    delta, scale = budget.release_delta, float(1 / budget.noise_epsilon)
    if protect is Protect.TRAINING:
        r_x, r_y = _only(release_training_iqr, public, delta=delta, grid=IQR_GRID)
        x, y = (log_iqr(column) for column in rows.test.T)
        return Released(x + r_y, y + r_x, MarginNoise(2, scale, IQR_GRID, True))
    method = iqr_joint if protect is Protect.TEST else release_both_iqr
    forward, backward = iqr_scores(_only(method, public, delta=delta, grid=IQR_GRID)[None, :])[0]
    return Released(float(forward), float(backward), MarginNoise(4, scale, IQR_GRID, True))


def _hsic(
    rows: TrainTestRows, protect: Protect, budget: Budget, public: dict[str, object], lam: float
) -> Released:
    n, m = len(rows.train), len(rows.test)
    by_test = hsic_sensitivity(m)
    kernels = {"input_kernel": INPUT_KERNEL, "residual_kernel": RESIDUAL_KERNEL}
    by_training = hsic_training_sensitivity(n, m, lam, RESIDUAL_KERNEL.lipschitz)
    if protect is Protect.TRAINING:
        return _laplace(_only(release_training_hsic, public, **kernels), by_training, budget)
    result = _only(release_both_hsic, public, **kernels)
    return _laplace(result, max(by_test, by_training), budget)


def _ranks(
    rows: TrainTestRows,
    rank: RankScore,
    protect: Protect,
    budget: Budget,
    public: dict[str, object],
) -> Released:
    m, delta = len(rows.test), budget.release_delta
    if protect is Protect.TRAINING:
        forward, backward = _only(release_training_ranks, public, score=rank.of, delta=delta)
        return Released(float(forward), float(backward))
    proposed = proposed_pairs(m, float(budget.noise_epsilon), delta)
    result = _only(release_both_ranks, public, score=rank, delta=delta, proposed=proposed)
    return _laplace(result, rank.of_either_set(m, proposed), budget)


def proposed_pairs(m: int, epsilon: float, delta: float) -> int:
    """Return n* of ``releases.training_set``, from public numbers only.

    m: test rows; epsilon, delta: of each release. With d test rows' worth of room, d being three
    noise scales above the threshold, uncrowded residuals pass the test with probability above .97.
    More room costs noise in proportion. At most all m(m − 1)/2 pairs.
    """
    room = math.ceil(crowding_threshold(epsilon, delta) + 3 / epsilon) + 1
    return max(1, min(room * (m - 1), m * (m - 1) // 2))


def _laplace(found: NDArray[np.float64], sensitivity: Fraction, budget: Budget) -> Released:
    step, steps = grid_for(sensitivity)
    scale = step * float(steps / budget.noise_epsilon)
    # Rounding is monotone, so two single scores keep their order: no allowance for it.
    return Released(float(found[0]), float(found[1]), MarginNoise(2, scale, step, False))


def _only(
    method: Callable[..., NDArray[np.float64]], public: dict[str, object], **special: object
) -> NDArray[np.float64]:
    """Return the one release that is made."""
    return np.asarray(method(**public, **special)[0])


# Which of two variables causes the other, by the additive noise model under a total (ε, δ).

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

POSSIBLE, EXCLUDED = 0.05, 0.01
"""Probabilities of ``Explanation`` from which on a direction is possible, and below which not."""

Range = tuple[float, float]


@dataclass(frozen=True)
class PairAnswer:
    """The released answer about a pair; where rows are protected, the budget covers all of it.

    n, m: training and test rows. score: its name.
    released: the scores and the distribution of their noise.
    budget: the shares of the total (ε, δ); ``None`` where nothing is protected.
    bounds: for x and y, where the bounds came from that map the data to [−1, 1].
    explained: X → Y and Y → X on the rows without protection; ``None`` where all are protected, and
        for scores other than ``hsic``.
    """

    n: int
    m: int
    score: str
    released: Released
    budget: Budget | None
    bounds: tuple[str, str]
    explained: tuple[Explanation, Explanation] | None = None

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
        probability at most 1 − ``SURE``. The rows without protection agree with it, and exclude
        the other direction even with noise that its cause scales, or a rescaled effect: a cause
        of such an effect would leave residuals that depend on it in both directions.
        """
        if self.fits is None or (self.confidence or 0.0) < SURE or self.explained is None:
            return None
        forward = self.direction is anm.Direction.FORWARD
        own, reverse = self.explained if forward else self.explained[::-1]
        if own.lumped or own.additive < POSSIBLE or reverse.widest >= EXCLUDED:
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
    explained = None
    if score == "hsic" and protect is not Protect.BOTH:
        free = {Protect.TEST: rows.train, Protect.TRAINING: rows.test}.get(protect, table)
        explained = explain(*free.T), explain(*free.T[::-1])
    return PairAnswer(len(rows.train), len(rows.test), score, released, budget, bounds, explained)


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
    left = anm.residuals(fitted, *rows.test.T)
    return Released(*anm.score_directions(left, SCORES[score].of))


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
            f"{name} is constant on the {source}, so that it has no bounds: state its range "
            f"(--{name}-range)"
        )
    return scale_to_unit(column, low, high), source
