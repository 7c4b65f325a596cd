"""Work in forked processes as the command line does it: standard output is kept for results."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from provado.audit import processes as forked
from provado.audit.processes import Broken, Send, Work, one_thread

__all__ = ["Broken", "run_forked"]

T = TypeVar("T")


def run_forked(
    work: Sequence[Work[T]] | Sequence[Callable[[Send], T]],
    *,
    processes: int,
    time_limit: float,
    finished: Callable[[int], None] = lambda _: None,
    heard: Callable[[int, Any], None] | None = None,
) -> list[T | Broken]:
    """Do as ``provado.audit.processes.run_forked``; what the work prints goes to standard error.

    Linear algebra keeps to one thread: there are processes enough.
    """
    with one_thread():
        return forked.run_forked(
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
