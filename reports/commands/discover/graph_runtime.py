"""What a graph search may cost in time, said before it begins; the data are not asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from provado.mechanisms.graph_discovery.methods.method import Counts, Method
from provado.mechanisms.graph_discovery.methods.runtime_estimate import (
    Table,
    at_order,
    tests_within,
    time_tests,
)
from provado.reports.text.formatting import lasting, plain

WORTH_TIMING = 100
"""Fewer tests may be done sooner than timed."""

_MOST = 10**15
"""More tests are not counted: they would take centuries."""


@dataclass(frozen=True)
class Bounded:
    """The most work that a search may do, and where it ends.

    by_order: the most tests at each order from 0 on. times: the seconds of a test at each order,
    as timed on columns that are made up, or ``None``. max_tests: where the search ends, if given.
    seconds: as asked for. by_clock: whether ``seconds`` end it by the clock; otherwise they are in
    ``max_tests``.
    """

    by_order: tuple[int, ...]
    times: tuple[float, ...] | None
    max_tests: int | None
    seconds: float | None
    by_clock: bool

    @property
    def tests(self) -> int | None:
        """The most tests in all; ``None`` for more than 10^15."""
        total = sum(self.by_order)
        return total if total <= _MOST else None

    @property
    def longest(self) -> float | None:
        """The seconds that all of them take; ``None`` where that is not known, or for ages."""
        if self.times is None or self.tests is None:
            return None
        by_order = enumerate(self.by_order)
        return sum(tests * at_order(self.times, order) for order, tests in by_order)

    def arguments(self) -> dict[str, Any]:
        """Return what the method takes."""
        found: dict[str, Any] = {}
        if self.max_tests is not None:
            found["max_tests"] = self.max_tests
        if self.by_clock:
            found["seconds"] = self.seconds
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the part ``work`` of a document of schema ``provado-graph/1``."""
        return {
            "most_tests": self.tests,
            "by_order": None if self.tests is None else list(self.by_order),
            "test_seconds": None if self.times is None else list(self.times),
            "longest": self.longest,
            "max_tests": self.max_tests,
            "seconds": self.seconds,
        }


def bounded(
    method: Method,
    table: Table,
    arguments: Mapping[str, Any],
    *,
    max_tests: int | None,
    seconds: float | None,
) -> Bounded:
    """Return what the search may cost; for a private method, ``seconds`` as tests.

    arguments: of the method. Tests are timed where there may be at least 100 of them, or where the
    time decides how many there are.
    """
    by_order = method.tests(len(table.names), table.n, arguments.get("max_order"))
    # What was released may be asked by the clock; and its tests are few.
    in_tests = seconds is not None and method.private and method.plan is None
    worth = method.plan is None and (sum(by_order) >= WORTH_TIMING or in_tests)
    times = time_tests(method.function, table, arguments) if worth else None
    if times is not None and seconds is not None and in_tests:
        fit = tests_within(seconds, times, len(by_order) - 1)
        max_tests = fit if max_tests is None else min(fit, max_tests)
    return Bounded(by_order, times, max_tests, seconds, seconds is not None and not in_tests)


def work_words(title: str, work: Bounded, counts: Counts = "tests") -> str:
    """Return on one line what the search may cost."""
    orders = len(work.by_order) - 1
    number = f"at most {work.tests:,}" if work.tests is not None else "perhaps more than 10^15"
    others = "no others" if not orders else f"up to {orders} other{'s' if orders > 1 else ''}"
    if counts == "tests":
        text = f"{title}: {number} tests, of two columns given {others}"
    else:
        text = f"{title}: {number} families, of a column and {others}, are scored"
    if work.times is not None:
        longest = "for ages" if work.longest is None else f"up to {lasting(work.longest)}"
        first, last = (f"{plain(1e3 * t, 2)} ms" for t in (work.times[0], max(work.times)))
        text += f"; {first} to {last} a test, timed on made-up columns: {longest}"
    if work.max_tests is not None:
        text += f"; it ends after {work.max_tests:,} {counts}"
    if work.by_clock and work.seconds is not None:
        text += f"; it ends after {lasting(work.seconds)}"
    if work.max_tests is None and not work.by_clock and work.times is not None:
        text += "; --max-tests or --seconds end it earlier, with the answer so far"
    return text
