"""What counts certify of a promise that is a curve, in the promise's own parameter."""

from __future__ import annotations

import math

from provado.audit.bounds.counts import Counts
from provado.mechanisms import UsageError
from provado.mechanisms.definitions import CurvePromise

from .betting import largest_refuted_share, log_wealth
from .ladder import ladder_lower
from .method import BoundMethod, epsilon_lower


def delta_lower(counts: Counts, method: BoundMethod) -> float:
    """Return the lower limit on δ at ``method.epsilon`` that the counts certify, at least 0.

    Guarantee: the probability that it ever exceeds δ(ε) of the pair is at most ``method.alpha``.
    The limit is the largest δ that the wealth refutes, rounded down by less than 1e-9 of itself.
    Raises ``UsageError`` where the method tests no point of a curve.
    """
    bets, epsilon = method.bets, method.epsilon
    if bets is None or epsilon is None:
        raise UsageError("the bound tests no point of a curve")
    goal = -math.log(method.alpha) + 1e-9

    guesses, share = counts.guessed(method.side), 0.5 if method.side else 1.0

    def refuted(delta: float) -> bool:
        return log_wealth(epsilon, share * delta, *guesses, bets) >= goal

    return largest_refuted_share(refuted)


def parameter_lower(counts: Counts, method: BoundMethod, promise: CurvePromise) -> float:
    """Return the smallest parameter of the promise's family that the counts do not refute.

    That is the larger of what the point shows and of what the ladder shows, where there is one;
    each has its own share of alpha, so that both hold together.

    Guarantee: if the pair keeps the promise with parameter t, the probability that it exceeds t is
    at most the pair's alpha. Rounded down.
    """
    if method.epsilon is None:
        found = epsilon_lower(counts, method)
        # Where not even ε = 0 is refuted at this δ, nothing is known of δ(0).
        lower = promise.least(found, method.delta) if found > 0 else 0.0
    else:
        lower = promise.least(method.epsilon, delta_lower(counts, method))
    if method.ladder is not None:
        lower = max(lower, ladder_lower(counts.cells, method.ladder))
    return lower
