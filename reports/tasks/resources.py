"""What a run may use, processes of this machine and others, and what its calls are held to.

Its counts are the same with or without. A worker lives on, and so must not be confined itself: each
call that is held to limits runs in a process that is started for it, confined, and gone afterwards.
"""

import contextlib
import ctypes
import errno
import importlib
import math
import mmap
import multiprocessing
import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from provado.audit import workers as apart
from provado.audit.options.domains import MOST_SECONDS
from provado.audit.workers import Broken, Child, Send, Work, one_thread
from provado.mechanisms import Mechanism, UsageError
from provado.mechanisms.definitions.parameters import optional
from provado.reports.text.formatting import clean

T = TypeVar("T")

MOST_PRINTED = 1000
"""Characters that are shown of what a mechanism prints."""


class LimitError(Exception):
    """What ended a call that was held to limits, or why it cannot be held to them."""


@dataclass(frozen=True)
class Limits:
    """What a process may use.

    memory: bytes beyond what it begins with. no_network: it has none. block_limit: seconds that one
    call may take.
    """

    memory: int | None = None
    no_network: bool = False
    block_limit: float | None = None

    @property
    def any(self) -> bool:
        """Whether there is any limit."""
        return self.confines or self.block_limit is not None

    @property
    def confines(self) -> bool:
        """Whether a process has to be confined for it."""
        return self.memory is not None or self.no_network

    def confine(self) -> None:
        """Hold this process, and all that it starts, to the limits but that of time."""
        if self.no_network:
            leave_network()
        if self.memory is not None:
            limit_memory(self.memory)


NO_LIMITS = Limits()


def held_to(limits: Limits, call: Callable[..., T], /, *given: Any) -> T:
    """Return what a call gives in a process that is held to the limits; a worker calls this.

    Raises ``LimitError`` where it takes too long, raises or ends, and ``UsageError`` where this
    system cannot hold it to them.
    """
    work = partial(_within, limits, call, *given)
    seconds = math.inf if limits.block_limit is None else limits.block_limit
    with _may_fork():
        (result,) = apart.run_in_processes([work], processes=1, time_limit=seconds)
    if isinstance(result, Broken):
        raise LimitError(result.reason)
    return result


def _within(limits: Limits, call: Callable[..., T], *given: Any) -> T:
    limits.confine()
    return call(*given)


@contextlib.contextmanager
def _may_fork() -> Iterator[None]:
    """Let a daemon have a child: a daemon's would outlive it, but ours die with who forked them.

    Workers that a nanny of Dask looks after are daemons.
    """
    config: dict[str, Any] = vars(multiprocessing.current_process())["_config"]
    before = config.get("daemon", False)
    config["daemon"] = False
    try:
        yield
    finally:
        config["daemon"] = before


_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_SYS_ADMIN = 21
"""The number of the right to make namespaces."""


def limit_memory(most: int) -> None:
    """Let this process, and each that it starts, take so many bytes more than it has now.

    Raises ``UsageError`` where the system does not say how much that is. What asks for more gets a
    ``MemoryError``.
    """
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError) as error:
        raise UsageError("--memory: only Linux says how much a process has") from error
    import resource  # Windows has none.

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    limit = pages * resource.getpagesize() + most
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def leave_network() -> None:
    """Let this process, and each that it starts, have no network, not even to itself.

    Raises ``UsageError`` where the system does not let it: it takes Linux, and the right to make a
    namespace.
    """
    # A user who is not the administrator needs a namespace of users, too.
    _unshare(_NEW_NETWORK, _NEW_USER | _NEW_NETWORK)


def may_leave_network() -> None:
    """Get the right to leave the network later, where this process has it not: a user namespace.

    Only a process with a single thread can get it. Raises ``UsageError`` as ``leave_network``.
    """
    if not _administers():
        _unshare(_NEW_USER)


def _administers() -> bool:
    """Return whether this process may make namespaces of any kind."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").split("\n")
    except OSError:
        return False
    rights = next((line.split()[1] for line in lines if line.startswith("CapEff:")), "0")
    return bool(int(rights, 16) >> _SYS_ADMIN & 1)


def _unshare(*kinds: int) -> None:
    """Enter new namespaces of the first of these kinds that the system allows."""
    unshare: Callable[[int], int] | None = None
    if sys.platform.startswith("linux"):
        unshare = getattr(ctypes.CDLL(None, use_errno=True), "unshare", None)
    if unshare is None:
        raise UsageError("--no-network: only Linux can take the network from a process")
    for flags in kinds:
        if unshare(flags) == 0:
            return
    code = ctypes.get_errno()
    words = os.strerror(code)
    if code in (errno.EPERM, errno.EINVAL, errno.ENOSPC, errno.ENOSYS):
        words += " (the system or the container lets nobody but its administrator do so)"
    raise UsageError(f"--no-network: the network cannot be taken away here: {words}")


def check_confinable(confine: Callable[[], None]) -> None:
    """Confine a process that ends at once; raise ``UsageError`` where that cannot be done."""
    child: Child[None] = Child(lambda _: confine())
    kind, value = "began", None
    try:
        while kind == "began":
            kind, value = child.receive() if child.answer.poll(60) else ("ended", "no answer")
    finally:
        with contextlib.suppress(OSError):
            child.end()
    if kind != "value":
        raise UsageError(str(value))


PATIENCE = 10.0
"""Seconds that a scheduler has to answer."""

ANSWER = 30.0
"""Seconds that a worker has to say whether it can keep the limits."""


def check_executor(text: str) -> None:
    """Raise ``UsageError`` unless the scheduler that is named answers, and its client is there.

    Where it does not answer the cause is the system's error.
    """
    host, port = _address(text)
    optional("distributed", "--executor", "dask")
    try:
        socket.create_connection((host, port), timeout=PATIENCE).close()
    except OSError as error:
        raise UsageError(f"--executor {text}: {error.strerror or error}") from error


def _address(text: str) -> tuple[str, int]:
    rule = f"--executor: {text!r} must be dask://HOST:PORT, the address of a Dask scheduler"
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(rule) from error
    if parts.scheme != "dask" or not host or port is None or parts.path or parts.query:
        raise UsageError(rule)
    return host, port


class DaskExecutor(Executor):
    """The workers of a Dask cluster; connected to when first needed, in the process that needs it.

    A block whose worker is lost is drawn by another. limits: what each block is held to.
    """

    def __init__(self, text: str, limits: Limits = NO_LIMITS) -> None:
        self._host, self._port = _address(text)
        self._limits = limits
        self._client: Any = None
        self._inner: Executor | None = None

    def submit(self, call: Callable[..., T], /, *given: Any, **named: Any) -> Future[T]:
        """Hand a call over."""
        inner = self.connect()
        if self._limits.any:
            return inner.submit(held_to, self._limits, partial(call, **named), *given)
        return inner.submit(call, *given, **named)

    def connect(self) -> Executor:
        """Connect now, unless that was done; return the workers as Dask's own executor."""
        if self._inner is None:
            place = f"tcp://{self._host}:{self._port}"
            self._client = optional("distributed", "--executor", "dask").Client(
                place, timeout=PATIENCE, set_as_default=False, name="provado"
            )
            self._inner = self._client.get_executor(pure=False)
        return self._inner

    def check(self) -> None:
        """Raise ``UsageError`` for the first worker there is that cannot keep the limits."""
        self.connect()
        asked = {
            place: self._client.submit(held_to, self._limits, bool, workers=[place], pure=False)
            for place in self._client.nthreads()
        }
        for place, answer in asked.items():
            try:
                answer.result(timeout=ANSWER)
            except Exception as error:  # whatever a worker may raise
                words = " ".join(str(error).split())
                raise UsageError(f"--executor: the worker {place}: {words}") from None

    def shutdown(self, *_: Any, **__: Any) -> None:
        """Leave the cluster as it was found."""
        if self._client is not None:
            with contextlib.suppress(Exception):
                self._client.close(timeout=PATIENCE)
            self._client = self._inner = None


def check_workers(text: str, limits: Limits) -> None:
    """Raise ``UsageError`` for a worker that cannot keep the limits, of those there are."""
    with DaskExecutor(text, limits) as executor:
        executor.check()


def pickle_by_value(mechanism: Any) -> None:
    """Let the code of a user's own file be sent with the mechanism: no worker has that file.

    What is installed is looked for where the worker is.
    """
    call = mechanism.run if isinstance(mechanism, Mechanism) else mechanism
    name = getattr(call, "__module__", None) or type(call).__module__
    module = sys.modules.get(name)
    file = getattr(module, "__file__", None)
    if module is None or file is None:
        return
    installed = any(part in ("site-packages", "dist-packages") for part in Path(file).parts)
    if installed or name.partition(".")[0] in ("provado", *sys.stdlib_module_names):
        return
    with contextlib.suppress(ImportError):
        importlib.import_module("cloudpickle").register_pickle_by_value(module)


@dataclass(frozen=True)
class RunResources(Limits):
    """What each process of an audit is held to, and who draws.

    executor: the address of workers that draw the certifying blocks, which are held to all limits.
    verbose: all that the mechanism prints is passed on.
    """

    executor: str | None = None
    verbose: bool = False

    def check(self) -> None:
        """Raise ``UsageError`` where something of it is not to be had, here or on a worker."""
        if self.executor is not None:
            check_executor(self.executor)
        if self.confines:
            check_confinable(self.confine)
            if self.executor is not None:
                # In a process of its own, which takes the threads of a client along.
                check_confinable(partial(check_workers, self.executor, self))

    @contextlib.contextmanager
    def arguments(self, *sent: Any) -> Iterator[dict[str, Any]]:
        """Confine this process, and yield the arguments of ``audit`` that say what it may use.

        sent: what an executor is handed, and may need the user's own file for.
        """
        more = {} if self.block_limit is None else {"block_limit": self.block_limit}
        if self.executor is None:
            self.confine()
            yield more
            return
        if self.no_network:
            may_leave_network()
        for item in sent:
            pickle_by_value(item)
        with DaskExecutor(self.executor, self) as executor:
            if self.no_network:
                # Its threads keep the network, which this one, and what it starts, is to lose.
                executor.connect()
            self.confine()
            yield more | {"executor": executor}


NO_RESOURCES = RunResources()


def run_in_processes(
    work: Sequence[Work[T]] | Sequence[Callable[[Send], T]],
    *,
    processes: int,
    time_limit: float,
    finished: Callable[[int], None] = lambda _: None,
    heard: Callable[[int, Any], None] | None = None,
    verbose: bool = False,
) -> list[T | Broken]:
    """Do as ``audit.workers.run_in_processes``; what the work prints goes to standard error.

    Of each piece of work that is its first lines, unless ``verbose``. Linear algebra keeps to one
    thread: there are processes enough.
    """
    with one_thread():
        return apart.run_in_processes(
            [partial(_quietly, item, verbose) for item in work],
            processes=processes,
            time_limit=time_limit,
            finished=finished,
            heard=heard,
        )


def completed(work: Sequence[Work[T]], *, redacted: bool = False, about: str = "") -> list[T]:
    """Return what each piece of work gives, in a process of its own; print why others give none.

    What a mechanism prints must not end up in the JSON, and where it ends its process, this one
    goes on. about: begins the complaint. redacted: whether it leaves values out.
    """
    # Here, so that the commands that list and help load without scipy.
    from provado.reports.text.redact import masked

    done: list[T] = []
    for outcome in run_in_processes(work, processes=1, time_limit=MOST_SECONDS):
        if isinstance(outcome, Broken):
            reason = masked(outcome.reason) if redacted else outcome.reason
            print(f"provado: not completed: {clean(f'{about}{reason}')}", file=sys.stderr)
        else:
            done.append(outcome)
    return done


def _quietly(work: Callable[..., T], verbose: bool, *send: Send) -> T:
    with contextlib.suppress(OSError):
        os.dup2(2, 1)
    sys.stdout = sys.stderr = sys.stderr if verbose else FirstLines(sys.stderr)
    return work(*send)


class FirstLines:
    """A stream that passes on ``MOST_PRINTED`` characters, from all processes forked meanwhile."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self._count = memoryview(mmap.mmap(-1, 8)).cast("q")

    def write(self, text: str) -> int:
        """Pass a text on, or the part of it that may still be passed on."""
        left = MOST_PRINTED - self._count[0]
        self._count[0] += len(text)
        if left >= 0:
            self.stream.write(text[:left])
            if len(text) > left:
                self.stream.write("\n… more is printed, which provado audit --verbose shows\n")
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Pass lines on, as far as they may be."""
        self.write("".join(lines))

    def __getattr__(self, name: str) -> Any:
        """Be the stream in all else."""
        return getattr(self.stream, name)


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
