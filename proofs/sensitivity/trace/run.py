"""Runs a user's function with stand-ins: in place of the data, and of what the function calls."""

import abc
import builtins
import contextlib
import functools
import gc
import logging
import operator
import re
import sys
import threading
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar, copy_context
from copy import copy
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import (
    BuiltinFunctionType,
    CellType,
    ClassMethodDescriptorType,
    CodeType,
    FunctionType,
    GenericAlias,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    SimpleNamespace,
    UnionType,
    WrapperDescriptorType,
)
from typing import Any, NoReturn
from uuid import UUID
from weakref import WeakSet

import numpy as np

from provado.mechanisms.definitions.relation import short
from provado.mechanisms.programs.noise_calls import GENERATORS

from .python import NAMES, OurFunction, plain
from .rewrite import is_unguarded, rewritten
from .state import names_in
from .untraceable import (
    LIBRARIES,
    Blocked,
    QueryTrace,
    UntraceableError,
    following,
    of_a_library,
    stop,
)

Replace = Callable[[Any], Any]
"""Returns what a function finds in place of an object: the object itself where nothing is."""

_CONTAINERS = {list, dict, set, deque, OrderedDict, defaultdict, Counter, np.ndarray}
"""Types of which a run gets copies; what it changes in them is seen there."""

_FIXED = {int, float, complex, bool, str, bytes, type(None), type(...), type(NotImplemented), range}
_FIXED |= {slice, frozenset, Fraction, Decimal, re.Pattern, UUID, GenericAlias, UnionType, object}
_FIXED |= {WrapperDescriptorType, MethodWrapperType, MethodDescriptorType, CodeType}
_FIXED |= {ClassMethodDescriptorType, GetSetDescriptorType, MemberDescriptorType}
_FIXED |= {operator.itemgetter}
"""What nobody changes."""

_LIBRARIES = (
    "abc bisect builtins cmath collections copy copyreg dataclasses diffprivlib enum "
    "fractions functools heapq itertools math numbers numpy opendp operator pandas pickle provado "
    "random scipy secrets statistics typing typing_extensions uuid"
)
"""Libraries that are followed; others may have a state, such as files, clocks, threads and settings
of the interpreter."""

_IN_PART = {
    "contextlib": "suppress nullcontext contextmanager",
    "decimal": "Decimal",
    "logging": "debug info warning error",
    "types": "SimpleNamespace",
    "warnings": "warn",
}
"""Libraries of which these names are followed."""

_STATES = (
    "get_printoptions set_printoptions seterr geterr seterrcall geterrcall setbufsize getbufsize "
    "load save savez savez_compressed savetxt loadtxt genfromtxt fromfile memmap get_option "
    "set_option reset_option option_context options eval exec compile open input breakpoint hash "
    "dir attrgetter methodcaller datetime64 Timestamp Period to_datetime"
)
"""What reads or sets a state nevertheless, or what a process has of its own."""

MOST_HELD = 10_000
"""So many objects are searched for what stands for data."""

_MISSING = object()
_NOT_HELD = {"__dict__", "__weakref__", "__builtins__", "__warningregistry__"}


def in_place_of(pairs: Iterable[tuple[Any, Any]]) -> Replace:
    """Return a function that gives what stands for each object; objects are told by identity.

    pairs: an object (a function, a module, a builtin) and what is found in its place. Of two pairs
        for one object the later one counts.
    """
    known = {id(original): (original, made) for original, made in pairs}
    return lambda value: known.get(id(value), (None, value))[1]


def released_by(
    query: Callable[..., Any],
    given: Any,
    trace: QueryTrace,
    ours: Replace,
    read: Callable[[FunctionType], CodeType] = rewritten,
    /,
    **options: Any,
) -> tuple[Any, str]:
    """Return what ``query(given, **options)`` releases, or why it cannot be followed.

    query: a function, a bound method or a callable object. It runs once, as a copy of which every
        object that it finds is replaced by ``ours``: by a global name, a closure, a default, an
        attribute of a module, an import inside it or a builtin. So does every function, lambda,
        class and object of the user's that it finds; functions of libraries run as they are.
    given: what stands for the data. options: further arguments by name, as they are.
        Comprehensions over the records, and loops that add up, become steps of all records
        (``rewrite``); inside them ``trace.looping`` is above 0. A query that changes what its next
        call finds (a global name, an attribute, a closure, a default) is not followed.
    trace: where steps are noted; ``untraceable.stop`` ends it.
    ours: what is found in place of an object (``in_place_of`` makes it of pairs, such as
        ``(len, our_len)``, ``(np.asarray, our_asarray)`` or ``(np.random.laplace, recorder)``).
    read: returns the code that is run in place of a function's own (``as_written``: that itself).

    Returns what was released and an empty reason, or ``None`` and the reason with its line.
    """
    released = copy_context().run(_run, query, given, trace, ours, read, options)
    if trace.stopped or isinstance(released, UntraceableError):
        return None, trace.stopped or str(released)
    return released, ""


def as_written(function: FunctionType) -> CodeType:
    """Return the code of a function."""
    return function.__code__


def _run(
    query: Callable[..., Any],
    given: Any,
    trace: QueryTrace,
    ours: Replace,
    read: Callable[[FunctionType], CodeType],
    options: Any,
) -> Any:
    following(trace)
    substitution = _Substitution(ours, read)
    try:
        released = substitution.entry(query)(given, **options)
        for name in substitution.changed():
            return UntraceableError(
                f"it changes {name}, which the next call finds so: use a local variable"
            )
        return released
    except UntraceableError as error:
        return error
    except (Exception, SystemExit) as error:
        with contextlib.suppress(UntraceableError):  # It may hold what stands for data.
            raised = short(f"{type(error).__name__}: {error}", 200)
            return UntraceableError(f"the query raised {raised}")
        return UntraceableError("")


class StandInModule:
    """A module whose attributes are replaced as globals are."""

    def __init__(self, module: ModuleType, replaced: Replace) -> None:
        vars(self).update(_module=module, _replaced=replaced)

    def __getattr__(self, name: str) -> Any:
        module = vars(self)["_module"]
        if not name.startswith("__") and not _is_followed(module.__name__, name):
            return NotFollowed(f"{module.__name__}.{name}")
        return vars(self)["_replaced"](getattr(module, name))

    def __setattr__(self, name: str, value: Any) -> None:
        raise stop(f"{name} of a module is changed")


class NotFollowed(Blocked):
    """What a function finds that may have a state which cannot be seen: no use is followed."""

    def __init__(self, name: str, of: Any = None) -> None:
        why = "draws noise" if isinstance(of, GENERATORS) else "has a state that cannot be seen"
        self.what = f"{name}, which {why},"
        vars(self)["words"] = f"{name} {why}"

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        """End the trace."""
        raise stop(f"{vars(self)['words']}: it is not followed")

    __getitem__ = __enter__ = __call__


def _not_followed_method(method: Any) -> NotFollowed:
    of = method.__self__
    return NotFollowed(f"{method.__name__} of a {type(of).__name__}", of)


def _is_followed(home: str | None, name: str) -> bool:
    """Tell whether a name of a module is a user's, or has no state that cannot be seen."""
    file = getattr(sys.modules.get(home or ""), "__file__", None) or ""
    if home not in sys.builtin_module_names and not file.startswith(LIBRARIES):
        return True
    # What is written in another language has the name of its module, after a line.
    library = (home or "").lstrip("_").partition(".")[0]
    known = library in _LIBRARIES.split() or name in _IN_PART.get(library, "").split()
    files = name.startswith("read_") or (home or "").startswith(("scipy.io", "scipy.datasets"))
    return known and not files and name not in _STATES.split()


_EXCEPTIONS = {
    name: value
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
}
"""Python's own, in whose place nothing is found."""


class _Log:
    """A logger of which nothing is asked."""

    debug = info = warning = error = exception = log = staticmethod(lambda *_, **__: None)


class _Substitution:
    """Copies of a user's objects in which what they find is replaced, each made once."""

    def __init__(self, ours: Replace, read: Callable[[FunctionType], CodeType]) -> None:
        self.ours, self.read = ours, read
        self.made: dict[int, tuple[Any, Any]] = {}
        self.copies: list[tuple[Any, Any]] = []
        self.watched: list[tuple[Any, dict[str, Any]]] = []
        self.builtins: dict[str, Any] = dict(_EXCEPTIONS)
        # What asks for the type of a value cannot be answered of what stands for one.
        self._put(isinstance, self._isinstance)
        self._put(type, _type)
        self._put(id, _address)
        for identity in (operator.is_, operator.is_not):
            self._put(identity, lambda a, b, is_=identity: is_(plain(a), plain(b)))
        self._put(hasattr, _hasattr)
        self._put(getattr, _getattr)
        self._put(__import__, lambda *args, **options: self(__import__(*args, **options)))
        states = _STATES.split()
        for name in vars(builtins).keys() - _EXCEPTIONS.keys():
            value = vars(builtins)[name]
            # Python's own are replaced or found as they are: none is a user's, to be copied.
            known = self.made.get(id(value))
            result = self.ours(value) if known is None else known[1]
            self.builtins[name] = NotFollowed(name) if name in states else result
        self.builtins |= {name: self.ours(item) for name, item in NAMES.items()}

    def entry(self, query: Callable[..., Any]) -> Callable[..., Any]:
        """Return the copy of a query, which is copied even where a library has it."""
        result: Callable[..., Any] = self(query)
        return (
            self._function(result) if result is query and type(result) is FunctionType else result
        )

    def __call__(self, value: Any) -> Any:
        """Return what is found in place of an object."""
        if id(value) not in self.made:
            result = self.ours(value)
            if result is not value and type(result).__module__.startswith(
                "provado.proofs.releases"
            ):
                self.watched.append((result, _attributes(result)))
            self._put(value, self._copied(value) if result is value else result)
        return self.made[id(value)][1]

    def changed(self) -> Iterator[str]:
        """Yield in words what a run has changed of all that its next call finds."""
        for original, made in self.copies:
            before, now = _contents(original), _contents(made)
            # Of globals and objects a run gets what it asks for; of containers everything.
            is_whole = type(made) in _CONTAINERS and not _is_globals(made)
            for key in before.keys() | now.keys() if is_whole else now:
                one, other = before.get(key, _MISSING), now.get(key, _MISSING)
                known = self.made.get(id(one), (one, one))[1]
                if other is not one and other is not known and not _is_text(one, other):
                    yield _place(original, key)
        for original, made in self.made.values():
            if made is original and _holds_data(made):
                yield f"a value that it finds ({type(made).__name__})"
        for one, before in self.watched:
            now = _attributes(one)
            for key in before.keys() | now.keys():
                if before.get(key, _MISSING) is not now.get(key, _MISSING):
                    yield f"attribute {key} of {getattr(one, '__name__', type(one).__name__)}"

    def _put(self, value: Any, made: Any) -> Any:
        self.made[id(value)] = value, made
        return made

    def _copy(self, value: Any, made: Any) -> Any:
        self.copies.append((value, made))
        return self._put(value, made)

    def _copied(self, value: Any) -> Any:
        if type(value) in _FIXED or isinstance(value, np.generic | np.dtype | Enum):
            return value
        if isinstance(value, ModuleType):
            return StandInModule(value, self)
        if isinstance(value, FunctionType):
            if hasattr(value, "registry") and hasattr(value, "dispatch"):
                return _by_type  # It is one of functools.singledispatch.
            return self._function(value) if _of_a_user(value) else self._as_it_is(value)
        if isinstance(value, MethodType):
            of = self(value.__self__)
            # What is written in another language takes no other object than its own.
            if isinstance(value.__func__, FunctionType) or of is value.__self__:
                return MethodType(self(value.__func__), of)
            return _not_followed_method(value)
        if isinstance(value, staticmethod | classmethod):
            return type(value)(self(value.__func__))
        if type(value) is property:
            return property(*map(self, (value.fget, value.fset, value.fdel)))
        if isinstance(value, functools._lru_cache_wrapper):
            return _kept
        if type(value) is functools.cached_property:
            return property(_kept)
        if type(value) is functools.partial:
            options = {name: self(keyword) for name, keyword in value.keywords.items()}
            made = functools.partial(self(value.func), *map(self, value.args), **options)
            return self._copy(value, made)
        if isinstance(value, Iterator | ContextVar | threading.local):
            raise stop(f"a {type(value).__name__} that the next call finds is not followed")
        if type(value) is tuple or (isinstance(value, tuple) and _is_plain_tuple(type(value))):
            several = value if all(type(item) in _FIXED for item in value) else map(self, value)
            return self._put(value, getattr(type(value), "_make", tuple)(several))
        if type(value) is MappingProxyType:
            return MappingProxyType(self(dict(value)))
        if type(value) in _CONTAINERS:
            return self._container(value)
        if isinstance(value, logging.Logger):
            return _Log()
        if type(value) is SimpleNamespace:
            made = self._copy(value, SimpleNamespace())
            vars(made).update({name: self(var) for name, var in vars(value).items()})
            return made
        if _is_a_users_class(value):
            return self._class(value)
        if _is_a_users_class(type(value)):
            made = self._copy(value, object.__new__(self(type(value))))
            vars(made).update({name: self(var) for name, var in vars(value).items()})
            return made
        return self._as_it_is(value)

    def _as_it_is(self, value: Any) -> Any:
        """Return what is found as it is, if no state of it can be changed without being seen."""
        kind = value if isinstance(value, type) else type(value)
        name = str(getattr(value, "__name__", kind.__name__))
        if isinstance(value, BuiltinFunctionType) and not _is_free(value):
            return _not_followed_method(value)
        if isinstance(value, type) and not of_a_library(value):
            followed = not _has_own_functions(value)
        elif isinstance(value, type) or kind.__name__ in _FUNCTIONS:
            followed = _is_followed(getattr(value, "__module__", None) or "builtins", name)
        elif isinstance(value, np.ufunc):
            followed = any(getattr(item, name, None) is value for item in _ufunc_homes())
        else:
            home = kind.__module__.partition(".")[0]
            followed = home in _OBJECTS or (home == "scipy" and hasattr(value, "rvs"))
        if not followed:
            return NotFollowed(name if name != kind.__name__ else f"a {name}", value)
        if hasattr(value, "__dict__"):
            self.watched.append((value, _attributes(value)))
        return value

    def _container(self, value: Any) -> Any:
        """Return a copy of a container with what is found in place of its items."""
        held: Any = value if isinstance(value, dict | list | deque) else ()
        if isinstance(value, np.ndarray):
            if _is_of_other_memory(value) or (value.dtype.hasobject and value.dtype.fields):
                return NotFollowed("an array in the memory of others")
            held = value.flat if value.dtype.hasobject else ()
        made = self._copy(value, copy(value))
        into = made.flat if isinstance(made, np.ndarray) else made
        for key, item in dict.items(held) if isinstance(held, dict) else enumerate(held):
            if type(item) not in _FIXED:
                into[key] = self(item)
        return made

    def _function(self, function: FunctionType) -> FunctionType:
        code, closure = self.read(function), function.__closure__ or ()
        if self.read is rewritten and is_unguarded(function.__code__, code):
            return self._put(function, _unguarded)  # type: ignore[no-any-return]
        if inside := sorted(names_in(code) & _INSIDE):
            return self._put(function, NotFollowed(inside[0]))  # type: ignore[no-any-return]
        names = self._globals(function.__globals__)
        cells = tuple(map(self._cell, closure))
        made = FunctionType(code, names, function.__name__, None, cells)
        self._copy(function, made)
        for cell, original in zip(cells, closure, strict=True):
            with contextlib.suppress(ValueError):  # It may be empty.
                cell.cell_contents = self(original.cell_contents)
        made.__defaults__ = function.__defaults__ and tuple(map(self, function.__defaults__))
        options = function.__kwdefaults__
        made.__kwdefaults__ = options and {name: self(option) for name, option in options.items()}
        for name in names_in(code) & function.__globals__.keys() - names.keys():
            names[name] = None  # It may be asked for again on the way.
            names[name] = self(function.__globals__[name])
        self.watched.append((made, _attributes(made)))
        return made

    def _cell(self, original: CellType) -> CellType:
        result = self.made.get(id(original))
        return result[1] if result else self._copy(original, CellType())  # type: ignore[no-any-return]

    def _globals(self, original: dict[str, Any]) -> dict[str, Any]:
        result = self.made.get(id(original))
        own = {name: item for name, item in original.items() if name.startswith("__")}
        made = own | {"__builtins__": self.builtins}
        return result[1] if result else self._copy(original, made)  # type: ignore[no-any-return]

    def _class(self, given: type) -> type:
        bases = tuple(object if base is abc.ABC else self(base) for base in given.__bases__)
        made = self._copy(given, type(given.__name__, bases, {}))
        _CLASSES.add(made)
        for name, var in vars(given).items():
            if name not in _OF_CLASSES:
                setattr(made, name, self(var))
        return made  # type: ignore[no-any-return]

    def _isinstance(self, value: Any, kinds: Any) -> bool:
        if isinstance(value, Blocked):
            raise stop(f"isinstance asks for the type of {value.what}: do the same for each type")
        every: tuple[Any, ...] = kinds if isinstance(kinds, tuple) else (kinds,)
        originals = {id(made): original for original, made in self.made.values()}
        return isinstance(value, tuple(originals.get(id(item), item) for item in every))


_INSIDE = {
    *("__globals__", "__builtins__", "__subclasses__", "__closure__", "__wrapped__", "tb_frame"),
    *("gi_frame", "ag_frame", "cr_frame", "f_back", "f_globals", "f_locals", "__traceback__"),
    *("__getattribute__", "__hash__", "__sizeof__", "__reduce__", "__reduce_ex__"),
}
"""Attributes by which a function reaches what it does not name."""

_FUNCTIONS = {"function", "builtin_function_or_method", "_ArrayFunctionDispatcher"}
_FUNCTIONS |= {"cython_function_or_method", "fused_cython_function"}

_OBJECTS = {"dataclasses", "diffprivlib", "opendp", "provado", "typing"}
"""Libraries whose objects have no state, or one that only their own functions read."""


def _is_free(function: Any) -> bool:
    """Tell whether a function of another language is a method of nothing that changes."""
    of = function.__self__
    return isinstance(of, ModuleType | type) or type(of) in _FIXED


def _is_plain_tuple(kind: type) -> bool:
    """Tell whether it is a class of tuples with names and nothing else of a user's."""
    return hasattr(kind, "_make") and not kind.__dictoffset__ and not _has_own_functions(kind)


def _has_own_functions(kind: type) -> bool:
    """Tell whether a class has functions of a user's, which are found as they are there."""
    return any(_of_a_user(var) for name, var in vars(kind).items() if name != "__new__")


def _is_of_other_memory(array: Any) -> bool:
    """Tell whether an array shows what others may change without it."""
    while isinstance(array, np.ndarray):
        array = array.base
    return array is not None and type(array) is not bytes


def _ufunc_homes() -> list[Any]:
    return [np, sys.modules.get("scipy.special")]


def _attributes(value: Any) -> dict[str, Any]:
    """Return the attributes of a class, or of a function with its own parts."""
    parts = ("__code__", "__defaults__", "__kwdefaults__", "__doc__", "__name__")
    own = parts if isinstance(value, FunctionType) else ()
    return dict(vars(value)) | {name: getattr(value, name) for name in own}


_REGISTERED = vars(abc).get("_get_dump", lambda _: ["unknown"])
"""Tells which other classes count as subclasses of an abstract one, first."""

_OF_CLASSES = {"__dict__", "__weakref__", "__abstractmethods__", "_abc_impl"}
"""What Python gives to each class, or to each abstract one."""

_CLASSES = WeakSet[type]()
"""Copies of classes that were there before a run, which looks whether it changed them."""


def held_by(value: Any) -> dict[str, Any] | None:
    """Return the attributes of an object whose class holds nothing of a run; else nothing."""
    return vars(value) if type(value) in _CLASSES else None


def may_hold_more(value: Any) -> bool:
    """Return whether a value may have attributes, or a default, beside its items and its number."""
    kind = type(value)
    if kind in _CLASSES:
        return False
    if isinstance(value, tuple) and kind.__iter__ is tuple.__iter__ and not kind.__dictoffset__:
        return False  # It is a tuple with names.
    if isinstance(value, np.ndarray) and value.dtype.metadata:
        return True
    if isinstance(value, defaultdict):
        factory = value.default_factory
        if not (
            factory is None
            or isinstance(factory, OurFunction)
            or factory in (list, dict, int, float)
        ):
            return True
    return bool(getattr(value, "__dict__", None)) or not of_a_library(kind)


def _contents(value: Any) -> dict[Any, Any]:
    """Return what an object holds, by name or place."""
    if isinstance(value, CellType):
        with contextlib.suppress(ValueError):  # It may be empty.
            return {"": value.cell_contents}
        return {}
    if isinstance(value, np.ndarray):
        items = value.ravel().tolist() if value.dtype.kind == "O" else []
        return {**dict(enumerate(items)), "": repr((value.shape, value.tobytes()))}
    if isinstance(value, list | tuple | deque):
        return dict(enumerate(value))
    if isinstance(value, set):
        return dict.fromkeys(value)
    held = value if isinstance(value, dict) else vars(value)
    return {name: item for name, item in held.items() if name not in _NOT_HELD}


def _is_text(one: Any, other: Any) -> bool:
    return type(one) is type(other) is str and one == other


def _place(original: Any, key: Any) -> str:
    if isinstance(original, CellType):
        return "a variable of an enclosing function"
    if _is_globals(original):
        return f"the global name {key}"
    if type(original) in _CONTAINERS:
        return f"a value that it finds ({type(original).__name__})"
    owner = original if isinstance(original, type | FunctionType) else type(original)
    return f"attribute {key} of {owner.__name__}"


def _is_globals(value: Any) -> bool:
    return type(value) is dict and "__builtins__" in value


def _holds_data(value: Any) -> bool:
    """Return whether something that stands for data, or for noise, is in an object."""
    waiting, seen = [value], set[int]()
    while waiting and len(seen) < MOST_HELD:
        one = waiting.pop()
        if isinstance(one, Blocked):
            return True
        if id(one) not in seen and not isinstance(one, ModuleType | FunctionType | type):
            seen.add(id(one))
            waiting += gc.get_referents(one)
    return False


def _kept(*_: Any, **__: Any) -> NoReturn:
    raise stop("what a cached function returned, it returns again: that is not followed")


def _address(value: Any) -> NoReturn:
    plain(value)
    raise stop("id(), which another run gives otherwise, is not followed")


def _hasattr(value: Any, name: str) -> bool:
    if name in _INSIDE:
        raise stop(f"{name} is not followed")
    result = hasattr(value, name)
    if not result:
        plain(value)  # What stands for data may lack what data have.
    return result


def _getattr(value: Any, name: str, *default: Any) -> Any:
    return getattr(value, name, *default) if _hasattr(value, name) or not default else default[0]


def _unguarded(*_: Any, **__: Any) -> NoReturn:
    raise stop("try, with, match or is in a function of which no source is found")


def _by_type(*_: Any, **__: Any) -> NoReturn:
    raise stop("what singledispatch chooses by a type is not followed: call the function itself")


def _type(*given: Any, **options: Any) -> Any:
    if isinstance(given[0], Blocked):
        raise stop(f"type() of {given[0].what}: do the same for each type")
    return type(*given, **options)


def _of_a_user(value: Any) -> bool:
    """Return whether a function, or that of a property, is written in Python, and by no library."""
    inner = {staticmethod: "__func__", classmethod: "__func__", MethodType: "__func__"}
    inner |= {property: "fget", functools.cached_property: "func"}
    made = getattr(value, inner[type(value)]) if type(value) in inner else value
    return isinstance(made, FunctionType) and not made.__code__.co_filename.startswith(LIBRARIES)


def _is_a_users_class(value: Any) -> bool:
    """Return whether it is a plain class of a user's, whose methods can be copied."""
    plain = type(value) is type or (type(value) is abc.ABCMeta and not _REGISTERED(value)[0])
    if not plain or vars(value).keys() & {"__slots__", "__subclasshook__"}:
        return False
    held = [var for name, var in vars(value).items() if name not in _OF_CLASSES]
    ours = any(map(_of_a_user, held)) or not (any(map(callable, held)) or of_a_library(value))
    return ours and all(
        base in (object, abc.ABC) or _is_a_users_class(base) for base in value.__bases__
    )
