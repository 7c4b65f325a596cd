"""Runs a user's function with stand-ins: in place of the data, and of what the function calls."""

import builtins
import contextlib
import functools
import gc
import operator
import threading
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar, copy_context
from copy import copy
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any, NoReturn
from weakref import WeakSet

import numpy as np

from provado.mechanisms.definitions.relation import short

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
    query: Callable[..., Any], given: Any, trace: QueryTrace, ours: Replace, /, **options: Any
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

    Returns what was released and an empty reason, or ``None`` and the reason with its line.
    """
    released = copy_context().run(_run, query, given, trace, ours, options)
    if trace.stopped or isinstance(released, UntraceableError):
        return None, trace.stopped or str(released)
    return released, ""


def _run(
    query: Callable[..., Any], given: Any, trace: QueryTrace, ours: Replace, options: Any
) -> Any:
    following(trace)
    substitution = _Substitution(ours)
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
        return vars(self)["_replaced"](getattr(vars(self)["_module"], name))

    def __setattr__(self, name: str, value: Any) -> None:
        raise stop(f"{name} of a module is changed")


class _Substitution:
    """Copies of a user's objects in which what they find is replaced, each made once."""

    def __init__(self, ours: Replace) -> None:
        self.ours = ours
        self.made: dict[int, tuple[Any, Any]] = {}
        self.copies: list[tuple[Any, Any]] = []
        self.builtins: dict[str, Any] = {}
        # What asks for the type of a value cannot be answered of what stands for one.
        self._put(isinstance, self._isinstance)
        self._put(type, _type)
        self._put(id, lambda value: id(plain(value)))
        for identity in (operator.is_, operator.is_not):
            self._put(identity, lambda a, b, is_=identity: is_(plain(a), plain(b)))
        self._put(hasattr, _hasattr)
        self._put(getattr, _getattr)
        self._put(__import__, lambda *args, **options: self(__import__(*args, **options)))
        for name, value in vars(builtins).items():
            # Python's own are replaced or found as they are: none is a user's, to be copied.
            known = self.made.get(id(value))
            self.builtins[name] = self.ours(value) if known is None else known[1]
        self.builtins |= {name: self.ours(one) for name, one in NAMES.items()}

    def entry(self, query: Callable[..., Any]) -> Callable[..., Any]:
        """Return the copy of a query, which is copied even where a library has it."""
        found: Callable[..., Any] = self(query)
        return self._function(found) if found is query and type(found) is FunctionType else found

    def __call__(self, value: Any) -> Any:
        """Return what is found in place of an object."""
        if id(value) not in self.made:
            found = self.ours(value)
            self._put(value, self._copied(value) if found is value else found)
        return self.made[id(value)][1]

    def changed(self) -> Iterator[str]:
        """Yield in words what a run has changed of all that its next call finds."""
        for original, made in self.copies:
            before, now = _contents(original), _contents(made)
            # Of globals and objects a run gets what it asks for; of containers everything.
            whole = type(made) in _CONTAINERS and not _is_globals(made)
            for key in before.keys() | now.keys() if whole else now:
                one, other = before.get(key, _MISSING), now.get(key, _MISSING)
                known = self.made.get(id(one), (one, one))[1]
                if other is not one and other is not known and not _is_text(one, other):
                    yield _place(original, key)
        for original, made in self.made.values():
            if made is original and _holds_data(made):
                yield f"a value that it finds ({type(made).__name__})"

    def _put(self, value: Any, made: Any) -> Any:
        self.made[id(value)] = value, made
        return made

    def _copy(self, value: Any, made: Any) -> Any:
        self.copies.append((value, made))
        return self._put(value, made)

    def _copied(self, value: Any) -> Any:
        if isinstance(value, ModuleType):
            return StandInModule(value, self)
        if isinstance(value, FunctionType):
            if hasattr(value, "registry") and hasattr(value, "dispatch"):
                return _by_type  # It is one of functools.singledispatch.
            return self._function(value) if _of_a_user(value) else value
        if isinstance(value, MethodType):
            return MethodType(self(value.__func__), self(value.__self__))
        if isinstance(value, staticmethod | classmethod):
            return type(value)(self(value.__func__))
        if type(value) is property:
            return property(*map(self, (value.fget, value.fset, value.fdel)))
        if isinstance(value, functools._lru_cache_wrapper):
            return _kept
        if type(value) is functools.cached_property:
            return property(_kept)
        if type(value) is functools.partial:
            options = {name: self(one) for name, one in value.keywords.items()}
            return functools.partial(self(value.func), *map(self, value.args), **options)
        if isinstance(value, Iterator | ContextVar | threading.local):
            raise stop(f"a {type(value).__name__} that the next call finds is not followed")
        if type(value) in (list, tuple) and any(map(callable, value)):
            return self._copy(value, type(value)(map(self, value)))
        if type(value) is dict and any(map(callable, value.values())):
            return self._copy(value, {key: self(one) for key, one in value.items()})
        if type(value) in _CONTAINERS:
            return self._copy(value, copy(value))
        if _is_a_users_class(value):
            return self._class(value)
        if _is_a_users_class(type(value)):
            made = self._copy(value, object.__new__(self(type(value))))
            vars(made).update({name: self(one) for name, one in vars(value).items()})
            return made
        return value

    def _function(self, given: FunctionType) -> FunctionType:
        code, closure = rewritten(given), given.__closure__ or ()
        if is_unguarded(given.__code__, code):
            return self._put(given, _unguarded)  # type: ignore[no-any-return]
        names = self._globals(given.__globals__)
        cells = tuple(map(self._cell, closure))
        made = FunctionType(code, names, given.__name__, None, cells)
        self._copy(given, made)
        for cell, original in zip(cells, closure, strict=True):
            with contextlib.suppress(ValueError):  # It may be empty.
                cell.cell_contents = self(original.cell_contents)
        made.__defaults__ = given.__defaults__ and tuple(map(self, given.__defaults__))
        options = given.__kwdefaults__
        made.__kwdefaults__ = options and {name: self(one) for name, one in options.items()}
        for name in names_in(code) & given.__globals__.keys() - names.keys():
            names[name] = None  # It may be asked for again on the way.
            names[name] = self(given.__globals__[name])
        return made

    def _cell(self, original: CellType) -> CellType:
        found = self.made.get(id(original))
        return found[1] if found else self._copy(original, CellType())  # type: ignore[no-any-return]

    def _globals(self, original: dict[str, Any]) -> dict[str, Any]:
        found = self.made.get(id(original))
        own = {name: one for name, one in original.items() if name.startswith("__")}
        made = own | {"__builtins__": self.builtins}
        return found[1] if found else self._copy(original, made)  # type: ignore[no-any-return]

    def _class(self, given: type) -> type:
        made = self._copy(given, type(given.__name__, tuple(map(self, given.__bases__)), {}))
        _CLASSES.add(made)
        for name, one in vars(given).items():
            if name not in ("__dict__", "__weakref__"):
                setattr(made, name, self(one))
        return made  # type: ignore[no-any-return]

    def _isinstance(self, value: Any, kinds: Any) -> bool:
        if isinstance(value, Blocked):
            raise stop(f"isinstance asks for the type of {value.what}: do the same for each type")
        every: tuple[Any, ...] = kinds if isinstance(kinds, tuple) else (kinds,)
        originals = {id(made): original for original, made in self.made.values()}
        return isinstance(value, tuple(originals.get(id(one), one) for one in every))


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
        if not (factory is None or isinstance(factory, OurFunction) or factory in (list, dict)):
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
    return {name: one for name, one in held.items() if name not in _NOT_HELD}


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


def _hasattr(value: Any, name: str) -> bool:
    found = hasattr(value, name)
    if not found:
        plain(value)  # What stands for data may lack what data have.
    return found


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
    plain = type(value) is type and "__slots__" not in vars(value)
    if not plain:
        return False
    held = vars(value).values()
    ours = any(map(_of_a_user, held)) or not (any(map(callable, held)) or of_a_library(value))
    return ours and all(base is object or _is_a_users_class(base) for base in value.__bases__)
