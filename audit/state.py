"""Does the mechanism keep state between calls? Then its trials are not independent."""

from __future__ import annotations

import functools
import hashlib
import inspect
import io
import pickle
import random
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.stats import chi2

IMPROBABLE = 1e-9
"""Level of the tests for drift and for copies that differ: small beside any audit's alpha."""

COPIES, DRAWS = 24, 200

_RANDOM = (np.random.Generator, np.random.RandomState, np.random.BitGenerator, random.Random)
_CODE = (
    types.ModuleType,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodWrapperType,
    type,
)


def fingerprint(mechanism: Any) -> dict[str, str]:
    """Return a digest of everything a callable may remember, by name; generators are left out.

    Looked at: attributes, closure, default values, the module globals that it names, and the size
    of an ``lru_cache``. What cannot be pickled is skipped.
    """
    digests: dict[str, str] = {}
    for name, value in _memory(mechanism, 0):
        digest = _digest(value)
        if digest is not None:
            digests[name] = digest
    return digests


def changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Return the names whose digest differs."""
    return sorted(k for k in before.keys() | after.keys() if before.get(k) != after.get(k))


def fresh_copies(mechanism: Any, rng: np.random.Generator) -> list[Any] | None:
    """Return independent copies of a callable not called yet; ``None`` where there are none.

    A function has no copies: it keeps its closure and globals. Generators that a copy holds are
    replaced by new ones, or every copy would draw the same.
    """
    buffer = io.BytesIO()
    try:
        _Pickler(buffer).dump(mechanism)
        copies = [_Unpickler(io.BytesIO(buffer.getvalue()), rng).load() for _ in range(COPIES)]
    except Exception:  # whatever a user's __reduce__ may raise
        return None
    return None if any(fresh is mechanism for fresh in copies) else copies


class _Pickler(pickle.Pickler):
    """Leaves random generators out, naming their type."""

    def persistent_id(self, obj: Any) -> Any:
        return type(obj) if isinstance(obj, _RANDOM) else None


class _Unpickler(pickle.Unpickler):
    """Puts new generators of the same type in."""

    def __init__(self, file: io.BytesIO, rng: np.random.Generator) -> None:
        super().__init__(file)
        self._rng = rng

    def persistent_load(self, pid: Any) -> Any:
        seed = int(self._rng.integers(2**32))
        return np.random.default_rng(seed) if pid is np.random.Generator else pid(seed)


def improbable_table(table: np.ndarray[Any, Any]) -> bool:
    """Tell whether the rows of a table of counts differ beyond chance at level ``IMPROBABLE``."""
    table = table[:, table.sum(axis=0) > 0].astype(float)
    table = table[table.sum(axis=1) > 0]
    rows, columns = table.shape
    if rows < 2 or columns < 2:
        return False
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    # Columns with few expected counts have no chi-square distribution; they are left out.
    kept = expected.min(axis=0) >= 5
    statistic = float((((table - expected) ** 2) / expected)[:, kept].sum())
    return kept.sum() > 0 and float(chi2.sf(statistic, (rows - 1) * kept.sum())) < IMPROBABLE


def _memory(value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    if depth > 4:
        return
    if isinstance(value, functools.partial):
        yield from _memory(value.func, depth + 1)
        yield "partial arguments", (value.args, value.keywords)
        return
    if hasattr(value, "cache_info"):
        yield "lru_cache", value.cache_info().currsize
        yield from _memory(getattr(value, "__wrapped__", None), depth + 1)
        return
    if inspect.ismethod(value):
        yield from _memory(value.__func__, depth + 1)
        yield from ((f"self.{k}", v) for k, v in _attributes(value.__self__))
        return
    if inspect.isfunction(value):
        names = value.__code__.co_freevars
        for name, cell in zip(names, value.__closure__ or (), strict=True):
            try:
                content = cell.cell_contents
            except ValueError:
                continue
            yield f"closure {name!r}", content
            if callable(content):
                yield from _memory(content, depth + 1)
        yield "default values", (value.__defaults__, value.__kwdefaults__)
        yield from ((f"attribute {k!r}", v) for k, v in vars(value).items() if k != "__wrapped__")
        for name in value.__code__.co_names:
            if name in value.__globals__ and not isinstance(value.__globals__[name], _CODE):
                yield f"global {name!r}", value.__globals__[name]
        return
    if value is not None and not isinstance(value, _CODE):
        yield from ((f"attribute {k!r}", v) for k, v in _attributes(value))
        if inspect.ismethod(getattr(value, "__call__", None)):  # noqa: B004
            yield from _memory(type(value).__call__, depth + 1)


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    yield from getattr(value, "__dict__", {}).items()


def _digest(value: Any) -> str | None:
    if isinstance(value, (*_RANDOM, *_CODE)):
        return None
    if hasattr(value, "cache_info"):
        return str(value.cache_info().currsize)
    buffer = io.BytesIO()
    try:
        _Pickler(buffer).dump(value)
    except Exception:  # whatever a user's __reduce__ may raise
        return None
    return hashlib.sha256(buffer.getvalue()).hexdigest()
