"""What a mechanism must keep to for its trials to count: its data as given, no memory of calls.

Where a mechanism keeps state between calls, its trials are not independent.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import io
import pickle
import random
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.audit.checks.fresh_process import FreshProcesses
from provado.audit.target.call import Target
from provado.audit.target.output_encoding import BrokenMechanismError
from provado.audit.trials.plan import Plan
from provado.audit.workers import GRACE
from provado.audit.workers.time_limits import Watch
from provado.mechanisms.definitions.relation import short

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


class _Pickler(pickle.Pickler):
    """Leaves random generators out, naming their type."""

    def persistent_id(self, obj: Any) -> Any:
        return type(obj) if isinstance(obj, _RANDOM) else None


class _DataPickler(pickle.Pickler):
    """Leaves out what pandas keeps of its own calls beside the data."""

    def reducer_override(self, obj: Any) -> Any:
        if not type(obj).__module__.startswith("pandas"):
            return NotImplemented
        made = obj.__reduce_ex__(5)
        if not isinstance(made, tuple) or len(made) < 3:
            return made
        state = made[2] if isinstance(made[2], tuple) else (made[2],)
        kept = [
            {name: x for name, x in one.items() if name != "_cache"} if type(one) is dict else one
            for one in state
        ]
        return *made[:2], tuple(one for one in kept if type(one) is not dict or one), *made[3:]


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


CHANGED = "changed the dataset that it was given"


@dataclass(frozen=True)
class StateSnapshot:
    """What the datasets and the mechanism's memory were like before its first call."""

    data: str
    memory: dict[str, str]

    @classmethod
    def of(cls, pair: tuple[Any, Any], target: Target) -> StateSnapshot:
        """Look at one pair."""
        return cls(digest(pair), fingerprint(target.call))

    def require_same_data(self, d: Any, d_prime: Any) -> None:
        """Raise ``BrokenMechanismError`` where the datasets are no longer as they were."""
        if digest((d, d_prime)) != self.data:
            raise BrokenMechanismError(CHANGED)

    def kept(self, target: Target) -> list[str]:
        """Return the names of what the mechanism remembers of calls since."""
        return changed(self.memory, fingerprint(target.call))


def require_fresh_processes_agree(
    plan: Plan,
    target: Target,
    fresh: FreshProcesses,
    watch: Watch,
    draws: int,
    kept: Sequence[str] = (),
) -> None:
    """Raise ``BrokenMechanismError`` unless fresh processes all answer alike.

    Asked where something that the mechanism holds has changed, and before anyone is accused: a
    memory need not show.
    """
    differ = fresh.differ(plan, target, watch, draws, GRACE)
    shows = f"{', '.join(kept[:3])} changed" if kept else "in what cannot be looked at"
    what = f"keeps state between calls ({shows})"
    if differ:
        raise BrokenMechanismError(f"{what} and fresh processes of it answer differently")
    if differ is None and kept:
        raise BrokenMechanismError(
            f"{what}, so its trials may depend on each other, and no fresh processes could be "
            "asked in time whether they answer alike"
        )


def digest(data: Any) -> str:
    """Return what changes when the data do. Arrays are read where they are, not copied."""
    made, buffer = hashlib.sha256(), io.BytesIO()
    try:
        _DataPickler(buffer, 5, buffer_callback=lambda part: made.update(part.raw())).dump(data)
        made.update(buffer.getvalue())
    except Exception:  # whatever a user's __reduce__ may raise
        return short(data, 10_000)
    return made.hexdigest()
