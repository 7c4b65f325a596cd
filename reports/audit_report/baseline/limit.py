"""How large and how small the ε that a run's rule could show may be, apart from chance.

A frozen rule on two datasets has an ε of its own, below which no number of trials would certify
less and above which none would certify more: the log odds of its guesses for δ = 0,
log((Pr[right] − δ)/Pr[wrong]) of a trial otherwise. Counts bound it from both sides.
"""

from __future__ import annotations

import math
from dataclasses import replace

from scipy.special import betaincinv

from provado.audit.bounds import epsilon_lower
from provado.audit.result import AuditResult, PairResult


def at_least(result: AuditResult) -> float:
    """Return a lower limit on the largest ε that the rules show, at half the audit's alpha.

    The chance that it exceeds that ε is at most (1 − confidence)/2. Certain where the claim was
    decided exactly; 0 where nothing was measured.
    """
    if result.exact is not None:
        return result.exact.lower
    if (found := result.one_run) is not None:
        return found.certified(result.delta, (1 - result.confidence) / 2)
    return max((_lower(pair) for pair in result.pairs), default=0.0)


def within_chance(result: AuditResult) -> float:
    """Return the largest limit from below that another run may reach by chance.

    An upper limit on the largest ε that the rules show, at half the audit's alpha: the chance that
    it lies below that ε is at most (1 − confidence)/2, however many pairs there are, since for it
    to lie below, the limit of the pair with the largest ε must. ``math.inf`` where no guess was
    wrong, where nothing was measured, and of guesses of few runs, which may depend on each other.

    And a margin, because another run learns a rule of its own: of each pair, half the distance
    between its two limits, times the square root of trials to exploration samples where these are
    more. (What is learned from so many samples is uncertain by about what as many trials
    leave open.) No margin covers a run that missed an effect altogether.
    """
    if result.exact is not None:
        return result.exact.upper
    alpha = (1 - result.confidence) / 2
    return max(
        (_upper(pair, alpha) + _margin(pair, alpha) for pair in result.pairs), default=math.inf
    )


def _margin(pair: PairResult, alpha: float) -> float:
    upper = _upper(pair, alpha)
    if math.isinf(upper):
        return 0.0
    share = min(1.0, math.sqrt(pair.counts.trials / max(pair.explored_trials, 1)))
    return 0.5 * share * max(0.0, upper - _lower(pair))


def _lower(pair: PairResult) -> float:
    return epsilon_lower(pair.counts, replace(pair.method, alpha=pair.method.alpha / 2))


def _upper(pair: PairResult, alpha: float) -> float:
    counts = pair.counts
    correct, wrong, _ = counts.guessed(pair.method.side)
    if not (pair.witness.guess_d or pair.witness.guess_d_prime):
        return 0.0  # A rule that never guesses shows nothing, whatever the number of trials.
    if wrong == 0:
        return math.inf
    if pair.method.delta == 0:
        # Pr[wrong | guess] from below: its odds are e^(−ε).
        miss = float(betaincinv(wrong, correct + 1, alpha))
        return max(0.0, math.log1p(-miss) - math.log(miss))
    n = counts.trials
    missed = float(betaincinv(wrong, n - wrong + 1, alpha / 2))
    right = 1.0
    if correct < n:
        right = float(betaincinv(correct + 1, n - correct, 1 - alpha / 2))
    gain = right - pair.method.allowed
    return max(0.0, math.log(gain / missed)) if gain > 0 else 0.0
