"""What a mechanism can reach: the objects it holds, and those that its code names."""

import functools
import gc
import types
from collections import deque
from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

MOST_REACHED = 20_000
"""So many objects are followed at most; a mechanism may hold a whole dataset."""

_ATOMS = (str, bytes, int, float, complex, bool, type(None), np.ndarray, types.CodeType)


def reached(mechanism: Any, kinds: set[type]) -> Iterator[Any]:
    """Yield the objects of some kinds that a mechanism can reach, nearest first, each once.

    What such an object holds is its own affair.
    """
    return (one for one in objects(mechanism, leaves=kinds) if type(one) in kinds)


def objects(
    mechanism: Any, *, leaves: Collection[type] = (), steps: int = MOST_REACHED
) -> Iterator[Any]:
    """Yield a mechanism and all that it can reach, nearest first, each once.

    Followed are attributes, containers, closures, defaults, partial applications, methods of its
    classes, and the globals that its code names, also those of modules. Nothing of it is run.

    leaves: types of which no object is followed. steps: how far from the mechanism.
    """
    waiting, seen = deque[tuple[Any, int]]([(mechanism, 0)]), {id(mechanism)}
    followed = 0
    while waiting and followed < MOST_REACHED:
        one, far = waiting.popleft()
        followed += 1
        yield one
        if type(one) in leaves or far == steps:
            continue
        for other in _held(one):
            # Its type alone is looked at: asking what it is an instance of may run its code.
            if id(other) not in seen and not issubclass(type(other), _ATOMS):
                seen.add(id(other))
                waiting.append((other, far + 1))


def _held(one: Any) -> Iterator[Any]:
    kind = type(one)
    if issubclass(kind, np.random.Generator):
        yield one.bit_generator
    elif kind is types.FunctionType:
        yield from _of_function(one)
    elif kind is types.MethodType:
        yield from (one.__self__, one.__func__)
    elif kind is functools.partial:
        yield from (one.func, one.args, one.keywords)
    elif issubclass(kind, type):
        yield from (each for each in vars(one).values() if not issubclass(type(each), type))
    elif kind is not types.ModuleType:
        yield from (o for o in gc.get_referents(one) if type(o) is not types.ModuleType)


def _of_function(function: types.FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # It is not filled yet.
            continue
    yield from (function.__defaults__, function.__kwdefaults__)
    names = list(_names(function.__code__))
    for name in names:
        named = function.__globals__.get(name)
        if type(named) is types.ModuleType:
            yield named
            yield from (vars(named).get(other) for other in names)
        else:
            yield named


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _names(const)
