"""How many edges of a node go, and which: the two exponential mechanisms of EM-PC.

A round takes ε/2 for each. Source: Xu, Yuan and Wu, Differential Privacy Preserving Causal Graph
Discovery (2017), as the released code of Wang, Pang and Song (2020) implements it; McSherry and
Talwar, Mechanism Design via Differential Privacy (2007), Theorem 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import positive
from provado.mechanisms.textbook.exponential import exponential_probabilities

from .deletion_utility import Deletion

CountUtilities = Callable[[Sequence[Deletion]], NDArray[np.float64]]
"""The utility of deleting 0, 1, 2, … edges, given the deletions that there are."""


def counts_proved(deletions: Sequence[Deletion]) -> NDArray[np.float64]:
    """Return the utility of each number of deletions b from 0 to the number k of edges.

    With s₁ ≥ … ≥ s_k the edges' scores, each the largest over its sets, it is min(s_b, −s_{b+1}),
    where s₀ = ∞ and s_{k+1} = −∞: at least 0 where just the first b edges pass as independent, and
    then the distance to where they do not. Shape (k + 1,).

    Its sensitivity is that of a score: a maximum over a fixed set, the b-th largest and a minimum
    move by at most as much as the number that moves most. Raises ``UsageError`` for no deletions.
    """
    scores = np.array(sorted((d.score for d in _best(deletions)), reverse=True))
    upper = np.concatenate([[np.inf], scores])
    lower = np.concatenate([-scores, [np.inf]])
    utilities: NDArray[np.float64] = np.minimum(upper, lower)
    return utilities


def counts_released(deletions: Sequence[Deletion]) -> NDArray[np.float64]:
    """Return the utility of each number of deletions from 0 to k − 1, as the released code has it.

    As ``counts_proved`` but for two things. 1 is taken off where an interior number is right, and
    off 0 where it is wrong: near the threshold a right number is the less likely. And k is left
    out: a round never takes the last edge of a node. Either keeps EM-PC from converging to PC.

    Shape (k,). 1-sensitive in the scores where these are distances. Raises ``UsageError`` for no
    deletions.
    """
    edges = sorted(_best(deletions), key=lambda d: (d.score, d.passes), reverse=True)
    utilities = [-edges[0].score - edges[0].passes]
    for above, below in pairwise(edges):
        if above.passes and not below.passes:
            utilities.append(min(above.score, -below.score) - 1)
        else:
            utilities.append(-below.score if below.passes else above.score)
    return np.array(utilities, dtype=np.float64)


def choose(
    deletions: Sequence[Deletion],
    counts: CountUtilities,
    *,
    epsilon: float,
    rng: np.random.Generator,
) -> list[Deletion]:
    """Return the deletions of one round, each of another edge, in the order drawn.

    First how many, b, with probability proportional to e^(ε/4·utility); then b of them one after
    another, each with probability proportional to e^(ε/(4b)·score) among the edges that are left.

    Guarantee: ε-DP where the options are fixed and each utility has sensitivity 1. Each draw is the
    exponential mechanism: the first is ε/2-DP, each of the b others ε/(2b)-DP given the ones
    before, ε/2 together. Up to rounding, as probabilities are floating-point numbers. Raises
    ``UsageError`` unless ε > 0, or for no deletions.
    """
    half = positive(epsilon, "epsilon") / 2
    chances = exponential_probabilities(counts(deletions), epsilon=half)
    number = int(rng.choice(chances.size, p=chances))
    left, chosen = list(deletions), []
    for _ in range(number):
        chances = exponential_probabilities([d.score for d in left], epsilon=half / number)
        chosen.append(left[int(rng.choice(chances.size, p=chances))])
        left = [d for d in left if d.y != chosen[-1].y]
    return chosen


def choice_probabilities(
    deletions: Sequence[Deletion], counts: CountUtilities, *, epsilon: float
) -> dict[tuple[Deletion, ...], float]:
    """Return the probability of each answer of ``choose``; they sum to 1.

    Time grows as the factorial of the number of edges: for a handful. Raises ``UsageError`` as
    ``choose`` does.
    """
    half = positive(epsilon, "epsilon") / 2
    every = exponential_probabilities(counts(deletions), epsilon=half)
    found: dict[tuple[Deletion, ...], float] = {}
    for number, chance in enumerate(every.tolist()):
        drawn: dict[tuple[Deletion, ...], float] = {(): chance}
        for _ in range(number):
            drawn = {
                (*before, deletion): so_far * p
                for before, so_far in drawn.items()
                for deletion, p in _next(deletions, before, half / number)
            }
        found |= drawn
    return found


def _next(
    deletions: Sequence[Deletion], before: tuple[Deletion, ...], epsilon: float
) -> Iterator[tuple[Deletion, float]]:
    gone = {d.y for d in before}
    left = [d for d in deletions if d.y not in gone]
    chances = exponential_probabilities([d.score for d in left], epsilon=epsilon)
    yield from zip(left, chances.tolist(), strict=True)


def _best(deletions: Sequence[Deletion]) -> list[Deletion]:
    """Return for each edge the deletion of the largest score."""
    best: dict[int, Deletion] = {}
    for deletion in deletions:
        if deletion.y not in best or deletion.score > best[deletion.y].score:
            best[deletion.y] = deletion
    if not best:
        raise UsageError("deletions is empty: there is nothing to choose from")
    return list(best.values())
