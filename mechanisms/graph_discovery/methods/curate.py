"""CURATE, its constraint-based part, on discrete columns: as released and repaired.

PC whose tests of one order share an ε, chosen as the order begins by a surrogate of the error
probability under what is left of a total (``order_budget``). Each test has Laplace noise.

Source: Bhattacharjee and Tandon, CURATE: Scaling-Up Differentially Private Causal Graph Discovery
(2024), and the authors' released code. The body of the text was not at hand; what is implemented is
the code. What is wrong with it: the ledger's ``curate2024/charge`` and ``curate2024/sensitivity``.
"""

from __future__ import annotations

from typing import Unpack

import numpy as np

from provado.mechanisms.definitions import PureDP, UsageError
from provado.mechanisms.definitions.parameters import natural, positive, probability
from provado.mechanisms.graph_discovery.independence_tests.margin import ProvedMargin
from provado.mechanisms.graph_discovery.search.skeleton import find_skeleton, largest_order
from provado.mechanisms.graph_discovery.search.work import Work
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.mechanisms.graph_discovery.tables.contingency import stratified_tau
from provado.mechanisms.scores.conditional_ranks import p_value_sensitivity_curate

from .budget import Spent
from .curate_tests import CuratedTests, PlanOfLanes, PlanReleased, is_asked
from .method import REPAIRED, Flaw, Method, all_pairs, one_answer, orders_by_rows
from .private_search import PrivatelyDiscovered, with_directions
from .rounds import questions
from .runtime_estimate import seconds_as_tests

DELTA = 1e-12
"""δ of the released code's accounting."""


@seconds_as_tests(orders_by_rows)
def curate_released(
    data: CodedTable,
    *,
    epsilon: float,
    rng: np.random.Generator,
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
    found = find_skeleton(d, tests, max_order=_order(data, max_order), stable=False, **work)
    paid = tuple(map(PureDP, plan.charged))
    spent = Spent(1, sum(plan.charged), paid) if paid else Spent(0, total, one_answer(total))
    return with_directions(data.names, found, tests.answers, spent)


@seconds_as_tests(orders_by_rows)
def curate_repaired(
    data: CodedTable,
    *,
    epsilon: float,
    rounds: int,
    rng: np.random.Generator,
    alpha: float = 0.1,
    max_order: int | None = None,
    **work: Unpack[Work],
) -> PrivatelyDiscovered:
    """Return what CURATE finds with a proved sensitivity and every test paid for.

    epsilon: ε of each round. rounds: c, fixed beforehand; a round pays for noisy answers that add
    up to its ε, see ``Lanes``. alpha: see ``ProvedMargin``. max_order: ``largest_order`` by
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

    plan = PlanOfLanes(data.n, data.levels, margin, order, limit, scale)
    tests = CuratedTests(d, plan, decide, lambda given: is_asked(data, given))
    found = find_skeleton(d, tests, max_order=order, stable=False, **work)
    deleted = [answer for answer in tests.answers if answer.deleted]
    return with_directions(data.names, found, deleted, Spent(limit, scale, one_answer(scale)))


def check_band(alpha: float, tweak: float) -> tuple[float, float]:
    """Return the level and half the width of the band. Raises ``UsageError`` out of range."""
    if not 0 <= tweak < probability(alpha, "alpha"):
        raise UsageError(f"tweak is {tweak!r}: it must be at least 0 and below alpha, {alpha!r}")
    return float(alpha), float(tweak)


def _order(data: CodedTable, max_order: int | None) -> int:
    return largest_order(data.n, len(data.names)) if max_order is None else max_order


def _once(d: int, n: int, max_order: int | None) -> int:
    """Return 1: the released code spends a total, not rounds."""
    del d, n, max_order
    return 1


_FREE = Flaw(
    "a test whose noisy p-value is below the band is not charged, though it tells as much as any; "
    "the sensitivity taken for a p-value is no bound on it",
    ("curate2024/charge", "curate2024/sensitivity"),
)

METHODS = (
    Method(
        "curate",
        REPAIRED,
        "CURATE",
        curate_repaired,
        {"alpha": 0.1, "max_order": None},
        parts=one_answer,
        rounds=all_pairs,
        tests=orders_by_rows,
    ),
    Method(
        "curate",
        "released",
        "CURATE",
        curate_released,
        {"alpha": 0.05, "tweak": 0.005, "max_order": None},
        parts=one_answer,
        rounds=_once,
        tests=orders_by_rows,
        flaw=_FREE,
    ),
)
