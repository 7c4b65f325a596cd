"""The share of a total ε that Theorem 3.20 of Dwork and Roth leaves to each of k releases."""

import math

from scipy.optimize import brentq

from provado.mechanisms.accounting.composition import SAFETY, theorem_epsilon
from provado.mechanisms.definitions.parameters import natural, positive, probability


def advanced_share(epsilon_prime: float, delta_prime: float, k: int) -> float:
    """Return the largest ε such that ``k`` releases of (ε, δ) compose to (ε′, kδ + δ′).

    epsilon_prime: ε′ > 0, what all releases may cost together.
    delta_prime: δ′ in (0, 1).

    The equation of Theorem 3.20 is solved for ε, by a bracketed root; ε comes rounded down by
    1e-12 in relative terms. It is never below the share of Corollary 3.21 where that share is
    valid, and holds for every ε′ and δ′. Source: Dwork and Roth (2014), Theorem 3.20. Raises
    ``UsageError`` for values out of range.
    """
    target = positive(epsilon_prime, "epsilon_prime")
    count, extra = natural(k, "k"), probability(delta_prime, "delta_prime")

    def excess(share: float) -> float:
        return theorem_epsilon(share, count, extra) - target

    # The quadratic part alone, kε² ≤ kε(e^ε − 1), already reaches ε′ at √(ε′/k).
    high = math.sqrt(target / count)
    share = float(brentq(excess, 0.0, high, xtol=1e-300, rtol=1e-14, maxiter=500))
    return share * (1 - SAFETY)
