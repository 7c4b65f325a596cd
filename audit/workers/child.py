"""Work in processes of its own: whatever happens there, the caller gets answers.

A piece of work may hang, crash its process or start others; none of that reaches other pieces. Each
runs in a session of its own, so that all that it started is killed with it, and dies with the
process that started it, even where that one is killed by a signal that nobody can catch. What uses
OpenMP keeps to one thread: it hangs where a forked process takes more.
"""

import contextlib
import ctypes
import functools
import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.relation import one_line

from . import start
from .start import UnsendableError

T = TypeVar("T")
Send = Callable[[Any], None]

GRACE = 5.0
"""Seconds that work which was asked to stop has for its answer."""

BEGINS = 120.0
"""Seconds after which a forked process that did nothing yet never will: it takes milliseconds. A
new one has so many to import what its work needs."""


@dataclass(frozen=True)
class Broken:
    """Returned instead of a value: the reason why there is none."""

    reason: str


class Child(Generic[T]):
    """One piece of work in a process; ``handles`` can be waited for, ``receive`` reads.

    work: gets a function that sends a message to this process, and returns its value. Raises
    ``UsageError`` where no process can be started, and ``UnsendableError`` where a new one cannot
    be sent the work. begins: how many seconds it may take before its work begins, which a limit on
    the work does not count; a message says that it did.
    """

    def __init__(self, work: Callable[[Send], T]) -> None:
        method = start.start_method()
        if not method:
            raise UsageError(start.NO_PROCESS)
        forks = method == "fork"
        context = multiprocessing.get_context(method)
        self.answer, send = context.Pipe(duplex=False)
        self._never = ""
        # Found here, so that no forked process has to look for them.
        _death_signal()
        start.look_for_libraries()
        other = self.answer if forks else None
        given = (work if forks else start.Carried(work), send, other, os.getpid())
        # mypy knows no common constructor of the contexts' processes.
        self.process: BaseProcess = context.Process(target=_run, args=given)  # type: ignore[attr-defined]
        try:
            with (
                warnings.catch_warnings(),
                contextlib.nullcontext() if forks else start.without_main(),
            ):
                # Linear algebra keeps idle threads; the child uses none of them.
                warnings.simplefilter("ignore", DeprecationWarning)
                self.process.start()
        except BaseException:
            self.answer.close()
            raise
        finally:
            # Left open here, it would keep the pipe from ending with the child.
            send.close()
        self.begins = 0.0 if forks else BEGINS
        if forks:
            self._wait_for_start()

    def _wait_for_start(self) -> None:
        """Wait for its first word; what libraries do on a fork may keep it from that for ever."""
        try:
            if self.answer.poll(BEGINS):
                self.answer.recv()
                return
        except (EOFError, OSError):
            return  # It has ended; ``receive`` says how.
        except BaseException:
            self.end()
            raise
        self._never = (
            "a library that is loaded here does not stand a fork: the forked process never began "
            f"({start.START}=spawn starts new ones)"
        )
        self.process.kill()

    @property
    def handles(self) -> tuple[Connection, int]:
        """What ``multiprocessing.connection.wait`` can wait for: a message, or the end."""
        return self.answer, self.process.sentinel

    def receive(self) -> tuple[str, Any]:
        """Return the next message, of a child that has one or has ended.

        ``("began", None)`` of a new process, ``("sent", message)``, ``("value", value)``,
        ``("usage", words)`` of a ``UsageError``, ``("raised", words)`` of any other exception, or
        ``("ended", reason)`` where the process ended without an answer.
        """
        try:
            if self.answer.poll():
                kind, value = self.answer.recv()
                return kind, value
        except (EOFError, OSError):
            pass
        if self._never:
            return "ended", self._never
        code = self._exit_code()
        if code is None:
            return "ended", "its process closed its pipe without an answer"
        if code < 0:
            return "ended", f"its process was killed by {_signal_name(-code)}"
        return "ended", f"its process ended with status {code} and no answer"

    def ask_to_stop(self) -> None:
        """Interrupt the work as Ctrl-C would; whether it heeds that is its own affair.

        Windows has no such signal: there it is only waited for.
        """
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(self._pid, signal.SIGINT)

    def end(self) -> None:
        """Kill the process and what it started, if they are still there."""
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                # The child leads its own group; before it got that far, only itself can be killed.
                os.killpg(self._pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        self.answer.close()

    @property
    def _pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    def _exit_code(self) -> int | None:
        """Return the status of a process that has ended or is about to, else ``None``."""
        patience = time.monotonic() + GRACE
        while self.process.exitcode is None and time.monotonic() < patience:
            # The pipe and the sentinel close a moment before the system knows the status.
            time.sleep(0.002)
        return self.process.exitcode


@contextlib.contextmanager
def waiting(work: Callable[[Connection, Send], T]) -> Iterator[tuple[Connection, Child[T | None]]]:
    """Start a process that waits until it is asked over a line, and end it on the way out.

    work: gets its end of the line, and a function that sends a message.
    """
    line, other = multiprocessing.Pipe()
    child = Child(partial(_on_its_line, work, other, line))
    other.close()
    try:
        yield line, child
    finally:
        line.close()
        child.end()


def _on_its_line(
    work: Callable[[Connection, Send], T], line: Connection, other: Connection, send: Send
) -> T | None:
    other.close()
    with contextlib.suppress(EOFError):  # It is asked for nothing more.
        return work(line, send)
    return None


def _run(
    work: Callable[[Send], Any] | start.Parcel,
    send: Connection,
    other: Connection | None,
    parent: int,
) -> None:
    """Run in a session of its own, so that the whole of it can be killed.

    other: the end of the pipe that a forked process has inherited.
    """
    if sys.platform != "win32":
        os.setsid()
    _die_with(parent)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if other is not None:
        other.close()
    # What the parent made is left alone by the collector, which would copy it all by touching it.
    gc.freeze()
    with start.one_thread("openmp"):
        try:
            try:
                # What it takes to import a library is not the work's.
                work = work.arrived() if isinstance(work, start.Parcel) else work
            finally:
                send.send(("began", None))
            send.send(("value", work(lambda message: send.send(("sent", message)))))
        except UsageError as error:
            send.send(("usage", str(error)))
        except BaseException as error:
            # A parent that was killed reads no more; this process is about to follow it.
            with contextlib.suppress(OSError):
                send.send(("raised", one_line(error)))


@functools.cache
def _death_signal() -> Callable[[int, int], int] | None:
    """Return Linux's ``prctl``, where there is one."""
    if not sys.platform.startswith("linux"):
        return None
    prctl: Callable[[int, int], int] | None = getattr(ctypes.CDLL(None), "prctl", None)
    return prctl


def _die_with(parent: int) -> None:
    """See to it that this process is killed once ``parent`` has ended, however it did."""
    prctl = _death_signal()
    if prctl is not None:
        prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    else:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if sys.platform != "win32" and os.getppid() != parent:
        _end()


def _watch(parent: int) -> None:
    above = multiprocessing.parent_process()
    if above is not None:
        wait([above.sentinel])
    while sys.platform != "win32" and os.getppid() == parent:
        time.sleep(0.5)
    _end()


def _end() -> None:
    if sys.platform != "win32":
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _signal_name(number: int) -> str:
    with contextlib.suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"


Work = Callable[[], T]


class InterruptedWorkError(KeyboardInterrupt):
    """An interrupt, with what there was so far: the outcome of every piece of work."""

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
