"""How each type of output is read: a table by type, and state for whatever is not in it.

A reading takes a value apart into named parts, which are read in turn. Two values that differ in
anything that a recipient can see have parts that differ; what cannot be taken apart is refused with
``UnreadError`` and ends as an unread part. Types are named as texts, so that no library is imported
to know them. Never read are memory addresses, which parts are one and the same object, the objects
that arrays are views of, and the frames of tracebacks and generators.
"""

from __future__ import annotations

import decimal
import functools
import hashlib
import pathlib
import re
import sys
import traceback
import types
from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

Parts = dict[str, Any]
"""Parts of a value by name, ``name`` for ``value.name``; the name of the value itself is empty."""

_HEAP, _MANAGED_DICT = 1 << 9, 1 << 4
"""Flags of a type: made at run time; its dictionary lies before the object."""

_COMPILED = types.MemberDescriptorType | types.GetSetDescriptorType
_FUNCTIONS = (types.FunctionType, classmethod, staticmethod, property, functools.cached_property)
_NO_DATA: tuple[Any, ...] = (
    *(*_FUNCTIONS, type, types.ModuleType, types.BuiltinFunctionType, types.MethodType),
    *(types.MemberDescriptorType, types.GetSetDescriptorType),
)


class UnreadError(Exception):
    """A value cannot be taken apart; the message says why, in a clause."""


class Known(NamedTuple):
    """How values of some types, and of their subclasses, are read.

    types: their full names. how: what is read of them, for the reference. read: takes one apart;
    ``None`` where nothing may be read. internal: attributes in its dictionary that hold what is
    read in another way, or what is only cached; those in slots of its own are.
    """

    types: str
    how: str
    read: Callable[[Any], Parts] | None
    internal: str = ""


class Refused(NamedTuple):
    """Stands where a part is that must not be read, and says why."""

    why: str


class Taken(NamedTuple):
    """An iterator whose items are to be taken, in order, when the reader gets there."""

    items: Any


def parts_of(value: Any) -> Parts:
    """Return the parts of a value that is no number, text, sequence or dictionary.

    Raises ``UnreadError`` where there is none, and what the value's own code raises.
    """
    kind = type(value)
    if kind is Refused:
        raise UnreadError(value.why)
    known = _BY_NAME.get(name_of(known_base(kind.__mro__)))
    own = {**state(value), **of_classes(kind)}
    if known is not None:
        if known.read is None:
            raise UnreadError(known.how)
        internal = known.internal.split()
        return {**known.read(value), **{k: part for k, part in own.items() if k not in internal}}
    if hasattr(kind, "__next__"):
        return {**own, "items": Taken(value)}
    return {**_reduced(value), **own} if hidden(kind) else own


@functools.lru_cache(maxsize=1024)
def known_base(bases: tuple[type, ...]) -> type:
    """Return the nearest of a type's bases that is in the table of known types, or ``object``."""
    return next((base for base in bases if name_of(base) in _BY_NAME), object)


def name_of(kind: type) -> str:
    """Return the full name of a type, without ``builtins``."""
    return f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")


def short_name(kind: type) -> str:
    """Return the short name of a known type, the full one of any other."""
    return kind.__name__ if name_of(kind) in _BY_NAME else name_of(kind)


# Objects by their state, and classes.


def state(value: Any) -> Parts:
    """Return what stands in an object's dictionary and slots, whatever its class makes of it.

    Slots of a known type are left out: its content is read in another way.
    """
    found: Parts = {}
    known = known_base(type(value).__mro__)
    for cls in type(value).__mro__:
        for name, member in () if cls in known.__mro__ else _slots(cls):
            try:
                found[name] = member.__get__(value)
            except AttributeError:
                continue
        attributes = vars(cls).get("__dict__")
        if attributes is not None and not isinstance(attributes, _COMPILED):
            raise UnreadError("its class hides its dictionary")
        if attributes is not None and not issubclass(type(value), type):
            found |= {str(name): part for name, part in attributes.__get__(value).items()}
    return found


def _slots(cls: type) -> Iterator[tuple[str, Any]]:
    for name, member in vars(cls).items() if "__slots__" in vars(cls) else ():
        if isinstance(member, types.MemberDescriptorType):
            yield name, member


def hidden(kind: type) -> bool:
    """Tell whether objects of a type hold more than a dictionary and slots, as compiled ones do."""
    size = object.__basicsize__ + 8 * sum(1 for cls in kind.__mro__ for _ in _slots(cls))
    size += 8 * (kind.__dictoffset__ != 0 and not kind.__flags__ & _MANAGED_DICT)
    size += 8 * (kind.__weakrefoffset__ > 0)
    return kind.__itemsize__ != 0 or kind.__basicsize__ > size


def _reduced(value: Any) -> Parts:
    """Return what a compiled type gives to pickle; where Python code replaces it, nothing is."""
    kind = type(value)
    for name in ("__reduce__", "__reduce_ex__", "__getstate__"):
        if any(isinstance(vars(cls).get(name), types.FunctionType) for cls in kind.__mro__):
            raise UnreadError("code of its class hides its compiled state")
    try:
        found = value.__reduce_ex__(4)
    except Exception:
        found = ""
    if type(found) is not tuple and not _is_at(value, getattr(value, "__module__", ""), found):
        raise UnreadError("its state is out of reach")
    if isinstance(found, str):
        return {"global": f"{value.__module__}.{found}"}
    names = ("made by", "arguments", "state", "entries", "pairs")
    parts = {name: part for name, part in zip(names, found, strict=False) if part is not None}
    return {name: Taken(p) if name in names[3:] else p for name, p in parts.items()}


def of_classes(kind: type) -> Parts:
    """Return the data that a user's classes hold themselves, and their functions that bind data."""
    found: Parts = {}
    for cls in kind.__mro__:
        if not cls.__flags__ & _HEAP or from_library(cls.__module__):
            continue
        local = not _is_at(cls, cls.__module__, cls.__qualname__)
        for name, value in vars(cls).items():
            special = name.startswith("_") and name.endswith("_")
            bound = _binding(value, local)
            if bound and (local or not special):
                found[f"class {name}"] = bound
            held = not isinstance(value, (kind, *_NO_DATA)) and name != "_abc_impl"
            if held and (not special or (local and name == "__doc__")):
                found[f"class {name}"] = value
    return found


def _is_at(value: Any, module: str, name: str) -> bool:
    """Tell whether a value is the one that a module has under a name."""
    try:
        return attrgetter(name)(sys.modules[module]) is value
    except (AttributeError, KeyError):
        return False


def _binding(value: Any, local: bool) -> list[types.FunctionType]:
    """Return functions of a class that carry data: in a closure or, if local, in defaults."""
    names = ("__func__", "func", "fget", "fset", "fdel") if isinstance(value, _FUNCTIONS) else ()
    every = (value, *(getattr(value, name, None) for name in names))
    functions = [one for one in every if isinstance(one, types.FunctionType)]
    return [
        one
        for one in functions
        if (local and (one.__defaults__ or one.__kwdefaults__))
        or not all(isinstance(held, _NO_DATA) for held in _closure(one).values())
    ]


@functools.lru_cache(maxsize=4096)
def from_library(module: str) -> bool:
    """Tell whether a module is of Python itself or of an installed package."""
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    installed = "site-packages" in file or "dist-packages" in file
    return installed or module.partition(".")[0] in sys.stdlib_module_names


def _function(value: types.FunctionType) -> Parts:
    names = {name: value.__globals__[name] for name in _named(value.__code__, value.__globals__)}
    shown = ("qualname", "doc", "code", "defaults", "kwdefaults", "annotations")
    own = {name: getattr(value, f"__{name}__") for name in shown}
    return {**own, "closure": _closure(value), "globals": names}


def _closure(function: types.FunctionType) -> Parts:
    found: Parts = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # It is not filled yet.
            continue
    return {name: content for name, content in found.items() if name != "__class__"}


def _named(code: types.CodeType, known: Mapping[str, Any]) -> Iterator[str]:
    """Yield the globals that code names, unless they are code themselves."""
    yield from (n for n in code.co_names if n in known and not isinstance(known[n], _NO_DATA))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _named(constant, known)


def _code(value: types.CodeType) -> Parts:
    names = value.co_names, value.co_varnames, value.co_freevars, value.co_filename
    digest = hashlib.sha256(value.co_code + value.co_linetable + repr(names).encode())
    return {"name": value.co_qualname, "": value.co_consts, "digest": digest.hexdigest()[:16]}


def _class(value: type) -> Parts:
    return {"bases": [name_of(base) for base in value.__mro__], **of_classes(value)}


def _module(value: types.ModuleType) -> Parts:
    inside = {} if sys.modules.get(value.__name__) is value else vars(value)
    return {"name": value.__name__, **inside}


# Values of Python's own types.

_CONTENT: dict[type, Callable[[Any], Any]] = {
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    bytearray: lambda value: bytes(bytearray.__getitem__(value, slice(None))),
    int: int.__pos__,
    float: float.__pos__,
    complex: complex.__pos__,
    list: lambda value: list(list.__iter__(value)),
    tuple: lambda value: list(tuple.__iter__(value)),
    set: lambda value: set(set.__iter__(value)),
    frozenset: lambda value: set(frozenset.__iter__(value)),
    dict: lambda value: dict(dict.items(value)),
    types.MappingProxyType: dict,
    object: list,
}


def _content(value: Any) -> Parts:
    """Return the content of a subclass of what Python has itself."""
    content = next(make for kind, make in _CONTENT.items() if issubclass(type(value), kind))(value)
    names = getattr(type(value), "_fields", ())
    return dict(zip(names, content, strict=True)) if names else {"": content}


def _default(value: Any) -> Parts:
    return {**_content(value), "default": value.default_factory}


def _enum(value: Any) -> Parts:
    return {"": f"{type(value).__name__}.{value._name_}", "value": value._value_}


def _memory(value: memoryview) -> Parts:
    about = (value.format, value.shape, value.readonly, value.obj)
    return {"": value.tobytes(), "about": about}


def _exception(value: BaseException) -> Parts:
    lines = [(at.f_code.co_qualname, n) for at, n in traceback.walk_tb(value.__traceback__)]
    members = (member for cls in type(value).__mro__ for member in vars(cls).items())
    fields = {name for name, part in members if isinstance(part, _COMPILED)}
    shown = sorted(fields - {"__dict__", "__traceback__", "args"})
    return {"arguments": value.args, "lines": lines, **{n: getattr(value, n, None) for n in shown}}


def _path(value: pathlib.PurePath) -> Parts:
    return {"": pathlib.PurePath.__str__(value)}


def _decimal(value: Any) -> Parts:
    sign, digits, exponent = decimal.Decimal.as_tuple(value)
    whole = int("".join(map(str, digits)) or 0)
    finite = {"": float(value)} if value.is_finite() else {}
    return {**finite, "exact": (sign, whole, len(digits), exponent)}


def _time(value: Any) -> Parts:
    clock = ((value.hour * 60 + value.minute) * 60 + value.second) * 10**6 + value.microsecond
    day = value.toordinal() if hasattr(value, "toordinal") else 0
    return {"day": day, "microseconds": clock, "tzinfo": value.tzinfo, "fold": value.fold}


def _attributes(*names: str) -> Callable[[Any], Parts]:
    return lambda value: {name: getattr(value, name) for name in names}


# numpy, pandas, pyarrow.


def dtype_words(dtype: np.dtype[Any]) -> str:
    """Return all that a type of numpy's says, in words; its name alone of the usual ones."""
    words = dtype.name if dtype.names is None else str(dtype)
    words += "" if dtype.isnative else " in the other order of bytes"
    return f"{words} {dict(dtype.metadata)}" if dtype.metadata else words


def layout_words(array: np.ndarray) -> str:
    """Return the type of an array, and how it lies in memory where that is unusual."""
    words, flags = dtype_words(array.dtype), array.flags
    if not flags.c_contiguous:
        words += " by columns" if flags.f_contiguous else " with gaps"
    return words if flags.writeable else f"{words} read-only"


def _masked(value: Any) -> Parts:
    mask, about = np.asarray(np.ma.getmaskarray(value)), (value.fill_value, value.hardmask)
    return {"": np.asarray(value.data), "mask": mask, "about": about}


def common_parts(outputs: Any) -> Parts:
    """Return by name what a batch of outputs has in common, which is not read of each of them."""
    kind = type(outputs)
    if kind in (list, tuple):
        return {}
    if isinstance(outputs, np.ndarray):
        found = {name: part for name, part in state(outputs).items() if name not in _MASKED.split()}
        fields = outputs.dtype.names
        return found if fields is None else {**found, "fields": [*fields, entry_types(outputs)]}
    if name_of(known_base(kind.__mro__)) not in _FRAMES:
        # Of another library's frame nothing is known but what it is.
        return {"type": name_of(kind), **state(outputs)}
    plain = numbered(getattr(outputs, "index", None))
    index = {} if plain else {"index": Refused("each label depends on the whole batch")}
    return {"type": name_of(kind), **frame_labels(outputs), **index}


def entry_types(entry: Any) -> Any:
    """Return the types of an entry of an array, which one output can change for a whole batch.

    A sequence whose entries are of one type counts as an array of that type.
    """
    kind = type(entry)
    if isinstance(entry, np.ndarray | np.generic):
        if entry.dtype.kind == "O":
            return entry_types(np.asarray(entry).tolist())
        return _WIDTH.sub(r"\1", dtype_words(entry.dtype))
    if kind in (list, tuple):
        found = [entry_types(one) for one in entry]
        return found[0] if len(set(map(repr, found))) == 1 else [kind.__name__, *found]
    if kind is dict:
        return {repr(key): entry_types(part) for key, part in entry.items()}
    return _NUMPY.get(kind, kind.__name__)


_NUMPY = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}
_WIDTH = re.compile(r"\b(str|bytes|[<>|=]?[US])\d+")


def numbered(index: Any) -> bool:
    """Tell whether an index of pandas is 0, 1, 2, … and nothing else; or there is none."""
    if type(index).__name__ != "RangeIndex":
        return index is None
    return (index.start, index.step, index.name) == (0, 1, None)


def frame_labels(value: Any) -> Parts:
    """Return all of a series, frame or index of pandas but its values and its own index."""
    if hasattr(value, "columns"):
        found = {"columns": _about(value.columns), "dtypes": [_dtype(one) for one in value.dtypes]}
    else:
        found = {"name": value.name, "dtype": _dtype(value.dtype)}
    if attributes := getattr(value, "attrs", {}):
        found["attrs"] = attributes
    if hasattr(value, "flags") and not value.flags.allows_duplicate_labels:
        found["flags"] = "no duplicate labels"
    return found


def _about(index: Any) -> Any:
    return "numbered" if numbered(index) else index


def _dtype(dtype: Any) -> Any:
    return dtype_words(dtype) if isinstance(dtype, np.dtype) else dtype


def _labelled(labels: Any, values: list[Any]) -> Any:
    """Return values by their labels, where these are unlike each other; else values alone."""
    plain = numbered(labels) or labels.nlevels > 1 or not labels.is_unique or labels.hasnans
    if plain or getattr(labels.dtype, "kind", "O") in "fc":
        return values
    return dict(zip(labels.tolist(), values, strict=True))


def _series(value: Any) -> Parts:
    content = column(value.array)
    if isinstance(content, np.ndarray):
        labelled = _labelled(value.index, content.tolist())
        content = labelled if isinstance(labelled, dict) else content
    return {"": content, **frame_labels(value), "index": _about(value.index)}


def _frame(value: Any) -> Parts:
    columns = [column(value.iloc[:, place].array) for place in range(value.shape[1])]
    rows = {} if columns else {"rows": len(value)}
    found = {"": _labelled(value.columns, columns), **frame_labels(value), **rows}
    return {**found, "index": _about(value.index)}


def _index(value: Any) -> Parts:
    if type(value).__name__ == "RangeIndex":
        return {"": [value.start, value.stop, value.step], "name": value.name}
    if hasattr(value, "levels"):
        codes = [np.asarray(codes) for codes in value.codes]
        return {"": codes, "names": list(value.names), "levels": list(value.levels)}
    return {"": column(value.array), **frame_labels(value), "freq": getattr(value, "freq", None)}


def column(array: Any) -> Any:
    """Return an array of pandas as one of numpy's, where that is all of it."""
    wraps = isinstance(array.dtype, np.dtype) or type(array).__name__ == "NumpyExtensionArray"
    return np.asarray(array) if wraps else array


def _extension(value: Any) -> Parts:
    inner = getattr(value, "_ndarray", None)
    return {"dtype": value.dtype, **({} if inner is None else {"": inner})}


def _arrow(value: Any) -> Parts:
    raw = _reduced(value) if value.null_count or hasattr(value, "dictionary") else {}
    return {"": value.to_pylist(), "type": str(value.type), "raw": raw}


_PANDAS = (
    "_mgr _item_cache _attrs _flags _name _cache _data _id _range _names _levels _codes _dtype "
    "_freq _references sortorder"
)
_ARRAYS = (
    "pandas.Categorical pandas.arrays.NumpyExtensionArray pandas.arrays.DatetimeArray "
    "pandas.arrays.TimedeltaArray pandas.arrays.PeriodArray pandas.arrays.IntegerArray "
    "pandas.arrays.FloatingArray pandas.arrays.BooleanArray pandas.arrays.StringArray "
    "pandas.arrays.ArrowStringArray pandas.arrays.ArrowExtensionArray "
    "pandas.arrays.IntervalArray pandas.arrays.SparseArray"
)
_FRAMES = ("pandas.DataFrame", "pandas.Series", "pandas.Index")
_MASKED = "_mask _fill_value _hardmask _sharedmask _isfield _baseclass _optinfo _basedict _data"
_OWN = (
    "str bytes bytearray int float complex list tuple set frozenset dict mappingproxy "
    "dict_keys dict_values dict_items"
)
_GENERATORS = (
    "numpy.random._generator.Generator numpy.random.mtrand.RandomState _random.Random "
    "numpy.random.bit_generator.BitGenerator"
)

KNOWN = (
    Known(_OWN, "content, in its order if it has one; sets sorted; names of fields", _content),
    Known("collections.defaultdict", "entries in order, what makes a missing one", _default),
    Known("enum.Enum", "class, name and value", _enum, "_name_ _value_ __objclass__ _sort_order_"),
    Known("memoryview", "bytes, format, shape and the object that it shows", _memory),
    Known("_io._IOBase", "content and position in memory; files are not read", _reduced),
    Known("BaseException", "type, arguments, fields, notes, causes, lines raised", _exception),
    Known("decimal.Decimal", "sign, digits and exponent", _decimal),
    Known("datetime.datetime datetime.time", "day, microseconds, time zone, fold", _time),
    Known("pathlib.PurePath", "the path", _path),
    Known("re.Match", "text, pattern, span of each group", _attributes("string", "re", "regs")),
    Known("re.Pattern", "pattern and flags", _attributes("pattern", "flags")),
    Known("function", "name, code, defaults, closure, globals that it names", _function),
    Known("code", "constants, and a digest of the rest", _code),
    Known("type", "bases, data of the class, functions that bind data", _class),
    Known("module", "the name; the content, where it was not imported", _module),
    Known(_GENERATORS, "nothing: its state determines the noise", None),
    Known("numpy.ma.MaskedArray", "data, also under the mask; mask; fill value", _masked, _MASKED),
    Known("numpy.ndarray", "as an array, and attributes", lambda value: {"": np.asarray(value)}),
    Known("pandas.DataFrame", "columns in order, index, dtypes, names, attrs", _frame, _PANDAS),
    Known("pandas.Series", "entries in order, index, dtype, name, attrs", _series, _PANDAS),
    Known("pandas.Index", "entries in order, names, dtype, unused levels", _index, _PANDAS),
    Known(_ARRAYS, "entries, dtype and the state", _extension, "_cache _dtype"),
    Known("pandas.api.extensions.ExtensionDtype", "name, state", lambda v: {"": str(v)}, "_cache"),
    Known("pandas.Timestamp", "ticks, unit, zone", _attributes("value", "unit", "tz", "fold")),
    Known("pandas.api.typing.NAType pandas.api.typing.NaTType", "the type", lambda _: {}),
    Known("pyarrow.lib.Array pyarrow.lib.ChunkedArray", "entries, type, also under nulls", _arrow),
    Known("pyarrow.lib._Tabular", "columns, schema", _attributes("columns", "schema")),
)
"""How values of known types are read; the rows of the reference."""

_BY_NAME = {name: known for known in KNOWN for name in known.types.split()}
