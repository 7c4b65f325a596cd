"""Which bound a plan has chosen, as data, so that a verdict can be computed again from a report."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from provado.audit.bounds.counts import Counts
from provado.mechanisms import UsageError

from .betting import Bets, betting_epsilon_lower
from .binomial import binomial_epsilon_lower, excess_chance, excess_epsilon_lower
from .ladder import Ladder
from .product import Bettor, check_bettors, product_epsilon_lower

EXACT = 0.9
"""Of alpha, what the exact test has where it stands beside bets."""


@dataclass(frozen=True)
class BoundMethod:
    """The bound of one pair: but for its bettors, frozen before the first certifying draw.

    alpha: this pair's share of the audit's chance of a false alarm.
    delta: the δ at which ε is bounded.
    side: 1 if only guesses of D count, −1 if only those of D′: under (ε, δ)-DP each side may be
        right ½ δ of the trials more often than e^ε times as it is wrong. 0: all guesses count, and
        are allowed δ.
    bets: the mixture of the betting bound; ``None`` for the exact binomial, which needs δ = 0 and
        a number of trials fixed in advance.
    aimed: of one side and a number of trials fixed in advance, the ε at which an exact test beside
        the bets is sharpest; it has the share ``EXACT`` of alpha, and the larger limit counts.
    bettors: of a sequential audit, what each of them has staked, and how often it was right; the
        bound is that of their wealth.
    epsilon: where a curve is claimed, the ε of the point that is tested; its δ is ``delta``.
    ladder: of a claim about divergences, the stakes on cells, with a share of alpha of its own.
    """

    alpha: float
    delta: float = 0.0
    bets: Bets | None = None
    bettors: tuple[Bettor, ...] = ()
    epsilon: float | None = None
    ladder: Ladder | None = None
    side: int = 0
    aimed: float | None = None

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise UsageError(f"alpha is {self.alpha!r}: it must lie between 0 and 1")
        if not 0 <= self.delta < 1:
            raise UsageError(f"delta is {self.delta!r}: it must lie in [0, 1)")
        if self.epsilon is not None and not 0 <= self.epsilon < math.inf:
            raise UsageError(f"epsilon is {self.epsilon!r}: it must be a number of at least 0")
        if self.epsilon is not None and self.bets is None:
            raise UsageError("bets are missing: a point of a curve is tested by betting")
        if self.ladder is not None and self.epsilon is None:
            raise UsageError("epsilon is missing: a ladder stands beside a point of the curve")
        if self.side not in (-1, 0, 1) or (self.side and (self.bets is None or not self.delta)):
            raise UsageError(f"side is {self.side!r}: it must be 0; or 1 or -1, with bets and a δ")
        if self.aimed is not None and not (
            self.side and self.epsilon is None and 0 <= self.aimed < math.inf
        ):
            raise UsageError(f"aimed is {self.aimed!r}: it must be an ε, of one side, of no curve")
        check_bettors(self.bettors)
        if self.bets is not None and self.bettors:
            raise UsageError("bets: a sequential bound has bettors instead")
        if self.bets is None and not self.bettors and self.delta > 0:
            raise UsageError(f"delta is {self.delta!r}: the binomial bound needs delta 0")

    @property
    def whole_alpha(self) -> float:
        """The pair's alpha: that of the bound, with that of a ladder where there is one."""
        return self.alpha + (self.ladder.alpha if self.ladder is not None else 0.0)

    @property
    def allowed(self) -> float:
        """What δ allows a trial: δ for guesses of both sides, half of it for one side alone."""
        return self.delta / 2 if self.side else self.delta

    @property
    def anytime(self) -> BoundMethod:
        """The part that is valid whenever an experiment ends: without the exact test."""
        if self.aimed is None:
            return self
        return replace(self, alpha=(1 - EXACT) * self.alpha, aimed=None)

    @property
    def name(self) -> str:
        """``"binomial"``, ``"betting"`` or ``"sequential"``."""
        if self.bettors:
            return "sequential"
        return "binomial" if self.bets is None else "betting"


def epsilon_lower(counts: Counts, method: BoundMethod) -> float:
    """Return the certified lower limit on ε at ``method.delta`` with error ``method.alpha``."""
    if method.bettors:
        return product_epsilon_lower(method.delta, method.alpha, method.bettors)
    guesses = counts.guessed(method.side)
    if method.bets is None:
        return binomial_epsilon_lower(*guesses[:2], method.alpha)
    part = method.anytime
    lower = betting_epsilon_lower(*guesses, part.allowed, part.alpha, method.bets)
    if method.aimed is None:
        return lower
    alpha = EXACT * method.alpha
    return max(lower, excess_epsilon_lower(*guesses, method.allowed, alpha, method.aimed))


def refutes(counts: Counts, method: BoundMethod, epsilon: float) -> bool:
    """Tell whether the counts certify more than one ε, faster than the limit is found."""
    if method.aimed is not None:
        alpha, guesses = EXACT * method.alpha, counts.guessed(method.side)
        if excess_chance(*guesses, method.allowed, alpha, method.aimed)(epsilon) <= alpha:
            return True
    return epsilon_lower(counts, method.anytime) > epsilon
