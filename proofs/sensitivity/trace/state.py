"""What a function can reach and change: what it does once, it may do otherwise the next time."""

import array
import contextlib
import ctypes
import functools
import io
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    MappingProxyType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

import numpy as np

from .untraceable import HERE, LIBRARIES, Blocked, current, of_a_library, stop

MOST_REACHED = 20_000
"""So many objects that a function can reach are examined."""

_HIDDEN: tuple[Any, ...] = (Iterator, bytearray, memoryview, array.array, io.IOBase, ContextVar)
_HIDDEN += (threading.local, type(threading.Lock()), type(threading.RLock()))
_HIDDEN += (ctypes.Structure.__base__,)
"""What has a state that cannot be seen."""


def once(function: Callable[..., Any], *given: Any) -> Any:
    """Return what a function makes of what stands for one record, which it makes of every record.

    It is called once, so that it may neither draw noise nor change what it can reach: a counter,
    a list, an object. Such a function ends the trace.
    """
    trace, (before, kept) = current(), _state(function)
    trace.looping += 1
    found = function(*given)
    trace.looping -= 1
    if _state(function)[0] != before:
        raise stop(
            "what is done with each record changes what the next one finds: only add them up"
        )
    del kept
    return found


def _state(function: Any) -> tuple[dict[int, Any], list[Any]]:
    """Return what objects hold that a function can reach, by identity, and these objects."""
    waiting, kept, found = [function], list[Any](), dict[int, Any]()
    while waiting:
        one = waiting.pop()
        if id(one) in found:
            continue
        if len(kept) > MOST_REACHED:
            raise stop("what is done with each record reaches too many objects")
        if isinstance(one, _HIDDEN) and not isinstance(one, Blocked):
            raise stop(f"what is done with each record uses a {type(one).__name__}")
        held = [*_held(one)]
        kept.append(one)
        waiting += held
        data = (one.shape, one.tobytes()) if isinstance(one, np.ndarray) else None
        found[id(one)] = [*map(id, held)], data
    return found, kept


def _held(one: Any) -> Iterator[Any]:
    """Yield what an object holds that may change, or may hold what changes."""
    match one:
        case FunctionType():
            yield from (one.__closure__ or (), one.__defaults__ or ())
            yield from (one.__kwdefaults__ or (), vars(one))
            if not one.__code__.co_filename.startswith((HERE, *LIBRARIES)):
                names = names_in(one.__code__) & one.__globals__.keys()
                yield from map(one.__globals__.get, sorted(names))
        case CellType():
            with contextlib.suppress(ValueError):  # It may be empty.
                yield one.cell_contents
        case MethodType():
            yield from (one.__self__, one.__func__)
        case BuiltinFunctionType():
            yield one.__self__
        case functools.partial():
            yield from (one.func, one.args, one.keywords)
        case staticmethod() | classmethod():
            yield one.__func__
        case property():
            yield from (one.fget, one.fset, one.fdel)
        case np.ndarray():
            yield from one.ravel().tolist() if one.dtype.kind == "O" else ()
        case Blocked():
            # Of what stands for data, arrays that are changed and generators are no constants.
            yield vars(one).get("make" if vars(one).get("once") else "_array")
        case type() if not of_a_library(one):
            yield from (value for name, value in vars(one).items() if name != "__weakref__")
        case type() | ModuleType():
            pass
        case dict():
            yield from (*dict.keys(one), *dict.values(one))
        case MappingProxyType():
            yield from (*one.keys(), *one.values())
        case list() | tuple() | deque() | set() | frozenset():
            # As it is kept: a class of the user's may yield something else.
            kinds: tuple[Any, ...] = (list, tuple, deque, set, frozenset)
            yield from next(kind for kind in kinds if isinstance(one, kind)).__iter__(one)
    if isinstance(one, Blocked | type | ModuleType | FunctionType | CellType | MethodType):
        return
    if "cells" in _vars_of(one) or not of_a_library(type(one), (HERE,)):
        yield from (*_vars_of(one).values(), type(one))


def _vars_of(one: Any) -> dict[str, Any]:
    """Return the attributes of an object, those in slots too."""
    kinds = [item for kind in type(one).__mro__ for item in vars(kind).items()]
    slots = [name for name, what in kinds if type(what) is MemberDescriptorType]
    found = {name: getattr(one, name, None) for name in slots}
    return found | getattr(one, "__dict__", {})


def names_in(code: CodeType) -> set[str]:
    """Return the names that a code asks for, and those of the functions inside it."""
    inside = [names_in(one) for one in code.co_consts if isinstance(one, CodeType)]
    return {*code.co_names}.union(*inside)
