"""The two scores of a pair under each protection, and the noise that is on their margin."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from provado.mechanisms.scores.hsic.hsic import hsic_sensitivity
from provado.mechanisms.scores.iqr import log_iqr
from provado.mechanisms.scores.score import RankScore

from .additive_noise_model import INPUT_KERNEL, REGRESSION_KERNEL, RESIDUAL_KERNEL, fit_directions
from .direction_probability import four_laplace_correct, two_laplace_correct
from .pair_budget import SCORES, Budget, Protect
from .releases.both_sets import (
    crowding_threshold,
    release_both_hsic,
    release_both_iqr,
    release_both_ranks,
)
from .releases.testing_set import grid_for, iqr_joint, iqr_scores, release_test_set
from .releases.training_set import (
    hsic_training_sensitivity,
    release_training_hsic,
    release_training_iqr,
    release_training_ranks,
)

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
        found = _only(release_test_set, public, score=stated.of, sensitivity=bound)
        return _laplace(found, bound, budget)
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
    found = _only(release_both_hsic, public, **kernels)
    return _laplace(found, max(by_test, by_training), budget)


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
    found = _only(release_both_ranks, public, score=rank, delta=delta, proposed=proposed)
    return _laplace(found, rank.of_either_set(m, proposed), budget)


def proposed_pairs(m: int, epsilon: float, delta: float) -> int:
    """Return n* of ``releases.both_sets``, from public numbers only.

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
