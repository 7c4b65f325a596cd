"""Composition: basic, advanced, of the four log-IQRs of Kusner et al., and of zCDP releases.

Basic: privacy losses and failure probabilities add up. Advanced: k releases cost about √k, at the
price of one more failure probability.

The private additive noise model releases log IQR of x′, y′, r′_Y = y′ − f̂(x′) and r′_X = x′ −
ĝ(y′), each by propose-test-release that is claimed to be (3ε, δ)-DP. Section 4.3 of Kusner et al.
counts looks at x′ alone: three of the four releases read it (x′ and both residuals), and three read
y′. But one data point is the pair (x′ₖ, y′ₖ), as in Theorem 1 and at the start of section 4, and
replacing it changes x′, y′, r′_Y and r′_X at k: all four releases see it. So four mechanisms
compose, not three.

Zero-concentrated differential privacy: ``concentrated_epsilon`` reads ρ as (ε, δ), and
``concentrated_rho`` returns the ρ that a budget buys. Releases of ρ₁ and ρ₂ promise ρ₁ + ρ₂
together, also where the second is chosen by what the first has told (Bun and Steinke, Concentrated
Differential Privacy (2016), Lemma 1.7 and Lemma 2.3).
"""

import math
from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from provado.mechanisms.definitions import ApproximateDP, PrivacyPromise, UsageError
from provado.mechanisms.definitions.parameters import natural, positive, probability


def basic_composition(parts: Iterable[PrivacyPromise]) -> ApproximateDP:
    """Return (Σεᵢ, Σδᵢ): what releases that are each (εᵢ, δᵢ)-DP promise together.

    parts: the promise of each release on the same data, at least one; each enters by its
        ``point()``. A later release may depend on the outputs of earlier ones.

    Both sums are exact sums of the binary numbers, rounded up. Guarantee: the joint release of all
    parts is (Σεᵢ, Σδᵢ)-DP under the parts' common neighboring relation. Source: Dwork and Roth,
    The Algorithmic Foundations of Differential Privacy (2014), Theorem 3.16. Raises ``UsageError``
    for no parts, or when Σδᵢ reaches 1, which would promise nothing.
    """
    points = [part.point() for part in parts]
    if not points:
        raise UsageError("parts is empty: at least one release is needed")
    epsilon = rounded_up(sum(Fraction(part[0]) for part in points))
    delta = rounded_up(sum(Fraction(part[1]) for part in points))
    if delta >= 1:
        raise UsageError(
            f"parts: their δ sum to {delta:g}; it must stay below 1 to promise anything"
        )
    return ApproximateDP(epsilon, delta)


def rounded_up(exact: Fraction | int) -> float:
    """Return the smallest float that is at least ``exact``."""
    near = float(exact)
    return near if Fraction(near) >= exact else math.nextafter(near, math.inf)


SAFETY = 1e-12


def advanced_composition(part: ApproximateDP, k: int, delta_prime: float) -> ApproximateDP:
    """Return (ε′, kδ + δ′), what ``k`` releases promise together that are each (ε, δ)-DP.

    ε′ = √(2k ln(1/δ′))·ε + kε(e^ε − 1).

    part: the (ε, δ) of each release; δ may be 0.
    k: how many there are; a later one may depend on the outputs of earlier ones.
    delta_prime: δ′ in (0, 1), the extra failure probability that buys √k instead of k.

    ε′ may exceed kε when k is small or ε large; ``basic_composition`` is then better. Rounded up by
    1e-12 in relative terms. Source: Dwork and Roth, The Algorithmic Foundations of Differential
    Privacy (2014), Theorem 3.20. Raises ``UsageError`` for values out of range, or when kδ + δ′
    reaches 1.
    """
    count, extra = natural(k, "k"), probability(delta_prime, "delta_prime")
    delta = (count * part.delta_at_epsilon + extra) * (1 + SAFETY)
    if delta >= 1:
        raise UsageError(
            f"k·δ + delta_prime is {delta:g}: it must stay below 1 to promise anything"
        )
    return ApproximateDP(theorem_epsilon(part.epsilon, count, extra) * (1 + SAFETY), delta)


def corollary_share_printed(epsilon_prime: float, delta_prime: float, k: int) -> float:
    """Return ε = ε′/(2√(2k ln(1/δ′))), as printed in Corollary 3.21; 0 < ε′ < 1, 0 < δ′ < 1.

    epsilon_prime: ε′ > 0, what all releases may cost together.
    delta_prime: δ′ in (0, 1).

    The corollary says that ``k`` releases of (ε, δ) then
    compose to (ε′, kδ + δ′). It follows from Theorem 3.20 when δ′ ≤ .7: with s = √(2 ln(1/δ′))
    and c = ε√k = ε′/(2s), the theorem gives ε′/2 + kε(e^ε − 1), and kε(e^ε − 1) ≤ c(e^c − 1) is at
    most ε′/2 when e^c − 1 ≤ s, which holds as c < 1/(2s) and e^(1/(2s)) − 1 ≤ s for s ≥ .84. For δ′
    near 1 the printed statement is false, although its only stated condition is δ′ > 0: a hundred
    randomised responses of the share for ε′ = .99, δ′ = .999 have δ(ε′) above .9999. The equation
    of Theorem 3.20, solved for ε, is right for all δ′.

    Source: Dwork and Roth (2014), Corollary 3.21, which Kusner et al. (2016) use in section 4.3.
    Raises ``UsageError`` for values out of range.
    """
    target, extra = (
        probability(epsilon_prime, "epsilon_prime"),
        probability(delta_prime, "delta_prime"),
    )
    return target / (2 * math.sqrt(2 * natural(k, "k") * -math.log(extra)))


def theorem_epsilon(epsilon: float, k: int, delta_prime: float) -> float:
    """Return ε′ of Theorem 3.20 without rounding; ``UsageError`` where it is too large."""
    try:
        linear = math.sqrt(2 * k * -math.log(delta_prime)) * epsilon
        return linear + k * epsilon * math.expm1(epsilon)
    except OverflowError:
        raise UsageError(f"epsilon is {epsilon!r}: e^ε is not representable") from None


IQR_RELEASES = 4
"""Releases that one changed data point reaches."""

IQR_RELEASES_PRINTED = 3
"""Releases that read one of the two columns, which is what section 4.3 counts."""

EPSILONS_PER_RELEASE = 3
"""Each release is claimed to be (3ε, δ)-DP: two tests and one noisy number, each with ε."""


_ROUNDING = 1e-9
"""Added in relative terms for rounding; any order is a bound, so that nothing else is lost."""

_ORDERS = 1 + np.exp(np.linspace(-8.0, 16.0, 4801))
"""Orders α that are tried, from barely above 1 on."""


def concentrated_epsilon(rho: float, delta: float) -> float:
    """Return an ε such that ρ-zCDP promises (ε, ``delta``)-DP, rounded up.

    The smallest over orders α > 1 of αρ + (ln(1/δ) + (α − 1)·ln(1 − 1/α) − ln α)/(α − 1), at least
    0. Source: Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy (2020),
    Corollary 13. Raises ``UsageError`` unless ρ > 0 and δ lies in (0, 1).
    """
    cost, chance = positive(rho, "rho"), probability(delta, "delta")
    above = _ORDERS - 1
    tail = -math.log(chance) + above * np.log1p(-1 / _ORDERS) - np.log(_ORDERS)
    return max(0.0, float((_ORDERS * cost + tail / above).min())) * (1 + _ROUNDING)


def concentrated_rho(epsilon: float, delta: float) -> float:
    """Return about the largest ρ that promises (``epsilon``, ``delta``)-DP, in the same way.

    Within 1e-9 in relative terms, and never above it. Raises ``UsageError`` unless ε > 0 and δ lies
    in (0, 1), and where ε is so small that no ρ was found.
    """
    most = positive(epsilon, "epsilon")
    low, high = 0.0, 1.0
    while concentrated_epsilon(high, delta) <= most:
        low, high = high, 2 * high
    least = 1e-30
    while high - low > 1e-9 * high and high > least:
        middle = (low + high) / 2
        low, high = (middle, high) if concentrated_epsilon(middle, delta) <= most else (low, middle)
    if not low:
        raise UsageError(f"epsilon is {epsilon!r}: too small for any ρ at delta {delta!r}")
    return low
