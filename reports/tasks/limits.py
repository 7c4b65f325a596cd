"""Limits that a call is held to wherever it is made, on another machine too: a process of its own.

A worker lives on, and so must not be confined itself: each call runs in a process that is started
for it, confined, and gone afterwards.
"""

import contextlib
import ctypes
import errno
import math
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from provado.audit.workers import Broken, Child, run_in_processes
from provado.mechanisms import UsageError

T = TypeVar("T")


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
        (found,) = run_in_processes([work], processes=1, time_limit=seconds)
    if isinstance(found, Broken):
        raise LimitError(found.reason)
    return found


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
    # Whoever is not the administrator needs a namespace of users, too.
    _unshare(_NEW_NETWORK, _NEW_USER | _NEW_NETWORK)


def may_leave_network() -> None:
    """Get the right to leave the network later, where this process has it not: a user namespace.

    Only a process with a single thread can get it. Raises ``UsageError`` as ``leave_network``.
    """
    if not _administers():
        _unshare(_NEW_USER)


def _administers() -> bool:
    """Tell whether this process may make namespaces of any kind."""
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
