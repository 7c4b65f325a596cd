"""Power: the violation that a plan detects, by its rule or by guesses of one run."""

import math
from collections.abc import Callable

from scipy.special import betaincinv

from provado.audit.bounds import betting
from provado.audit.bounds.counts import Counts
from provado.audit.bounds.method import BoundMethod, refutes

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
        side = counts.side if method.delta else 0
        method = BoundMethod(method.alpha, method.delta, _stakes(method, claimed), side=side)
    right, wrong, _ = counts.guessed(method.side)
    n, trials = right + wrong, counts.trials
    least = _least(lambda right: _certifies(right, n, trials, method, claimed), n)
    if least is None:
        return math.inf
    share = rate_for(least, n)
    rate = n / trials
    miss = float(betaincinv(n - least + 1, least, 1 - POWER))
    gain = share * rate - method.allowed
    return math.log(gain / (miss * rate)) if gain > 0 and miss > 0 else math.inf


def _stakes(method: BoundMethod, claimed: float) -> betting.Bets:
    """Return bets of many sizes, of which none was planned for the guesses at hand."""
    smallest = math.exp(-min(claimed, 700.0)) / 4
    return betting.mixture(smallest, method.delta, anytime=bool(method.bettors))


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


def fewest_one_sided(trials: int, method: BoundMethod, claimed: float) -> int | None:
    """Return the fewest outputs of an event of one dataset alone that certify a violation.

    ``None`` where not even all outputs of that dataset do.
    """
    aimed = None if method.bettors else claimed
    stakes = _stakes(method, claimed)
    method = BoundMethod(method.alpha, method.delta, stakes, side=1, aimed=aimed)
    return _least(lambda n: _certifies(n, n, trials, method, claimed), trials // 2)


def rate_for(least: int, every: int) -> float:
    """Return the rate at which at least so many of all come with probability ``POWER``."""
    return float(betaincinv(least, every - least + 1, POWER)) if least <= every else 1.0


def one_run_detectable_epsilon(refutes: Callable[[int], bool], every: int) -> float:
    """Return the ε of ``every`` independent guesses that refute a claim with a chance of ``POWER``.

    refutes: whether so many right ones of them do. ``math.inf`` where not even all do.
    """
    least = _least(refutes, every)
    if least is None:
        return math.inf
    rate = rate_for(least, every)
    return math.log(rate) - math.log1p(-rate) if rate < 1 else math.inf
