"""Limits that a call is held to wherever it is made, on another machine too: a process of its own.

A worker lives on, and so must not be confined itself: each call runs in a process that is started
for it, confined, and gone afterwards.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from provado.audit.workers import Broken, run_apart

from .confine import leave_network, limit_memory

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
        (found,) = run_apart([work], processes=1, time_limit=seconds)
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
