"""Work in other processes as the command line does it: standard output is kept for results."""

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from provado.audit import workers as apart
from provado.audit.workers import Broken, Send, Work, one_thread

__all__ = ["Broken", "run_in_processes"]

T = TypeVar("T")


def run_in_processes(
    work: Sequence[Work[T]] | Sequence[Callable[[Send], T]],
    *,
    processes: int,
    time_limit: float,
    finished: Callable[[int], None] = lambda _: None,
    heard: Callable[[int, Any], None] | None = None,
) -> list[T | Broken]:
    """Do as ``audit.workers.run_in_processes``; what the work prints goes to standard error.

    Linear algebra keeps to one thread: there are processes enough.
    """
    with one_thread():
        return apart.run_in_processes(
            [partial(_quietly, one) for one in work],
            processes=processes,
            time_limit=time_limit,
            finished=finished,
            heard=heard,
        )


def _quietly(work: Callable[..., T], *send: Send) -> T:
    with contextlib.suppress(OSError):
        os.dup2(2, 1)
    sys.stdout = sys.stderr
    return work(*send)


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
