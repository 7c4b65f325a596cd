"""Pieces of work in processes of their own: whatever happens there, the caller gets answers.

A piece of work may hang, crash its process or start others; none of that reaches the others.
"""

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from multiprocessing.connection import wait
from typing import Any, TypeVar

from provado.mechanisms import UsageError

from .child import GRACE, Broken, Child, Send
from .start import UnsendableError

T = TypeVar("T")
Work = Callable[[], T]


class InterruptedWorkError(KeyboardInterrupt):
    """An interrupt, with what there was by then: the outcome of every piece of work."""

    def __init__(self, outcomes: list[Any]) -> None:
        super().__init__("interrupted")
        self.outcomes = outcomes


def run_in_processes(
    work: Sequence[Work[T]] | Sequence[Callable[[Send], T]],
    *,
    processes: int,
    time_limit: float,
    finished: Callable[[int], None] = lambda _: None,
    heard: Callable[[int, Any], None] | None = None,
) -> list[T | Broken]:
    """Return what each piece of work returns, at most ``processes`` of them at a time.

    The values stand in the order of the work, whatever finished first. A piece that raises, ends
    its process or takes more than ``time_limit`` seconds comes back as ``Broken``. Only
    ``UsageError`` is the caller's to handle: it ends all work and is raised here. ``finished`` is
    told the index of each piece that is over. Where there is ``heard``, each piece gets a function
    to send messages with, and ``heard`` gets its index and the message; whatever it raises ends all
    work, too.

    On an interrupt (SIGINT, SIGTERM) what runs is interrupted too and has some seconds for its
    answer, then everything is killed, and ``InterruptedWorkError`` carries the outcomes.
    """
    outcomes: dict[int, T | Broken] = {}
    running: dict[int, tuple[Child[T], float]] = {}
    waiting = iter(enumerate(work))
    with _terminated_as_interrupt():
        try:
            while True:
                while len(running) < processes and (item := next(waiting, None)) is not None:
                    index, one = item
                    try:
                        child: Child[T] = Child(_sending(one, heard))
                    except UnsendableError as error:
                        outcomes[index] = Broken(f"it {error}")
                        finished(index)
                        continue
                    running[index] = child, time.monotonic() + child.begins + time_limit
                if not running:
                    return [outcomes[i] for i in range(len(work))]
                for index, outcome in _ready(running, time_limit, heard):
                    outcomes[index] = outcome
                    running.pop(index)[0].end()
                    finished(index)
        except KeyboardInterrupt:
            _stop(running, outcomes, heard)
            never = Broken("interrupted before it began")
            raise InterruptedWorkError([outcomes.get(i, never) for i in range(len(work))]) from None
        finally:
            for child, _ in running.values():
                child.end()


def _sending(work: Any, heard: Callable[[int, Any], None] | None) -> Callable[[Send], Any]:
    """Return work that takes a function to send with, whether it uses that or not."""
    return partial(_without_sending, work) if heard is None else work


def _without_sending(work: Work[T], _: Send) -> T:
    return work()


def _ready(
    running: dict[int, tuple[Child[T], float]],
    time_limit: float,
    heard: Callable[[int, Any], None] | None,
) -> Iterator[tuple[int, T | Broken]]:
    """Wait until some have answered, ended or run out of time, and yield their outcomes."""
    left = min(deadline for _, deadline in running.values()) - time.monotonic()
    left = min(left, 3600.0)  # Infinity is no time that the system can wait.
    handles = [handle for child, _ in running.values() for handle in child.handles]
    seen = set(wait(handles, timeout=max(left, 0)))
    now = time.monotonic()
    for index, (child, deadline) in list(running.items()):
        if not seen.isdisjoint(child.handles):
            outcome = _outcome(child, index, heard)
            if outcome is _BEGUN:
                running[index] = child, now + time_limit
                continue
            if outcome is not _NOTHING_YET:
                yield index, outcome
                continue
        if now >= deadline:
            yield index, Broken(f"no answer within {time_limit:g} seconds")


_NOTHING_YET: Any = object()
_BEGUN: Any = object()


def _outcome(child: Child[T], index: int, heard: Callable[[int, Any], None] | None) -> Any:
    """Return the outcome of a child, ``_NOTHING_YET`` where it only sent something on its way.

    ``_BEGUN`` where it was the word that its work begins.
    """
    kind, value = child.receive()
    if kind == "began":
        return _BEGUN
    while kind == "sent":
        if heard is not None:
            heard(index, value)
        if not child.answer.poll():
            return _NOTHING_YET
        kind, value = child.receive()
    if kind == "usage":
        raise UsageError(value)
    return value if kind == "value" else Broken(value)


def _stop(
    running: dict[int, tuple[Child[T], float]],
    outcomes: dict[int, T | Broken],
    heard: Callable[[int, Any], None] | None,
) -> None:
    """Ask everything to stop and take the answers that come within the grace."""
    until = time.monotonic() + GRACE
    for child, _ in running.values():
        child.ask_to_stop()
    for index, (child, _) in running.items():
        while wait(child.handles, timeout=max(until - time.monotonic(), 0)):
            with contextlib.suppress(UsageError):
                outcome = _outcome(child, index, heard)
                if outcome is _NOTHING_YET or outcome is _BEGUN:
                    continue
                outcomes[index] = outcome
            break
        outcomes.setdefault(index, Broken("interrupted"))


@contextlib.contextmanager
def _terminated_as_interrupt() -> Iterator[None]:
    """Let SIGTERM unwind the stack like Ctrl-C, so that no child is left behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
