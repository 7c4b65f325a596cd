"""Linear algebra kept to one thread: processes there are enough."""

from __future__ import annotations

import contextlib
import functools
import sys
from typing import Any

from threadpoolctl import ThreadpoolController


def one_thread(kind: str | None = None) -> contextlib.AbstractContextManager[Any]:
    """Keep linear algebra to one thread for a while: all of it, or a ``kind`` (blas, openmp).

    What is at one thread already is left alone: OpenBLAS, when it is told so in a forked process,
    starts the threads that it had, and these spin for a tenth of a second.
    """
    libraries = look_for_libraries()
    if any(one["num_threads"] > 1 for one in libraries.info() if kind in (None, one["user_api"])):
        limit: contextlib.AbstractContextManager[Any] = libraries.limit(limits=1, user_api=kind)
        return limit
    return contextlib.nullcontext()


def look_for_libraries() -> ThreadpoolController:
    """Return the loaded libraries that have threads, as they were found last."""
    return _libraries(len(sys.modules))


@functools.lru_cache(maxsize=1)
def _libraries(_modules: int) -> ThreadpoolController:
    """Return the loaded libraries that have threads; looked for anew once more was imported."""
    return ThreadpoolController()
