"""The sieve of Priv-PC: a sparse vector on a subset of the records, with its scales of noise.

And how large a subset adds the least noise. Source: Wang, Pang and Song, Towards Practical
Differentially Private Causal Graph Discovery (2020), Algorithms 1 and 2, and section 3.2.
"""

import math

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import natural, positive

BEST_SIEVE_EPSILON = 1.5936242600400401
"""s > 0 with s = 2(1 − e^(−s)), that is 2 + W(−2e^(−2)): ε′ at the optimal subset."""

SMALLEST_SHARE = 1 / 20
"""Below this share of the records no subset is taken."""


def sieve_epsilon(epsilon: float, n: int, m: int) -> float:
    """Return ε′ = ln((n/m)(e^(ε/2) − 1) + 1), at which the sieve on m of n records costs ε/2.

    Guarantee: an ε′-DP mechanism on a uniform subset of m of n records, drawn without replacement,
    is ε/2-DP under replacement of one record (the ledger's ``wang2020/thm1-algorithm1``). Source:
    Algorithm 1, line 3. Raises ``UsageError`` unless 1 ≤ m ≤ n, and for ε that is not above 0 or so
    large (some 1,400) that ε′ is not representable.
    """
    if natural(m, "m") > natural(n, "n"):
        raise UsageError(f"m is {m!r}: a subset of {n} records has at most {n}")
    within = math.log1p(n / m * _odds(epsilon))
    if math.isinf(within):
        raise UsageError(f"epsilon is {epsilon!r}: (n/m)·e^(ε/2) is not representable")
    return within


def sieve_scales(
    epsilon: float, n: int, m: int, sensitivity: float = 1.0
) -> tuple[float, float, float]:
    """Return the scales of noise of one sieve-and-examine on m of n records.

    Lap(2Δ/ε′) on the threshold, Lap(4Δ/ε′) on a query, Lap(2Δ/ε) on the examination, with ε′ of
    ``sieve_epsilon``. sensitivity: Δ, of a query. Source: Algorithm 1.
    """
    within = sieve_epsilon(epsilon, n, m)
    return 2 * sensitivity / within, 4 * sensitivity / within, 2 * sensitivity / epsilon


def optimal_share(epsilon: float) -> float:
    """Return the share m/n in [1/20, 1] that minimises √(n/m)/ε′, the noise of the sieve.

    That is for a sensitivity that grows as 1/√m. The noise falls, then rises as m grows, so that
    clipping the free optimum (e^(ε/2) − 1)/(e^s − 1), s = ``BEST_SIEVE_EPSILON``, is right. For a
    sensitivity that grows as 1/m the noise (n/m)/ε′ only falls as m grows: the best share is 1.

    Source: section 3.2, whose formula the extracted text lost; the ledger's
    ``wang2020/subsample-size``. Raises ``UsageError`` as ``sieve_epsilon`` does for ε.
    """
    free = _odds(epsilon) / math.expm1(BEST_SIEVE_EPSILON)
    return min(1.0, max(SMALLEST_SHARE, free))


def _odds(epsilon: float) -> float:
    """Return e^(ε/2) − 1."""
    try:
        return math.expm1(positive(epsilon, "epsilon") / 2)
    except OverflowError:
        raise UsageError(f"epsilon is {epsilon!r}: e^(ε/2) is not representable") from None
