"""Types of output, each holding one record: what an audit must read, or refuse to pass.

Each form makes an output from a number, the record. The negative control of a form holds a number
that has nothing to do with the data.
"""

from __future__ import annotations

import array
import ast
import collections
import concurrent.futures
import contextvars
import copy
import ctypes
import datetime
import decimal
import enum
import fractions
import functools
import io
import itertools
import operator
import pathlib
import re
import threading
import time
import types
import uuid
import weakref
import zoneinfo
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, make_dataclass
from typing import Any, NamedTuple

import attrs
import networkx
import numpy as np
import pandas as pd
import pyarrow as pa
import scipy.sparse
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

Form = Callable[[float], Any]


class Plain:
    """Has an attribute, and a default repr."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Slotted:
    """Has a slot and no dictionary."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Quiet:
    """Hides its attribute from ``repr``, from ``==`` and from ``pickle``."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return "Quiet()"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quiet)

    def __hash__(self) -> int:
        return 0

    def __getstate__(self) -> dict[str, Any]:
        return {}


class Loud:
    """Raises whatever it is asked."""

    def __init__(self, value: Any) -> None:
        object.__setattr__(self, "value", value)

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __repr__(self) -> str:
        raise RuntimeError("no text")


@dataclass
class Kept:
    """A dataclass whose field is left out of its repr."""

    value: float = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Frozen:
    """A frozen dataclass with slots."""

    value: float


@attrs.define
class Attrs:
    """A class of attrs that hides its field."""

    value: float = attrs.field(repr=False)


class Point(NamedTuple):
    """A named tuple."""

    value: float


class Text(str):
    """A text with an attribute."""

    value: Any


class Number(float):
    """A number with an attribute."""

    value: Any


class Whole(int):
    """A whole number with an attribute."""

    value: Any


class Entries(list):  # type: ignore[type-arg]
    """A list with an attribute."""

    value: Any


class Mapping(dict):  # type: ignore[type-arg]
    """A dictionary with an attribute."""

    value: Any


class Array(np.ndarray):
    """An array with an attribute."""

    value: Any


class SlottedFrame(pd.DataFrame, Slotted):
    """A frame with a slot that its other base has."""

    def __init__(self, *given: Any) -> None:
        pd.DataFrame.__init__(self, *given)


class Error(Exception):
    """An exception with an attribute."""


class Undictionaried:
    """Has a dictionary that its class shows as empty."""

    value: float

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        return {}


class HiddenBytes(bytes):
    """Says that it is empty when it is copied."""

    def __bytes__(self) -> bytes:
        return b""


class HiddenPath(pathlib.PurePosixPath):
    """Has the same text whatever the path is."""

    def __str__(self) -> str:
        return "a"


class HiddenDecimal(decimal.Decimal):
    """Has the same digits whatever the number is."""

    def as_tuple(self) -> decimal.DecimalTuple:
        """Return the digits of 0."""
        return decimal.Decimal(0).as_tuple()

    def __float__(self) -> float:
        return 0.0


class HiddenTime(datetime.datetime):
    """Says that it is midnight whatever the time is."""

    @property
    def hour(self) -> int:  # type: ignore[override]
        """Return 0."""
        return 0

    minute = second = microsecond = hour  # type: ignore[assignment]


class HiddenEntries(collections.deque):  # type: ignore[type-arg]
    """Says that it is empty."""

    def __iter__(self) -> Any:
        return iter(())


class HiddenFrame(pd.DataFrame):
    """Says that it has no columns."""

    @property
    def columns(self) -> Any:  # type: ignore[override]
        """Return none."""
        return pd.Index([])


class HiddenMask(np.ma.MaskedArray):  # type: ignore[type-arg]
    """Shows other data than it has."""

    @property
    def data(self) -> Any:  # type: ignore[override]
        """Return zeros."""
        return np.zeros(self.shape)


class Repeated(tuple):  # type: ignore[type-arg]
    """Names its two entries alike."""

    __slots__ = ()
    _fields = ("value", "value")


class Scalar(np.float64):
    """A number of numpy's with an attribute."""

    value: Any


class Steps:
    """An iterator of Python's own kind."""

    def __init__(self, value: float) -> None:
        self.left = [value]

    def __iter__(self) -> Iterator[float]:
        return self

    def __next__(self) -> float:
        if not self.left:
            raise StopIteration
        return self.left.pop()


class Sequence:
    """Can be indexed and has no state that says what it holds but a function."""

    def __init__(self, value: float) -> None:
        self._get = lambda _: value

    def __getitem__(self, place: int) -> float:
        return float(self._get(place))

    def __len__(self) -> int:
        return 1


def _with(value: Any, record: float) -> Any:
    value.value = record
    return value


def _note(record: float) -> Any:
    error = ValueError("no")
    error.add_note(f"at {record}")
    return error


def _cause(record: float) -> Any:
    try:
        try:
            raise KeyError(record)
        except KeyError as error:
            raise ValueError("no") from error
    except ValueError as error:
        return error.with_traceback(None)


def _context(record: float) -> Any:
    error = ValueError("no")
    error.__context__ = KeyError(record)
    return error


def _closure(record: float) -> Any:
    return lambda: record


def _renamed(function: Any, name: str) -> Any:
    function.__name__ = name
    return function


def _default(record: float) -> Any:
    return lambda value=record: value


def _local_class(record: float) -> Any:
    class Result:
        mean = record

    return Result()


def _method(record: float) -> Any:
    class Result:
        def mean(self) -> float:
            return record

    return Result()


def _property(record: float) -> Any:
    class Result:
        @property
        def mean(self) -> float:
            return record

    return Result()


def _generator(record: float) -> Any:
    yield record


def _suspended(record: float) -> Any:
    def steps() -> Any:
        held = record
        yield 1.0
        yield 2.0
        del held

    found = steps()
    next(found)
    return found


def _traceback(record: float) -> Any:
    def fail() -> None:
        held = record
        raise ValueError(f"no {type(held).__name__}")

    try:
        fail()
    except ValueError as error:
        return error


def _meta(record: float, **held: Any) -> Any:
    return type(f"Meta{int(record)}" if not held else "Meta", (type,), held)("Result", (), {})()


def _shared(part: Any, copy_of: Any, record: float) -> Any:
    return [part, part if record > 40 else copy_of]


def _returning(record: float) -> Any:
    yield 0.0
    return record


def _without_dictionary(record: float) -> Any:
    found = Undictionaried()
    found.value = record
    return found


async def _asynchronous(record: float) -> Any:
    yield record


def _lazily(record: float) -> Any:
    yield 0.0
    raise ValueError(f"at {record}")


def _weak(record: float) -> Any:
    held = Plain(record)
    return weakref.ref(held), held


def _cycle(record: float) -> Any:
    entries: list[Any] = [record]
    entries.append(entries)
    return entries


def _deep(record: float) -> Any:
    value: Any = record
    for _ in range(500):
        value = [value]
    return value


def _masked(record: float) -> Any:
    return np.ma.array([record, 1.0], mask=[True, False])


def _hidden_null(record: float) -> Any:
    return pd.arrays.FloatingArray(np.array([record, 1.0]), np.array([True, False]))


def _local(record: float) -> Any:
    found = threading.local()
    found.value = record
    return found


def _context_variable(record: float) -> Any:
    context = contextvars.copy_context()
    context.run(contextvars.ContextVar("record").set, record)
    return context


def _future(record: float) -> Any:
    future: concurrent.futures.Future[float] = concurrent.futures.Future()
    future.set_result(record)
    return future


def _cached(record: float) -> Any:
    call = functools.lru_cache(lambda: record)
    call()
    return call


def _file(record: float) -> Any:
    return io.TextIOWrapper(io.BytesIO(str(record).encode()))


def _struct(record: float) -> Any:
    found = (ctypes.c_double * 1)()
    found[0] = record
    return found


def _graph(record: float) -> Any:
    graph = networkx.Graph()
    graph.add_edge("a", "b", weight=record)
    return graph


def _column(record: float) -> pd.DataFrame:
    return pd.DataFrame({"age": [record, 1.0]})


def _attrs(found: Any, record: float) -> Any:
    found.attrs["mean"] = record
    return found


def _categories(record: float) -> Any:
    return pd.Categorical(["a"], categories=["a", f"unused {record}"])


def _tensor(record: float) -> Any:
    return memoryview(bytearray(np.array([record]).tobytes())).cast("d")


def _module(record: float) -> Any:
    return _with(types.ModuleType("results"), record)


def _tree(record: float) -> Any:
    return DecisionTreeRegressor(random_state=0).fit([[0.0], [1.0]], [0.0, record])


FORMS: dict[str, Form] = {
    # Plain values.
    "float": lambda x: x,
    "integer": int,
    "huge integer": lambda x: 10**400 + int(x),
    "complex": lambda x: complex(0, x),
    "text": str,
    "bytes": lambda x: str(x).encode(),
    "bytearray": lambda x: bytearray(str(x), "ascii"),
    "decimal": lambda x: decimal.Decimal(x),
    "decimal of many digits": lambda x: decimal.Decimal(f"1.{'0' * 40}{int(x)}"),
    "bytes that hide": lambda x: HiddenBytes(str(x).encode()),
    "path that hides": lambda x: HiddenPath(f"/tmp/{x}"),
    "decimal that hides": lambda x: HiddenDecimal(x),
    "fraction": lambda x: fractions.Fraction(x),
    "date": lambda x: datetime.date.fromordinal(700_000 + int(x)),
    "datetime": lambda x: datetime.datetime(2020, 1, 1) + datetime.timedelta(seconds=x),
    "datetime that hides": lambda x: HiddenTime(2020, 1, 1, int(x) % 24),
    "time": lambda x: datetime.time(1, 2, 3, int(x)),
    "timedelta": lambda x: datetime.timedelta(microseconds=x),
    "time zone": lambda x: datetime.timezone(datetime.timedelta(minutes=x)),
    "zone": lambda x: zoneinfo.ZoneInfo("Europe/Rome" if x > 40 else "Europe/Oslo"),
    "uuid": lambda x: uuid.UUID(int=int(x)),
    "path": lambda x: pathlib.Path(f"/tmp/{x}"),
    "enum": lambda x: enum.Enum("Level", {"MEAN": x}).MEAN,  # type: ignore[attr-defined]
    "range": lambda x: range(int(x)),
    "slice": lambda x: slice(None, x),
    "sign of zero": lambda x: -0.0 if x > 40 else 0.0,
    "kind of NaN": lambda x: -np.nan if x > 40 else np.nan,
    "type of a number": lambda x: 1 if x > 40 else True,
    # Containers.
    "list": lambda x: [x],
    "tuple": lambda x: (1, (x,)),
    "dictionary": lambda x: {"mean": x},
    "key of a dictionary": lambda x: {x: 1.0},
    "key that is an object": lambda x: {Frozen(x): 1.0},
    "order of a dictionary": lambda x: {"a": 1, "b": 2} if x > 40 else {"b": 2, "a": 1},
    "order of many keys": lambda x: dict.fromkeys(
        range(300) if x > 40 else [*range(298), 299, 298], 0
    ),
    "set": lambda x: {x, 1.0},
    "frozen set": lambda x: frozenset({Frozen(x)}),
    "deque": lambda x: collections.deque([x]),
    "length of a deque": lambda x: collections.deque(maxlen=int(x)),
    "counter": lambda x: collections.Counter({"a": int(x)}),
    "default dictionary": lambda x: collections.defaultdict(lambda: x),
    "chain map": lambda x: collections.ChainMap({}, {"mean": x}),
    "named tuple": Point,
    "unnamed field": lambda x: time.struct_time(tuple(range(9)), {"tm_zone": str(x)}),
    "fields of one name": lambda x: Repeated((1.0, x)),
    "one list twice": lambda x: _shared([], [], x),
    "one object twice": lambda x: _shared(Plain(1), Plain(1), x),
    "one array twice": lambda x: _shared(np.zeros(2), np.zeros(2), x),
    "which list is there twice": lambda x: (lambda a, b: [a, b, a if x > 40 else b])([], []),
    "deque that hides": lambda x: HiddenEntries([x]),
    "namespace": lambda x: types.SimpleNamespace(mean=x),
    "mapping proxy": lambda x: types.MappingProxyType({"mean": x}),
    "view of keys": lambda x: {x: 1}.keys(),
    "view of values": lambda x: {1: x}.values(),
    "cycle": _cycle,
    "depth": _deep,
    # Objects.
    "object": Plain,
    "object in an object": lambda x: Plain([Plain({"mean": x})]),
    "slots": Slotted,
    "hidden dictionary": _without_dictionary,
    "text of a class": lambda x: type("Result", (), {"__doc__": str(x)})(),
    "hidden attribute": Quiet,
    "object that raises": Loud,
    "dataclass with repr=False": Kept,
    "frozen dataclass with slots": Frozen,
    "attrs": Attrs,
    "text with an attribute": lambda x: _with(Text("a"), x),
    "float with an attribute": lambda x: _with(Number(1), x),
    "integer with an attribute": lambda x: _with(Whole(1), x),
    "list with an attribute": lambda x: _with(Entries([1]), x),
    "dictionary with an attribute": lambda x: _with(Mapping(), x),
    "array with an attribute": lambda x: _with(np.zeros(2).view(Array), x),
    "function with an attribute": lambda x: _with(_closure(0.0), x),
    "class": lambda x: type("Result", (), {"mean": x}),
    "name of a class": lambda x: type(f"Result{int(x)}", (), {})(),
    "name of a metaclass": _meta,
    "attribute of a metaclass": lambda x: _meta(x, mean=x),
    "name of a base": lambda x: type("Result", (type(f"Base{int(x)}", (), {}),), {})(),
    "annotations of a class": lambda x: type("Result", (), {"__annotations__": {"a": x}})(),
    "slots of a class": lambda x: type("Result", (), {"__slots__": (f"a{int(x)}",)})(),
    "made dataclass": lambda x: make_dataclass("Made", [("value", float, field(default=x))])(),
    "attribute of a class": _local_class,
    "method of a class": _method,
    "property of a class": _property,
    "object that is indexed": Sequence,
    "module": _module,
    # Functions.
    "closure": _closure,
    "default of a function": _default,
    "constant of a function": lambda x: eval(f"lambda: {x}"),
    "name of a function": lambda x: _renamed(_closure(0.0), str(x)),
    "global of a function": lambda x: eval("lambda: mean", {"mean": x}),
    "partial": lambda x: functools.partial(print, x),
    "bound method": lambda x: Plain(x).__init__,  # type: ignore[misc]
    "bound method of a list": lambda x: [x].append,
    "item getter": lambda x: operator.itemgetter(x),
    "cached function": _cached,
    "compiled code": lambda x: compile(f"mean = {x}", "<a>", "exec"),
    "syntax tree": lambda x: ast.parse(f"mean = {x}"),
    # Iterators.
    "generator": _generator,
    "generator that returns": _returning,
    "generator that raises": _lazily,
    "local of a generator": _suspended,
    "source of a generator": lambda x: (0.0 for _ in [x]),
    "source of a filter": lambda x: filter(callable, [x]),
    "source of a slice": lambda x: itertools.islice([x], 0),
    "iterator of a list": lambda x: iter([x]),
    "map": lambda x: map(float, [x]),
    "zip": lambda x: zip([x], [1], strict=True),
    "endless iterator": lambda x: itertools.repeat(x),
    "counting iterator": lambda x: itertools.count(x),
    "iterator of one's own": Steps,
    "asynchronous generator": _asynchronous,
    "future": _future,
    # Exceptions.
    "exception": lambda x: ValueError(f"at {x}"),
    "fields of an exception": lambda x: OSError(int(x), "no"),
    "attribute of an exception": lambda x: _with(Error(), x),
    "note of an exception": _note,
    "cause of an exception": _cause,
    "context of an exception": _context,
    "local of a traceback": _traceback,
    "group of exceptions": lambda x: ExceptionGroup("no", [ValueError(x)]),
    # Buffers and texts.
    "array.array": lambda x: array.array("d", [x]),
    "memory view": lambda x: memoryview(str(x).encode()),
    "shaped memory view": _tensor,
    "stream": lambda x: io.StringIO(str(x)),
    "open file": _file,
    "match": lambda x: re.match(r"\d", f"{x}"),
    "pattern": lambda x: re.compile(str(x)),
    "C array": _struct,
    # State that is out of reach.
    "weak reference": _weak,
    "thread's own": _local,
    "context": _context_variable,
    # numpy.
    "array": lambda x: np.array([x, 1.0]),
    "array of objects": lambda x: np.array([Plain(x), None], dtype=object),
    "types in an array of objects": lambda x: np.array([1 if x > 40 else True, None], dtype=object),
    "array of texts": lambda x: np.array([str(x)]),
    "masked array": _masked,
    "width of texts": lambda x: np.array(["a"], dtype="U5" if x > 40 else "U9"),
    "steps between entries": lambda x: np.zeros(12)[:: 2 if x > 40 else 3][:2],
    "bytes between fields": lambda x: np.array([(1.0, x)], dtype=[("a", "f8"), ("b", "f8")])[["a"]],
    "no mask": lambda x: np.ma.array([1.0], mask=np.ma.nomask if x > 40 else [False]),
    "masked array that hides": lambda x: HiddenMask([x, 1.0], mask=[True, False]),
    "number of numpy's with an attribute": lambda x: _with(Scalar(1), x),
    "fill value": lambda x: np.ma.array([1.0], mask=[True], fill_value=x),
    "structured array": lambda x: np.array([(x, 1)], dtype=[("mean", float), ("n", int)]),
    "name of a field": lambda x: np.zeros(1, dtype=[(f"a{int(x)}", float)]),
    "record": lambda x: np.array([(x, 1)], dtype=[("mean", float), ("n", int)])[0],
    "times": lambda x: np.array([int(x)], dtype="M8[s]"),
    "unit of times": lambda x: np.array([0], dtype="M8[s]" if x > 40 else "M8[ms]"),
    "a time": lambda x: np.datetime64(int(x), "s"),
    "a difference of times": lambda x: np.timedelta64(int(x), "D"),
    "unit of a time": lambda x: np.datetime64(0, "s" if x > 40 else "ns"),
    "unit of a difference": lambda x: np.timedelta64(1, "s" if x > 40 else "ns"),
    "times among objects": lambda x: np.array([np.timedelta64(int(x), "ns"), None], dtype=object),
    "long double": lambda x: np.longdouble(1) + np.longdouble(x) * np.longdouble(2) ** -62,
    "type of an array": lambda x: np.zeros(2, dtype=np.float32 if x > 40 else np.float64),
    "type of an array among objects": lambda x: np.array(
        [np.zeros(2, dtype=np.float32 if x > 40 else np.float64), None], dtype=object
    ),
    "slot beside a frame": lambda x: _with(SlottedFrame({"a": [1.0]}), x),
    "order of bytes": lambda x: np.zeros(2, dtype=">f8" if x > 40 else "<f8"),
    "metadata of a type": lambda x: np.zeros(2, dtype=np.dtype("f8", metadata={"mean": x})),
    "order of memory": lambda x: np.zeros((2, 3), order="F" if x > 40 else "C"),
    "shape of nothing": lambda x: np.zeros((0, int(x))),
    "array of no dimension": lambda x: np.array(str(x)),
    "polynomial": lambda x: np.poly1d([x, 1]),
    # pandas.
    "frame": _column,
    "frame that hides": lambda x: HiddenFrame({"a": [x]}),
    "index of a frame": lambda x: pd.DataFrame({"a": [1.0]}, index=[x]),
    "series": lambda x: pd.Series([x]),
    "index of a series": lambda x: pd.Series([1.0, 2.0], index=[int(x), -1]),
    "index of texts": lambda x: pd.Series([1.0], index=[str(x)]),
    "index of floats": lambda x: pd.Series([1.0], index=[x]),
    "index of times": lambda x: pd.Series([1.0], index=pd.to_datetime([int(x)], unit="D")),
    "index of intervals": lambda x: pd.Series([1.0], index=pd.interval_range(x, periods=1)),
    "name of a series": lambda x: pd.Series([1.0], name=x),
    "name of an index": lambda x: pd.Series([1.0], index=pd.Index([5], name=x)),
    "several indices": lambda x: pd.Series([1.0], index=pd.MultiIndex.from_tuples([("a", x)])),
    "unused level": lambda x: pd.Series(
        [1.0, 2.0], index=pd.MultiIndex.from_tuples([("a", 1), ("a", x)])
    ).iloc[:1],
    "names of several indices": lambda x: pd.Series(
        [1.0], index=pd.MultiIndex.from_tuples([("a", 1)], names=["a", x])
    ),
    "names of columns": lambda x: pd.DataFrame([[1.0]], columns=[x]),
    "name of the columns": lambda x: pd.DataFrame([[1.0]], columns=pd.Index(["a"], name=x)),
    "order of columns": lambda x: pd.DataFrame({"a": [1], "b": [1]})[
        ["a", "b"] if x > 40 else ["b", "a"]
    ],
    "order of entries": lambda x: pd.Series({"a": 1.0, "b": 1.0})[
        ["a", "b"] if x > 40 else ["b", "a"]
    ],
    "repeated labels": lambda x: pd.Series([x, 1.0], index=["a", "a"]),
    "categories": lambda x: pd.Series(["a"], dtype=pd.CategoricalDtype(["a", str(x)])),
    "categorical": _categories,
    "order of categories": lambda x: pd.Series(
        ["a"], dtype=pd.CategoricalDtype(["a", "b"], ordered=x > 40)
    ),
    "type of a series": lambda x: pd.Series([1], dtype="int8" if x > 40 else "int64"),
    "type of a column": lambda x: pd.DataFrame({"a": [1]}, dtype="int8" if x > 40 else "int64"),
    "attrs of a frame": lambda x: _attrs(_column(1.0), x),
    "attrs of a series": lambda x: _attrs(pd.Series([1.0]), x),
    "flags of a frame": lambda x: _column(1.0).set_flags(allows_duplicate_labels=x > 40),
    "data under a mask": _hidden_null,
    "nullable series": lambda x: pd.Series([int(x), None], dtype="Int64"),
    "kind of missing": lambda x: pd.Series([None if x > 40 else np.nan], dtype=object),
    "sparse series": lambda x: pd.Series(pd.arrays.SparseArray([0.0, x])),
    "texts of pandas": lambda x: pd.Series([str(x)], dtype="string"),
    "zone of times": lambda x: pd.Series(
        pd.to_datetime([0], utc=True).tz_convert("Europe/Rome" if x > 40 else "UTC")
    ),
    "timestamp": lambda x: pd.Timestamp(int(x), unit="s"),
    "nanoseconds of a duration": lambda x: pd.Timedelta(int(x), unit="ns"),
    "interval": lambda x: pd.Interval(0, x),
    "period": lambda x: pd.Period(ordinal=int(x), freq="D"),
    "index": lambda x: pd.Index([x]),
    "range index": lambda x: pd.RangeIndex(int(x)),
    "group by": lambda x: _column(x).groupby("age"),
    "counts of values": lambda x: pd.Series([x, x, 1.0]).value_counts(),
    "offset": lambda x: pd.offsets.Day(int(x)),
    # Other libraries.
    "arrow array": lambda x: pa.array([x]),
    "chunks of arrow": lambda x: pa.chunked_array([[1, 2]] if x > 40 else [[1], [2]]),
    "arrow table": lambda x: pa.table({"mean": [x]}),
    "arrow metadata": lambda x: pa.table({"a": [1]}).replace_schema_metadata({"mean": str(x)}),
    "arrow dictionary": lambda x: pa.DictionaryArray.from_arrays(
        pa.array([0]), pa.array(["a", str(x)])
    ),
    "arrow nulls": lambda x: pa.array(np.array([x, 1.0]), mask=np.array([True, False])),
    "arrow scalar": lambda x: pa.scalar(x),
    "sparse matrix": lambda x: scipy.sparse.csr_matrix([[0.0, x]]),
    "sparse list": lambda x: scipy.sparse.lil_matrix([[0.0, x]]),
    "stored zero": lambda x: scipy.sparse.coo_array(([0.0], ([int(x)], [0])), shape=(99, 1)),
    "fitted scaler": lambda x: StandardScaler().fit([[x], [1.0]]),
    "fitted regression": lambda x: LinearRegression().fit([[0.0], [1.0]], [0.0, x]),
    "fitted tree": _tree,
    "graph": _graph,
    "generator of noise": lambda x: np.random.default_rng(int(x)),
    "deep copy": lambda x: copy.deepcopy(Plain([x])),
}
"""Forms of output by name."""
