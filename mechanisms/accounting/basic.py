"""Basic composition: privacy losses and failure probabilities add up."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from provado.mechanisms.definitions import ApproximateDP, PrivacyPromise, UsageError


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
