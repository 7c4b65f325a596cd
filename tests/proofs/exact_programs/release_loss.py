"""The exact loss of one pair of datasets under propose-test-release."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from provado.proofs.algebra import ExpSum, exact, exp, positive_exact
from provado.proofs.ledger.kusner2016._exact import PassTest, release_probability


def release_ratio(
    test: PassTest,
    distances: Sequence[int | Fraction],
    distances_prime: Sequence[int | Fraction],
    *,
    move: int | Fraction,
    release_scale: int | Fraction,
) -> tuple[ExpSum, ExpSum]:
    """Return (A, B) such that ln(A/B) is the exact ε of one pair, and A/B ≥ 1.

    move: how far the released value differs between D and D′; it gets noise of ``release_scale``.
    The outputs are ⊥ and numbers; the density ratio of a number is largest where it is the release
    probabilities' ratio times e^(|move|/release_scale).
    """
    p, q = release_probability(test, distances), release_probability(test, distances_prime)
    factor = exp(abs(exact(move, "move")) / positive_exact(release_scale, "release_scale"))
    ratios = [(p * factor, q), (q * factor, p), (1 - p, 1 - q), (1 - q, 1 - p)]
    best = ratios[0]
    for ratio in ratios[1:]:
        if ratio[0] * best[1] > best[0] * ratio[1]:
            best = ratio
    return best
