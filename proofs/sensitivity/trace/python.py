"""What Python's own functions, and those of ``math`` and ``statistics``, make of stand-ins."""

from __future__ import annotations

import functools
import math
import operator
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import GeneratorType
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from .state import once
from .untraceable import Blocked, stop

PYTHON: list[tuple[Any, Any]] = []
"""Functions, and what a query finds in their place; see ``run.in_place_of``."""


class OurFunction:
    """A function in place of another, whose attributes, items and dtype it has."""

    def __init__(self, original: Any, made: Callable[..., Any]) -> None:
        self.original, self.made, self.__doc__ = original, made, made.__doc__
        if original in (int, float):
            self.dtype = np.dtype(original)

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call what stands in place of it where data are among the arguments."""
        if self.original in (max, min) and len(args) == 1 and isinstance(args[0], GeneratorType):
            args = (list(args[0]),)
        first = args[0] if len(args) == 1 and type(args[0]) in (list, tuple) else args
        if any(isinstance(item, Blocked) for item in first):
            return self.made(*args, **options)
        return self.original(*args, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.original, name)

    def __getitem__(self, key: Any) -> Any:
        return self.original[key]


def _takes(*originals: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def put(made: Callable[..., Any]) -> Callable[..., Any]:
        PYTHON.extend((original, OurFunction(original, made)) for original in originals)
        return made

    return put


@dataclass(frozen=True, eq=False, repr=False)
class Element(NDArrayOperatorsMixin, Blocked):
    """The value of the one record that a comprehension or a loop is at.

    rows: what stands for the values of all of them. loop: the loop to which it belongs.
    """

    rows: Any
    loop: object
    what = "one record's value"
    takes_numbers = True

    def _row(self, value: Any) -> Any:
        if isinstance(value, Element):
            if value.loop is not self.loop:
                raise stop("two records at once: write one comprehension, for a in x for b in x")
            return value.rows
        if not is_number(value) and (is_data(value) or np.ndim(value)):
            what = value.what if is_data(value) else type(value).__name__
            raise stop(f"{what} beside {self.what}")
        return value

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if ufunc in (np.minimum, np.maximum) and any(_may_be_nan(input_) for input_ in inputs):
            raise stop("min or max of what may be missing")
        result = getattr(ufunc, method)(*map(self._row, inputs), **options)
        return Element(result, self.loop)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        if function not in (np.clip, np.where):
            raise stop(f"np.{function.__name__} of {self.what} is not traced")
        return Element(function(*map(self._row, args), **options), self.loop)

    def __invert__(self) -> Any:
        raise stop("~ of a condition on one value is no condition: write the opposite comparison")

    def __round__(self, digits: Any = None) -> Element:
        return Element(np.round(self.rows, digits or 0), self.loop)

    def item(self) -> Element:
        """Return it as it is."""
        return self


def _may_be_nan(value: Any) -> bool:
    return isinstance(value, Element) and bool(value.rows.missing)


class EachRecord(Blocked):
    """A list, or a generator, of a value for each record."""

    def __init__(self, make: Callable[[], Any], *, once: bool) -> None:
        self.make: Callable[[], Any] | None = make
        self.once = once
        self.what = "a generator over the records" if once else "a list of the records' values"

    def read(self) -> Any:
        """Return the rows; a generator gives them once."""
        if self.make is None:
            raise stop("a generator is read a second time: make it a list")
        rows = self.make()
        self.make = None if self.once else lambda: rows
        return rows

    def __getitem__(self, key: Any) -> Any:
        if self.once or type(key) not in (int, slice):
            raise stop(f"an item of {self.what} is not followed")
        result = self.read()[key]
        return listed(result) if isinstance(key, slice) else result

    def __add__(self, other: Any) -> Any:
        raise stop(f"{self.what} is joined or repeated: use np.array for arithmetic")

    __mul__ = __add__

    def _as_array(self, apply: Any, *args: Any, **options: Any) -> Any:
        if self.once:
            raise stop("NumPy takes no generator: make it a list")
        return apply(*(rows_of(item) if is_each(item) else item for item in args), **options)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        return self._as_array(function, *args, **options)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return self._as_array(getattr(ufunc, method), *inputs, **options)


def is_each(value: Any) -> bool:
    """Return whether it is a list or a generator of the records' values."""
    return isinstance(value, EachRecord)


def is_number(value: Any) -> bool:
    """Return whether it stands for one number that is computed of all records."""
    return isinstance(value, Blocked) and value.role == "number"


def rows_of(value: Any) -> Any:
    """Return what stands for the values of all records; what does not ends the trace."""
    if is_each(value):
        return value.read()
    if not is_data(value) or value.role != "rows":
        what = value.what if is_data(value) else f"a {type(value).__name__} beside data"
        raise stop(f"a loop over {what} is not followed")
    # Python's functions leave out nothing that is missing.
    return value.to_numpy()


def listed(rows: Any) -> EachRecord:
    """Return rows as a list."""
    return EachRecord(lambda: rows, once=False)


class Zipped(Blocked):
    """Several values of each record, side by side."""

    what = "zip() outside of a loop"

    def __init__(self, *of: Any) -> None:
        self.of = of


def each(
    is_list: bool, severals: tuple[bool, ...], over: Any, inner: Any, value: Any, *conditions: Any
) -> Any:
    """Return ``[value for … in over for … in inner if conditions]``, or the generator.

    ``rewrite`` calls it. severals: whether there are several variables in the first loop, and in
    the second. inner: a function of the variables of the first loop; ``None`` without a second one.
    value, conditions: functions of all variables. Of data they are applied once, to what stands for
    the value of any record: what they make of it, they make of each.
    """
    if isinstance(over, Blocked) and is_list:
        # At once: what its names stand for may be something else later.
        return listed(_applied(severals, over, inner, value, conditions))
    if isinstance(over, Blocked):
        return EachRecord(lambda: _applied(severals, over, inner, value, conditions), once=True)

    def given(loop: int, item: Any) -> Any:
        return item if severals[loop] else (item,)

    def within(row: Any) -> Any:
        return [()] if inner is None else (given(1, item) for item in inner(None, *row))

    rows = ((*row, *more) for row in (given(0, item) for item in over) for more in within(row))
    generator = (value(None, *row) for row in rows if all(c(None, *row) for c in conditions))
    return list(generator) if is_list else generator


def _elements(several: bool, over: Any, loop: object, inner: bool | None) -> Any:
    """Return the variables of a loop over data; inner: whether it is the second of two, or one."""
    if hasattr(type(over), "_side_by_side"):
        over = over._side_by_side()
    if several and not isinstance(over, Zipped):
        raise stop(f"several variables for each of {over.what}: use zip of columns")
    many = [rows_of(item) for item in (over.of if isinstance(over, Zipped) else (over,))]
    if inner is not None:
        if not all(hasattr(type(item), "_in_pairs") for item in many):
            raise stop("two records at once: write one comprehension, for a in x for b in x")
        many = [item._in_pairs(inner=inner) for item in many]
    for element in many[1:]:
        many[0]._filled(element)  # They must be of the same records.
    elements: Any = tuple(Element(rows, loop) for rows in many)
    return elements if several or not isinstance(over, Zipped) else (elements,)


def _applied(
    severals: tuple[bool, ...], over: Any, inner: Any, value: Any, conditions: tuple[Any, ...]
) -> Any:
    loop = object()
    given = _elements(severals[0], over, loop, None if inner is None else False)

    def of(function: Any) -> Any:
        return once(function, None, *given)

    if inner is not None:
        inside = of(inner)
        if not isinstance(inside, Blocked):
            raise stop("a loop over what is no data, inside a loop over the records")
        given = (*given, *_elements(severals[1], inside, loop, True))
    every = [item.rows for part in given for item in (part if isinstance(part, tuple) else (part,))]
    first = every[0] if inner is None else functools.reduce(lambda x, y: x._chosen_as(y), every)

    def rows(function: Any) -> Any:
        result = of(function)
        return Element(first, loop)._row(result), isinstance(result, Element)

    chosen = None
    for condition in conditions:
        holds, is_own = rows(condition)
        if is_own and holds.kind != "b":
            raise stop("a condition that is a number: compare it with 0")
        if not is_own:
            holds = first._filled(bool(holds))
        chosen = holds if chosen is None else chosen & holds
    if chosen is not None and all(map(_can_be_chosen_first, every)):
        # The value is computed of those alone of which the conditions hold.
        given = tuple(_of_chosen(part, chosen) for part in given)
        first, chosen = first[chosen], None
    made, is_own = rows(value)
    made = made if is_own else first._filled(made)
    made = made if inner is None else made._chosen_as(first)
    return made if chosen is None else made[chosen]


def _can_be_chosen_first(rows: Any) -> bool:
    return hasattr(type(rows), "_has_no_places") and rows._has_no_places()


def _of_chosen(part: Any, chosen: Any) -> Any:
    if isinstance(part, tuple):
        return tuple(_of_chosen(item, chosen) for item in part)
    return Element(part.rows[chosen], part.loop)


def is_data(value: Any) -> bool:
    """Return whether it stands for data."""
    return isinstance(value, Blocked)


def gathered(
    how: Any,
    start: Any,
    severals: tuple[bool, ...],
    over: Any,
    inner: Any,
    value: Any,
    *conditions: Any,
) -> Any:
    """Return what a loop over data leaves of a name that was ``start``; see ``rewrite``.

    how: ``"sum"`` (each value is added), ``"product"``, ``"max"``, ``"min"`` or ``"list"``
    (appended); or what stands for Python's ``max`` and ``min``. The rest is as of ``each``.
    """
    result = each(True, severals, over, inner, value, *conditions)
    return _left(how, start, result, inner is not None or bool(conditions))


def _left(how: Any, start: Any, result: Any, some: bool) -> Any:
    if isinstance(how, OurFunction):
        how = {max: "max", min: "min"}.get(how.original)
    if how == "list" and type(start) is list and not start:
        start.append(GoneVariable())  # Another name of the list must not find it empty.
        return result
    if type(how) not in (str, Decay) or (
        not is_number(start) and (is_data(start) or np.ndim(start))
    ):
        raise stop("a loop that adds to anything but a number: use sum()")
    if how == "sum":
        return _sum(result, start)
    if type(how) is Decay and not some and hasattr(rows_of(result), "_decayed"):
        return rows_of(result)._decayed(how.factor, start)
    if some:
        raise stop("a loop that multiplies, or keeps the largest or the least, of some records")
    rows = rows_of(result)
    if type(how) is Decay:
        raise stop("a number that a loop over the records multiplies and adds to")
    if how == "product":
        return rows.prod() * start
    end = math.inf if how == "min" else -math.inf
    kept = getattr(rows, how)()
    if type(start) in (float, np.float64) and start == end:
        return kept
    return (np.minimum if how == "min" else np.maximum)(kept, start)


@dataclass(frozen=True)
class Decay:
    """How a loop changes ``s`` by ``s = factor * s + value``."""

    factor: Any


def either(condition: Any, one: Callable[[Any], Any], other: Callable[[Any], Any]) -> Any:
    """Return ``one if condition else other``; of one record's value, the choice for each."""
    own = hasattr(type(condition), "_is_private_condition") and condition._is_private_condition()
    if own or type(condition) is Element:
        return np.where(condition, one(None), other(None))
    return one(None) if condition else other(None)


def opposite(condition: Any) -> Any:
    """Return ``not condition``; of one record's value, for each."""
    if type(condition) is Element and condition.rows.kind == "b":
        return Element(~condition.rows, condition.loop)
    return not condition


def both(one: Any, other: Callable[[Any], Any]) -> Any:
    """Return ``one and other``; of one record's value, for each."""
    if type(one) is not Element:
        return one and other(None)
    return Element(one.rows & _condition_beside(one, other(None)), one.loop)


def one_of(one: Any, other: Callable[[Any], Any]) -> Any:
    """Return ``one or other``; of one record's value, for each."""
    if type(one) is not Element:
        return one or other(None)
    return Element(one.rows | _condition_beside(one, other(None)), one.loop)


def _condition_beside(one: Element, other: Any) -> Any:
    result = one._row(other) if type(other) is Element else one.rows._filled(bool(other))
    if one.rows.kind != "b" or result.kind != "b":
        raise stop("a condition that is a number: compare it with 0")
    return result


class GoneVariable(Blocked):
    """The variable of a loop over the records, after it."""

    what = "the variable of a loop over the records, after the loop"
    __add__ = __sub__ = __mul__ = __truediv__ = __neg__ = Blocked._value


def to_change(make: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Return what a call makes, of which items are changed later; see ``change.vectors``."""
    return make(*args, **options)


def plain(value: Any) -> Any:
    """Return a value of which the type, or the identity, is asked for; data have another one."""
    if isinstance(value, Blocked) or hasattr(type(value), "takes_numbers"):
        raise stop("match, is, id, hasattr or __class__ asks what it is: compare it with ==")
    if type(value) in (list, tuple):
        return type(value)(map(plain, value))
    return value


def caught() -> None:
    """End the trace, at an exception."""
    error = sys.exc_info()[1]
    if isinstance(error, Exception):
        name = type(error).__name__
        raise stop(f"an exception inside of try or with is not followed: {name}")


NAMES = {
    "__plain__": plain,
    "__caught__": caught,
    "__to_change__": to_change,
    "__each__": each,
    "__is_data__": is_data,
    "__gathered__": gathered,
    "__decay__": Decay,
    "__either__": either,
    "__opposite__": opposite,
    "__both__": both,
    "__one__": one_of,
    "__gone__": GoneVariable(),
}
"""What rewritten code calls."""


@_takes(len)
def _len(value: Any) -> Any:
    """Return the number of records, or of numbers: moves by 1 where a record comes or goes."""
    if is_each(value) and value.once:
        raise stop("len() of a generator")
    value = rows_of(value) if is_each(value) else value
    return len(value) if isinstance(value, list | tuple) else value._length()


@_takes(sum, math.fsum)
def _sum(values: Any, start: Any = 0) -> Any:
    """Return the sum, as NumPy's sum does."""
    if isinstance(values, list | tuple):
        return sum(values, start)
    result = rows_of(values).sum()
    return result if type(start) is int and start == 0 else result + start


def _extreme(of: str, ufunc: Any) -> Callable[..., Any]:
    def extreme(*values: Any, **options: Any) -> Any:
        if [*options] == ["key"] and len(values) == 1 and isinstance(values[0], Blocked):
            # The first record, or place, of which the key is largest.
            rows = rows_of(values[0])
            element = Element(rows, object())
            keys = element._row(once(options["key"], element))
            place = getattr(keys, f"arg{of}", None)
            if place is None or keys.chosen is not None or not hasattr(rows, "_at_place"):
                raise stop(f"{of}() of data with such a key is not followed")
            return rows._at_place(place())
        if options:
            raise stop(f"{of}() of data with {', '.join(options)} is not followed")
        if len(values) == 1 and isinstance(values[0], Blocked):
            return getattr(rows_of(values[0]), of)()
        several = values[0] if len(values) == 1 else values
        if any(
            isinstance(v, Blocked) and not (is_number(v) or type(v) is Element) for v in several
        ):
            raise stop(f"{of}() of arrays beside others: use np.{of}imum")
        return functools.reduce(ufunc, several)

    end = "least" if of == "min" else "largest"
    extreme.__doc__ = f"Return the {end} of several numbers: moves by no more than one of them."
    return extreme


_takes(min)(_extreme("min", np.minimum))
_takes(max)(_extreme("max", np.maximum))


@_takes(float)
def _float(value: Any) -> Any:
    """Return a number as it is, as a float."""
    if isinstance(value, Element):
        return Element(value.rows.astype(float), value.loop)
    return _scalar(value, "float")._as_float()


@_takes(int)
def _int(value: Any) -> Any:
    """Return a number without its fraction: moves by the next whole number at most."""
    if isinstance(value, Element):
        return Element(value.rows.astype(int), value.loop)
    return _scalar(value, "int")._whole()


def _scalar(value: Any, name: str) -> Any:
    if not is_number(value):
        raise stop(f"{name}() of {value.what}: use astype({name})")
    return value


@_takes(list, tuple)
def _list(values: Any) -> Any:
    """Return the values in a list."""
    return listed(rows_of(values))


def is_float(value: Any) -> bool:
    """Tell whether an array that holds it holds floats; one of whole numbers cuts off fractions."""
    known = vars(value).get("kind", "f") if isinstance(value, Blocked) else ""
    return isinstance(value, float) or known == "f"


def _as_array(value: Any, dtype: Any = None, **options: Any) -> Any:
    """Return what stands for data as an array."""
    if options.keys() - {"copy"} or (dtype is not None and np.dtype(dtype) != np.float64):
        raise stop(f"np.array of {value.what if is_data(value) else 'data'} with dtype or more")
    if isinstance(value, list | tuple):
        result = np.empty(len(value), dtype=object)
        result[:] = value if dtype is None else [_float(v) if is_data(v) else v for v in value]
        result.setflags(write=dtype is not None or any(map(is_float, value)))
        return result
    result = rows_of(value) if is_each(value) or value.role == "rows" else value
    return result if dtype is None else result.astype(dtype)


_takes(np.array, np.asarray, np.asanyarray)(_as_array)


@_takes(zip)
def _zip(*several: Any, **_: Any) -> Any:
    """Return several values of each record."""
    return Zipped(*several)


@_takes(map)
def _map(function: Any, values: Any, *others: Any) -> Any:
    """Return a generator of what a function makes of each record's value."""
    if others:
        return each(False, (True,), Zipped(values, *others), None, lambda _, *row: function(*row))
    return each(False, (False,), values, None, lambda _, value: function(value))


@_takes(filter)
def _filter(function: Any, values: Any) -> Any:
    """Return a generator of the values for which a condition holds."""
    return each(False, (False,), values, None, lambda _, v: v, lambda _, v: function(v))


@_takes(any)
def _any(values: Any) -> Any:
    """Return whether one holds: moves by 1 at most."""
    return _conditions(values).max()


@_takes(all)
def _all(values: Any) -> Any:
    """Return whether all hold: moves by 1 at most."""
    return _conditions(values).min()


def _conditions(values: Any) -> Any:
    result = rows_of(values)
    if result.kind != "b":
        raise stop("any or all of numbers: compare them")
    return result


def _of_numbers(original: Any, ufunc: Any) -> Callable[..., Any]:
    def made(*values: Any) -> Any:
        for value in values:
            if isinstance(value, Blocked) and not (is_number(value) or isinstance(value, Element)):
                raise stop(f"math.{original.__name__} of {value.what}: use np.{ufunc.__name__}")
        return ufunc(*values)

    made.__doc__ = f"Return the same as np.{ufunc.__name__}."
    return made


_MATH = (
    "exp exp2 expm1 log2 log10 log1p sqrt cbrt sin cos tan sinh cosh tanh fabs floor ceil trunc "
    "log atan:arctan asin:arcsin acos:arccos asinh:arcsinh atanh:arctanh atan2:arctan2 pow:power"
)
for _one in _MATH.split():
    _own, _, _ufunc = _one.partition(":")
    if hasattr(math, _own):
        _function = getattr(math, _own)
        _takes(_function)(_of_numbers(_function, getattr(np, _ufunc or _own)))


def _statistic(method: str, **options: Any) -> Callable[..., Any]:
    def made(values: Any) -> Any:
        return getattr(rows_of(values), method)(**options)

    made.__doc__ = f"Return the same as the method {method}."
    return made


_takes(statistics.mean, statistics.fmean)(_statistic("mean"))
_takes(statistics.median)(_statistic("median"))
_takes(statistics.pvariance)(_statistic("var"))
_takes(statistics.variance)(_statistic("var", ddof=1))
_takes(statistics.pstdev)(_statistic("std"))
_takes(statistics.stdev)(_statistic("std", ddof=1))

_takes(math.prod)(_statistic("prod"))


@_takes(sorted)
def _sorted(values: Any, **options: Any) -> Any:
    # Without a docstring it is no operation that is followed step by step.
    if type(values) in (list, tuple):
        raise stop("sorted() of several numbers is not followed: use np.minimum and np.maximum")
    rows, down = rows_of(values), options.pop("reverse", False)
    if options or type(down) is not bool or not hasattr(type(rows), "_sort"):
        raise stop("sorted() of data is not followed: use min, max, np.median or np.quantile")
    return rows._sort()[::-1] if down else rows._sort()


_ADVICE = {
    np.isscalar: "do the same for each type",
    range: "loop over the values, not over positions",
    enumerate: "loop over the values, not over positions",
    reversed: "use x[::-1]",
}


def _refusing(name: str, advice: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise stop(f"{name}() of data is not followed: {advice}")

    return refuse


def _way_of(function: Any, rows: Any) -> str | None:
    """Return what a function of two numbers makes of any two; ``None`` for another one.

    It is asked once: what may keep the two numbers, or count its calls, is another one.
    """
    code = getattr(function, "__code__", None)
    if not hasattr(type(rows), "any_two") or code is None or function.__defaults__:
        return None
    if code.co_freevars or {*code.co_names} - {"max", "min"}:
        return None
    one, other = rows.any_two()
    result = function(one, other)
    known = {"sum": one + other, "product": one * other}
    known |= {"max": np.maximum(one, other), "min": np.minimum(one, other)}
    alike = (how for how, made in known.items() if is_number(result) and result.value == made.value)
    return next(alike, None)


@_takes(functools.reduce)
def _reduce(function: Any, values: Any, *start: Any) -> Any:
    # Of functions that are known.
    known = {operator.add: "sum", np.add: "sum", operator.mul: "product", np.multiply: "product"}
    function = getattr(function, "original", function)
    how = known.get(function) or {max: "max", min: "min"}.get(function)
    how = how or _way_of(function, rows_of(values))
    if how is None or type(values) in (list, tuple):
        raise stop("functools.reduce is followed of sums, products, min and max: use these")
    first = {"sum": 0, "product": 1, "max": -math.inf, "min": math.inf}[how]
    if not start:
        rows_of(values)._whole("functools.reduce without a start")
    return _left(how, start[0] if start else first, values, False)


for _of, _advice in _ADVICE.items():
    _takes(_of)(_refusing(str(getattr(_of, "__name__", "")), _advice))
