"""A fixed number of numbers that a query computes: one for each column, candidate or bin."""

from __future__ import annotations

import builtins
import itertools
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace as _replace
from functools import partialmethod, reduce
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from provado.proofs.sensitivity.trace.python import is_float, to_change
from provado.proofs.sensitivity.trace.untraceable import Blocked, methods, stop

from .arrays import Symbolic, SymbolicArray, SymbolicNumber, constant_of
from .functions import REPLACED
from .ratio import Ratio

_OPERATORS = methods(
    "add subtract:sub multiply:mul divide:truediv negative:neg absolute:abs power:pow less:lt "
    "less_equal:le greater:gt greater_equal:ge equal:eq not_equal:ne"
)
"""Functions of NumPy, with the operators that do the same."""


class SymbolicVector(NDArrayOperatorsMixin):
    """Numbers side by side, each of which may depend on the data; a step does the same to each."""

    takes_numbers = True

    def __init__(self, cells: tuple[Any, ...]) -> None:
        self.cells, self._shared = cells, False

    @classmethod
    def of(cls, values: Any) -> Any:
        """Return numbers as a vector where one of them stands for data; else ``None``."""
        if isinstance(values, SymbolicVector):
            return values
        plain = isinstance(values, list | tuple) and any(isinstance(v, Blocked) for v in values)
        return cls(tuple(values)) if plain else None

    def _beside(self, other: Any) -> tuple[Any, ...]:
        """Return the other operand of each number: the same, or one for each."""
        if is_several(other):
            beside = tuple(other.tolist() if isinstance(other, np.ndarray) else other)
            if builtins.len(beside) != builtins.len(self.cells):
                raise stop("two lists of numbers of different lengths meet")
            return beside
        if isinstance(other, SymbolicArray):
            raise stop("the records, and a fixed number of numbers, meet")
        return (other,) * builtins.len(self.cells)

    def _each(self, step: Callable[..., Any], *others: Any, **options: Any) -> SymbolicVector:
        columns = [self.cells, *map(self._beside, others)]
        return SymbolicVector(tuple(step(*row, **options) for row in zip(*columns, strict=True)))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method == "__call__" and options.keys() == {"out"} and options["out"][0] is self:
            self[:] = ufunc(*inputs)
            return self
        if method != "__call__" or options:
            raise stop(f"np.{ufunc.__name__} of several numbers in this form is not followed")
        if ufunc is np.matmul and any(isinstance(input_, Blocked) for input_ in inputs):
            return NotImplemented
        columns = [self._beside(input_) for input_ in inputs]
        # What is no number for NumPy, such as noise, has operators.
        name = _OPERATORS.get(ufunc.__name__)
        step = ufunc if name is None else getattr(operator, name)
        return SymbolicVector(tuple(step(*row) for row in zip(*columns, strict=True)))

    def __len__(self) -> int:
        return builtins.len(self.cells)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.cells)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            vector = SymbolicVector(self.cells[key])
            self._shared = vector._shared = True
            return vector
        if isinstance(key, int | np.integer) and not isinstance(key, bool):
            return self.cells[int(key)]
        raise stop("what is taken of several numbers depends on the data")

    def __setitem__(self, key: Any, value: Any) -> None:
        if self._shared:
            raise stop("several numbers are changed of which a slice was taken: take a copy")
        if not any(map(is_float, self.cells)):
            raise stop("an array of whole numbers is changed: make it with dtype=float")
        if isinstance(key, int | np.integer) and not isinstance(key, bool):
            key, value = slice(int(key), int(key) + 1 or None), (value,)
        if isinstance(key, SymbolicVector):
            chosen = key + 0
            self.cells = (chosen * value + (1 - chosen) * self).cells
        elif isinstance(key, slice):
            places = range(self.size)[key]
            beside = SymbolicVector(tuple(self.cells[k] for k in places))._beside(value)
            new = dict(zip(places, beside, strict=True))
            self.cells = tuple(_as_float(new.get(k, cell)) for k, cell in enumerate(self.cells))
        else:
            raise stop("which of several numbers is changed depends on the data")

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return builtins.len(self.cells)

    @property
    def shape(self) -> tuple[int]:
        """How many numbers there are, in a tuple."""
        return (self.size,)

    @property
    def ndim(self) -> int:
        """One."""
        return 1

    def tolist(self) -> list[Any]:
        """Return the numbers in a list."""
        return list(self.cells)

    def _reduced(self, step: Callable[..., Any], axis: Any = None) -> Any:
        if axis not in (None, 0, -1):
            raise stop(f"several numbers have no axis {axis}")
        return reduce(step, self.cells)

    sum = partialmethod(_reduced, operator.add)
    max, min = partialmethod(_reduced, np.maximum), partialmethod(_reduced, np.minimum)

    def mean(self, axis: Any = None) -> Any:
        """Return the mean."""
        return self.sum(axis) / self.size

    def cumsum(self) -> SymbolicVector:
        """Return the sums of the first, the first two, and so on."""
        return SymbolicVector(tuple(itertools.accumulate(self.cells, operator.add)))

    def dot(self, other: Any) -> Any:
        """Return the sum of the products; the products with one number."""
        return (self * other).sum() if is_several(other) else self * other

    def astype(self, dtype: Any) -> SymbolicVector:
        """Return each as that type."""
        return self._each(lambda item: item.astype(dtype) if isinstance(item, Symbolic) else item)

    def clip(self, lower: Any = None, upper: Any = None) -> SymbolicVector:
        """Return each, moved to the nearest end where it lies outside."""
        return self._each(lambda item: item.clip(lower, upper))

    def round(self, decimals: Any = 0) -> SymbolicVector:
        """Return each, rounded."""
        return self._each(lambda item: item.round(decimals))

    def copy(self) -> SymbolicVector:
        """Return the same numbers, in a vector of their own."""
        return SymbolicVector(self.cells)

    flatten = copy

    def ravel(self) -> SymbolicVector:
        """Return the vector itself."""
        return self

    def _is_plain(self) -> bool:
        return not any(isinstance(cell, Blocked) for cell in self.cells)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """Return an array of them, which nothing changes if it is to be no copy, nor this then."""
        made = np.empty(self.size, dtype=float if self._is_plain() else object)
        for k, cell in enumerate(self.cells):
            made[k] = cell
        self._shared = self._shared or not copy
        made.setflags(write=bool(copy))
        return made if dtype is None else made.astype(dtype)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not self._is_plain():
            raise AttributeError(f"{name} of several numbers is not followed")
        return getattr(np.asarray(self), name)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        name = function.__name__
        own = {"amax": "max", "amin": "min", "around": "round"}.get(name, name)
        if self._is_plain() and any(argument is self for argument in args):
            return function(
                *(np.asarray(argument) if argument is self else argument for argument in args),
                **options,
            )
        if own not in _METHODS or not args or args[0] is not self:
            raise stop(f"np.{name} of several numbers is not followed")
        return getattr(self, own)(*args[1:], **options)


_METHODS = ["sum", "mean", "max", "min", "cumsum", "dot", "clip", "ravel", "copy", "round"]


def _as_float(value: Any) -> Any:
    if isinstance(value, Symbolic):
        return value.astype(float)
    return value if isinstance(value, Blocked) else float(value)


def is_several(value: Any) -> bool:
    """Tell whether it is a list or an array of a fixed number of numbers."""
    plain = isinstance(value, SymbolicVector | list | tuple)
    return plain or (isinstance(value, np.ndarray) and value.ndim > 0)


def numbers_in(released: Any) -> list[Ratio] | None:
    """Return all numbers that a query returned, as expressions; ``None`` for anything else."""
    if isinstance(released, Mapping):
        released = list(released.values())
    if isinstance(released, np.ndarray):
        released = released.ravel().tolist()
    if isinstance(released, list | tuple | SymbolicVector):
        parts = [numbers_in(item) for item in released]
        return None if None in parts else [x for part in parts for x in part or ()]
    if isinstance(released, SymbolicNumber):
        return [released.value]
    exact = None if isinstance(released, str | bytes | Blocked) else constant_of(released)
    return None if exact is None else [exact[0]]


def _histogram(a: Any, bins: Any = 10, range: Any = None, **options: Any) -> Any:
    """Return how many records lie in each bin, and the edges, which are given."""
    if not isinstance(a, SymbolicArray):
        return np.histogram(a, bins, range, **options)
    if any(options.values()) or (isinstance(bins, int) and range is None) or isinstance(bins, str):
        raise stop("np.histogram is followed with bins and range=(low, high), or with edges")
    edges = np.histogram_bin_edges([], bins, range)
    last = builtins.len(edges) - 2
    inside = [
        (a >= low) & (a <= high if k == last else a < high)
        for k, (low, high) in enumerate(itertools.pairwise(edges.tolist()))
    ]
    return SymbolicVector(tuple(item.sum() for item in inside)), edges


def _bincount(x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """Return how many records there are of each whole number from 0 to below a given one."""
    if not isinstance(x, SymbolicArray):
        return np.bincount(x, weights, minlength)
    low, high = x.range_of()
    known = low is not None and high is not None and 0 <= low <= high < minlength
    if x.kind != "i" or not known:
        raise stop("np.bincount is followed of whole numbers from 0 to below minlength=")
    given = 1 if weights is None else weights
    return SymbolicVector(tuple(((x == k) * given).sum() for k in range(minlength)))


class ChangedArray(NDArrayOperatorsMixin, Blocked):
    """A new array of a number for each record; some are changed where a condition holds.

    Once more is asked of it than what is computed at once, nothing is changed any more: a part of
    it, or a method, might have to change as well.
    """

    what = "an array that is changed"
    role = "rows"
    missing = False

    def __init__(self, array: SymbolicArray) -> None:
        self._array, self._closed = array, False

    def __setitem__(self, key: Any, value: Any) -> None:  # type: ignore[override]
        array, key, value = self._array, _as_it_is(key), _as_it_is(value)
        if self._closed or array.kind != "f":
            raise stop("what is changed is followed of new arrays of floats, before they are used")
        if not isinstance(key, SymbolicArray) or key.kind != "b":
            raise stop("an array is changed where a condition on the records holds: y[y > 1] = 1")
        if isinstance(value, SymbolicArray) and value.chosen == key.value:
            value = _replace(value, chosen=None)
        self._array = key._where(value, array).astype(float)

    def __getitem__(self, key: Any) -> Any:
        key = _as_it_is(key)
        self._closed = self._closed or not isinstance(key, SymbolicArray)
        return self._array[key]

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        into = options.pop("out", None)
        result = getattr(ufunc, method)(*map(_as_it_is, inputs), **options)
        if into is None:
            return result
        if into != (self,) or self._closed:
            raise stop("an array is changed of which more was used")
        self._array = result.astype(float)
        return self

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        self._closed = self._closed or function is not np.where
        return function(*map(_as_it_is, args), **options)

    def __getattr__(self, name: str) -> Any:
        self._closed = True
        return getattr(self._array, name)


def _as_it_is(value: Any) -> Any:
    return value._array if isinstance(value, ChangedArray) else value


_NEW = (np.zeros_like, np.ones_like, np.full_like, np.copy, np.where, np.clip)


class _Unset(Blocked):
    what = "a number of np.empty that is not set yet"


def _empty(*_: Any, **__: Any) -> Any:
    raise stop("np.empty holds what was there before: use np.zeros")


def _to_change(make: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Return a new array of floats as one that holds any numbers; else what is made."""
    made = np.zeros(*args, **options) if make is _empty else make(*args, **options)
    if isinstance(made, SymbolicArray):
        own = isinstance(getattr(make, "__self__", None), Symbolic)
        array = np.array in (getattr(make, "original", None), *getattr(make, "args", ()))
        new = array or any(make is item for item in _NEW) or (own and make.__name__ == "copy")
        return ChangedArray(made) if new and "copy" not in options else made
    new = any(make is item for item in (np.zeros, np.ones, _empty, np.full))
    if not new or type(made) is not np.ndarray or made.ndim != 1 or made.dtype != np.float64:
        return _empty() if make is _empty else made
    return SymbolicVector((_Unset(),) * made.size if make is _empty else tuple(made.tolist()))


REPLACED += [(np.histogram, _histogram), (np.bincount, _bincount), (to_change, _to_change)]
REPLACED += [(np.empty, _empty), (np.empty_like, _empty)]
