"""CURATE, its constraint-based part, on discrete columns: as released and repaired.

PC whose tests of one order share an ε, chosen as the order begins by a surrogate of the error
probability under what is left of a total (``budget``). Each test has Laplace noise.

Source: Bhattacharjee and Tandon, CURATE: Scaling-Up Differentially Private Causal Graph Discovery
(2024), and the authors' released code. The body of the text was not at hand; what is implemented is
the code. What is wrong with it: the ledger's ``curate2024/charge`` and ``curate2024/sensitivity``.

**The tests of CURATE: one ε an order, planned as the order begins, by what was answered so far.**
The exact distribution of whole runs (``exact.curate_runs``) goes through the same classes.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Unpack

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from provado.mechanisms.definitions import PureDP, UsageError
from provado.mechanisms.definitions.parameters import natural, positive, probability
from provado.mechanisms.scores.conditional_ranks import p_value_sensitivity_curate

from ..independence_tests.margin import ProvedMargin, PublicFacts
from ..search.skeleton import find_skeleton, largest_order, neighbors
from ..search.work_limits import NoMoreTests, Work
from ..tables.coded import CodedTable
from ..tables.contingency import stratified_tau
from .budget import PrivacyFilters, SpentRounds, advanced_cost, advanced_norm, allot
from .method import REPAIRED, CostFlaw, Method, all_pairs, one_answer, orders_by_rows
from .rounds import Answer, PrivatelyDiscovered, questions, with_directions
from .runtime_estimate import seconds_as_tests

Decide = Callable[[int, int, tuple[int, ...], float], tuple[bool, bool]]
"""Of a test of columns x and y given others at ε: whether the edge goes, whether it is charged."""

_INDEPENDENT = np.array([[[1, 1], [1, 1]]])


class PlanReleased:
    """The released code's budget: what is charged is taken off as an order ends.

    The cost of an order is ``advanced_cost`` of ε² times the charged tests of *all* orders so far:
    their count is never reset. The number of edges, which the code means to follow, stays that of
    the complete graph, as it counts deletions only in a mode that it never uses.
    """

    def __init__(self, d: int, epsilon: float, delta: float, gap: float) -> None:
        """Take what there is to spend. gap: half the band's width, in units of Δ."""
        self._d, self._left, self._delta, self._gap = d, epsilon, delta, gap
        self._last = 0.0
        self.charged: list[float] = []

    def begin(self, order: int, adjacent: NDArray[np.bool_]) -> float:
        """Return ε of each test of ``order``."""
        del adjacent
        if order:
            self._left -= advanced_cost(len(self.charged) * self._last**2, self._delta)
        if self._left <= 0:
            raise NoMoreTests
        tests = [float(math.comb(self._d, 2) * sets) for sets in _sets(self._d, order)]
        norm = advanced_norm(self._left, self._delta)
        self._last = allot(norm, tuple(tests), (self._gap,) * len(tests), 2)[0]
        return self._last

    def reserve(self, epsilon: float) -> None:
        """Do nothing: the code pays afterwards."""

    def charge(self, epsilon: float) -> None:
        """Note a charged test."""
        self.charged.append(epsilon)


class PlanOfFilters:
    """The repaired budget: filters of ε that pay for each test before it is answered."""

    def __init__(
        self,
        n: int,
        levels: Sequence[int],
        margin: ProvedMargin,
        max_order: int,
        rounds: int,
        epsilon: float,
    ) -> None:
        """Open the filters. n, levels: of the records, public. margin: gives threshold and unit."""
        self._filters, self._d = PrivacyFilters(rounds, epsilon), len(levels)
        small = sorted(levels)
        strata = [math.prod(small[:order]) for order in range(min(max_order, self._d - 2) + 1)]
        looks = (PublicFacts(n, n, k, sieve=False) for k in strata)
        self._gaps = [margin(_INDEPENDENT, look) for look in looks]

    def begin(self, order: int, adjacent: NDArray[np.bool_]) -> float:
        """Return ε of each test of ``order``."""
        edges = int(adjacent.sum()) // 2
        now = number_of_tests(adjacent, order)
        later = [edges * sets for sets in _sets(self._d, order)[1:]]
        gaps = [g for g in self._gaps[order:] if math.isfinite(g)]
        tests = [now, *later][: len(gaps)]
        if not tests or self._filters.left <= 0:
            raise NoMoreTests
        planned = allot(self._filters.left, tuple(map(float, tests)), tuple(gaps), 1)[0]
        return self._filters.largest(planned, now)

    def reserve(self, epsilon: float) -> None:
        """Take ε off a filter."""
        self._filters.take(epsilon)

    def charge(self, epsilon: float) -> None:
        """Do nothing: it is paid for."""


BudgetSchedule = PlanReleased | PlanOfFilters
"""Chooses the ε of an order's tests, and keeps the account: reserved before, or charged after."""


class CuratedTests:
    """A test for ``find_skeleton`` that reports its plan when an order begins."""

    def __init__(
        self,
        d: int,
        plan: BudgetSchedule,
        decide: Decide,
        asked: Callable[[tuple[int, ...]], bool] = lambda _: True,
    ) -> None:
        """Start with all of ``d`` columns adjacent. asked: whether a test given these is worth it.

        It must not look at the data. A test that is not asked costs nothing and keeps its edge.
        """
        self._plan, self._decide, self._asked = plan, decide, asked
        self._adjacent = ~np.eye(d, dtype=bool)
        self._order, self._epsilon, self._seen = -1, 0.0, 0
        self.answers: list[Answer] = []

    def __call__(self, x: int, y: int, given: tuple[int, ...]) -> bool:
        """Return whether the edge goes; raises ``NoMoreTests`` once the budget is used up."""
        if not self._asked(given):
            return False
        if len(given) != self._order:
            self._order = len(given)
            self._epsilon = self._plan.begin(self._order, self._adjacent)
        self._plan.reserve(self._epsilon)
        self._seen += 1
        deleted, charged = self._decide(x, y, given, self._epsilon)
        if charged:
            self._plan.charge(self._epsilon)
            self.answers.append(Answer(x, y, given, self._seen, deleted))
            self._seen = 0
        if deleted:
            self._adjacent[x, y] = self._adjacent[y, x] = False
        return deleted


def is_asked(data: CodedTable, given: tuple[int, ...]) -> bool:
    """Return whether ``ProvedMargin`` asks a test given these columns, by their levels and n."""
    return 7 * data.strata(given) <= data.n


def number_of_tests(adjacent: NDArray[np.bool_], order: int) -> int:
    """Return how many tests PC may ask at an order that begins with these edges.

    adjacent: shape (d, d), symmetric. A set of neighbors of both ends counts once. Deletions within
    the order only make them fewer.
    """
    near = [set(around) for around in neighbors(adjacent)]
    total = 0
    for x, y in combinations(range(len(near)), 2):
        if y in near[x]:
            first, second = near[x] - {y}, near[y] - {x}
            sizes = len(first), len(second)
            both = math.comb(len(first & second), order)
            total += sum(math.comb(size, order) for size in sizes) - both
    return total


def _sets(d: int, order: int) -> list[int]:
    """Return how many sets of each size from ``order`` on d − 2 columns have."""
    return [math.comb(d - 2, size) for size in range(order, d - 1)]


DELTA = 1e-12
"""δ of the released code's accounting."""


@seconds_as_tests(orders_by_rows)
def curate_released(
    data: CodedTable,
    *,
    epsilon: float,
    rng: Generator,
    alpha: float = 0.05,
    tweak: float = 0.005,
    max_order: int | None = None,
    **work: Unpack[Work],
) -> PrivatelyDiscovered:
    """Return what CURATE finds as the released code runs it, on all records (its q is 1).

    epsilon: in total, of which orders get their shares. alpha, tweak: T and half the width of the
    band around it (the code's T·β); an edge goes where p + Lap(Δ/ε) is above the band, by the toss
    of a coin within it. Δ: ``p_value_sensitivity_curate``. max_order: ``largest_order`` by default.
    work: see ``Work`` and ``seconds_as_tests``.

    Charges a test only where its noisy p-value is in the band or above it; the others are free. It
    is not ε-DP: they tell as much, their number depends on the data, and Δ is no bound. Each
    charged test is an ``Answer``; where δ = 1e-12 leaves less than nothing, the run ends (the code
    divides by 0).

    Departs from the code where that tests a pair given one set twice, and where it leaves out the
    last order of what it charges. Raises ``UsageError`` for arguments out of range.
    """
    total, level, band = positive(epsilon, "epsilon"), *check_band(alpha, tweak)
    unit, d = p_value_sensitivity_curate(data.n), len(data.names)
    short = data.collapsed()

    def decide(x: int, y: int, given: tuple[int, ...], share: float) -> tuple[bool, bool]:
        p = stratified_tau(short.tables(x, y, given)).p_value
        noisy = p + float(rng.laplace(scale=unit / share))
        gone = noisy > level + band
        return gone or (noisy > level - band and bool(rng.integers(2))), noisy > level - band

    plan = PlanReleased(d, total, DELTA, band / unit)
    tests = CuratedTests(d, plan, decide)
    skeleton = find_skeleton(d, tests, max_order=_order(data, max_order), stable=False, **work)
    paid = tuple(map(PureDP, plan.charged))
    spent = (
        SpentRounds(1, sum(plan.charged), paid)
        if paid
        else SpentRounds(0, total, one_answer(total))
    )
    return with_directions(data.names, skeleton, tests.answers, spent)


@seconds_as_tests(orders_by_rows)
def curate_repaired(
    data: CodedTable,
    *,
    epsilon: float,
    rounds: int,
    rng: Generator,
    alpha: float = 0.1,
    max_order: int | None = None,
    **work: Unpack[Work],
) -> PrivatelyDiscovered:
    """Return what CURATE finds with a proved sensitivity and every test paid for.

    epsilon: ε of each round. rounds: c, fixed beforehand; a round pays for noisy answers that add
    up to its ε (``PrivacyFilters``). alpha: see ``ProvedMargin``. max_order: ``largest_order`` by
    default. work: as of ``curate_released``.

    As an order begins, ``allot`` shares what is left of all rounds among it and the orders to come,
    by how many tests the edges that are left allow, and by how far independent columns lie from the
    threshold. All of that is public: n, the levels, and what was answered. Each test asked has
    noise Lap(1/ε_l) on a margin of sensitivity 1 and is charged ε_l, whatever it answers. Where
    nothing is left, the search ends and the edges that are left stay.

    Guarantee: under replacement of one record, what c mechanisms that are ε-DP promise together,
    for n and the columns' levels fixed beforehand. Charged are c rounds, however little was spent.
    Noise is drawn in floating point; only comparisons with it are released. Raises ``UsageError``
    for arguments out of range.
    """
    scale, limit = positive(epsilon, "epsilon"), natural(rounds, "rounds")
    margin = ProvedMargin(alpha, 0.0)
    ask, d = questions(data, margin, data.n).whole, len(data.names)
    order = _order(data, max_order)

    def decide(x: int, y: int, given: tuple[int, ...], share: float) -> tuple[bool, bool]:
        return ask(x, y, given) + float(rng.laplace(scale=1 / share)) >= 0, True

    plan = PlanOfFilters(data.n, data.levels, margin, order, limit, scale)
    tests = CuratedTests(d, plan, decide, lambda given: is_asked(data, given))
    skeleton = find_skeleton(d, tests, max_order=order, stable=False, **work)
    deleted = [answer for answer in tests.answers if answer.deleted]
    return with_directions(
        data.names, skeleton, deleted, SpentRounds(limit, scale, one_answer(scale))
    )


def check_band(alpha: float, tweak: float) -> tuple[float, float]:
    """Return the level and half the width of the band. Raises ``UsageError`` out of range."""
    if not 0 <= tweak < probability(alpha, "alpha"):
        raise UsageError(f"tweak is {tweak!r}: it must be at least 0 and below alpha, {alpha!r}")
    return float(alpha), float(tweak)


def _order(data: CodedTable, max_order: int | None) -> int:
    return largest_order(data.n, len(data.names)) if max_order is None else max_order


_FREE = CostFlaw(
    "a test whose noisy p-value is below the band is not charged, though it costs as much as any; "
    "the sensitivity taken for a p-value is no bound on it",
    ("curate2024/charge", "curate2024/sensitivity"),
)

_REPAIRED = Method(
    "curate",
    REPAIRED,
    "CURATE",
    curate_repaired,
    {"alpha": 0.1, "max_order": None},
    parts=one_answer,
    rounds=all_pairs,
    tests=orders_by_rows,
)
_PUBLISHED = {"alpha": 0.05, "tweak": 0.005, "max_order": None}

METHODS = (
    _REPAIRED,
    # The released code spends a total, not rounds.
    replace(
        _REPAIRED.published("released", curate_released, _PUBLISHED, _FREE), rounds=lambda *_: 1
    ),
)
