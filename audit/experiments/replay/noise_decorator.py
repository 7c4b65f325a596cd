"""``noise``: marks a function of the user's own that adds noise, so that a replay knows it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from provado.mechanisms import UsageError

from .noisy_values import form_of, noisy, raw
from .recording import FAMILIES, Tape

F = TypeVar("F", bound=Callable[..., Any])

ACTIVE: list[Tape] = []
"""The tape of the run that goes on, where one does."""


def noise(
    *,
    scale: float | str | Callable[..., float],
    sensitivity: float | str | Callable[..., float] | None = None,
    family: str = "laplace",
) -> Callable[[F], F]:
    """Mark a function as one that adds noise to its first argument, for counterfactual replays.

    scale: of the noise: a number, the name of a parameter, or a function of all arguments.
    sensitivity: by how much the first argument may move between neighbors, given in the same ways.
    family: ``"laplace"``, ``"gaussian"``, ``"exponential"`` (one-sided, geometric noise too),
        ``"gumbel"``, ``"logistic"``, ``"uniform"``, or ``"other"``.

    A replay takes what the function returns for its first argument plus noise of that scale. What
    it draws inside is its own affair. Without a replay the function is called as it is.

    Raises ``UsageError`` for an unknown family.
    """
    if family not in FAMILIES:
        raise UsageError(f"family is {family!r}: it must be one of {', '.join(FAMILIES)}")

    def mark(function: F) -> F:
        signature = inspect.signature(function)
        for stated in (scale, sensitivity):
            if isinstance(stated, str) and stated not in signature.parameters:
                raise UsageError(f"noise: {function.__qualname__} has no parameter {stated!r}")

        @functools.wraps(function)
        def marked(*args: Any, **kwargs: Any) -> Any:
            if not ACTIVE or ACTIVE[-1].inside:
                return function(*args, **kwargs)
            tape = ACTIVE[-1]
            with tape.library():
                value = function(*raw(args), **raw(kwargs))
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            return _noted(tape, function, value, bound.arguments)

        return marked  # type: ignore[return-value]

    def _noted(tape: Tape, function: Any, value: Any, given: dict[str, Any]) -> Any:
        first = next(iter(given.values()))
        try:
            form_of(first), form_of(value)
        except TypeError:
            return value  # It is no noise on numbers.
        call, value = tape.record(
            function.__qualname__,
            value,
            {},
            family=family,
            scale=_stated(scale, given),
            sensitivity=None if sensitivity is None else float(_stated(sensitivity, given)),
        )
        return noisy(tape, *tape.noisy_value(call, value, form_of(first)))

    return mark


def _stated(stated: Any, given: dict[str, Any]) -> Any:
    if isinstance(stated, str):
        stated = given[stated]
    elif callable(stated):
        stated = stated(**given)
    value = np.asarray(raw(stated), dtype=float)
    return value if value.ndim else float(value)
