"""Hypothesis as a search that follows from its arguments, whatever else is loaded."""

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def without_local_constants() -> Iterator[None]:
    """Keep Hypothesis from trying constants that it finds in the modules loaded so far.

    With them the same search would take another way in another process: under a test runner, or
    where it is replayed. A version of Hypothesis that has no such constants is left alone.
    """
    providers: Any = importlib.import_module("hypothesis.internal.conjecture.providers")
    name = "_get_local_constants"
    result = getattr(providers, name, None)
    if result is None:
        yield
        return
    none = providers.Constants()
    providers.CONSTANTS_CACHE.cache.clear()
    setattr(providers, name, lambda: none)
    try:
        yield
    finally:
        setattr(providers, name, result)
        providers.CONSTANTS_CACHE.cache.clear()
