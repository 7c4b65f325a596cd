"""How much a search may do: so many tests, or so many seconds, and then the answer so far.

Every edge that is gone so far has been found independent; the edges that are left may not all have
been tested to the end.
"""

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypedDict, Unpack

from provado.mechanisms.definitions.parameters import natural, positive

Given = tuple[int, ...]
"""The columns that a test conditions on."""

Independent = Callable[[int, int, Given], bool]
"""Whether columns x and y are taken to be independent given the others."""

Answers = Callable[[int, int, Sequence[int], Iterator[Given]], Iterator[tuple[Given, float]]]
"""Answers for columns x and y given set after set, each with its set, in the order of the sets.

An answer is 0 where they are dependent, and above 0 where they are independent: the p-value where
the test has one, else 1. The third argument holds the columns from which the sets are drawn, all of
one size. Who asks may stop at the first independence; answers may be computed some sets ahead.
"""

Stop = Literal["rounds", "tests", "seconds", "tables"]
"""What ran out: a private method's rounds, ``max_tests``, ``seconds``, or the tables it planned."""


MostTests = Callable[[int, int, int | None], tuple[int, ...]]
"""The most tests at each order from 0 on, by d, n and the largest order that was asked for."""


class NoMoreTests(Exception):  # noqa: N818 - an agreed end, not an error
    """Raised by a test that will not be answered: the edges that are left stay."""

    def __init__(self, stop: Stop = "rounds") -> None:
        """Take what ran out."""
        super().__init__(stop)
        self.stop: Stop = stop


def end_of(seconds: float | None) -> float | None:
    """Return when so many seconds from now are over, by ``time.monotonic``; ``None`` of ``None``.

    Raises ``UsageError`` for seconds that are not above 0.
    """
    return None if seconds is None else time.monotonic() + positive(seconds, "seconds")


def seconds_until(end: float | None) -> float | None:
    """Return the seconds that are left until ``end``: above 0, as ``Work`` wants them."""
    return None if end is None else max(end - time.monotonic(), sys.float_info.min)


def is_over(end: float | None) -> bool:
    """Return whether ``end`` has come."""
    return end is not None and time.monotonic() >= end


class SearchOutcome:
    """What a search returns, which may have been ended early. stopped: what ran out, if any."""

    stopped: Stop | None

    @property
    def complete(self) -> bool:
        """Whether the search came to its end; if not, it is the answer so far."""
        return self.stopped is None


class Work(TypedDict, total=False):
    """What each method and search takes, by name, to end early; without, it goes on to its end.

    max_tests: the most tests that are asked, at least 1. For a private method it is post-processing
        if it is fixed beforehand: which test is the next depends on the answers so far alone, so
        that a caller with the answers of the whole run can cut it short.
    seconds: above 0; by the clock, examined before each test or some sets ahead. A private method
        that asks the records never looks at the clock, which would depend on the data: see
        ``seconds_as_tests``. One that asks what it released may.
    seen: called after each test, or each round of tests, with the order and how many tests.

    Arguments out of range are a ``UsageError``.
    """

    max_tests: int | None
    seconds: float | None
    seen: Callable[[int, int], None]


class OrderedWork(Work, total=False):
    """``Work``, and the largest order of the tests.

    max_order: how many columns a test conditions on at the most; by default as the method says.
    """

    max_order: int | None


class WorkLimiter:
    """Counts the tests of one search, looks at the clock, and ends it in time."""

    def __init__(self, **work: Unpack[Work]) -> None:
        """Start the clock. Raises ``UsageError`` for bounds out of range."""
        most = work.get("max_tests")
        self._most = math.inf if most is None else natural(most, "max_tests")
        self._end = end_of(work.get("seconds"))
        self._seen = work.get("seen")
        self.tests = 0

    def read(
        self, answers: Answers, x: int, y: int, around: Sequence[int], sets: Iterator[Given]
    ) -> Iterator[tuple[Given, float]]:
        """Yield the answers of ``answers``, and count each that is read.

        Raises ``NoMoreTests`` in place of an answer too many; no such test is asked.
        """
        stop: Stop | None = None

        def allowed() -> Iterator[Given]:
            nonlocal stop
            for number, given in enumerate(sets, self.tests + 1):
                stop = self._stop(number)
                if stop is not None:
                    return
                yield given

        for given, apart in answers(x, y, around, allowed()):
            self.count(len(given), 1)
            yield given, apart
        if stop is not None:
            raise NoMoreTests(stop)

    def allow(self, tests: int) -> None:
        """Raise ``NoMoreTests`` where tests that are asked together would be too many."""
        stop = self._stop(self.tests + tests)
        if stop is not None:
            raise NoMoreTests(stop)

    def count(self, order: int, tests: int) -> None:
        """Count tests that were asked."""
        self.tests += tests
        if self._seen is not None:
            self._seen(order, tests)

    def _stop(self, tests: int) -> Stop | None:
        if tests > self._most:
            return "tests"
        return "seconds" if is_over(self._end) else None


def most_tests(d: int, last: int) -> tuple[int, ...]:
    """Return the most tests that PC asks of ``d`` columns at each order from 0 to ``last``.

    All of a complete graph: each pair given each set of that size of the d − 2 others. Whatever is
    answered, there are no more.
    """
    return tuple(math.comb(d, 2) * math.comb(d - 2, k) for k in range(min(last, d - 2) + 1))
