"""The mechanism under audit, called so that whatever it does is an answer."""

from __future__ import annotations

import functools
import inspect
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from provado.audit.target.exceptions import Raised
from provado.audit.target.output_encoding import BrokenMechanismError
from provado.audit.workers.time_limits import UNWATCHED, Watch
from provado.mechanisms import UsageError
from provado.mechanisms.adapters.interpreter import InterpreterError, OtherInterpreter
from provado.mechanisms.definitions.relation import one_line

RAISES = (Exception, SystemExit)
"""What a mechanism raises of its own."""


class RaisedError(BrokenMechanismError):
    """The mechanism raised an exception that may depend on the data."""


@dataclass(frozen=True)
class Target:
    """A callable under audit and the protocol that its signature asks for.

    batched: it takes the keywords ``size`` and ``rng`` and returns ``size`` outputs at once.
    takes_rng: it takes ``rng``. sized: it takes ``size``, too, and is called with 1. catches: what
    a single call raises is its output, a ``Raised``. read: makes something readable of each output.
    """

    call: Callable[..., Any]
    name: str
    batched: bool
    takes_rng: bool
    sized: bool = False
    catches: bool = False
    read: Callable[[Any], Any] | None = None

    @classmethod
    def of(
        cls, mechanism: Any, name: str | None = None, read: Callable[[Any], Any] | None = None
    ) -> Target:
        """Read the protocol off the signature; raises ``UsageError`` for what cannot be called."""
        if not callable(mechanism):
            raise UsageError(
                f"mechanism is of type {type(mechanism).__name__}: it must be callable as "
                "mechanism(data) or mechanism(data, size=…, rng=…)"
            )
        if read is None and inspect.iscoroutinefunction(mechanism):
            raise UsageError(
                f"{_name(mechanism)} is an async function, which has no output before it is run: "
                "give a function that runs it, or read=asyncio.run (--read asyncio:run)"
            )
        keywords = _keywords(mechanism)
        return cls(
            call=mechanism,
            name=name or _name(mechanism),
            batched={"size", "rng"} <= keywords,
            takes_rng="rng" in keywords,
            read=read,
        )

    def catching(self, *, single: bool = False) -> Target:
        """Return it with exceptions as outputs; where ``single``, called one by one."""
        single = single and self.batched
        return replace(
            self, batched=self.batched and not single, sized=single or self.sized, catches=True
        )

    def once(self, rng: np.random.Generator) -> Callable[[Any], Any]:
        """Return a function that makes one run; whatever it raises is raised."""
        keywords: dict[str, Any] = {"rng": rng} if self.takes_rng else {}
        if not self.sized:
            return functools.partial(self.call, **keywords)
        call = functools.partial(self.call, **keywords, size=1)
        return lambda data: _only(call(data))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a report should say of where it runs; nothing where that is here."""
        return self.call.notes if isinstance(self.call, OtherInterpreter) else ()

    def draw(self, data: Any, size: int, rng: np.random.Generator, watch: Watch = UNWATCHED) -> Any:
        """Return ``size`` outputs along the first axis.

        Raises ``BrokenMechanismError`` where the mechanism raises, and what ``watch`` raises.
        """
        if not self.batched:
            return list(self.draw_each((data for _ in range(size)), rng, watch))
        with watch.batch(size), _answering():
            outputs = self.call(data, size=size, rng=rng)
            return outputs if self.read is None else [self.as_read(output) for output in outputs]

    def draw_each(
        self, data: Iterable[Any], rng: np.random.Generator, watch: Watch = UNWATCHED
    ) -> Iterator[Any]:
        """Yield one output for each dataset, of a mechanism that is called one by one."""
        keywords: dict[str, Any] = {"rng": rng} if self.takes_rng else {}
        if self.sized:
            keywords["size"] = 1
        call: Callable[..., Any] = functools.partial(self.call, **keywords)
        if isinstance(self.call, OtherInterpreter) and not self.sized:
            # Many calls are made there at a time: the way to and fro costs more than most calls.
            data = call = self.call.batched_calls(data, rng)
        with watch.calls() as beat:
            for record in data:
                with _answering():
                    output = self._answer(call, record)
                beat()
                yield output

    def _answer(self, call: Callable[..., Any], data: Any) -> Any:
        try:
            output = call(data)
        except (MemoryError, InterpreterError):
            raise
        except RAISES as error:
            if not self.catches:
                raise
            return Raised.of(error)
        return self.as_read(_only(output) if self.sized else output)

    def as_read(self, output: Any) -> Any:
        """Return an output as ``read`` makes it; what that raises is no output."""
        if self.read is None:
            return output
        try:
            return self.read(output)
        except Exception as error:
            raise BrokenMechanismError(
                f"returned a {type(output).__name__}, which read={function_name(self.read)} cannot "
                f"read: it raised {one_line(error)}"
            ) from error


class _answering:  # noqa: N801 - reads as a statement; a class, since it is entered for each call
    """Turn whatever a mechanism raises into ``BrokenMechanismError``.

    An interrupt of the user comes as what the watch raises, so a ``KeyboardInterrupt`` is the
    mechanism's own.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, _: object) -> None:
        if isinstance(error, BrokenMechanismError):
            return
        if isinstance(error, InterpreterError):
            raise BrokenMechanismError(str(error)) from error
        if isinstance(error, (Exception, SystemExit, GeneratorExit, KeyboardInterrupt)):
            kind = BrokenMechanismError
            if isinstance(error, RAISES) and not isinstance(error, MemoryError):
                kind = RaisedError
            raise kind(f"raised {one_line(error)}") from error


def _only(outputs: Any) -> Any:
    """Return the one output of a batch of one; of a frame the whole, with all its labels."""
    if hasattr(outputs, "to_numpy") and len(outputs) == 1:
        return outputs
    if not isinstance(outputs, np.ndarray | list | tuple) or (
        isinstance(outputs, np.ndarray) and outputs.ndim == 0
    ):
        raise BrokenMechanismError(f"returned a {type(outputs).__name__} for a batch")
    if len(outputs) != 1:
        raise BrokenMechanismError(f"returned {len(outputs)} outputs where 1 was requested")
    return outputs[0]


def _keywords(mechanism: Callable[..., Any]) -> set[str]:
    """Return the names of parameters that may be passed by keyword."""
    try:
        parameters = inspect.signature(mechanism).parameters.values()
    except (TypeError, ValueError):
        return set()
    named = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return {p.name for p in parameters if p.kind in named}


def function_name(function: Any) -> str:
    """Return the name of a function with its module, for a report."""
    module = getattr(function, "__module__", None) or "__main__"
    return _name(function) if module == "__main__" else f"{module}.{_name(function)}"


def _name(mechanism: Any) -> str:
    while isinstance(mechanism, functools.partial):
        mechanism = mechanism.func
    name = getattr(mechanism, "__qualname__", None) or type(mechanism).__qualname__
    return str(name)


NOTE = (
    "run time was a part of the output: it depends on all else that the machine does, so that a "
    "violation in it may be of this machine alone, and none here may be one elsewhere; whether "
    "runs depend on each other was not checked"
)


class Timed:
    """A mechanism whose output is what it answers and the seconds that it took, run by run.

    The coin of each trial is tossed anew, so that a machine that grows slower tells nothing: given
    all that came before, a guess is right as often as the claim allows, and no more.
    """

    def __init__(self, target: Target) -> None:
        self._target = target.catching(single=True) if target.batched else target

    def __call__(self, data: Any, rng: np.random.Generator) -> dict[str, Any]:
        """Answer once."""
        call = self._target.once(rng)
        started = time.perf_counter_ns()
        answer = call(data)
        ended = time.perf_counter_ns()
        return {"output": self._target.as_read(answer), "seconds": (ended - started) / 1e9}


def timed(target: Target) -> Target:
    """Return a mechanism, called one by one, with its run time in its output."""
    return Target(call=Timed(target), name=target.name, batched=False, takes_rng=True)
