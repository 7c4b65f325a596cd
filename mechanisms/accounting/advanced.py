"""Advanced composition: k releases cost about √k, at the price of one more failure probability."""

from __future__ import annotations

import math

from provado.mechanisms.definitions import ApproximateDP, UsageError
from provado.mechanisms.definitions.parameters import natural, positive, probability

_SAFETY = 1e-12


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
    delta = (count * part.delta_at_epsilon + extra) * (1 + _SAFETY)
    if delta >= 1:
        raise UsageError(
            f"k·δ + delta_prime is {delta:g}: it must stay below 1 to promise anything"
        )
    return ApproximateDP(_theorem(part.epsilon, count, extra) * (1 + _SAFETY), delta)


def advanced_share(epsilon_prime: float, delta_prime: float, k: int) -> float:
    """Return the largest ε such that ``k`` releases of (ε, δ) compose to (ε′, kδ + δ′).

    epsilon_prime: ε′ > 0, what all releases may cost together.
    delta_prime: δ′ in (0, 1).

    The equation of Theorem 3.20 is solved for ε, by a bracketed root; ε comes rounded down by
    1e-12 in relative terms. It is never below the share of Corollary 3.21 where that share is
    valid, and holds for every ε′ and δ′. Source: Dwork and Roth (2014), Theorem 3.20. Raises
    ``UsageError`` for values out of range.
    """
    # Here, so that the catalogue loads without scipy.
    from scipy.optimize import brentq

    target = positive(epsilon_prime, "epsilon_prime")
    count, extra = natural(k, "k"), probability(delta_prime, "delta_prime")

    def excess(share: float) -> float:
        return _theorem(share, count, extra) - target

    # The quadratic part alone, kε² ≤ kε(e^ε − 1), already reaches ε′ at √(ε′/k).
    high = math.sqrt(target / count)
    share = float(brentq(excess, 0.0, high, xtol=1e-300, rtol=1e-14, maxiter=500))
    return share * (1 - _SAFETY)


def corollary_share_printed(epsilon_prime: float, delta_prime: float, k: int) -> float:
    """Return ε = ε′/(2√(2k ln(1/δ′))), as printed in Corollary 3.21; 0 < ε′ < 1, 0 < δ′ < 1.

    Parameters as of ``advanced_share``. The corollary says that ``k`` releases of (ε, δ) then
    compose to (ε′, kδ + δ′). It follows from Theorem 3.20 when δ′ ≤ .7: with s = √(2 ln(1/δ′))
    and c = ε√k = ε′/(2s), the theorem gives ε′/2 + kε(e^ε − 1), and kε(e^ε − 1) ≤ c(e^c − 1) is at
    most ε′/2 when e^c − 1 ≤ s, which holds as c < 1/(2s) and e^(1/(2s)) − 1 ≤ s for s ≥ .84. For δ′
    near 1 the printed statement is false, although its only stated condition is δ′ > 0: a hundred
    randomised responses of the share for ε′ = .99, δ′ = .999 have δ(ε′) above .9999.
    ``advanced_share`` is right for all δ′.

    Source: Dwork and Roth (2014), Corollary 3.21, which Kusner et al. (2016) use in section 4.3.
    Raises ``UsageError`` for values out of range.
    """
    target, extra = (
        probability(epsilon_prime, "epsilon_prime"),
        probability(delta_prime, "delta_prime"),
    )
    return target / (2 * math.sqrt(2 * natural(k, "k") * -math.log(extra)))


def _theorem(epsilon: float, k: int, delta_prime: float) -> float:
    try:
        linear = math.sqrt(2 * k * -math.log(delta_prime)) * epsilon
        return linear + k * epsilon * math.expm1(epsilon)
    except OverflowError:
        raise UsageError(f"epsilon is {epsilon!r}: e^ε is not representable") from None
