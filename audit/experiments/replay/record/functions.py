"""Numpy's functions on noisy arrays: which are followed, and how."""

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import noisy_values
from .linear import constant, joined, places_of
from .recording import DERIVED, Tape

_NOISY = (noisy_values.NoisyArray, noisy_values.NoisyFloat, noisy_values.NoisyInt)
_REAL = "biuf"

_MOVE = {
    *("reshape", "ravel", "transpose", "squeeze", "expand_dims", "swapaxes", "moveaxis"),
    *("flip", "fliplr", "flipud", "roll", "take", "repeat", "tile", "broadcast_to", "copy"),
    *("atleast_1d", "atleast_2d", "atleast_3d", "diagonal", "compress", "extract", "rot90"),
    *("concatenate", "stack", "hstack", "vstack", "dstack", "column_stack", "block"),
    *("append", "insert", "delete", "pad", "resize", "where", "select", "choose", "rollaxis"),
    *("take_along_axis", "diag", "tril", "triu"),
}
"""Functions that only move elements, by arguments without noise."""

_PLACE = {"put", "place", "putmask", "copyto", "put_along_axis", "fill_diagonal"}
"""Functions that move elements into their first argument."""

Args = tuple[Any, ...]
Kwargs = dict[str, Any]
"""Arguments of numpy's functions, by position and by name."""

_MARK = 2.0**40
_MOST_ROWS = 1000


def array_ufunc(tape: Tape | None, ufunc: Any, method: str, inputs: Args, kwargs: Kwargs) -> Any:
    """Follow a universal function; where that cannot be done, compute it with plain values."""
    tape = tape or _tape_of(inputs)
    out = kwargs.pop("out", None)
    plain = tuple(map(noisy_values.raw, inputs))
    if tape is None or tape.full:
        return getattr(ufunc, method)(*plain, **kwargs, **_plain_out(out))
    others = [item for item in plain if not isinstance(item, np.ndarray | np.generic)]
    if any(hasattr(other, "__array_ufunc__") for other in others):
        return NotImplemented  # A data frame knows better what to do with an array.
    made: Any = None
    if method == "__call__" and not kwargs:
        made = _called(tape, ufunc, inputs)
    elif method == "reduce":
        name = {"add": "sum", "maximum": "max", "minimum": "min"}.get(ufunc.__name__)
        kept = {"axis": 0} | {key: kwargs[key] for key in ("axis", "keepdims") if key in kwargs}
        simple = all(
            key in kept or item is None or item is np._NoValue or (key == "where" and item is True)
            for key, item in kwargs.items()
        )
        if name is not None and simple:
            made = array_function(tape, getattr(np, name), inputs[:1], kept)
    if made is None:
        # Where a mask leaves elements out, they stay as they are.
        before = None if out is None else tuple(np.array(noisy_values.raw(item)) for item in out)
        computed = getattr(ufunc, method)(*plain, **kwargs, **_plain_out(before))
        made = unfollowed(tape, computed, (inputs, out))
    if out is None:
        return made
    target = out[0]
    plain_target = noisy_values.raw(target)
    # Casting is checked as it would be without us.
    getattr(ufunc, method)(*plain, **kwargs, out=(plain_target,))
    plain_target[...] = noisy_values.raw(made)
    if isinstance(target, noisy_values.NoisyArray):
        target._tape, target._form = tape, noisy_values.form_of(made).spread(target.shape)
    return target


def _plain_out(out: Any) -> dict[str, Any]:
    return {} if out is None else {"out": tuple(map(noisy_values.raw, out))}


def _called(tape: Tape, ufunc: Any, inputs: Args) -> Any:
    if ufunc.nout != 1:
        return unfollowed(tape, ufunc(*map(noisy_values.raw, inputs)), inputs)
    try:
        return noisy_values.combined(tape, ufunc.__name__, ufunc, *inputs)
    except TypeError:
        return unfollowed(tape, ufunc(*map(noisy_values.raw, inputs)), inputs)


def array_function(tape: Tape | None, func: Any, args: Args, kwargs: Kwargs) -> Any:
    """Follow another function of numpy; where that cannot be done, compute with plain values."""
    tape = tape or _tape_of((args, kwargs))
    plain_args, plain_kwargs = noisy_values.raw(args), noisy_values.raw(kwargs)
    if tape is None or tape.full:
        return func(*plain_args, **plain_kwargs)
    follow = _FOLLOWED.get(func.__name__)
    if follow is not None:
        try:
            return follow(tape, func, args, kwargs)
        except (TypeError, ValueError, IndexError, KeyError, MemoryError):
            pass  # With such arguments it is not followed; what is wrong with them shows below.
    return unfollowed(tape, func(*plain_args, **plain_kwargs), (args, kwargs))


def _tape_of(values: Any) -> Tape | None:
    return next((item._tape for item in noisy_in(values) if item._tape is not None), None)


def noisy_in(values: Any, *, plain: bool = False) -> list[Any]:
    """Return the noisy numbers and arrays in containers; ``plain``: and those without noise."""
    number = isinstance(values, int | float | np.generic | np.ndarray)
    if isinstance(values, _NOISY) or (plain and number and np.asarray(values).dtype.kind in _REAL):
        return [values]
    if isinstance(values, dict):
        values = values.values()
    elif not isinstance(values, list | tuple):
        return []
    return [result for value in values for result in noisy_in(value, plain=plain)]


def _opaque(values: Any) -> bool:
    """Whether there is something in arguments in which data may hide: a function, an object."""
    if isinstance(values, dict | list | tuple):
        held = values.values() if isinstance(values, dict) else values
        return any(map(_opaque, held))
    if isinstance(values, np.ndarray):
        return values.dtype.kind not in _REAL
    plain = (int, float, str, slice, type(None), type(...), type(np._NoValue), np.dtype, type)
    return not isinstance(values, (np.number, np.bool_, *plain))


def unfollowed(tape: Tape, value: Any, inputs: Any) -> Any:
    """Return a result as a number derived from all that it was computed of, where it is one."""
    forms = [noisy_values.form_of(item) for item in noisy_in(inputs, plain=True)]
    noise = [form for form in forms if form.variables.size]
    if not noise:
        return value
    simple = isinstance(value, float | np.floating) or (
        isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.ndim
    )
    if simple and not _opaque(inputs):
        return noisy_values.noisy(tape, *tape.step(DERIVED, noise[0], value, forms))
    for form in noise:
        tape.step("perhaps", form, 0)
    return value


def _moved(tape: Tape, func: Any, args: Args, kwargs: Kwargs) -> Any:
    """Follow a function that moves elements: it does the same with marks in the place of noise."""
    value = func(*noisy_values.raw(args), **noisy_values.raw(kwargs))
    held = noisy_in((args, kwargs))
    if not isinstance(value, np.ndarray):
        raise TypeError("it gives several arrays")
    forms = [*map(noisy_values.form_of, held), constant(value)]
    plain = np.concatenate([np.ravel(noisy_values.raw(item)) for item in (*held, value)])
    starts = np.cumsum([0, *(form.base.size for form in forms)])
    marks = (_MARK + at + places_of(f.shape) for at, f in zip(starts, forms, strict=False))
    went = np.asarray(func(*_marked(args, marks), **_marked(kwargs, marks)))
    moved = (went >= _MARK) & (went < _MARK + starts[-2])
    places = np.where(moved, went - _MARK, starts[-2] + places_of(value.shape)).astype(np.intp)
    for one, other in ((plain[places], value), (np.where(moved, value, went), value)):
        if not np.array_equal(one, other, equal_nan=True):
            raise TypeError("it does more than move elements")
    return noisy_values.noisy(tape, value, joined(forms).take(places))


def _placed(tape: Tape, func: Any, args: Args, kwargs: Kwargs) -> None:
    def changed(values: Any, *rest: Any, **more: Any) -> Any:
        made = np.array(values)
        func(made, *rest, **more)
        return made

    if not isinstance(args[0], noisy_values.NoisyArray):
        raise TypeError("it changes an array that remembers nothing")
    args[0][...] = _moved(tape, changed, args, kwargs)


def _marked(value: Any, marks: Iterator[Any]) -> Any:
    """Return arguments with the next marks in the place of noisy numbers and arrays."""
    if isinstance(value, _NOISY):
        return next(marks)
    if isinstance(value, list | tuple):
        return (tuple if isinstance(value, tuple) else list)(_marked(item, marks) for item in value)
    if isinstance(value, dict):
        return {key: _marked(item, marks) for key, item in value.items()}
    return value


def _sum(tape: Tape, func: Any, args: Args, kwargs: Kwargs, *, mean: bool = False) -> Any:
    (array, axis), kept = _axis(args, kwargs)
    value = func(noisy_values.raw(array), axis=axis, keepdims=kept)
    form = noisy_values.form_of(array)
    places = places_of(form.shape)
    shape = np.shape(np.sum(places, axis=axis, keepdims=True))
    groups = np.broadcast_to(places_of(shape), form.shape)
    added = form.added(groups, np.shape(value))
    if mean:
        added = added.times(added.base.size / max(form.base.size, 1))
    found, form = tape.step("sum", added, value)
    return noisy_values.noisy(tape, found, form)


def _axis(args: Args, kwargs: Kwargs) -> tuple[tuple[Any, Any], bool]:
    rest = dict(kwargs)
    axis = rest.pop("axis", args[1] if len(args) > 1 else None)
    kept = rest.pop("keepdims", False)
    if len(args) > 2 or any(item is not None for item in rest.values()):
        raise TypeError("more arguments than are followed")
    return (args[0], axis), bool(kept) if kept is not np._NoValue else False


def _extreme(tape: Tape, func: Any, args: Args, kwargs: Kwargs) -> Any:
    """Follow argmax, argmin, max and min: the winner is compared with each of the others."""
    (array, axis), kept = _axis(args, kwargs)
    name, table = func.__name__, np.asarray(noisy_values.raw(array))
    if table.ndim == 2 and axis in (1, -1) and not kept and len(table) <= _MOST_ROWS:
        each = [_extreme(tape, func, (row,), {}) for row in array]
        return np.array(each) if name.startswith("arg") else array_of(tape, np.array, each)
    if axis not in (None, 0, -1) or kept or (axis is not None and table.ndim > 1):
        raise TypeError("only of whole arrays, and of the rows of a table")
    plain = table.ravel()
    most = name in ("argmax", "max", "amax")
    flat = noisy_values.form_of(array).take(np.arange(plain.size))
    won = int((np.argmax if most else np.argmin)(plain))
    # The winner is an outcome of its own: the second run has the same.
    won = int(tape.step("winner", constant(0.0), won)[0])
    ahead = flat.take(np.full(plain.size, won)).plus(flat.times(-1.0))
    ahead = ahead.take(np.delete(np.arange(plain.size), won))
    tape.step(
        noisy_values.MOST if most else noisy_values.LEAST, ahead, np.ones(plain.size - 1, bool)
    )
    if name.startswith("arg"):
        return np.intp(won)
    return noisy_values.noisy(tape, plain[won], flat.take(won))


def _each(tape: Tape, func: Any, args: Args, kwargs: Kwargs) -> Any:
    def compute(*values: Any) -> Any:
        return func(*values[: len(args)], **dict(zip(kwargs, values[len(args) :], strict=True)))

    return noisy_values.combined(tape, func.__name__, compute, *args, *kwargs.values())


_FOLLOWED: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(_MOVE, _moved),
    **dict.fromkeys(_PLACE, _placed),
    **dict.fromkeys(("round", "around", "clip"), _each),
    **dict.fromkeys(("argmax", "argmin", "max", "amax", "min", "amin"), _extreme),
    "sum": _sum,
    "mean": functools.partial(_sum, mean=True),
}


def array_of(tape: Tape, make: Callable[..., Any], values: Any, *args: Any, **kwargs: Any) -> Any:
    """Return an array of nested lists that hold noisy numbers; one that remembers them.

    make: numpy's ``array`` or ``asarray``.
    """
    held = noisy_in(values)
    value = make(noisy_values.raw(values), *args, **kwargs)
    if not held or tape.full or value.dtype.kind not in "fiu":
        return value
    with contextlib.suppress(TypeError, ValueError):
        return noisy_values.noisy(tape, value, noisy_values.form_of(values).spread(value.shape))
    return value


noisy_values.FOLLOW.update(ufunc=array_ufunc, function=array_function)
