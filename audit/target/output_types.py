"""How each type of output is read: a table by type, and state for whatever is not in it.

A reading takes a value apart into named parts, which are read in turn. Two values that differ in
anything that a recipient can see have parts that differ; what cannot be taken apart is refused with
``UnreadError`` and ends as an unread part. Types are named as texts, so that no library is imported
to know them. Never read are memory addresses, and the objects that arrays are views of.
"""

import collections
import datetime
import decimal
import functools
import gc
import hashlib
import pathlib
import re
import sys
import traceback
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

Parts = list[tuple[str, Any]]
"""Parts of a value with their names, ``name`` for ``value.name``; that of its content is empty.

Names may repeat: an attribute may have the name by which content is read.
"""

_HEAP, _MANAGED_DICT = 1 << 9, 1 << 4
"""Flags of a type: made at run time; its dictionary lies before the object."""

_COMPILED = types.MemberDescriptorType | types.GetSetDescriptorType
_PICKLES = ("__reduce__", "__reduce_ex__", "__getstate__", "__getattribute__")
_VALUES = ("builtins", "collections", "datetime", "decimal")
_COMPILED_METHODS = ("method_descriptor", "wrapper_descriptor", "cython_function_or_method")
_HOLDERS = (list, tuple, set, frozenset, dict, collections.deque)
_FUNCTIONS = (types.FunctionType, classmethod, staticmethod, property, functools.cached_property)


class UnreadError(Exception):
    """A value cannot be taken apart; the message says why, in a clause."""


class Known(NamedTuple):
    """How values of some types, and of their subclasses, are read.

    types: their full names. how: what is read of them, for the reference. read: takes one apart,
    whatever methods a subclass replaces; ``None`` where nothing may be read. internal: attributes
    in its dictionary that hold what is read in another way, or what is only cached; those in slots
    of its own are.
    """

    types: str
    how: str
    read: Callable[[Any], Mapping[str, Any]] | None
    internal: str = ""


BETWEEN = "bytes between its fields are not read: numpy.lib.recfunctions.repack_fields drops them"


class Refused(NamedTuple):
    """A part of an output that must not be read, and why."""

    why: str


class Taken(NamedTuple):
    """An iterator whose items are to be taken, in order, when the reader gets there.

    held: what it holds before that. All of it has to be among the items.
    """

    items: Any
    held: Mapping[int, Any] = {}


def parts_of(value: Any) -> Parts:
    """Return the parts of a value that is no number, text, sequence or dictionary.

    Raises ``UnreadError`` where there is none, and what the value's own code raises.
    """
    kind = type(value)
    if kind is Refused:
        raise UnreadError(value.why)
    known = _BY_NAME.get(name_of(known_base(kind.__mro__)))
    own = [*state(value), *of_classes(kind)]
    if known is not None:
        if known.read is None:
            raise UnreadError(known.how)
        internal = known.internal.split()
        content = [*known.read(value).items(), *(item for item in own if item[0] not in internal)]
        base = known_base(kind.__mro__)
        more = base is not kind and base.__module__ in _VALUES and hidden(kind, base)
        return [*content, *_reduced(value).items()] if more else content
    if hasattr(kind, "__next__"):
        return [*own, ("items", Taken(value, inside([value]) if hidden(kind) else {}))]
    return [*_reduced(value).items(), *own] if hidden(kind) else own


@functools.lru_cache(maxsize=1024)
def known_base(bases: tuple[type, ...]) -> Any:
    """Return the nearest of a type's bases that is in the table of known types, or ``object``."""
    return next((base for base in bases if name_of(base) in _BY_NAME), object)


def library_base(value: Any) -> Any:
    """Return the nearest class of a value that is of Python or an installed package."""
    return next(cls for cls in type(value).__mro__ if from_library(cls.__module__))


def name_of(kind: type) -> str:
    """Return the full name of a type, without ``builtins``."""
    return f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")


def short_name(kind: type) -> str:
    """Return the short name of a known type, the full one of any other."""
    return kind.__name__ if name_of(kind) in _BY_NAME else name_of(kind)


# Objects by their state, and classes.


def state(value: Any) -> Parts:
    """Return what an object's dictionary and slots hold, whatever its class makes of it.

    Slots of a known type are left out: its content is read in another way.
    """
    kind = type(value)
    others = (cls for cls in kind.__mro__ if cls not in known_base(kind.__mro__).__mro__)
    result = _filled((name, member, value) for cls in others for name, member in _slots(cls))
    for cls in kind.__mro__:
        attributes = vars(cls).get("__dict__")
        if attributes is not None and not isinstance(attributes, _COMPILED):
            raise UnreadError("its class hides its dictionary")
        imported = kind is types.ModuleType and sys.modules.get(value.__name__) is value
        if attributes is not None and not issubclass(kind, type) and not imported:
            held = attributes.__get__(value)
            return [*result, *((str(name), part) for name, part in held.items())]
    return result


def _filled(members: Iterable[tuple[str, Any, Any]]) -> Parts:
    """Return by name what compiled members hold, each of its object, if they hold anything."""
    result: Parts = []
    for name, member, holder in members:
        try:
            result.append((name, member.__get__(holder)))
        except (AttributeError, TypeError, ValueError):
            continue
    return result


def _slots(cls: type) -> Iterator[tuple[str, Any]]:
    for name, member in vars(cls).items() if "__slots__" in vars(cls) else ():
        if isinstance(member, types.MemberDescriptorType):
            yield name, member


def hidden(kind: type, base: type = object) -> bool:
    """Return whether objects of a type hold more than those of a base, dictionary and slots.

    Those of compiled types may.
    """
    own = [cls for cls in kind.__mro__ if cls not in base.__mro__]
    size = base.__basicsize__ + 8 * sum(1 for cls in own for _ in _slots(cls))
    named = kind.__dictoffset__ != 0 and not kind.__flags__ & _MANAGED_DICT
    size += 8 * (named and not base.__dictoffset__)
    size += 8 * (kind.__weakrefoffset__ > 0 and not base.__weakrefoffset__)
    return kind.__itemsize__ != base.__itemsize__ or kind.__basicsize__ > -(-size // 8) * 8


def _reduced(value: Any) -> dict[str, Any]:
    """Return what a compiled type gives to pickle; where other code may replace it, nothing is."""
    kind = type(value)
    made = [vars(cls)[name] for cls in kind.__mro__ for name in _PICKLES if name in vars(cls)]
    if not all(type(item).__name__ in _COMPILED_METHODS for item in made):
        raise UnreadError("code of its class hides its compiled state")
    try:
        result = value.__reduce_ex__(4)
    except Exception:
        result = ""
    if type(result) is not tuple and not _is_at(value, getattr(value, "__module__", ""), result):
        raise UnreadError("its state is out of reach")
    if isinstance(result, str):
        return {"global": f"{value.__module__}.{result}"}
    named = zip(("made by", "arguments", "state", "entries", "pairs"), result, strict=False)
    parts = {name: part for name, part in named if part is not None}
    return parts | {name: Taken(parts[name]) for name in ("entries", "pairs") if name in parts}


def of_classes(kind: Any) -> Parts:
    """Return the data that a user's classes hold themselves, and what their functions bind."""
    result: Parts = []
    for cls in (*kind.__mro__, *type(kind).__mro__):
        if not cls.__flags__ & _HEAP or from_library(cls.__module__):
            continue
        local = not is_code(cls)
        if local:
            result.append(("class", name_of(cls)))
        for name, value in vars(cls).items():
            if isinstance(value, _FUNCTIONS):
                held = _bound(value, local)
            else:
                own = isinstance(value, kind) or is_code(value) or name == "_abc_impl"
                held = [] if own else [value]
            if held and (local or not (name.startswith("_") and name.endswith("_"))):
                result.append((f"class {name}", held))
    return result


def _is_at(value: Any, module: str, name: str) -> bool:
    """Return whether a value is the one that a module has under a name."""
    try:
        return attrgetter(name)(sys.modules[module]) is value
    except (AttributeError, KeyError):
        return False


def is_code(value: Any) -> bool:
    """Return whether a value is code that is the same in every run: it holds no data."""
    kind = type(value)
    if issubclass(kind, types.FunctionType | type):
        return from_library(value.__module__) or _is_at(value, value.__module__, value.__qualname__)
    if kind is types.BuiltinFunctionType:
        return value.__self__ is None or isinstance(value.__self__, types.ModuleType | type)
    return issubclass(kind, types.ModuleType | _COMPILED)


def _bound(value: Any, local: bool) -> list[Any]:
    """Return data that functions of a class carry: in closures and, if local, in defaults."""
    inner = ("__func__", "func", "fget", "fset", "fdel")
    every = (value, *(getattr(value, name, None) for name in inner))
    result: list[Any] = []
    for item in every:
        if isinstance(item, types.FunctionType):
            result += (part for _, part in _closure(item))
            result += (part for part in (item.__defaults__, item.__kwdefaults__) if part and local)
    return [part for part in result if not is_code(part)]


def inside(values: list[Any]) -> dict[int, Any]:
    """Return by identity all that iterators, generators and containers hold, but them and code."""
    result: dict[int, Any] = {}
    todo, seen = values, set[int]()
    while todo:
        one = todo.pop()
        if id(one) in seen or one is None:
            continue
        seen.add(id(one))
        kind = type(one)
        if kind is types.GeneratorType:
            todo += one.gi_frame.f_locals.values() if one.gi_frame else ()
        elif kind in _HOLDERS or (hasattr(kind, "__next__") and hidden(kind)):
            todo += gc.get_referents(one)
        elif not is_code(one):
            result[id(one)] = one
    return result


@functools.lru_cache(maxsize=4096)
def from_library(module: Any) -> bool:
    """Return whether a module, by name, is of Python itself or of an installed package.

    Compiled types of functions have no text for it.
    """
    if type(module) is not str:
        return True
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    installed = "site-packages" in file or "dist-packages" in file
    return installed or module.partition(".")[0] in sys.stdlib_module_names


def _function(value: types.FunctionType) -> Mapping[str, Any]:
    known = value.__globals__
    names = {name: known[name] for name in _named(value.__code__) if name in known}
    shown = ("name", "qualname", "module", "doc", "code", "defaults", "kwdefaults", "annotations")
    own = {name: getattr(value, f"__{name}__") for name in shown}
    data = {name: part for name, part in names.items() if not is_code(part)}
    return {**own, "closure": dict(_closure(value)), "globals": data}


def _closure(function: types.FunctionType) -> Parts:
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    content = vars(types.CellType)["cell_contents"]
    return _filled((name, content, cell) for name, cell in cells if name != "__class__")


def _named(code: types.CodeType) -> Iterator[str]:
    """Yield the names by which code, and code inside it, asks for globals and attributes."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _named(constant)


def _code(value: types.CodeType) -> Mapping[str, Any]:
    names = value.co_names, value.co_varnames, value.co_freevars, value.co_filename
    digest = hashlib.sha256(value.co_code + value.co_linetable + repr(names).encode())
    return {"name": value.co_qualname, "": value.co_consts, "digest": digest.hexdigest()[:16]}


def _class(value: type) -> Mapping[str, Any]:
    return {"bases": [name_of(base) for base in value.__mro__], "data": dict(of_classes(value))}


# Values of Python's own types.


def _content(value: Any) -> dict[str, Any]:
    """Return the content of what Python has itself, or of a subclass."""
    base = known_base(type(value).__mro__)
    if base in (int, float, complex):
        content = base.__pos__(value)
    elif base in (str, bytes, list, tuple):
        content = base.__getitem__(value, slice(None))
    elif base is bytearray:
        content = bytes(bytearray.__getitem__(value, slice(None)))
    elif issubclass(base, dict):
        content = dict(base.items(value))
    elif base in (set, frozenset):
        content = set(base.__iter__(value))
    else:
        content = list(base.__iter__(value))
    names = getattr(type(value), "_fields", ()) if base is tuple else ()
    if names and len({name for name in names if type(name) is str}) == len(content):
        return dict(zip(names, content, strict=True))
    return {"": content, **(_members(value) if base is tuple else {})}


def _members(value: Any) -> Mapping[str, Any]:
    """Return what a compiled type shows of a value, also where a subclass replaces it."""
    result = {
        name: (name, member, value)
        for cls in reversed(type(value).__mro__)
        for name, member in vars(cls).items()
        if isinstance(member, _COMPILED) and name not in ("__dict__", "__traceback__")
    }
    return dict(_filled(result[name] for name in sorted(result)))


def _fields(*names: str) -> Callable[[Any], dict[str, Any]]:
    """Return what reads fields of a compiled type, also where a subclass replaces them."""

    def read(value: Any) -> dict[str, Any]:
        base = library_base(value)
        return {name: getattr(base, name).__get__(value) for name in names}

    return read


def _enum(value: Any) -> Mapping[str, Any]:
    held = dict(state(value))
    return {"": f"{type(value).__name__}.{held['_name_']}", "value": held["_value_"]}


def _memory(value: memoryview) -> Mapping[str, Any]:
    about = (value.format, value.shape, value.readonly, value.obj)
    return {"": value.tobytes(), "about": about}


def _exception(value: BaseException) -> Mapping[str, Any]:
    trace = list(traceback.walk_tb(vars(BaseException)["__traceback__"].__get__(value)))
    lines: list[Any] = [(at.f_code.co_qualname, n) for at, n in trace]
    if inside([at.f_locals for at, _ in trace]).keys() - inside([value.args]).keys():
        lines.append(Refused("its traceback holds local variables"))
    return {"lines": lines, **_members(value)}


def _path(value: pathlib.PurePath) -> Mapping[str, Any]:
    base: Any = pathlib.PurePath
    return {"": base.__str__(value), "parts": base.__reduce__(value)[1:]}


def _decimal(value: Any) -> Mapping[str, Any]:
    base = decimal.Decimal
    sign, digits, exponent = base.as_tuple(value)
    whole = int("".join(map(str, digits)) or 0)
    finite = {"": base.__float__(value)} if isinstance(exponent, int) else {}
    exact = {"sign": sign, "digits": whole, "length": len(digits), "exponent": exponent}
    return {**finite, **exact}


def _fraction(value: Any) -> Mapping[str, Any]:
    numerator, denominator = _fields("_numerator", "_denominator")(value).values()
    # In decimals, as a quotient of floats may overflow.
    value = float(decimal.Decimal(numerator) / decimal.Decimal(denominator))
    return {"": value, "numerator": numerator, "denominator": denominator}


def _time(value: Any) -> Mapping[str, Any]:
    result = _fields("hour", "minute", "second", "microsecond", "tzinfo", "fold")(value)
    hour, minute, second, microsecond, zone, fold = result.values()
    dated = isinstance(value, datetime.date)
    day = datetime.date.toordinal(value) if dated else 0
    seconds = ((day * 24 + hour) * 60 + minute) * 60 + second
    return {"seconds": seconds, "microseconds": microsecond, "tzinfo": zone, "fold": fold}


def _duration(value: datetime.timedelta) -> Mapping[str, Any]:
    read = _fields("days", "seconds", "microseconds")(value)
    days, seconds, microseconds = read.values()
    return {"seconds": days * 86_400 + seconds, "microseconds": microseconds}


def _day(value: datetime.date) -> Mapping[str, Any]:
    return {"day": datetime.date.toordinal(value)}


# numpy, pandas, pyarrow.


def dtype_words(dtype: np.dtype[Any]) -> str:
    """Return all that a type of numpy's says, in words; its name alone of the usual ones."""
    return f"{dtype} {dict(dtype.metadata)}" if dtype.metadata else str(dtype)


def padded(dtype: np.dtype[Any]) -> bool:
    """Return whether there are more bytes between the fields of a type than alignment asks for."""
    fields = [(name, dtype[name]) for name in dtype.names or ()]
    return bool(fields) and np.dtype(fields, align=True).itemsize < dtype.itemsize


def layout_words(array: np.ndarray) -> str:
    """Return the type of an array, and how it lies in memory where that is unusual."""
    words, flags = dtype_words(array.dtype), array.flags
    if not flags.c_contiguous:
        words += " by columns" if flags.f_contiguous else f" with strides {array.strides}"
    return words if flags.writeable else f"{words} read-only"


def _masked(value: Any) -> Mapping[str, Any]:
    plain = np.ndarray.view(value, np.ma.MaskedArray)
    mask, about = np.asarray(np.ma.getmask(plain)), (plain.fill_value, plain.hardmask)
    return {"": np.asarray(value), "mask": mask, "about": about}


def common_parts(outputs: Any) -> Iterator[tuple[str, Any]]:
    """Yield with its name what a batch has in common, which is not read of each output."""
    kind = type(outputs)
    if isinstance(outputs, np.ndarray):
        yield from (item for item in state(outputs) if item[0] not in _MASKED.split())
        if outputs.dtype.names is not None:
            yield "fields", [*outputs.dtype.names, entry_types(outputs)]
            if padded(outputs.dtype):
                yield "padding", Refused(BETWEEN)
    elif kind not in (list, tuple):
        yield "type", name_of(kind)
        # Of a frame without rows all is left but its values and labels.
        yield from parts_of(outputs[:0])
        if not numbered(getattr(outputs, "index", None)):
            yield "index", Refused("each label depends on the whole batch")


def entry_types(entry: Any) -> Any:
    """Return the types of an entry of an array, which one output can change for a whole batch.

    A sequence whose entries are of one type counts as an array of that type.
    """
    kind = type(entry)
    if isinstance(entry, np.ndarray | np.generic):
        if entry.dtype.kind == "O":
            return entry_types(np.asarray(entry).tolist())
        # Equal types may differ in their metadata, so only the usual ones are looked up.
        usual = entry.dtype is np.dtype(entry.dtype.char)
        return _usual_words(entry.dtype.char) if usual else _without_width(entry.dtype)
    if kind in (list, tuple):
        result = [entry_types(item) for item in entry]
        return result[0] if len(set(map(repr, result))) == 1 else [kind.__name__, *result]
    if kind is dict:
        return {repr(key): entry_types(part) for key, part in entry.items()}
    return _NUMPY.get(kind, kind.__name__)


def _without_width(dtype: np.dtype[Any]) -> str:
    return _WIDTH.sub(r"\1", dtype_words(dtype))


@functools.cache
def _usual_words(char: str) -> str:
    return _without_width(np.dtype(char))


_NUMPY = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}
_WIDTH = re.compile(r"\b(str|bytes|[<>|=]?[US])\d+")


def numbered(index: Any) -> bool:
    """Return whether an index of pandas is 0, 1, 2, … and nothing else; or there is none."""
    if type(index).__name__ != "RangeIndex":
        return index is None
    return (index.start, index.step, index.name) == (0, 1, None)


def _pandas(value: Any) -> Mapping[str, Any]:
    """Return content, labels, types and attributes of a frame, series or index."""
    kind = library_base(value)
    if kind is not type(value):
        plain = object.__new__(kind)
        vars(plain).update(state(value))
        value = plain
    result = {name: getattr(value, name) for name in _LABELS if hasattr(kind, name)}
    for name in ("columns", "index"):
        if name in result and numbered(result[name]):
            result[name] = "numbered"
    # What every frame has unless it was set is not repeated in every report.
    usual = {"name": (None,), "names": (None,), "attrs": ()}
    for name in usual.keys() & result.keys():
        held = (result[name],) if name == "name" else tuple(result[name])
        if len(held) == len(usual[name]) and all(item is None for item in held):
            del result[name]
    if hasattr(kind, "flags") and not value.flags.allows_duplicate_labels:
        result["duplicates"] = False
    content: Any
    if hasattr(kind, "columns"):
        columns = [column(value.iloc[:, place].array) for place in range(value.shape[1])]
        content = _labelled(value.columns, columns) if columns else len(value)
        result["dtypes"] = list(value.dtypes)
    elif hasattr(kind, "start"):
        content = [value.start, value.stop, value.step]
    elif hasattr(kind, "levels"):
        content = [np.asarray(codes) for codes in value.codes]
        result["levels"] = list(value.levels)
    else:
        content = column(value.array)
        if "index" in result and isinstance(content, np.ndarray):
            labelled = _labelled(value.index, content.tolist())
            content = labelled if isinstance(labelled, dict) else content
    return {"": content, **result}


def _labelled(labels: Any, values: list[Any]) -> Any:
    """Return values by their labels, where these are unlike each other; else values alone."""
    plain = numbered(labels) or labels.nlevels > 1 or not labels.is_unique or labels.hasnans
    if plain or getattr(labels.dtype, "kind", "O") in "fc":
        return values
    return dict(zip(labels.tolist(), values, strict=True))


def column(array: Any) -> Any:
    """Return an array of pandas as one of numpy's, where that is all of it."""
    wraps = isinstance(array.dtype, np.dtype) or type(array).__name__ == "NumpyExtensionArray"
    return np.asarray(array) if wraps else array


def _extension(value: Any) -> Mapping[str, Any]:
    inner, stored = getattr(value, "_ndarray", None), getattr(value, "_pa_array", None)
    result = {"dtype": value.dtype, **({} if inner is None else {"": inner})}
    if stored is not None:
        # What lies under nulls is read of the storage itself.
        result |= {"": stored} if stored.null_count else {"": stored.to_pylist()}
        result |= {"type": kind} if (kind := str(stored.type)) != "large_string" else {}
        result |= {"chunks": list(map(len, stored.chunks))} if stored.num_chunks > 1 else {}
    return result


def _dtype(value: Any) -> Mapping[str, Any]:
    missing = dict(state(value)).get("_na_value")
    # As a word: a NaN that all outputs have is no number of theirs.
    return {"": str(value), "missing": "NaN" if repr(missing) == "nan" else missing}


def _arrow(value: Any) -> Mapping[str, Any]:
    raw = _reduced(value) if value.null_count or hasattr(value, "dictionary") else {}
    return {"": value.to_pylist(), "type": str(value.type), "raw": raw}


_LABELS = ("name", "names", "dtype", "columns", "index", "freq", "attrs")
_PANDAS = (
    "_mgr _item_cache _attrs _flags _name _cache _data _id _range _names _levels _codes _dtype "
    "_freq _references sortorder"
)
_MASKED = "_mask _fill_value _hardmask _sharedmask _isfield _baseclass _optinfo _basedict _data"
_OWN = (
    "str bytes bytearray int float complex list tuple set frozenset dict "
    "collections.OrderedDict dict_keys dict_values dict_items"
)
_GENERATORS = (
    "numpy.random._generator.Generator numpy.random.mtrand.RandomState _random.Random "
    "numpy.random.bit_generator.BitGenerator"
)

KNOWN = (
    Known(_OWN, "content, in its order if it has one; sets sorted; names of fields", _content),
    Known(
        "collections.defaultdict collections.deque",
        "entries in order; what makes a missing one, largest length",
        lambda value: {**_content(value), **_members(value)},
    ),
    Known("mappingproxy", "what it shows", lambda value: {"": gc.get_referents(value)}),
    Known("enum.Enum", "class, name and value", _enum, "_name_ _value_ __objclass__ _sort_order_"),
    Known("memoryview", "bytes, format, shape and the object that it shows", _memory),
    Known("_io._IOBase", "content and position in memory; files are not read", _reduced),
    Known("BaseException", "type, arguments, fields, notes, causes, lines raised", _exception),
    Known("decimal.Decimal", "sign, digits and exponent", _decimal),
    Known("fractions.Fraction", "value, numerator, denominator", _fraction),
    Known("datetime.date", "day", _day),
    Known("datetime.timedelta", "seconds in all, microseconds", _duration),
    Known("datetime.datetime datetime.time", "seconds, microseconds, time zone, fold", _time),
    Known("pathlib.PurePath", "the path", _path),
    Known("re.Match re.Pattern", "text, pattern, flags, span of each group", _members),
    Known("function", "name, code, defaults, closure, globals that it names", _function),
    Known("code", "constants, and a digest of the rest", _code),
    Known("module", "content; of an imported one the name", lambda v: {"name": v.__name__}),
    Known("type", "bases, data of the class, functions that bind data", _class),
    Known(_GENERATORS, "nothing: its state determines the noise", None),
    Known("numpy.ma.MaskedArray", "data, also under the mask; mask; fill value", _masked, _MASKED),
    Known("numpy.ndarray numpy.generic", "as an array", lambda value: {"": np.asarray(value)}),
    Known("numpy.dtype", "the name", lambda value: {"": dtype_words(value)}),
    Known("pandas.DataFrame", "columns in order, index, dtypes, names, attrs", _pandas, _PANDAS),
    Known("pandas.Series", "entries in order, index, dtype, name, attrs", _pandas, _PANDAS),
    Known("pandas.Index", "entries in order, names, dtype, unused levels", _pandas, _PANDAS),
    Known(
        *("pandas.api.extensions.ExtensionArray", "entries, dtype, state", _extension),
        "_cache _dtype _pa_array",
    ),
    Known("pandas.api.extensions.ExtensionDtype", "name, state", _dtype, "_cache _na_value"),
    Known("pandas.Timestamp", "ticks, unit, zone", _fields("value", "unit", "tz", "fold")),
    Known("pandas.Timedelta", "ticks, unit", _fields("value", "unit")),
    Known("pandas.api.typing.NAType pandas.api.typing.NaTType", "the type", lambda _: {}),
    Known("pyarrow.lib.Array", "entries, also under nulls; type", _arrow),
    Known("pyarrow.lib.ChunkedArray", "chunks, type", _fields("chunks", "type")),
    Known("pyarrow.lib._Tabular", "columns, schema", _fields("columns", "schema")),
)
"""How values of known types are read; the rows of the reference."""

_BY_NAME = {name: known for known in KNOWN for name in known.types.split()}
