"""What rounds of a private discovery cost, and how a total (ε, δ) is shared out beforehand.

Sharing does not look at the records: only at the number of columns, the rounds and the budget.

**Rounds of ε each, among which answers of unequal ε are divided as they are asked.** A privacy
filter is an interactive mechanism: it answers while its answers add up to at most ε, and is ε-DP
however their ε are chosen, as long as what was answered before is all that they are chosen by
(Rogers et al., Privacy Odometers and Filters, 2016, for pure ε). Filters that are asked in turn,
each by what all of them have answered, promise what ε-DP mechanisms promise together (Vadhan and
Wang, Concurrent Composition of Differential Privacy, 2021), so that every accountant here holds.

**How CURATE shares a budget out among the orders of PC: by a surrogate of the error probability.**
Source: Bhattacharjee and Tandon, CURATE: Scaling-Up Differentially Private Causal Graph Discovery
(2024), as the authors' released code computes it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.accounting.composition import advanced_composition, basic_composition
from provado.mechanisms.accounting.pld import Part, tight_composition
from provado.mechanisms.definitions import ApproximateDP, PureDP, UsageError
from provado.mechanisms.definitions.parameters import check_delta, natural, positive

from ..search.work_limits import NoMoreTests

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
class SpentRounds:
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
class ComposedCost:
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


def totals(spent: SpentRounds, delta: float) -> tuple[ComposedCost, ...]:
    """Return what is charged by basic and, where they apply, advanced and tight composition.

    delta: δ in [0, 1) that may be spent; at 0 only basic composition applies. Tight composition is
    left out where dp-accounting is not installed, where δ is below 1e-10, and for rounds of ε above
    50. It is asked at δ less 1e-12, which more than makes up for its rounding.
    """
    allowed = check_delta(delta)
    composed_costs = [ComposedCost(*spent.basic(), "basic")]
    if allowed and spent.rounds:
        # Above ln 2 the quadratic term of advanced composition alone exceeds the plain sum.
        if spent.epsilon <= math.log(2):
            # It rounds δ′ up by 1e-12 in relative terms, and must not pass what is allowed.
            epsilon, _ = spent.advanced(allowed * (1 - 1e-11))
            composed_costs.append(ComposedCost(epsilon, allowed, "advanced"))
        tight = _tight(spent, allowed)
        if tight is not None:
            composed_costs.append(ComposedCost(tight, allowed, "tight"))
    return tuple(composed_costs)


def cheapest(spent: SpentRounds, delta: float) -> ComposedCost:
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
        return cheapest(SpentRounds(number, share, parts(share)), delta).epsilon

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


def _tight(spent: SpentRounds, delta: float) -> float | None:
    if delta < SMALLEST_TIGHT_DELTA or spent.epsilon > _LARGEST_TIGHT or not _installed():
        return None
    return spent.tight(delta - ROUNDING)[0]


def _installed() -> bool:
    try:
        import dp_accounting.pld  # noqa: F401
    except ImportError:
        return False
    return True


_STEPS = 60
"""Of a bisection: more than a float's digits."""


class PrivacyFilters:
    """Privacy filters of ε each, one a round, and what is left of each."""

    def __init__(self, rounds: int, epsilon: float) -> None:
        """Open the filters. Raises ``UsageError`` unless both numbers are above 0."""
        self._left = [positive(epsilon, "epsilon")] * natural(rounds, "rounds")

    @property
    def left(self) -> float:
        """What is left of all filters together."""
        return sum(self._left)

    def largest(self, planned: float, tests: int) -> float:
        """Return the largest ε up to ``planned`` at which ``tests`` answers fit, up to rounding."""
        low, high = 0.0, planned
        if self._fits(high, tests):
            return high
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._fits(middle, tests) else (low, middle)
        return low

    def take(self, epsilon: float) -> None:
        """Charge an answer of ``epsilon`` to the filter with the most left.

        Raises ``NoMoreTests`` where none has as much, or where ε is 0: nothing is answered then.
        """
        fullest = max(range(len(self._left)), key=self._left.__getitem__)
        if not 0 < epsilon <= self._left[fullest]:
            raise NoMoreTests
        # Rounded down: what is left is never more than it is.
        self._left[fullest] = (self._left[fullest] - epsilon) * (1 - 1e-15)

    def _fits(self, epsilon: float, tests: int) -> bool:
        return epsilon > 0 and sum(int(left / epsilon) for left in self._left) >= tests


def surrogate(epsilons: Sequence[float], gaps: Sequence[float]) -> float:
    """Return Π(1 + e^(−g·ε))/2 + 1 − Π(1 − e^(−g·ε))/2, one factor for each order.

    epsilons: ε of one test of each order. gaps: g, how far a test lies from its threshold, in units
    of its sensitivity. It is 2 where nothing is spent and falls as any ε grows. Source: the
    released code's objective; the two products stand for errors of the second and the first kind.
    """
    tails = [math.exp(-g * e) for e, g in zip(epsilons, gaps, strict=True)]
    missed = math.prod((1 + tail) / 2 for tail in tails)
    right = math.prod((1 - tail) / 2 for tail in tails)
    return missed + 1 - right


@lru_cache(maxsize=4096)
def allot(
    budget: float, tests: tuple[float, ...], gaps: tuple[float, ...], power: int
) -> tuple[float, ...]:
    """Return the ε of one test of each order that make the surrogate least.

    budget: of Σ tests·ε^power. tests: how many each order may ask. gaps: as of ``surrogate``.
    power: 1 adds up ε, as basic composition does; 2 adds up ε², as advanced composition does.

    Constraints: ε_0 ≥ ε_1 ≥ … ≥ 0 and Σ tests·ε^power ≤ budget; the result meets both, and its
    surrogate is at most that of any equal split among the orders up to some last one. Nothing here
    looks at data. Raises ``UsageError`` unless budget and tests are above 0 and power is 1 or 2.
    """
    # Here, so that the catalogue loads without scipy.
    from scipy.optimize import minimize

    positive(budget, "budget")
    if not tests or min(tests) <= 0 or len(tests) != len(gaps) or power not in (1, 2):
        raise UsageError(
            f"tests is {tests!r}, gaps {gaps!r} and power {power!r}: as many gaps as tests are "
            "needed, each number of tests above 0, and a power of 1 or 2"
        )
    weights, distances = np.array(tests), np.array(gaps)

    def within(falls: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return falling ε, from how much each is above the next, that use the budget up."""
        result = np.cumsum(np.maximum(falls, 0.0)[::-1])[::-1]
        spent = float(weights @ result**power)
        return result * (budget / spent) ** (1 / power) if spent > 0 else result

    def loss(falls: NDArray[np.float64]) -> float:
        return surrogate(within(falls).tolist(), distances.tolist())

    # One equal split for each last order; from the best, and from a mixture of all, downhill.
    starts = list(np.eye(len(tests)))
    best = min(starts, key=loss)
    for start in (best, best + 0.1, np.ones(len(tests))):
        found = minimize(loss, start / start.sum(), bounds=[(0, None)] * len(tests)).x
        best = min(best, found, key=loss)
    return tuple((within(best) * (1 - 1e-12)).tolist())


def advanced_norm(budget: float, delta: float) -> float:
    """Return R such that R + √(2·ln(1/δ)·R) = budget: what Σε² may be.

    The released code's formula for the cost of ε_1, ε_2, … at δ is Σε² + √(2·ln(1/δ)·Σε²).
    """
    root = math.sqrt(2 * math.log(1 / delta))
    return ((math.sqrt(root**2 + 4 * budget) - root) / 2) ** 2


def advanced_cost(squares: float, delta: float) -> float:
    """Return Σε² + √(2·ln(1/δ)·Σε²), the inverse of ``advanced_norm``."""
    return squares + math.sqrt(2 * math.log(1 / delta) * squares)
