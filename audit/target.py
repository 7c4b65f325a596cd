"""The mechanism under audit, called so that whatever it does is an answer."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.mechanisms import UsageError
from provado.mechanisms.adapters.interpreter import Elsewhere, InterpreterError
from provado.mechanisms.statement.intervention import cut

from .outputs import BrokenMechanismError
from .watch import UNWATCHED, Watch


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

    @property
    def notes(self) -> tuple[str, ...]:
        """What a report should say of where it runs; nothing where that is here."""
        return self.call.notes if isinstance(self.call, Elsewhere) else ()

    def draw(self, data: Any, size: int, rng: np.random.Generator, watch: Watch = UNWATCHED) -> Any:
        """Return ``size`` outputs along the first axis.

        Raises ``BrokenMechanismError`` where the mechanism raises, and what ``watch`` raises.
        """
        if not self.batched:
            return list(self.draw_each((data for _ in range(size)), rng, watch))
        with watch.batch(size), _answering():
            return self.call(data, size=size, rng=rng)

    def draw_each(
        self, data: Iterable[Any], rng: np.random.Generator, watch: Watch = UNWATCHED
    ) -> Iterator[Any]:
        """Yield one output for each dataset, of a mechanism that is called one by one."""
        call = functools.partial(self.call, rng=rng) if self.takes_rng else self.call
        if isinstance(self.call, Elsewhere):
            # Many calls are made there at a time: the way to and fro costs more than most calls.
            data = call = self.call.ahead(data, rng)
        with watch.calls() as beat:
            for one in data:
                with _answering():
                    output = call(one)
                beat()
                yield output


class _answering:  # noqa: N801 - reads as a statement; a class, since it is entered for each call
    """Turn whatever a mechanism raises into ``BrokenMechanismError``.

    An interrupt of the user comes as what the watch raises, so a ``KeyboardInterrupt`` is the
    mechanism's own.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, _: object) -> None:
        if isinstance(error, InterpreterError):
            raise BrokenMechanismError(str(error)) from error
        if isinstance(error, (Exception, SystemExit, GeneratorExit, KeyboardInterrupt)):
            words = cut(" ".join(str(error).split()), 300)
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
