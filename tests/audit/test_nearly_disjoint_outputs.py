import numpy as np

from provado.audit import audit
from provado.mechanisms import Verdict


def released_or_not(data, *, size, rng, chance):
    """Release the very data with a chance, else nothing."""
    return np.where(rng.random(size) < chance, data, np.nan)


def test_a_large_delta_and_hardly_any_wrong_guess():
    """At this ε no bet on so rare a wrong guess pays off beyond what a float can hold."""
    for chance, expected in ((0.45, Verdict.VIOLATION), (0.183, Verdict.NO_VIOLATION)):

        def mechanism(data, *, size, rng, chance=chance):
            return released_or_not(data, size=size, rng=rng, chance=chance)

        result = audit(mechanism, epsilon=9.0, delta=0.15, pair=(0.0, 1.0), samples=200_000, seed=0)
        assert result.verdict is expected, result.reason
