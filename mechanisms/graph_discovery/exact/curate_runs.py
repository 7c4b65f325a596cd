"""CURATE on few columns as a mechanism: every course with its probability.

Tests do not share noise, so that a course's probability is a product. The ε of a test depends on
the answers before it; each course is replayed through the very classes that the method runs.
"""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from provado.mechanisms.definitions.parameters import UsageError, natural, positive
from provado.mechanisms.noise.quadrature import laplace_below
from provado.mechanisms.scores.conditional_ranks import p_value_sensitivity_curate

from ..independence_tests.margin import ProvedMargin
from ..methods import curate
from ..methods.rounds import questions
from ..search.cpdag import orient
from ..search.search_tree import MOST_COLUMNS, Asked, graph_code
from ..search.skeleton import find_skeleton
from ..search.work_limits import NoMoreTests
from ..tables.coded import CodedTable
from ..tables.contingency import stratified_tau
from .graph_distribution import RunsByDistribution, coded_records

Outcome = tuple[bool, bool]
"""Whether the edge goes, and whether the test is charged."""

Chances = Callable[[Asked, float], dict[Outcome, float]]
"""The probability of each outcome of a test at an ε."""


def curate_repaired_runs(
    records: ArrayLike,
    *,
    alpha: float,
    epsilon: float,
    rounds: int,
    max_order: int,
    levels: int = 2,
) -> RunsByDistribution:
    """Return the runs of ``curate_repaired`` on records of 2 or 3 columns.

    records, levels: as of ``coded_records``. Others, guarantee and errors as of that method.
    """
    return _repaired(_cells(records, levels), levels, alpha, epsilon, rounds, max_order)


def curate_released_runs(
    records: ArrayLike,
    *,
    epsilon: float,
    max_order: int,
    alpha: float = 0.05,
    tweak: float = 0.005,
    levels: int = 2,
) -> RunsByDistribution:
    """Return the runs of ``curate_released`` on records of 2 or 3 columns; arguments as of it."""
    return _released(_cells(records, levels), levels, alpha, tweak, epsilon, max_order)


Cells = tuple[tuple[tuple[int, ...], int], ...]
"""Each record that occurs, and how often: all that a run depends on."""


@lru_cache(maxsize=64)
def _repaired(
    cells: Cells, levels: int, alpha: float, epsilon: float, rounds: int, max_order: int
) -> RunsByDistribution:
    table, margin = _table(cells, levels), ProvedMargin(alpha, 0.0)
    scale, limit = positive(epsilon, "epsilon"), natural(rounds, "rounds")
    ask = cache(questions(table, margin, table.n).whole)

    def chances(question: Asked, share: float) -> dict[Outcome, float]:
        gone = _above(ask(*question), 0.0, 1 / share)
        return {(True, True): gone, (False, True): 1 - gone}

    return _runs(
        table,
        lambda: curate.PlanOfFilters(table.n, table.levels, margin, max_order, limit, scale),
        chances,
        max_order,
        lambda given: curate.is_asked(table, given),
    )


@lru_cache(maxsize=64)
def _released(
    cells: Cells, levels: int, alpha: float, tweak: float, epsilon: float, max_order: int
) -> RunsByDistribution:
    table, (level, band) = _table(cells, levels), curate.check_band(alpha, tweak)
    unit, total = p_value_sensitivity_curate(table.n), positive(epsilon, "epsilon")

    @cache
    def p_value(question: Asked) -> float:
        return stratified_tau(table.tables(*question)).p_value

    def chances(question: Asked, share: float) -> dict[Outcome, float]:
        p = p_value(question)
        above, seen = (_above(p, level + side * band, unit / share) for side in (1, -1))
        coin = (seen - above) / 2
        return {(True, True): above + coin, (False, True): coin, (False, False): 1 - seen}

    def plan() -> curate.PlanReleased:
        return curate.PlanReleased(len(table.names), total, curate.DELTA, band / unit)

    return _runs(table, plan, chances, max_order, lambda _: True)


def _cells(records: ArrayLike, levels: int) -> Cells:
    """Return the records counted. Raises ``UsageError`` as ``coded_records`` does, and for 4 up."""
    table = coded_records(records, levels)
    d = len(table.names)
    if not 2 <= d <= MOST_COLUMNS:
        raise UsageError(
            f"records have {d} columns: all courses are listed for 2 to {MOST_COLUMNS}"
        )
    short = table.onto(range(d))
    assert short.counts is not None
    return tuple(zip(map(tuple, short.codes.T.tolist()), short.counts.tolist(), strict=True))


def _table(cells: Cells, levels: int) -> CodedTable:
    values, times = zip(*cells, strict=True)
    return coded_records(np.repeat(values, times, axis=0), levels)


def _above(value: float, level: float, scale: float) -> float:
    """Return Pr[value + Lap(scale) ≥ level]."""
    return float(laplace_below(np.array([value - level]), scale)[0])


def _runs(
    table: CodedTable,
    plan: Callable[[], curate.BudgetSchedule],
    chances: Chances,
    max_order: int,
    asked: Callable[[tuple[int, ...]], bool],
) -> RunsByDistribution:
    """Follow every course: outcomes so far are replayed, then the next test is looked up."""

    def follow(outcomes: tuple[Outcome, ...], chance: float) -> Iterator[tuple[int, float]]:
        left, pending = iter(outcomes), list[tuple[Asked, float]]()

        def replay(x: int, y: int, given: tuple[int, ...], share: float) -> Outcome:
            for outcome in left:
                return outcome
            pending.append(((x, y, given), share))
            raise NoMoreTests

        tests = curate.CuratedTests(len(table.names), plan(), replay, asked)
        skeleton = find_skeleton(len(table.names), tests, max_order=max_order, stable=False)
        if not pending:
            yield graph_code(orient(skeleton)), chance
            return
        for outcome, share in chances(*pending[0]).items():
            yield from follow((*outcomes, outcome), chance * share)

    return RunsByDistribution.of(follow((), 1.0))
