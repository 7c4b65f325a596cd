"""Runs a user's function with stand-ins: in place of the data, and of what the function calls."""

import builtins
import contextlib
import functools
from collections.abc import Callable, Iterable
from contextvars import copy_context
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NoReturn

from provado.mechanisms.definitions.relation import short

from .python import NAMES, plain
from .rewrite import is_unguarded, rewritten
from .untraceable import LIBRARIES, Blocked, QueryTrace, UntraceableError, following, stop

Replace = Callable[[Any], Any]
"""Returns what a function finds in place of an object: the object itself where nothing is."""


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
        (``rewrite``); inside them ``trace.looping`` is above 0.
    trace: where steps are noted; ``untraceable.stop`` ends it.
    ours: what is found in place of an object (``in_place_of`` makes it of pairs, such as
        ``(len, our_len)``, ``(np.asarray, our_asarray)`` or ``(np.random.laplace, recorder)``).

    Returns what was released and an empty reason, or ``None`` and the reason with its line.
    """
    released = copy_context().run(_run, query, given, trace, ours, options)
    if trace.stopped or isinstance(released, UntraceableError):
        return None, trace.stopped or str(released)
    if isinstance(released, Exception | SystemExit):
        return None, f"the query raised {short(f'{type(released).__name__}: {released}', 200)}"
    return released, ""


def _run(
    query: Callable[..., Any], given: Any, trace: QueryTrace, ours: Replace, options: Any
) -> Any:
    following(trace)
    try:
        return _Substitution(ours).entry(query)(given, **options)
    except (UntraceableError, Exception, SystemExit) as error:
        return error


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
        self.builtins: dict[str, Any] = {}
        # What asks for the type of a value cannot be answered of what stands for one.
        self._put(isinstance, self._isinstance)
        self._put(type, _type)
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

    def _put(self, value: Any, made: Any) -> Any:
        self.made[id(value)] = value, made
        return made

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
        if type(value) in (list, tuple) and any(map(callable, value)):
            return type(value)(map(self, value))
        if type(value) is dict and any(map(callable, value.values())):
            return {key: self(one) for key, one in value.items()}
        if _is_a_users_class(value):
            return self._class(value)
        if _is_a_users_class(type(value)):
            made = self._put(value, object.__new__(self(type(value))))
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
        self._put(given, made)
        for cell, original in zip(cells, closure, strict=True):
            with contextlib.suppress(ValueError):  # It may be empty.
                cell.cell_contents = self(original.cell_contents)
        made.__defaults__ = given.__defaults__ and tuple(map(self, given.__defaults__))
        options = given.__kwdefaults__
        made.__kwdefaults__ = options and {name: self(one) for name, one in options.items()}
        for name in _names_in(code) & given.__globals__.keys() - names.keys():
            names[name] = None  # It may be asked for again on the way.
            names[name] = self(given.__globals__[name])
        return made

    def _cell(self, original: CellType) -> CellType:
        found = self.made.get(id(original))
        return found[1] if found else self._put(original, CellType())  # type: ignore[no-any-return]

    def _globals(self, original: dict[str, Any]) -> dict[str, Any]:
        found = self.made.get(id(original))
        own = {name: one for name, one in original.items() if name.startswith("__")}
        made = own | {"__builtins__": self.builtins}
        return found[1] if found else self._put(original, made)  # type: ignore[no-any-return]

    def _class(self, given: type) -> type:
        made = self._put(given, type(given.__name__, tuple(map(self, given.__bases__)), {}))
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
    raise stop("try, with, match or is True in a function of which no source is found")


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
    bases = value.__bases__ if plain else ()
    return any(map(_of_a_user, vars(value).values()) if plain else ()) and all(
        base is object or _is_a_users_class(base) for base in bases
    )


def _names_in(code: CodeType) -> set[str]:
    """Return the names that a code asks for, and those of the functions inside it."""
    inside = [_names_in(one) for one in code.co_consts if isinstance(one, CodeType)]
    return {*code.co_names}.union(*inside)
