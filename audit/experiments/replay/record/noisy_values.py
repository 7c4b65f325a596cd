"""Numbers and arrays that remember which noise is in them, and what they are without it.

They are what recorded primitives return: a ``float``, an ``int``, a ``numpy.ndarray`` to code that
asks. Sums, differences, scaled values, selections and comparisons are followed; any other function
gives a number whose origin is known, but not its noise. Where code of C reads them as plain
numbers, it sees their frozen values.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from .linear import Linear, constant, joined, places_of
from .recording import DERIVED, Tape

FOLLOW: dict[str, Callable[..., Any]] = {}
"""What follows numpy's functions: ``functions`` puts it here, which needs these classes itself."""

_SUMS = {"add", "subtract", "negative", "positive", "multiply", "true_divide", "divide"}
MOST, LEAST = "most", "least"
"""Comparisons of the winner of an array with each of the others."""

COMPARISONS = ("greater", "greater_equal", "less", "less_equal", "equal", "not_equal")


def form_of(value: Any) -> Linear:
    """Return the form of a number or an array, noisy or not; ``TypeError`` for anything else."""
    form = getattr(value, "_form", None)
    if isinstance(form, Linear):
        return form
    if isinstance(value, bool | int | float | np.number | np.bool_) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "biuf"
    ):
        return constant(value)
    if isinstance(value, list | tuple):
        form = constant(raw(value))
        held = [form_of(item) for item in value]
        return joined(held).take(places_of(form.shape)) if held else form
    raise TypeError(f"a {type(value).__name__} has no linear form")


def raw(value: Any) -> Any:
    """Return a value, or what a container holds, without what it remembers."""
    if isinstance(value, NoisyFloat | NoisyInt):
        return value.plain
    if isinstance(value, NoisyArray):
        return value.view(np.ndarray)
    if type(value) in (list, tuple):
        return type(value)(map(raw, value))
    if type(value) is dict:
        return {key: raw(item) for key, item in value.items()}
    return value


def noisy(tape: Tape, value: Any, form: Linear) -> Any:
    """Return a value that remembers its form."""
    if tape.full:
        return value
    if isinstance(value, np.ndarray) and value.ndim:
        made = value.view(NoisyArray)
        made._tape, made._form = tape, form
        return made
    if isinstance(value, np.ndarray):
        value = value[()]
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return NoisyInt(tape, value, form)
    return NoisyFloat(tape, value if isinstance(value, float | np.floating) else float(value), form)


def combined(tape: Tape, name: str, compute: Callable[..., Any], *values: Any) -> Any:
    """Return what an operation gives on numbers and arrays some of which are noisy.

    name: of numpy's function. compute: does it with plain values.
    """
    forms = [form_of(value) for value in values]
    plain = compute(*map(raw, values))
    if isinstance(plain, list | tuple) or np.asarray(plain).dtype.kind not in "biuf":
        raise TypeError("it gives no real numbers: a list is repeated, or a function gives objects")
    if name in COMPARISONS:
        form = forms[0].plus(forms[1].times(-1.0))
        return tape.step(name, form, plain)[0]
    made = _linear(name, forms)
    if made is not None:
        return noisy(tape, *tape.step("sum", made, plain))
    held: Any = True
    if getattr(compute, "signature", None) is None:  # What goes cell by cell keeps exact cells so.
        forms = [form.spread(np.shape(plain)) for form in forms]
        held = np.any([form.noisy for form in forms], axis=0)
    return noisy(tape, *tape.step(DERIVED, forms[0], plain, forms, held))


def _linear(name: str, forms: list[Linear]) -> Linear | None:
    if name not in _SUMS:
        return None
    first, second = forms[0], forms[-1]
    if name in ("negative", "positive"):
        return first.times(-1.0 if name == "negative" else 1.0)
    if name == "add":
        return first.plus(second)
    if name == "subtract":
        return first.plus(second.times(-1.0))
    if second.variables.size:
        return second.times(first.base) if name == "multiply" and _plain(first) else None
    with np.errstate(all="ignore"):
        return first.times(second.base if name == "multiply" else 1.0 / second.base)


def _plain(form: Linear) -> bool:
    return not form.variables.size


def note_unfollowed(tape: Tape, form: Linear, value: Any, kind: str = "perhaps") -> Any:
    """Note that a noisy value is read as a plain one, or written as a text; return it."""
    return tape.step(kind, form, value)[0]


class _Number:
    """What the two kinds of noisy numbers share."""

    __slots__ = ()
    _tape: Tape
    _form: Linear
    plain: Any

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return FOLLOW["function"](self._tape, func, args, kwargs)

    def __reduce__(self) -> Any:
        return type(self.plain), (self.plain,)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __bool__(self) -> bool:
        return bool(note_unfollowed(self._tape, self._form, self.plain))

    def __float__(self) -> float:
        return float(note_unfollowed(self._tape, self._form, self.plain))

    def __int__(self) -> int:
        return int(note_unfollowed(self._tape, self._form, int(self.plain)))

    def __repr__(self) -> str:
        return str(note_unfollowed(self._tape, self._form, repr(self.plain), "text"))

    def __str__(self) -> str:
        return str(note_unfollowed(self._tape, self._form, str(self.plain), "text"))

    def __format__(self, spec: str) -> str:
        return str(note_unfollowed(self._tape, self._form, format(self.plain, spec), "text"))

    def item(self, *_: Any) -> Any:
        return noisy(self._tape, np.asarray(self.plain).item(), self._form)

    tolist = item


class NoisyFloat(np.float64):
    """A float with noise in it.

    Its only base is numpy's: numpy reads the memory of a number with several as if it were not.
    """

    _tape: Tape
    _form: Linear
    plain: float

    def __new__(cls, tape: Any, value: Any = 0.0, form: Linear | None = None) -> Any:
        """Return it, of a plain value and its form; of a number alone, as a type does, that."""
        if form is None:
            return float(tape)
        made = super().__new__(cls, value)
        made._tape, made._form, made.plain = tape, form, value
        return made

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Follow a function of numpy."""
        return FOLLOW["ufunc"](self._tape, ufunc, method, inputs, kwargs)


class NoisyInt(_Number, int):
    """A whole number with noise in it. Numpy's arrays and numbers leave sums with it to it."""

    __array_priority__: ClassVar[float] = 1e6

    def __new__(cls, tape: Tape, value: Any, form: Linear) -> NoisyInt:
        """Return it, of a plain value and its form."""
        made = super().__new__(cls, value)
        made._tape, made._form, made.plain = tape, form, value
        return made

    def __getattr__(self, name: str) -> Any:
        """Return of the plain number what whole numbers of numpy alone have."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(np.asarray(note_unfollowed(self._tape, self._form, self.plain))[()], name)


def _method(name: str, compute: Callable[..., Any], *, swapped: bool = False) -> Any:
    def method(self: Any, *others: Any) -> Any:
        values = (*others, self) if swapped else (self, *others)
        try:
            return combined(self._tape, name, compute, *values)
        except TypeError:
            return NotImplemented

    return method


_BINARY: dict[str, tuple[str, Callable[..., Any]]] = {
    "add": ("add", operator.add),
    "sub": ("subtract", operator.sub),
    "mul": ("multiply", operator.mul),
    "truediv": ("divide", operator.truediv),
    "floordiv": ("floor_divide", operator.floordiv),
    "mod": ("remainder", operator.mod),
    "pow": ("power", operator.pow),
}
_UNARY: dict[str, tuple[str, Callable[..., Any]]] = {
    "neg": ("negative", operator.neg),
    "pos": ("positive", operator.pos),
    "abs": ("absolute", abs),
    "round": ("round", round),
    "floor": ("floor", math.floor),
    "ceil": ("ceil", math.ceil),
    "trunc": ("trunc", math.trunc),
}
_COMPARED = zip(("gt", "ge", "lt", "le", "eq", "ne"), COMPARISONS, strict=True)
_UNARY |= {_name: (_numpy, getattr(operator, _name)) for _name, _numpy in _COMPARED}

for _name, _shared in vars(_Number).items():
    if callable(_shared):
        setattr(NoisyFloat, _name, _shared)
for _kind in (NoisyFloat, NoisyInt):
    for _name, (_numpy, _compute) in _BINARY.items():
        setattr(_kind, f"__{_name}__", _method(_numpy, _compute))
        setattr(_kind, f"__r{_name}__", _method(_numpy, _compute, swapped=True))
    for _name, (_numpy, _compute) in _UNARY.items():
        setattr(_kind, f"__{_name}__", _method(_numpy, _compute))
    _kind.__hash__ = lambda self: hash(self.plain)  # type: ignore[method-assign]


class NoisyArray(np.ndarray[Any, Any]):
    """An array with noise in it; one without a form is as good as a plain one."""

    _tape: Tape | None
    _known: tuple[Linear, np.ndarray[Any, Any]] | None

    def __array_finalize__(self, obj: Any) -> None:
        """Start without a form: its maker knows."""
        self._tape, self._known = None, None

    @property
    def _form(self) -> Linear | None:
        """Return its form, in which cells that were written past it have no noise."""
        now = self.view(np.ndarray)
        if self._known is None or self._known[1].shape != now.shape:
            return None
        form, before = self._known
        there = (now != before) & ((now == now) | (before == before))
        if there.any():
            places = places_of(now.shape)
            self._form = joined([form, constant(now)]).take(places + there * now.size)
        return self._known[0]

    @_form.setter
    def _form(self, form: Linear | None) -> None:
        self._known = None if form is None else (form, np.array(self.view(np.ndarray)))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Follow a function of numpy."""
        return FOLLOW["ufunc"](self._tape, ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """Follow a function of numpy."""
        return FOLLOW["function"](self._tape, func, args, kwargs)

    def __reduce__(self) -> Any:
        """Leave what it remembers behind."""
        return self.view(np.ndarray).__reduce__()

    def __deepcopy__(self, memo: Any) -> Any:
        """Return a copy that remembers the same."""
        return self.copy()

    def _selected(self, value: Any, places: Any) -> Any:
        if self._tape is None or self._form is None:
            return value
        return noisy(self._tape, value, self._form.take(places))

    def __getitem__(self, key: Any) -> Any:
        """Return some of it."""
        key = raw(key)
        value = self.view(np.ndarray)[key]
        return value if self._form is None else self._selected(value, places_of(self.shape)[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        """Set some of it."""
        key, form = raw(key), self._form
        self.view(np.ndarray)[key] = raw(value)
        if form is None:
            return
        places = places_of(self.shape)
        try:
            linear = form_of(value)
        except TypeError:
            self._form = None
            return
        there = places[key]
        spread = np.broadcast_to(places_of(linear.shape), there.shape)
        places[key] = spread + form.base.size
        self._form = joined([form, linear]).take(places)

    def __iter__(self) -> Iterator[Any]:
        """Yield its rows or numbers."""
        return (self[i] for i in range(len(self)))

    def tolist(self) -> Any:
        """Return nested lists of noisy numbers."""
        return [item.tolist() for item in self]

    def item(self, *place: Any) -> Any:
        """Return one number."""
        held = self if len(place) > 1 else self.reshape(-1)
        return held[place or 0].item()

    @property
    def T(self) -> Any:  # noqa: N802 - numpy's name
        """The array with its axes the other way round."""
        return self.transpose()

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:
        """Return it in another type; whole numbers of floats are derived from it."""
        value = self.view(np.ndarray).astype(dtype, *args, **kwargs)
        if self._tape is None or self._form is None or value.dtype.kind in "SUVmM":
            return value
        if value.dtype.kind == "O":
            value.reshape(-1)[:] = list(self.reshape(-1))
            return value
        if value.dtype.kind == "f" or self.dtype.kind in "iu":
            return noisy(self._tape, value, self._form)
        found, form = self._tape.step(DERIVED, self._form, value, (self._form,), self._form.noisy)
        return noisy(self._tape, found, form)


def _structural(name: str) -> Any:
    def method(self: NoisyArray, *args: Any, **kwargs: Any) -> Any:
        value = getattr(self.view(np.ndarray), name)(*args, **kwargs)
        places = getattr(places_of(self.shape), name)(*args, **kwargs)
        return self._selected(value, places)

    return method


def _by_function(name: str) -> Any:
    def method(self: NoisyArray, *args: Any, **kwargs: Any) -> Any:
        return FOLLOW["function"](self._tape, getattr(np, name), (self, *args), kwargs)

    return method


_MOVING = "reshape ravel flatten transpose squeeze swapaxes take repeat copy diagonal"
_REDUCING = "sum mean max min argmax argmin std var prod"
for _name in _MOVING.split():
    setattr(NoisyArray, _name, _structural(_name))
for _name in (*_REDUCING.split(), "round", "clip", "cumsum", "dot", "argsort", "searchsorted"):
    setattr(NoisyArray, _name, _by_function(_name))
