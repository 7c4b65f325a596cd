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
    result = function(*given)
    trace.looping -= 1
    if _state(function)[0] != before:
        raise stop(
            "what is done with each record changes what the next one finds: only add them up"
        )
    del kept
    return result


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


def _held(item: Any) -> Iterator[Any]:
    """Yield what an object holds that may change, or may hold what changes."""
    match item:
        case FunctionType():
            yield from (item.__closure__ or (), item.__defaults__ or ())
            yield from (item.__kwdefaults__ or (), vars(item))
            if not item.__code__.co_filename.startswith((HERE, *LIBRARIES)):
                names = names_in(item.__code__) & item.__globals__.keys()
                yield from map(item.__globals__.get, sorted(names))
        case CellType():
            with contextlib.suppress(ValueError):  # It may be empty.
                yield item.cell_contents
        case MethodType():
            yield from (item.__self__, item.__func__)
        case BuiltinFunctionType():
            yield item.__self__
        case functools.partial():
            yield from (item.func, item.args, item.keywords)
        case staticmethod() | classmethod():
            yield item.__func__
        case property():
            yield from (item.fget, item.fset, item.fdel)
        case np.ndarray():
            yield from item.ravel().tolist() if item.dtype.kind == "O" else ()
        case Blocked():
            # Of what stands for data, arrays that are changed and generators are no constants.
            yield vars(item).get("make" if vars(item).get("once") else "_array")
        case type() if not of_a_library(item):
            yield from (value for name, value in vars(item).items() if name != "__weakref__")
        case type() | ModuleType():
            pass
        case dict():
            yield from (*dict.keys(item), *dict.values(item))
        case MappingProxyType():
            yield from (*item.keys(), *item.values())
        case list() | tuple() | deque() | set() | frozenset():
            # As it is kept: a class of the user's may yield something else.
            kinds: tuple[Any, ...] = (list, tuple, deque, set, frozenset)
            yield from next(kind for kind in kinds if isinstance(item, kind)).__iter__(item)
    if isinstance(item, Blocked | type | ModuleType | FunctionType | CellType | MethodType):
        return
    if "cells" in _vars_of(item) or not of_a_library(type(item), (HERE,)):
        yield from (*_vars_of(item).values(), type(item))


def _vars_of(value: Any) -> dict[str, Any]:
    """Return the attributes of an object, those in slots too."""
    kinds = [item for kind in type(value).__mro__ for item in vars(kind).items()]
    slots = [name for name, what in kinds if type(what) is MemberDescriptorType]
    result = {name: getattr(value, name, None) for name in slots}
    return result | getattr(value, "__dict__", {})


def names_in(code: CodeType) -> set[str]:
    """Return the names that a code asks for, and those of the functions inside it."""
    inside = [names_in(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return {*code.co_names}.union(*inside)
