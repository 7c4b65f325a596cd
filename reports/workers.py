"""Runs pieces of work in forked processes, each with a limit of time that is enforced by killing.

A piece of work may hang, crash its process or take its children with it; the others and the
caller do not notice. What comes back stands in the order of the work, whatever finished first.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import Any, Generic, TypeVar

from threadpoolctl import threadpool_limits

from provado.mechanisms import UsageError

T = TypeVar("T")
Work = Callable[[], T]


@dataclass(frozen=True)
class Broken:
    """What comes back instead of a value: why there is none."""

    reason: str


@dataclass
class _Running(Generic[T]):
    index: int
    process: ForkProcess
    answer: Connection
    deadline: float


def run_forked(
    work: Sequence[Work[T]],
    *,
    processes: int,
    time_limit: float,
    finished: Callable[[int], None] = lambda _: None,
) -> list[T | Broken]:
    """Return what each piece of work returns, at most ``processes`` of them at a time.

    A piece that raises, ends its process or takes more than ``time_limit`` seconds comes back as
    ``Broken``. Only ``UsageError`` is the caller's to handle: it ends all work and is raised here.
    ``finished`` is told the index of each piece that is over. Standard output of the work goes to
    standard error. On an interrupt everything that was started is killed first.
    """
    outcomes: dict[int, T | Broken] = {}
    running: list[_Running[T]] = []
    waiting = iter(enumerate(work))
    with _terminated_as_interrupt():
        try:
            while True:
                while len(running) < processes and (item := next(waiting, None)) is not None:
                    running.append(_start(*item, time_limit))
                if not running:
                    return [outcomes[i] for i in range(len(work))]
                for one in _ready(running):
                    outcomes[one.index] = _outcome(one, time_limit)
                    running.remove(one)
                    _end(one)
                    finished(one.index)
        finally:
            for one in running:
                _end(one)


def _start(index: int, work: Work[T], time_limit: float) -> _Running[T]:
    context = multiprocessing.get_context("fork")
    answer, send = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(work, send))
    with warnings.catch_warnings():
        # Linear algebra keeps idle threads; the child uses none of them.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    # Left open here, it would keep the pipe from ending with the child.
    send.close()
    return _Running(index, process, answer, time.monotonic() + time_limit)


def _child(work: Work[Any], send: Connection) -> None:
    """Run in a session of its own, so that the whole of it can be killed."""
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with contextlib.suppress(OSError):
        os.dup2(2, 1)
    sys.stdout = sys.stderr
    with threadpool_limits(1):
        try:
            send.send(("value", work()))
        except UsageError as error:
            send.send(("usage", str(error)))
        except BaseException as error:
            text = " ".join(str(error).split())
            kind = type(error).__name__
            send.send(("broken", f"{kind}: {text}" if text else kind))


def _ready(running: list[_Running[T]]) -> list[_Running[T]]:
    """Wait until some have answered, ended or run out of time, and return these."""
    left = min(one.deadline for one in running) - time.monotonic()
    handles = [handle for one in running for handle in (one.answer, one.process.sentinel)]
    seen = set(wait(handles, timeout=max(left, 0)))
    now = time.monotonic()
    return [
        one
        for one in running
        if one.answer in seen or one.process.sentinel in seen or now >= one.deadline
    ]


def _outcome(one: _Running[Any], time_limit: float) -> Any:
    try:
        if one.answer.poll():
            kind, value = one.answer.recv()
            if kind == "usage":
                raise UsageError(value)
            return value if kind == "value" else Broken(value)
    except (EOFError, OSError):
        pass
    code = _exit_code(one)
    if code is None:
        return Broken(f"no answer within {time_limit:g} seconds")
    if code < 0:
        return Broken(f"its process was killed by {_signal_name(-code)}")
    return Broken(f"its process ended with status {code} and no answer")


def _exit_code(one: _Running[Any]) -> int | None:
    """Return the status of a process that has ended or is about to, else ``None``."""
    patience = min(one.deadline, time.monotonic() + 5)
    while one.process.exitcode is None and time.monotonic() < patience:
        # The pipe and the sentinel close a moment before the system knows the status.
        time.sleep(0.002)
    return one.process.exitcode


def _end(one: _Running[T]) -> None:
    pid = one.process.pid
    assert pid is not None
    with contextlib.suppress(ProcessLookupError, PermissionError):
        # The child leads its own group; before it got that far, only itself can be killed.
        os.killpg(pid, signal.SIGKILL)
    one.process.kill()
    one.process.join()
    one.answer.close()


def _signal_name(number: int) -> str:
    with contextlib.suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"


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
