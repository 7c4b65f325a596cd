"""Which bound a plan has chosen, as data, so that a verdict can be computed again from a report.

And its power: how large a violation detectable by the plan's rule, or to guesses of one run, would
have shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from scipy.special import betaincinv

from provado.audit.bounds import betting, binomial
from provado.audit.bounds.alpha_spending import EXACT
from provado.audit.bounds.counts import Counts
from provado.audit.bounds.ladder import Ladder
from provado.mechanisms import UsageError


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
    bets: betting.Bets | None = None
    bettors: tuple[betting.Bettor, ...] = ()
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
        betting.check_bettors(self.bettors)
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
        return betting.product_epsilon_lower(method.delta, method.alpha, method.bettors)
    guesses = counts.guessed(method.side)
    if method.bets is None:
        return binomial.binomial_epsilon_lower(*guesses[:2], method.alpha)
    part = method.anytime
    lower = betting.betting_epsilon_lower(*guesses, part.allowed, part.alpha, method.bets)
    if method.aimed is None:
        return lower
    alpha = EXACT * method.alpha
    return max(lower, binomial.excess_epsilon_lower(*guesses, method.allowed, alpha, method.aimed))


def refutes(counts: Counts, method: BoundMethod, epsilon: float) -> bool:
    """Return whether the counts certify more than one ε, faster than the limit is found."""
    if method.aimed is not None:
        alpha, guesses = EXACT * method.alpha, counts.guessed(method.side)
        if binomial.excess_chance(*guesses, method.allowed, alpha, method.aimed)(epsilon) <= alpha:
            return True
    return epsilon_lower(counts, method.anytime) > epsilon


POWER = 0.9


def detectable_epsilon(counts: Counts, method: BoundMethod, claimed: float) -> float:
    """Return the ε at which this plan had 90 % power to certify a violation of ``claimed``.

    With as many guesses as were made, the least number of right ones that certifies is found; the
    returned ε is the one at which so many are reached with probability ``POWER``, if the rule's
    guesses are right as often as (ε, δ)-DP allows. ``math.inf`` where no number would certify.

    Of a sequential audit it is taken that bets of many sizes were made on the guesses, none of them
    planned; the successive rules stand for one.

    It covers violations detectable by this rule on this pair. A mechanism whose leak the rule does
    not see may have any ε, and none of it would have shown.
    """
    if method.bettors:
        spread = betting.mixture(math.exp(-min(claimed, 700.0)) / 4, method.delta, anytime=True)
        side = counts.side if method.delta else 0
        method = BoundMethod(method.alpha, method.delta, spread, side=side)
    right, wrong, _ = counts.guessed(method.side)
    n, trials = right + wrong, counts.trials
    least = _least(lambda right: _certifies(right, n, trials, method, claimed), n)
    if least is None:
        return math.inf
    share = float(betaincinv(least, n - least + 1, POWER))
    rate = n / trials
    miss = float(betaincinv(n - least + 1, least, 1 - POWER))
    gain = share * rate - method.allowed
    return math.log(gain / (miss * rate)) if gain > 0 and miss > 0 else math.inf


def _least(enough: Callable[[int], bool], every: int) -> int | None:
    """Return the fewest right ones of so many guesses that refute a claim, if any number does."""
    if every == 0 or not enough(every):
        return None
    low, high = 0, every
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _certifies(correct: int, n: int, trials: int, method: BoundMethod, claimed: float) -> bool:
    wrong = n - correct
    guesses = (correct, 0, 0, wrong, 0) if method.side >= 0 else (0, wrong, 0, 0, correct)
    return refutes(Counts(*guesses, trials - n), method, claimed)


def one_run_detectable_epsilon(refutes: Callable[[int], bool], every: int) -> float:
    """Return the ε of ``every`` independent guesses that refute a claim with a chance of ``POWER``.

    refutes: whether so many right ones of them do. ``math.inf`` where not even all do.
    """
    least = _least(refutes, every)
    if least is None:
        return math.inf
    rate = float(betaincinv(least, every - least + 1, POWER))
    return math.log(rate) - math.log1p(-rate) if rate < 1 else math.inf
