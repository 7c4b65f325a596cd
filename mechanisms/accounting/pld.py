"""Composition by privacy loss distributions: near the smallest ε that is true of the parts."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from provado.mechanisms.definitions import ApproximateDP, PureDP, UsageError
from provado.mechanisms.definitions.parameters import check_delta, optional, positive

from .composition import rounded_up

STEP = 1e-4


@dataclass(frozen=True)
class LaplaceNoise:
    """A number of the given sensitivity with Laplace noise of the given scale, in its units.

    It is sensitivity/scale-DP, but loses less than that for most outputs, which ``PureDP`` does not
    say. Raises ``UsageError`` unless both are finite and above 0.
    """

    sensitivity: float
    scale: float

    def __post_init__(self) -> None:
        positive(self.sensitivity, "sensitivity")
        positive(self.scale, "scale")


@dataclass(frozen=True)
class GaussianNoise:
    """A number or vector of the given ℓ2-sensitivity with Gaussian noise of the given scale.

    rate: the chance q in (0, 1] with which each record is in the sample that it is computed of,
    each for itself; then under adding or removing one record. Raises ``UsageError`` unless all are
    finite and above 0, and ``rate`` at most 1.
    """

    sensitivity: float
    scale: float
    rate: float = 1.0

    def __post_init__(self) -> None:
        positive(self.sensitivity, "sensitivity")
        positive(self.scale, "scale")
        if positive(self.rate, "rate") > 1:
            raise UsageError(f"rate is {self.rate!r}: it must lie in (0, 1]")


Part = LaplaceNoise | GaussianNoise | PureDP | ApproximateDP


def tight_composition(parts: Iterable[Part], delta: float, *, step: float = STEP) -> float:
    """Return an ε such that all parts released together are (ε, ``delta``)-DP.

    parts: Laplace and Gaussian releases, and promises that are taken at their worst (an (ε, δ)-DP
        mechanism that no other exceeds); at least one. A later part may depend on the outputs of
        earlier ones.
    delta: δ in [0, 1). ``math.inf`` is returned when no ε reaches it, such as when the parts' own
        δ, 1 − Π(1 − δᵢ), exceeds it.
    step: privacy losses are put on multiples of this. ε is then too large by at most about ``step``
        for each part; memory and time grow as ε/``step``. Equal parts are composed in one go:
        a thousand take less than a second.

    Where the sums of basic composition are smaller, as at δ = 0, they are returned.

    Guarantee: discretised on the safe side (an upper bound on the hockey-stick divergence), up to
    rounding of some 1e-15 in δ for a few parts and 1e-13 for a thousand (measured against the
    exact profile of randomised responses), so that nothing should rest on a δ that small. Source:
    Koskela, Jälkö and Honkela, Computing Tight Differential Privacy Guarantees Using FFT (2020);
    Doroshenko et al., Connect the Dots (2022); computed by dp-accounting. Raises ``UsageError`` for
    values out of range, and where dp-accounting is not installed.
    """
    every, wanted = tuple(parts), check_delta(delta)
    tight = float(_composed(every, step).get_epsilon_for_delta(wanted))
    sums = _sums(every)
    return min(tight, sums[0]) if sums is not None and sums[1] <= wanted else tight


def tight_delta(parts: Iterable[Part], epsilon: float, *, step: float = STEP) -> float:
    """Return a δ such that all parts released together are (``epsilon``, δ)-DP.

    epsilon: ε ≥ 0. Other parameters, guarantee, errors and source as of ``tight_composition``.
    """
    loss = float(epsilon)
    if not (math.isfinite(loss) and loss >= 0):
        raise UsageError(f"epsilon is {epsilon!r}: it must be a finite number, at least 0")
    every = tuple(parts)
    tight = float(_composed(every, step).get_delta_for_epsilon(loss))
    sums = _sums(every)
    return min(tight, sums[1]) if sums is not None and sums[0] <= loss else tight


def _sums(parts: Iterable[Part]) -> tuple[float, float] | None:
    """Return (Σεᵢ, Σδᵢ), rounded up; it holds as well, and is exact where δ is 0.

    ``None`` where a part is no (ε, δ) promise but a whole curve of them.
    """
    epsilon = delta = Fraction(0)
    for part in parts:
        if isinstance(part, GaussianNoise):
            return None
        if isinstance(part, LaplaceNoise):
            epsilon += Fraction(part.sensitivity) / Fraction(part.scale)
        else:
            loss, chance = part.point()
            epsilon, delta = epsilon + Fraction(loss), delta + Fraction(chance)
    return rounded_up(epsilon), rounded_up(delta)


def _composed(parts: Iterable[Part], step: float) -> Any:
    """Return the privacy loss distribution of all parts; equal ones are composed in one go."""
    every, width = tuple(parts), positive(step, "step")
    if not every:
        raise UsageError("parts is empty: at least one release is needed")
    strange = [part for part in every if not isinstance(part, Part)]
    if strange:
        raise UsageError(
            f"parts holds {strange[0]!r}: each must be a LaplaceNoise, GaussianNoise, PureDP or "
            "ApproximateDP"
        )
    total = None
    for part, times in Counter(every).items():
        one = _distribution(part, width)
        several = one.self_compose(times) if times > 1 else one
        total = several if total is None else total.compose(several)
    return total


def _distribution(part: Part, width: float) -> Any:
    optional("dp_accounting.pld", "tight composition", "accounting")
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as distributions

    if isinstance(part, LaplaceNoise):
        return distributions.from_laplace_mechanism(
            part.scale, sensitivity=part.sensitivity, value_discretization_interval=width
        )
    if isinstance(part, GaussianNoise):
        return distributions.from_gaussian_mechanism(
            part.scale,
            sensitivity=part.sensitivity,
            sampling_prob=part.rate,
            value_discretization_interval=width,
        )
    return distributions.from_privacy_parameters(
        common.DifferentialPrivacyParameters(*part.point()), value_discretization_interval=width
    )
