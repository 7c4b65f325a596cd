"""What stands for data in a trace: the steps it records, and what it must refuse."""

import functools
import inspect
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any, ClassVar, NoReturn, TypeVar

HERE = str(Path(__file__).parents[2])

LIBRARIES = (
    *(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    str(Path(__file__).parents[3]),
    "<frozen",
)
"""Where functions lie that are nobody's query."""


class UntraceableError(BaseException):
    """Ends a trace. No ``Exception``: a query that catches these must not go on."""


class IntegersMayWrap(str):
    """Why a trace ended: of very many records, integers may leave their type."""

    __slots__ = ()


MOST_COUNTED = 2**31
"""So many records leave room for squares of sums among integers."""

Shown = TypeVar("Shown")

Sizes = tuple[int, int | None]
"""The fewest records and the most, if there are that many at most."""


def fewer_records(
    sizes: Sizes, attempt: Callable[[Sizes], Shown], reasons: Callable[[Shown], Sequence[Any]]
) -> Shown:
    """Return what an attempt shows, of at most 2³¹ records where integers may wrap for more.

    reasons: why an attempt showed nothing. The first attempt counts where the second shows nothing.
    """
    shown = attempt(sizes)
    if sizes[1] is None and any(isinstance(reason, IntegersMayWrap) for reason in reasons(shown)):
        again = attempt((sizes[0], max(sizes[0], MOST_COUNTED)))
        shown = shown if reasons(again) else again
    return shown


@dataclass(frozen=True)
class QueryStep:
    """One step of a query.

    line: of the query's file; 0 where it is not known. words: what was computed, and how far it
    moves between neighbors.
    """

    line: int
    words: str


@dataclass
class QueryTrace:
    """One run of a query.

    one_more: whether neighbors differ by a record more or less; else one is replaced. least, most:
    the numbers of records, ``most`` ``None`` where there is no limit. stopped: why it ended early.
    looping: how many loops over the records run: what one does once, the query does for each.
    """

    one_more: bool
    least: int
    most: int | None
    steps: list[QueryStep] = field(default_factory=list)
    stopped: str = ""
    looping: int = 0

    def note(self, words: str) -> None:
        """Write down a step, with the line of the query that made it."""
        self.steps.append(QueryStep(line_of_query(), words))


_CURRENT: ContextVar[QueryTrace] = ContextVar("trace")


def current() -> QueryTrace:
    """Return the trace that is running."""
    return _CURRENT.get()


def following(trace: QueryTrace) -> None:
    """Make a trace the one that is running."""
    _CURRENT.set(trace)


def stop(reason: str, kind: type[str] = str) -> UntraceableError:
    """Return what ends the trace; whatever the query makes of it, the reason stands.

    kind: the type of the reason, where there is something to do about it.
    """
    trace, line = current(), line_of_query()
    trace.stopped = trace.stopped or kind(f"line {line}: {reason}" if line else reason)
    return UntraceableError(reason)


def line_of_query() -> int:
    """Return the line of the innermost frame that is neither ours nor of a library below us.

    0 where no line of the query runs: before it begins, and once it has returned.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _ours(frame):
        frame = None if frame.f_code.co_name == "released_by" else frame.f_back
    return 0 if frame is None else frame.f_lineno


def _ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith((HERE, *LIBRARIES))


def of_a_library(given: type, folders: tuple[str, ...] = LIBRARIES) -> bool:
    """Return whether a class is Python's own, or stands in one of these folders."""
    file = getattr(sys.modules.get(given.__module__), "__file__", None) or ""
    return given.__module__ == "builtins" or file.startswith(folders)


# What nothing in a trace may do: everything that would need a value that is not there.


def said(value: Any) -> str:
    """Return a value in words, or what stands for one."""
    return value.what if isinstance(value, Blocked) else repr(value)


def methods(text: str) -> dict[str, str]:
    """Return the methods that stand for functions: ``function:method``, or one name for both."""
    return {one.partition(":")[0]: one.partition(":")[2] or one for one in text.split()}


PLAIN = (
    "axis=-1 axis=0 axis=None copy=True density=False density=None dtype=None inplace=False "
    "interpolation='linear' keepdims=False method='linear' numeric_only=False observed=False "
    "observed=True out=None skipna=True sort=False sort=True weights=None"
)
"""Options that change no number: what is computed is the same without them."""


def _strict(method: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a method that ends the trace where it is given an argument that its rule lacks."""
    signature = inspect.signature(method)
    known = set(signature.parameters)
    open_ = any(item.kind is item.VAR_KEYWORD for item in signature.parameters.values())

    @functools.wraps(method)
    def called(self: Any, *args: Any, **options: Any) -> Any:
        more = {} if open_ else {key: options.pop(key) for key in {*options} - known}
        beside = sorted({f"{key}={said(value)}" for key, value in more.items()} - {*PLAIN.split()})
        try:
            signature.bind(self, *args, **options)
        except TypeError as error:
            beside = beside or [f"this argument ({error})"]
        if beside:
            raise stop(f"{name} of {self.what} with {', '.join(beside)} is not traced")
        return method(self, *args, **options)

    return called


_TOTALS = "groupby(column)[other].sum().reindex(texts, fill_value=0)"
_SORTED = "np.sort(x) of an array (frame[column].to_numpy()), of which parts and sums are followed"
INSTEAD = {
    **dict.fromkeys(("agg", "aggregate", "pivot_table", "crosstab", "transform"), _TOTALS),
    **dict.fromkeys(("sort_values", "rank", "head", "tail", "iloc", "nlargest"), _SORTED),
    **dict.fromkeys(
        ("query", "filter", "where", "mask"), "a condition, as in x[x > 30] or np.where"
    ),
    **dict.fromkeys(("rolling", "shift", "ewm", "expanding"), "slices of an array: x[1:] + x[:-1]"),
    **dict.fromkeys(("iterrows", "itertuples", "items"), "whole columns, such as frame.age.sum()"),
    **dict.fromkeys(("sort", "partition"), "np.sort(x), which returns the numbers in order"),
    "cumprod": "np.prod of a part, such as np.prod(x[:3])",
    **dict.fromkeys(("nonzero", "flatnonzero", "compress", "extract"), "x[x > 30] and its sum()"),
    **dict.fromkeys(("concatenate", "append", "hstack", "tile", "repeat"), "sums, added up"),
    **dict.fromkeys(("describe", "info"), "one number after the other: mean(), std(), median()"),
    **dict.fromkeys(("corr", "skew", "kurt"), "sums and means of products, each with noise"),
    **dict.fromkeys(("str", "dt"), "== and isin of texts, and conditions on numbers"),
    **dict.fromkeys(
        ("nunique", "unique", "mode", "idxmax", "drop_duplicates"),
        "counts of listed values: value_counts().reindex(values, fill_value=0)",
    ),
}
"""What to write in place of what is not traced, by its name."""


def _instead(name: str) -> str:
    return f": use {INSTEAD[name]}" if name in INSTEAD else ""


class Blocked:
    """Base of what stands for values: whatever asks for a value ends the trace.

    UFUNCS, FUNCTIONS: the methods that stand for NumPy's functions. An argument that a method does
    not have ends the trace. role: ``rows`` (a value of each record), ``number`` or another one.
    """

    role: ClassVar[str] = ""

    what = "something that depends on the data"
    UFUNCS: ClassVar[Mapping[str, Any]] = {}
    FUNCTIONS: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls) -> None:
        for name, made in list(vars(cls).items()):
            known = not name.startswith("_") or name in cls.FUNCTIONS.values()
            if known and isinstance(made, FunctionType):
                setattr(cls, name, _strict(made, name.strip("_")))

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        name = function.__name__
        if name not in self.FUNCTIONS or not args or type(args[0]) is not type(self):
            raise stop(f"np.{name} of {self.what} is not traced{_instead(name)}")
        return getattr(args[0], self.FUNCTIONS[name])(*args[1:], **options)

    def _rule(self, ufunc: Any, method: str, options: Any) -> Any:
        """Return the method that stands for a function of NumPy, which is called as it stands."""
        name, given = ufunc.__name__, [*[method] * (method != "__call__"), *options]
        if given or name not in self.UFUNCS:
            beside = f" with {', '.join(given)}" if given else ""
            raise stop(f"np.{name}{beside} of {self.what} is not traced")
        return self.UFUNCS[name]

    def __radd__(self: Any, other: Any) -> Any:
        return self + other

    def __rsub__(self: Any, other: Any) -> Any:
        return -self + other

    def __rmul__(self: Any, other: Any) -> Any:
        return self * other

    def _value(self, *_: Any, **__: Any) -> Any:
        raise stop(f"the way that the program takes, or a value beside it, depends on {self.what}")

    def __bool__(self) -> bool:
        raise stop(
            f"the way that the program takes depends on {self.what}: if, while, assert, and, or, "
            "not and a < b < c ask whether it is true; use np.where, np.clip, a mask, or & and | "
            "of comparisons"
        )

    def __iter__(self) -> NoReturn:
        raise stop(
            f"a loop over {self.what}: only comprehensions of one loop, and loops that add a value "
            "of each record to numbers, are followed; use those, or NumPy's functions"
        )

    def _change(self, *_: Any, **__: Any) -> NoReturn:
        what = f"a new array, as by np.where(condition, new, old), in place of changing {self.what}"
        raise stop(f"nothing is changed in place: compute {what}")

    __int__ = __float__ = __complex__ = __index__ = __len__ = _value
    __contains__ = __hash__ = __reversed__ = __next__ = __format__ = _value
    __repr__ = __str__ = __bytes__ = __reduce__ = __reduce_ex__ = __sizeof__ = _value
    __floor__ = __ceil__ = __trunc__ = __divmod__ = __mod__ = __floordiv__ = _value
    __rmod__ = __rfloordiv__ = __rdivmod__ = __rpow__ = __matmul__ = __rmatmul__ = _value
    __setitem__ = __delitem__ = __iadd__ = __isub__ = __imul__ = __itruediv__ = _change
    __ifloordiv__ = __imod__ = __ipow__ = __iand__ = __ior__ = __ixor__ = _change

    def __eq__(self, other: object) -> Any:
        self._value(other)

    def __ne__(self, other: object) -> Any:
        self._value(other)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name.startswith("_"):
            raise stop(
                f"a function that looks at what {self.what} is, such as pd.cut, is not traced"
            )
        raise stop(f"{name} of {self.what} is not traced{_instead(name)}")
