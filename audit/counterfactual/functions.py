"""Numpy's functions on noisy arrays: which are followed, and how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .linear import Linear, constant, joined, places_of
from .noisy import (
    FOLLOW,
    LEAST,
    MOST,
    NoisyArray,
    NoisyFloat,
    NoisyInt,
    combined,
    form_of,
    noisy,
    raw,
)
from .tape import DERIVED, Tape

_NOISY = (NoisyArray, NoisyFloat, NoisyInt)

_STRUCTURE = {
    *("reshape", "ravel", "transpose", "squeeze", "expand_dims", "swapaxes", "moveaxis"),
    *("flip", "fliplr", "flipud", "roll", "take", "repeat", "tile", "broadcast_to", "copy"),
    *("atleast_1d", "atleast_2d", "diagonal", "compress"),
}
_MOST_ROWS = 1000

_JOINS = {"concatenate", "stack", "hstack", "vstack", "column_stack"}


def array_ufunc(
    tape: Tape | None, ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Follow a universal function; where that cannot be done, compute it with plain values."""
    tape = tape or _tape_of(inputs)
    out = kwargs.pop("out", None)
    plain = tuple(map(raw, inputs))
    if tape is None or tape.full:
        return getattr(ufunc, method)(*plain, **kwargs, **_plain_out(out))
    if any(
        not isinstance(one, np.ndarray)
        and hasattr(one, "__array_ufunc__")
        and not isinstance(one, np.generic)
        for one in plain
    ):
        return NotImplemented  # A data frame knows better what to do with an array.
    if method == "__call__" and not kwargs:
        made = _called(tape, ufunc, inputs)
    elif method == "reduce":
        name = {"add": "sum", "maximum": "max", "minimum": "min"}.get(ufunc.__name__)
        kept = {key: one for key, one in kwargs.items() if key in ("axis", "keepdims")}
        kept.setdefault("axis", 0)
        simple = all(
            key in kept or one is None or one is np._NoValue or (key == "where" and one is True)
            for key, one in kwargs.items()
        )
        if name is not None and simple:
            made = array_function(tape, getattr(np, name), inputs[:1], kept)
        else:
            made = _unfollowed(tape, getattr(ufunc, method)(*plain, **kwargs), inputs)
    else:
        made = _unfollowed(tape, getattr(ufunc, method)(*plain, **kwargs), inputs)
    if out is None:
        return made
    target = out[0]
    plain_target = raw(target)
    # Casting is checked as it would be without us.
    getattr(ufunc, method)(*plain, **kwargs, out=(plain_target,))
    plain_target[...] = raw(made)
    if isinstance(target, NoisyArray):
        target._tape, target._form = tape, form_of(made).spread(target.shape)
    return target


def _plain_out(out: Any) -> dict[str, Any]:
    return {} if out is None else {"out": tuple(map(raw, out))}


def _called(tape: Tape, ufunc: Any, inputs: tuple[Any, ...]) -> Any:
    if ufunc.nout != 1:
        return _unfollowed(tape, ufunc(*map(raw, inputs)), inputs)
    try:
        return combined(tape, ufunc.__name__, ufunc, *inputs)
    except TypeError:
        return _unfollowed(tape, ufunc(*map(raw, inputs)), inputs)


def array_function(
    tape: Tape | None, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Follow another function of numpy; where that cannot be done, compute with plain values."""
    tape = tape or _tape_of((args, kwargs))
    plain_args, plain_kwargs = raw(args), raw(kwargs)
    if tape is None or tape.full:
        return func(*plain_args, **plain_kwargs)
    name = func.__name__
    follow: Callable[..., Any] | None = _FOLLOWED.get(name)
    if name in _STRUCTURE and args and isinstance(args[0], NoisyArray):
        value = func(*plain_args, **plain_kwargs)
        places = func(places_of(args[0].shape), *plain_args[1:], **plain_kwargs)
        return noisy(tape, value, form_of(args[0]).take(places))
    if name in _JOINS and args:
        return _join(tape, func, args, kwargs)
    if follow is not None:
        try:
            return follow(tape, func, args, kwargs)
        except (TypeError, ValueError, IndexError, KeyError):
            pass  # With such arguments it is not followed; what is wrong with them shows below.
    return _unfollowed(tape, func(*plain_args, **plain_kwargs), (args, kwargs))


def _tape_of(values: Any) -> Tape | None:
    for one in _noisy_in(values):
        if one._tape is not None:
            found: Tape = one._tape
            return found
    return None


def _noisy_in(values: Any) -> list[Any]:
    if isinstance(values, _NOISY):
        return [values]
    if isinstance(values, dict):
        values = values.values()
    elif not isinstance(values, list | tuple):
        return []
    return [found for one in values for found in _noisy_in(one)]


def _unfollowed(tape: Tape, value: Any, inputs: Any) -> Any:
    """Return a result as a number derived from all that it was computed of, where it is one."""
    forms = [form_of(one) for one in _noisy_in(inputs)]
    noise = tuple(form for form in forms if form.variables.size)
    if not noise:
        return value
    simple = isinstance(value, float | np.floating) or (
        isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.ndim
    )
    if simple and not isinstance(value, bool):
        found, form = tape.step(DERIVED, noise[0], value, noise)
        return noisy(tape, found, form)
    for form in noise:
        tape.step("perhaps", form, 0)
    if isinstance(value, np.ndarray | np.generic | int | bool):
        return tape.step("perhaps", noise[0], value)[0]
    return value


def _join(tape: Tape, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    parts = list(args[0])
    forms = [form_of(one) for one in parts]
    starts = np.cumsum([0, *(form.base.size for form in forms)])
    places = [places_of(form.shape) + start for form, start in zip(forms, starts, strict=False)]
    value = func(raw(parts), *raw(args[1:]), **kwargs)
    return noisy(tape, value, joined(forms).take(func(places, *raw(args[1:]), **kwargs)))


def _sum(
    tape: Tape, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *, mean: bool = False
) -> Any:
    (array, axis), kept = _axis(args, kwargs)
    value = func(raw(array), axis=axis, keepdims=kept)
    form = form_of(array)
    places = places_of(form.shape)
    shape = np.shape(np.sum(places, axis=axis, keepdims=True))
    groups = np.broadcast_to(places_of(shape), form.shape)
    added = form.added(groups, np.shape(value))
    if mean:
        added = added.times(added.base.size / max(form.base.size, 1))
    found, form = tape.step("sum", added, value)
    return noisy(tape, found, form)


def _mean(tape: Tape, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return _sum(tape, func, args, kwargs, mean=True)


def _axis(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, Any], bool]:
    rest = dict(kwargs)
    axis = rest.pop("axis", args[1] if len(args) > 1 else None)
    kept = rest.pop("keepdims", False)
    if len(args) > 2 or any(one is not None for one in rest.values()):
        raise TypeError("more arguments than are followed")
    return (args[0], axis), bool(kept) if kept is not np._NoValue else False


def _extreme(tape: Tape, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Follow argmax, argmin, max and min: the winner is compared with each of the others."""
    (array, axis), kept = _axis(args, kwargs)
    if np.ndim(raw(array)) == 2 and axis in (1, -1) and not kept and len(array) <= _MOST_ROWS:
        each = [_extreme(tape, func, (row,), {}) for row in array]
        return np.array(each) if func.__name__.startswith("arg") else array_of(tape, np.array, each)
    if axis not in (None, 0, -1) or kept or (axis is not None and np.ndim(raw(array)) > 1):
        raise TypeError("only of whole arrays, and of the rows of a table")
    name, plain = func.__name__, np.asarray(raw(array)).ravel()
    most = name in ("argmax", "max", "amax")
    flat = form_of(array).take(np.arange(plain.size))
    won = int((np.argmax if most else np.argmin)(plain))
    # The winner is an outcome of its own: the second run has the same.
    won = int(tape.step("winner", constant(0.0), won)[0])
    ahead = flat.take(np.full(plain.size, won)).plus(flat.times(-1.0))
    ahead = ahead.take(np.delete(np.arange(plain.size), won))
    tape.step(MOST if most else LEAST, ahead, np.ones(plain.size - 1, bool))
    if name.startswith("arg"):
        return np.intp(won)
    return noisy(tape, plain[won], flat.take(won))


def _where(tape: Tape, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if kwargs:
        raise TypeError("no keywords are followed")
    chosen, one, other = args
    value = func(raw(chosen), raw(one), raw(other))
    forms = [form_of(one), form_of(other)]
    places = func(
        raw(chosen), places_of(forms[0].shape), places_of(forms[1].shape) + forms[0].base.size
    )
    return noisy(tape, value, joined(forms).take(places))


_FOLLOWED: dict[str, Callable[..., Any]] = {
    "sum": _sum,
    "mean": _mean,
    "argmax": _extreme,
    "argmin": _extreme,
    "max": _extreme,
    "amax": _extreme,
    "min": _extreme,
    "amin": _extreme,
    "where": _where,
}


def array_of(tape: Tape, make: Callable[..., Any], values: Any, *args: Any, **kwargs: Any) -> Any:
    """Return an array of nested lists that hold noisy numbers; one that remembers them.

    make: numpy's ``array`` or ``asarray``.
    """
    held = _noisy_in(values)
    value = make(raw(values), *args, **kwargs)
    if not held or tape.full or value.dtype.kind not in "fiu":
        return value
    forms = _flat_forms(values)
    if forms is None or sum(form.base.size for form in forms) != value.size:
        return value
    return noisy(tape, value, joined(forms).take(places_of(value.shape)))


def _flat_forms(values: Any) -> list[Linear] | None:
    found: list[Linear] = []
    for one in values:
        if isinstance(one, list | tuple):
            below = _flat_forms(one)
            if below is None:
                return None
            found += below
            continue
        try:
            found.append(form_of(one))
        except TypeError:
            return None
    return found


FOLLOW.update(ufunc=array_ufunc, function=array_function)
