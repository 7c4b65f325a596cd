"""Two outputs beside each other, part by part."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np

from provado.mechanisms.definitions.relation import record_key, short

from .noisy_values import NoisyArray, NoisyFloat, NoisyInt, raw
from .result import FindingKind

MOST_DEPTH = 30
_HELD = (dict, list, tuple, str, bytes, int, float, np.ndarray)
"""Types whose values a user's class may give attributes."""
_SHOWN = (complex, bytearray, range, slice, date, timedelta, Decimal, Fraction, Enum, type)
"""Types of which ``str`` shows everything."""


@dataclass(frozen=True)
class Leaf:
    """A number or an array of both outputs, at one place in them."""

    path: str
    d: Any
    d_prime: Any


@dataclass(frozen=True)
class Mismatch:
    """A place at which two outputs are of other forms. words: how."""

    path: str
    kind: FindingKind
    words: str


def beside(d: Any, d_prime: Any, path: str = "the output", depth: int = 0) -> Iterator[Any]:
    """Yield the leaves of two outputs, and where they do not have the same form."""
    a, b = _unwrapped(d), _unwrapped(d_prime)
    if _kind(a) != _kind(b):
        words = f"{path} is {_named(a)} under D and {_named(b)} under D′"
        yield Mismatch(path, FindingKind.TYPE, words)
        return
    if isinstance(a, np.ndarray):
        if a.shape != b.shape:
            words = f"{path} has shape {a.shape} under D and {b.shape} under D′"
            yield Mismatch(path, FindingKind.SHAPE, words)
        elif a.dtype == object and depth < MOST_DEPTH:
            yield from beside(a.tolist(), b.tolist(), path, depth + 1)
        else:
            yield Leaf(path, a, b)
        return
    if depth < MOST_DEPTH and isinstance(a, dict):
        yield from _of_mappings(a, b, path, depth)
    elif depth < MOST_DEPTH and isinstance(a, list | tuple):
        if len(a) != len(b):
            words = f"{path} has {len(a)} entries under D and {len(b)} under D′"
            yield Mismatch(path, FindingKind.SHAPE, words)
            return
        for i, (one, other) in enumerate(zip(a, b, strict=True)):
            yield from beside(one, other, f"{path}[{i}]", depth + 1)
    else:
        yield Leaf(path, a, b)


def _of_mappings(a: dict[Any, Any], b: dict[Any, Any], path: str, depth: int) -> Iterator[Any]:
    keys = {record_key(key): key for key in map(raw, a)}
    others = {record_key(key): key for key in map(raw, b)}
    for has, lacks, one, other in ((keys, others, "D", "D′"), (others, keys, "D′", "D")):
        only = [key for known, key in has.items() if known not in lacks]
        if only:
            words = f"{path} has the key {short(only[0])} under {one} and not under {other}"
            yield Mismatch(path, FindingKind.KEYS, words)
            return
    if list(keys) != list(others):
        yield Mismatch(path, FindingKind.KEYS, f"the keys of {path} stand in another order")
    for key in keys.values():
        yield from beside(a[key], b[key], f"{path}[{short(key)}]", depth + 1)


def hides(value: Any) -> bool:
    """Say whether a value is an object of a class that is not looked into."""
    shown = isinstance(value, (*_HELD, *_SHOWN, np.generic, type(None)))
    return not shown and not type(value).__module__.startswith("pandas._libs")


def _unwrapped(value: Any) -> Any:
    """Return tables, sets, data classes and what has attributes as what they hold."""
    if hasattr(value, "iloc"):
        names = (value.attrs, list(value.index.names))
        held = {"index": list(value.index), "names": names}
        if value.ndim == 1:
            return {**held, "name": value.name, "values": value.to_numpy()}
        columns = [value.iloc[:, i].to_numpy() for i in range(value.shape[1])]
        held["names"] = (*names, list(value.columns.names))
        if value.columns.is_unique:
            return {**held, **dict(zip(value.columns, columns, strict=True))}
        return {**held, "columns": list(value.columns), "values": columns}
    if isinstance(value, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(value)
        return {"values": np.asarray(value), "mask": mask, "fill": value.fill_value}
    if isinstance(value, deque | SimpleNamespace):
        return list(value) if isinstance(value, deque) else vars(value)
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
        return fields | getattr(value, "__dict__", {})
    own = getattr(value, "__dict__", None)
    if (
        own
        and isinstance(value, _HELD)
        and not isinstance(value, NoisyArray | NoisyFloat | NoisyInt)
    ):
        plain: Any = next(kind for kind in _HELD if isinstance(value, kind))
        return {"value": np.array(value) if plain is np.ndarray else plain(value), **own}
    return value


def _kind(value: Any) -> Any:
    if isinstance(value, NoisyFloat | float):
        return float
    if isinstance(value, NoisyInt) or (isinstance(value, int) and not isinstance(value, bool)):
        return int
    if isinstance(value, NoisyArray | np.ndarray):
        return np.ndarray, value.dtype
    # By name, since a class may be made anew in each run.
    return type(value).__module__, type(value).__qualname__


def _named(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}"
    kind = _kind(value)
    name = kind[1] if isinstance(kind, tuple) else kind.__name__
    return "None" if value is None else f"of type {name}"
