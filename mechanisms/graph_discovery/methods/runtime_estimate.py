"""How long the tests of a method take, found out beforehand on columns that are made up.

Only what is public is used: the number of records, the columns' levels, and the method's own
parameters. So a private method may end after a given time without telling of the data.
"""

import time
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

from provado.mechanisms.definitions.parameters import positive

from ..search.work_limits import MostTests, NoMoreTests
from ..tables.coded import CodedTable
from ..tables.numeric import NumericTable

P = ParamSpec("P")
R = TypeVar("R")

Table = CodedTable | NumericTable

_COLUMNS = (3, 6)
"""How many are made up: three take six tests, six columns hundreds, of orders up to four."""

_QUICK = 0.1
"""Seconds: a method that took longer for three columns is not timed on six."""

_LONGEST = 0.5
"""Seconds, after which six columns are timed no further."""

_MOST_ROWS = 1 << 20
"""Of a made-up table of counts, whose combinations may be far more than those that occur."""

_KEEPS_EDGES = {"alpha": 0.49, "tweak": 0.0, "threshold": 0.999, "epsilon": 1000.0, "rounds": 1000}
"""Parameters at which columns that depend on each other stay joined, so that tests go on."""


def seconds_as_tests(tests: MostTests) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a private method take ``seconds`` as the tests that fit in, fixed beforehand.

    tests: the most that it asks, see ``Method``. As many are taken as fit in if each is of the
    dearest order (``tests_within``), timed on columns that are made up; the smaller of them and
    ``max_tests`` holds. Nothing depends on the data: the run itself never looks at the clock. It
    takes less than ``seconds``, mostly far less, as far as the timing is right: on a machine that
    gets busier, or where much else than tests takes time, it takes longer.
    """

    def converted(method: Callable[P, R]) -> Callable[P, R]:
        @wraps(method)
        def bounded(*args: P.args, **kwargs: P.kwargs) -> R:
            seconds = cast("float | None", kwargs.pop("seconds", None))
            if seconds is None:
                return method(*args, **kwargs)
            data = cast(Table, args[0] if args else kwargs["data"])
            most, order = (cast("int | None", kwargs.get(k)) for k in ("max_tests", "max_order"))
            last = len(tests(len(data.names), data.n, order)) - 1
            fit = tests_within(positive(seconds, "seconds"), time_tests(method, data, kwargs), last)
            kwargs["max_tests"] = fit if most is None else min(fit, most)
            return method(*args, **kwargs)

        return bounded

    return converted


def tests_within(seconds: float, times: tuple[float, ...], last: int) -> int:
    """Return how many tests take at most ``seconds``, whatever their orders up to ``last``.

    times: see ``time_tests``. At least 1.
    """
    return max(1, int(seconds / max(at_order(times, k) for k in range(last + 1))))


def at_order(times: tuple[float, ...], order: int) -> float:
    """Return the seconds of a test at an order; beyond those timed, by the columns it reads."""
    if order < len(times):
        return times[order]
    return times[-1] * (order + 2) / (len(times) + 1)


def time_tests(
    method: Callable[..., Any], data: Table, arguments: Mapping[str, Any]
) -> tuple[float, ...]:
    """Return the seconds that a test takes at each order from 0 on, up to the fourth at most.

    method: takes a table and ``Work``. data: gives the form of the table only: its records' number,
    levels, and whether it holds counts. arguments: of the method; its level, ε and rounds are
    replaced, so that tests go on. Takes about half a second, or six tests.
    """
    own = {k: v for k, v in arguments.items() if k not in ("data", "max_tests", "seen")}
    own |= {k: v for k, v in _KEEPS_EDGES.items() if k in own}
    result: tuple[float, ...] = ()
    for number in _COLUMNS:
        if "rng" in own:
            own["rng"] = np.random.default_rng(0)
        clock = _Clock(_LONGEST if result else None)
        method(_made_up(data, min(number, len(data.names))), **own, seen=clock.seen)
        result = max(result, clock.times(), key=len)
        if clock.total > _QUICK or number >= len(data.names):
            break
    return result


class _Clock:
    """Adds up the time between tests by their order."""

    def __init__(self, longest: float | None) -> None:
        self._longest, self.total = longest, 0.0
        self._since = time.perf_counter()
        self._spent: list[list[tuple[float, int]]] = []

    def seen(self, order: int, tests: int) -> None:
        """Note tests that ended now; ends the search where it has gone on for long enough."""
        now = time.perf_counter()
        while len(self._spent) <= order:
            self._spent.append([])
        self._spent[order].append((now - self._since, tests))
        self.total, self._since = self.total + now - self._since, now
        if self._longest is not None and self.total > self._longest:
            raise NoMoreTests("seconds")

    def times(self) -> tuple[float, ...]:
        """Return the mean seconds of a test at each order.

        The first of an order is left out, if there are others: it may set the order up. Where none
        was told of, all counts as one test.
        """
        if not self._spent:
            return (time.perf_counter() - self._since,)
        later = [spent[1:] or spent for spent in self._spent]
        return tuple(sum(s for s, _ in some) / sum(t for _, t in some) for some in later)


def _made_up(data: Table, number: int) -> Table:
    """Return so many columns of the form of ``data``, each of them half the same as the others."""
    rng = np.random.default_rng(0)
    if isinstance(data, NumericTable):
        noise = rng.uniform(-0.5, 0.5, (number, data.n))
        return NumericTable(data.names[:number], noise + rng.uniform(-0.5, 0.5, data.n))
    # Those of the most levels, whose tables are the largest.
    levels = sorted(data.levels, reverse=True)[:number]
    n = rows = data.n
    if data.counts is not None:
        rows = min(n, _MOST_ROWS)
    shared = rng.random(rows)
    noise = np.where(rng.random((number, rows)) < 0.5, shared, rng.random((number, rows)))
    codes = (noise * np.array(levels)[:, None]).astype(data.codes.dtype)
    # However few the records are, the columns vary.
    codes[:, :1], codes[:, 1:2] = 0, np.minimum(np.array(levels) - 1, 1)[:, None]
    counts = None
    if data.counts is not None:
        counts = np.full(rows, n // rows)
        counts[0] += n % rows
    # Whether a table is collapsed depends on n and the levels alone; few columns would always be.
    kind = _AsItIs if data.collapsed() is data else CodedTable
    return kind(data.names[:number], tuple(levels), codes, counts, n)


class _AsItIs(CodedTable):
    """A table of few columns that takes as long as one of many: its rows are not counted first."""

    def collapsed(self) -> CodedTable:
        """Return the table itself."""
        return self
