"""What rounds of a private discovery cost, and how a total (ε, δ) is shared out beforehand.

Sharing does not look at the records: only at the number of columns, the rounds and the budget.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from provado.mechanisms.accounting.composition import advanced_composition, basic_composition
from provado.mechanisms.accounting.tight import Part, tight_composition
from provado.mechanisms.definitions import ApproximateDP, PureDP, UsageError
from provado.mechanisms.definitions.parameters import natural, positive
from provado.mechanisms.definitions.promise import check_delta

MOST_ROUNDS = 1000
"""Of the rounds that are chosen where none are asked for: each one makes all of them noisier."""

ROUNDING = 1e-12
"""Left of δ for the rounding of tight composition, which is some tenth of it for 1,000 rounds."""

SMALLEST_TIGHT_DELTA = 1e-10
"""For a δ below this, tight composition is not asked: rounding would be too much of it."""

_LARGEST_TIGHT = 50.0
"""Of a round's ε: beyond it tight composition saves nothing worth its time."""

_LEAST = 1e-100
"""Of a round's ε: below it rounding would have no room."""

_SHORT = 1e-4
"""The share of a round's ε that may be left unspent."""

STEPS = 500
"""Privacy losses are put on multiples of a round's ε over this."""


@dataclass(frozen=True)
class Spent:
    """What is charged: so many rounds, each of ε.

    rounds: how many, from 0 on. epsilon: ε of a round. parts: what a round is made of; together
    they are ε-DP.
    """

    rounds: int
    epsilon: float
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        positive(self.epsilon, "epsilon")

    def basic(self) -> tuple[float, float]:
        """Return (rounds·ε, 0); see ``basic_composition``."""
        if not self.rounds:
            return 0.0, 0.0
        return basic_composition([PureDP(self.epsilon)] * self.rounds).point()

    def advanced(self, delta: float) -> tuple[float, float]:
        """Return (ε′, δ); see ``advanced_composition``. For few rounds it exceeds ``basic``."""
        if not self.rounds:
            return 0.0, 0.0
        return advanced_composition(ApproximateDP(self.epsilon, 0.0), self.rounds, delta).point()

    def tight(self, delta: float) -> tuple[float, float]:
        """Return (ε′, δ) by privacy loss distributions, rounded up; see ``tight_composition``.

        Too large by at most 1/500 of a part's ε for each part.
        """
        if not self.rounds:
            return 0.0, 0.0
        step = self.epsilon / STEPS
        return tight_composition(self.parts * self.rounds, delta, step=step), delta


_Accountant = Literal["basic", "advanced", "tight"]


@dataclass(frozen=True)
class Total:
    """What rounds cost together: (epsilon, delta), by which composition."""

    epsilon: float
    delta: float
    by: _Accountant


def rounds_by_pairs(d: int, each: int = 1) -> int:
    """Return each·d(d − 1)/2 for the pairs of ``d`` columns, at most 1,000, at least 1.

    each: 1 for a search whose every answer deletes an edge, which then never runs out of rounds
        while there are no more than 1,000 pairs; 2 leaves as many rounds for answers that an
        examination overturns. Raises ``UsageError`` unless both are at least 1.
    """
    pairs = math.comb(natural(d, "d"), 2)
    return max(1, min(MOST_ROUNDS, natural(each, "each") * pairs))


def rounds_by_nodes(d: int, max_order: int) -> int:
    """Return d·(max_order + 1), at most 1,000: each of ``d`` columns has a round at each order.

    Raises ``UsageError`` unless d is at least 1 and max_order at least 0.
    """
    return min(MOST_ROUNDS, natural(d, "d") * natural(max_order + 1, "max_order + 1"))


def totals(spent: Spent, delta: float) -> tuple[Total, ...]:
    """Return what is charged by basic and, where they apply, advanced and tight composition.

    delta: δ in [0, 1) that may be spent; at 0 only basic composition applies. Tight composition is
    left out where dp-accounting is not installed, where δ is below 1e-10, and for rounds of ε above
    50. It is asked at δ less 1e-12, which more than makes up for its rounding.
    """
    allowed = check_delta(delta)
    found = [Total(*spent.basic(), "basic")]
    if allowed and spent.rounds:
        # Above ln 2 the quadratic term of advanced composition alone exceeds the plain sum.
        if spent.epsilon <= math.log(2):
            # It rounds δ′ up by 1e-12 in relative terms, and must not pass what is allowed.
            epsilon, _ = spent.advanced(allowed * (1 - 1e-11))
            found.append(Total(epsilon, allowed, "advanced"))
        tight = _tight(spent, allowed)
        if tight is not None:
            found.append(Total(tight, allowed, "tight"))
    return tuple(found)


def cheapest(spent: Spent, delta: float) -> Total:
    """Return the total of the smallest ε among ``totals``."""
    return min(totals(spent, delta), key=lambda total: total.epsilon)


def round_epsilon(
    parts: Callable[[float], tuple[Part, ...]], *, rounds: int, epsilon: float, delta: float
) -> float:
    """Return about the largest ε of one round such that all ``rounds`` stay within the budget.

    parts: what a round of a given ε is made of; together they must be that ε-DP. epsilon: ε > 0, of
        all rounds together. delta: δ in [0, 1), of all rounds together.

    The cheapest of the accountants counts. Guarantee: at the returned value ``cheapest`` is at most
    (epsilon, delta); it is at least ε/rounds less rounding, and within about 1e-3 in relative
    terms of what the accountants allow. Raises ``UsageError`` for values out of range.
    """
    target, number = positive(epsilon, "epsilon"), natural(rounds, "rounds")
    check_delta(delta)

    def cost(share: float) -> float:
        return cheapest(Spent(number, share, parts(share)), delta).epsilon

    share = target / number
    if share < _LEAST:
        raise UsageError(f"epsilon is {epsilon!r}: too small to share among {rounds} rounds")
    while cost(share) > target:
        share = math.nextafter(share, 0.0)
    return _climb(cost, share, target) if delta else share


def _climb(cost: Callable[[float], float], low: float, target: float) -> float:
    """Return a share of at least ``low`` whose cost is at most ``target``."""
    # Here, so that the catalogue loads without scipy.
    from scipy.optimize import brentq

    high = low * (1 + _SHORT)
    while cost(high) <= target:
        low, high = high, 2 * high
    if high <= low * (1 + _SHORT):
        return low

    def excess(log_share: float) -> float:
        # A δ that is large may cover all of it, at the cost of no ε.
        return math.log(max(cost(math.exp(log_share)) / target, 1e-9))

    # Nearly a straight line in logarithms; steps of the accountant may make it a little rough.
    near = math.exp(brentq(excess, math.log(low), math.log(high), xtol=_SHORT, rtol=1e-12))
    while near > low and cost(near) > target:
        near *= 1 - _SHORT / 4
    return max(near, low)


def _tight(spent: Spent, delta: float) -> float | None:
    if delta < SMALLEST_TIGHT_DELTA or spent.epsilon > _LARGEST_TIGHT or not _installed():
        return None
    return spent.tight(delta - ROUNDING)[0]


def _installed() -> bool:
    try:
        import dp_accounting.pld  # noqa: F401
    except ImportError:
        return False
    return True
