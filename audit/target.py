"""The mechanism under audit, called so that whatever it does is an answer."""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import random
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.audit.outputs import BrokenMechanismError
from provado.mechanisms import UsageError

STALL_SECONDS = 60.0
"""A batch that takes longer than this, and much longer than its like, counts as a hang."""


class NoAnswerError(BaseException):
    """Raised by the watchdog inside a call. Not an ``Exception``: a mechanism may catch those."""


@dataclass(frozen=True)
class Target:
    """A callable under audit and the protocol that its signature asks for.

    batched: it takes the keywords ``size`` and ``rng`` and returns ``size`` outputs at once.
    takes_rng: it takes ``rng``.
    """

    call: Callable[..., Any]
    name: str
    batched: bool
    takes_rng: bool

    @classmethod
    def of(cls, mechanism: Any, name: str | None = None) -> Target:
        """Read the protocol off the signature; raises ``UsageError`` for what cannot be called."""
        if not callable(mechanism):
            raise UsageError(
                f"mechanism is a {type(mechanism).__name__}: it must be callable as "
                "mechanism(data) or mechanism(data, size=…, rng=…)"
            )
        keywords = _keywords(mechanism)
        return cls(
            call=mechanism,
            name=name or _name(mechanism),
            batched={"size", "rng"} <= keywords,
            takes_rng="rng" in keywords,
        )

    def draw(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """Return ``size`` outputs along the first axis.

        Raises ``BrokenMechanismError`` where the mechanism raises.
        """
        try:
            if self.batched:
                return self.call(data, size=size, rng=rng)
            keywords = {"rng": rng} if self.takes_rng else {}
            return [self.call(data, **keywords) for _ in range(size)]
        except (Exception, SystemExit, GeneratorExit) as error:
            words = " ".join(str(error).split())[:300]
            raise BrokenMechanismError(f"raised {type(error).__name__}: {words}") from error


def _keywords(mechanism: Callable[..., Any]) -> set[str]:
    """Return the names of parameters that may be passed by keyword."""
    try:
        parameters = inspect.signature(mechanism).parameters.values()
    except (TypeError, ValueError):
        return set()
    named = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return {p.name for p in parameters if p.kind in named}


def _name(mechanism: Any) -> str:
    while isinstance(mechanism, functools.partial):
        mechanism = mechanism.func
    name = getattr(mechanism, "__qualname__", None) or type(mechanism).__qualname__
    return str(name)


@contextlib.contextmanager
def global_randomness() -> Iterator[Callable[[np.random.Generator], None]]:
    """Yield a function that seeds the global generators of ``random`` and ``numpy.random``.

    A mechanism that draws from them replays by seed like one that takes ``rng``. Both are put
    back as they were on the way out.
    """
    python_state, numpy_state = random.getstate(), np.random.get_state()  # noqa: NPY002

    def seed(rng: np.random.Generator) -> None:
        random.seed(int(rng.integers(2**62)))
        np.random.seed(int(rng.integers(2**32)))  # noqa: NPY002

    try:
        yield seed
    finally:
        random.setstate(python_state)
        np.random.set_state(numpy_state)  # noqa: NPY002


@contextlib.contextmanager
def watchdog(seconds: float) -> Iterator[None]:
    """Raise ``NoAnswerError`` inside the block once ``seconds`` have passed.

    Works in the main thread of a POSIX process, where a signal can interrupt Python code; the
    command line adds a hard limit by running each audit in a process of its own.
    """
    possible = threading.current_thread() is threading.main_thread() and hasattr(
        signal, "setitimer"
    )
    if not possible or seconds == math.inf or signal.getitimer(signal.ITIMER_REAL)[0] > 0:
        yield
        return

    def interrupt(*_: Any) -> None:
        raise NoAnswerError

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
