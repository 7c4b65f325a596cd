"""Limits of time and interrupts: what ends a call that does not end by itself."""

from __future__ import annotations

import contextlib
import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

STALL_SECONDS = 60.0
"""One call may always take so long; more only where others like it took their time, too."""

PATIENCE = 20.0
"""So many times as long as its like a batch may take."""

LATE = 0.5
"""So long after its time a call is interrupted; one that ends by itself before then is not. What
raises inside a call may leave a compiled library with objects that are half made."""

_CUT_SHORT: list[NoAnswerError] = []
"""What was raised inside calls, with all that their frames hold: never freed, since freeing what is
half made has crashed libraries."""


class NoAnswerError(BaseException):
    """Raised by the watch inside a call. Not an ``Exception``: a mechanism may catch those.

    interrupted: the user asked to stop; otherwise time ran out. spent: only the time that a part
    of the audit was given, which is no failure.
    """

    def __init__(self, reason: str, *, interrupted: bool = False, spent: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.interrupted, self.spent = reason, interrupted, spent


class Watch:
    """What one audit may take, in all and a batch.

    pace: the longest time an output that a batch took; mean: that of all batches together. The
    first call of all is left out, since it may import, connect and compile.
    """

    def __init__(
        self,
        time_limit: float = math.inf,
        *,
        armed: bool = False,
        block: float = math.inf,
        planned: float | None = None,
    ) -> None:
        self._armed, self._block, self._block_end = armed, block, math.inf
        self._planned = planned
        self._limit = time_limit
        self._end = time.monotonic() + time_limit
        self._part = math.inf
        self._due = math.inf
        self._stall = 0.0
        self._called = False
        self._inside = self._told = self._learning = self._interrupted = False
        self.pace = 0.0
        self._spent, self._outputs = 0.0, 0

    @contextlib.contextmanager
    def batch(self, size: int) -> Iterator[None]:
        """Limit one batch of ``size`` outputs."""
        self._inside = True
        self._arm(self.patience(size), LATE)
        started = time.monotonic()
        try:
            yield
            self._note(time.monotonic() - started, size)
        finally:
            self._inside = False
            self._arm(math.inf)

    @contextlib.contextmanager
    def calls(self) -> Iterator[Callable[[], None]]:
        """Limit calls one by one; yields a function to be called after each of them.

        It raises once time is over: then no call has to be interrupted.
        """
        self._inside = True
        self._arm(self.patience(1), LATE)
        armed = before = time.monotonic()

        def beat() -> None:
            nonlocal armed, before
            now = time.monotonic()
            self._note(now - before, 1)
            before = now
            if self._over_at(now):
                raise self.ended()
            if now > armed + 1:
                self._arm(self.patience(1), LATE)
                armed = now

        try:
            yield beat
        finally:
            self._inside = False
            self._arm(math.inf)

    def patience(self, size: int) -> float:
        """Return how many seconds a batch of ``size`` outputs may take; without end, with a limit.

        The limit of a block or of the audit, where there is one, is the user's word on what is too
        long. Where trials are planned to fill a time, a first batch may take
        that long or a minute, whatever the limit of the audit.
        """
        if math.isfinite(self._block):
            return self._block
        if math.isfinite(self._limit) and self._planned is None:
            return math.inf
        return max(STALL_SECONDS, PATIENCE * self.pace * size, self._planned or 0.0)

    @contextlib.contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Limit a part of the audit, whatever it does."""
        self._part = time.monotonic() + seconds
        self._arm(math.inf)
        try:
            yield
        finally:
            self._part = math.inf
            self._told = self.over
            self._arm(math.inf)

    @contextlib.contextmanager
    def block(self) -> Iterator[None]:
        """Limit what is drawn as one block, where blocks have a limit."""
        self._block_end = time.monotonic() + self._block
        try:
            yield
        finally:
            self._block_end = math.inf

    @contextlib.contextmanager
    def learning(self) -> Iterator[None]:
        """Let the auditor itself be interrupted, as calls of the mechanism always may be.

        Everywhere else it asks, between blocks, whether it is ``over``: what was counted must not
        get lost, nor a process be forked by half.
        """
        self._learning = True
        try:
            yield
        finally:
            self._learning = False

    @property
    def over(self) -> bool:
        """Whether a limit but that of a batch has passed, or the user asked to stop."""
        return self._over_at(time.monotonic())

    def _over_at(self, now: float) -> bool:
        return self._interrupted or now >= self._first_end

    @property
    def _first_end(self) -> float:
        return min(self._end, self._part, self._block_end)

    def ended(self) -> NoAnswerError:
        """Return what says why it is over."""
        if self._interrupted:
            return NoAnswerError("interrupted", interrupted=True)
        if time.monotonic() >= self._end:
            return NoAnswerError(f"no answer within {self._limit:g} s")
        if time.monotonic() >= self._block_end:
            return NoAnswerError(f"no answer within {self._block:g} s: a block takes longer")
        return NoAnswerError("its time was spent", spent=True)

    @property
    def interrupted(self) -> bool:
        """Whether the user asked to stop."""
        return self._interrupted

    @property
    def mean(self) -> float:
        """Return the mean time an output; 0 before there is any to take it of."""
        return self._spent / self._outputs if self._outputs else 0.0

    def _note(self, seconds: float, size: int) -> None:
        if self._called:
            self.pace = max(self.pace, seconds / size)
            self._spent += seconds
            self._outputs += size
        self._called = True

    def _arm(self, seconds: float, late: float = 0.0) -> None:
        """Ask for an alarm once ``seconds``, or the audit's limit and ``late``, have passed."""
        if not self._armed:
            return
        now = time.monotonic()
        self._stall = seconds
        self._due = min(self._first_end + late, now + seconds)
        left = max(self._due - now, 1e-3) if math.isfinite(self._due) else 0.0
        signal.setitimer(signal.ITIMER_REAL, left, 0.5 if left else 0.0)

    def alarm(self, *_: object) -> None:
        """Handle the alarm.

        A mechanism is told again and again, since it may catch what is raised; the auditor itself
        but once, since it then has to sum up.
        """
        if self._inside:
            if time.monotonic() >= self._due:
                hangs = NoAnswerError(f"no answer within {self._stall:.0f} s: a batch hangs")
                raise self._cut_short(self.ended() if self.over else hangs)
        elif self.over and self._learning and not self._told:
            self._told = True
            raise self.ended()

    def interrupt(self, *_: object) -> None:
        """Handle the interrupt of a user: what must not be disturbed ends by itself, if it can.

        A second one does not wait.
        """
        again, self._interrupted = self._interrupted, True
        if again or (self._learning and not self._inside):
            raise self.ended()
        if self._inside and not self._armed:
            raise self._cut_short(self.ended())
        if self._inside:
            self._arm(LATE)

    def _cut_short(self, error: NoAnswerError) -> NoAnswerError:
        self._told = self._told or self.over
        _CUT_SHORT.append(error)
        return error


UNWATCHED = Watch()


@contextlib.contextmanager
def watched(
    time_limit: float, block: float = math.inf, planned: float | None = None
) -> Iterator[Watch]:
    """Yield a watch over one audit; an interrupt raises ``NoAnswerError`` while it lasts.

    block: seconds that one block, or one batch of exploration, may take. planned: seconds that
    trials are planned to fill.

    Alarms work in the main thread of a POSIX process that has no alarm of its own set, where a
    signal can interrupt Python code. Elsewhere the limit is examined between blocks.
    """
    main = threading.current_thread() is threading.main_thread()
    alarms = main and hasattr(signal, "setitimer") and not signal.getitimer(signal.ITIMER_REAL)[0]
    watch = Watch(time_limit, armed=alarms, block=block, planned=planned)

    with contextlib.ExitStack() as handlers:
        if main and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            handlers.enter_context(_handling(signal.SIGINT, watch.interrupt))
        if alarms:
            handlers.enter_context(_handling(signal.SIGALRM, watch.alarm))
            handlers.callback(signal.setitimer, signal.ITIMER_REAL, 0)
            watch._arm(math.inf)
        yield watch


@contextlib.contextmanager
def _handling(number: signal.Signals, handler: Callable[..., Any]) -> Iterator[None]:
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)
