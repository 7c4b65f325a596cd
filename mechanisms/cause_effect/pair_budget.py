"""A total (ε, δ) shared among the releases of one pair's scores, never exceeded.

What each protection releases and what a release costs, ε being that of one noise:

| rows protected | rank scores   | HSIC         | IQR            |
| -------------- | ------------- | ------------ | -------------- |
| test           | 2 of (ε, 0)   | 2 of (ε, 0)  | 4 of (3ε, δ)   |
| training       | 2 of (ε, δ)   | 2 of (ε, 0)  | 2 of (3ε, δ)   |
| both           | 2 of (2ε, δ)  | 2 of (ε, 0)  | 4 of (3ε, δ)   |

Source: the guarantees in ``releases.testing_set`` and ``training_set``; basic composition. A
release with δ makes tests whose floating-point noise adds 2^-50 each to its δ.

Margins of a pair under every score, and the chance that noise leaves the direction right.
"""

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms.accounting.composition import rounded_up
from provado.mechanisms.accounting.pld import LaplaceNoise
from provado.mechanisms.cause_effect import additive_noise_model as anm
from provado.mechanisms.definitions import ApproximateDP, PureDP, UsageError
from provado.mechanisms.definitions.parameters import probability, rational
from provado.mechanisms.scores.hsic.hsic import hsic, hsic_sensitivity_improved
from provado.mechanisms.scores.score import DependenceScore, RankScore, scores

from .direction_probability import four_laplace_correct, two_laplace_correct

SMALLEST, LARGEST = Fraction(1, 2**20), Fraction(2**20)
"""Range of a noise's ε, in which the exact noise takes it."""

FINEST = 2**30
"""Largest denominator of a noise's ε; finer ones are rounded down."""

TEST_ALLOWANCE = Fraction(1, 2**50)
"""What the floating-point noise of one test adds to δ."""


class Protect(StrEnum):
    """The rows that are protected."""

    NONE = "none"
    TEST = "test"
    TRAINING = "training"
    BOTH = "both"


@dataclass(frozen=True)
class ReleasePlan:
    """What is released: ``releases`` of (``noises``·ε, δ) each, with ``tests`` tests in each.

    tests: 0 where a release needs no δ.
    """

    releases: int
    noises: int
    tests: int


_RANKS = {
    Protect.TEST: ReleasePlan(2, 1, 0),
    Protect.TRAINING: ReleasePlan(2, 1, 1),
    Protect.BOTH: ReleasePlan(2, 2, 1),
}
_IQR = {
    Protect.TEST: ReleasePlan(4, 3, 2),
    Protect.TRAINING: ReleasePlan(2, 3, 2),
    Protect.BOTH: ReleasePlan(4, 3, 2),
}


@dataclass(frozen=True)
class Budget:
    """The shares of one plan.

    noise_epsilon: ε of each noise, exact. release_delta: the δ that each release is given, 0 where
    none is needed.
    """

    plan: ReleasePlan
    noise_epsilon: Fraction
    release_delta: float

    @property
    def epsilon(self) -> Fraction:
        """Return the total ε by basic composition, exact."""
        return self.plan.releases * self.plan.noises * self.noise_epsilon

    @property
    def delta(self) -> Fraction:
        """Return the total δ by basic composition, exact, with what the tests' noise adds."""
        return self.plan.releases * self._delta_of_each

    @property
    def promises(self) -> tuple[PureDP | ApproximateDP, ...]:
        """Return what each release promises, rounded up."""
        epsilon = rounded_up(self.plan.noises * self.noise_epsilon)
        delta = rounded_up(self._delta_of_each)
        each = ApproximateDP(epsilon, delta) if self.plan.tests else PureDP(epsilon)
        return (each,) * self.plan.releases

    @property
    def tight_parts(self) -> tuple[LaplaceNoise | ApproximateDP, ...]:
        """Return the releases as ``accounting.tight_composition`` takes them.

        A release without δ is one number with discrete Laplace noise of t = s/ε steps, s ≥ 2^14
        being its sensitivity. Its losses lie 2/t apart; at each of them its δ(ε) is that of Laplace
        noise, in between it is larger. So Laplace noise for a sensitivity of s + 2 has a larger
        δ(ε) everywhere, and (s + 2)/s is at most 1 + 2^-13.
        """
        if self.plan.tests:
            return tuple(ApproximateDP(*promise.point()) for promise in self.promises)
        each = LaplaceNoise(1 + 2.0**-13, float(1 / self.noise_epsilon))
        return (each,) * self.plan.releases

    @property
    def _delta_of_each(self) -> Fraction:
        return Fraction(self.release_delta) + self.plan.tests * TEST_ALLOWANCE


def plan_for(score: str, protect: Protect) -> ReleasePlan:
    """Return what is released of a score, named as in ``anm.margins.SCORES``.

    Raises ``UsageError`` where nothing is protected, or no bound for a training row is at hand.
    """
    if protect is Protect.NONE:
        raise UsageError("protect is 'none': without protection there is no budget to share")
    stated = SCORES[score]
    if stated.sensitivity is None:
        return _IQR[protect]
    if isinstance(stated, RankScore):
        return _RANKS[protect]
    if score != "hsic" and protect is not Protect.TEST:
        raise UsageError(f"protect is {protect.value!r}: {score!r} takes 'test' or 'none'")
    return ReleasePlan(2, 1, 0)


def share_budget(plan: ReleasePlan, epsilon: Fraction | int | float, delta: float | None) -> Budget:
    """Return the shares of a total (ε, δ); what they add up to is at most that.

    epsilon: ε > 0 of everything released, exact. delta: δ in (0, 1) of everything released; not
        used, and allowed to be missing, where the plan needs none.

    Raises ``UsageError`` for a missing δ that is needed, and for values out of range.
    """
    share = rational(epsilon, "epsilon") / (plan.releases * plan.noises)
    if share.denominator > FINEST:
        share = Fraction(math.floor(share * FINEST), FINEST)
    if not SMALLEST <= share <= LARGEST:
        raise UsageError(
            f"epsilon is {float(epsilon):g}, a share of {float(share):g} for each of "
            f"{plan.releases * plan.noises} noises: a share must lie between 2**-20 and 2**20"
        )
    if not plan.tests:
        return Budget(plan, share, 0.0)
    if delta is None:
        raise UsageError(
            "delta is missing: this score is released only after a test, which fails to protect "
            "with a probability of at most δ; give one far below 1/(number of rows)"
        )
    each = Fraction(probability(delta, "delta")) / plan.releases - plan.tests * TEST_ALLOWANCE
    if each <= plan.tests * TEST_ALLOWANCE:
        raise UsageError(f"delta is {delta!r}: it must be above 2**-46")
    near = float(each)
    return Budget(plan, share, near if Fraction(near) <= each else math.nextafter(near, 0.0))


# Margins of a pair under every score, and the chance that noise leaves the direction right.

_PAPER = ("spearman", "kendall", "hsic", "iqr")
"""In the order of Table 2 of Kusner et al. (2016)."""


def _scores() -> dict[str, DependenceScore]:
    result = dict(scores())
    result["hsic"] = replace(
        result["hsic"],
        of=partial(hsic, kernel_a=anm.INPUT_KERNEL, kernel_b=anm.RESIDUAL_KERNEL),
        sensitivity=hsic_sensitivity_improved,
    )
    return {name: result.pop(name) for name in _PAPER} | result


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
    result = {name: np.empty(splits) for name in SCORES}
    for i in range(splits):
        parts = anm.split_half(first.size, rng)
        fitted = anm.fit_directions(first[parts.train], second[parts.train])
        left = anm.residuals(fitted, first[parts.test], second[parts.test])
        for name, score in SCORES.items():
            forward, backward = anm.score_directions(left, score.of)
            with np.errstate(invalid="ignore"):
                result[name][i] = np.subtract(backward, forward)
    return result


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
