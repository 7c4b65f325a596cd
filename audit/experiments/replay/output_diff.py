"""Two outputs side by side, part by part, and where the numbers in them come from.

Code may pass a noisy number on as a plain one, or write it into a text: ``Origins`` finds it again.
"""

import contextlib
import dataclasses
import math
import re
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

from provado.audit.experiments.replay.record.linear import Linear, constant, joined
from provado.audit.experiments.replay.record.recording import DERIVED, Tape
from provado.audit.experiments.replay.result import FindingKind
from provado.audit.target.output_types import Refused, Taken, is_code, parts_of
from provado.mechanisms.definitions.relation import record_key, short

from .record.noisy_values import NoisyArray, NoisyFloat, NoisyInt, raw

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
"""How numbers are written in a text."""


class Origins:
    """Finds the form of a number by its value: noise makes each value one of its kind."""

    def __init__(self, tape: Tape) -> None:
        steps = [
            s
            for s in tape.every_step()
            if s.kind in ("sum", DERIVED)
            or (s.kind == "perhaps" and np.shape(s.value) == s.form.shape)
        ]
        flat = np.concatenate([[], *(np.ravel(s.value) for s in steps)]).astype(float)
        # A whole number is one of many, but for one that was read as a plain number.
        read = np.repeat([s.kind == "perhaps" for s in steps], [np.size(s.value) for s in steps])
        self._forms = joined([constant([]), *(s.form for s in steps)]).summed()
        rare = np.isfinite(flat) & ((flat != np.round(flat)) | read.astype(bool))
        places = np.flatnonzero(rare & self._forms.noisy)
        self._places = places[np.argsort(flat[places], kind="stable")]
        self._values = flat[self._places]
        self._texts: dict[str, dict[bytes, Linear]] = {}
        for step in (s for s in tape.every_step() if s.kind == "text"):
            for text in {str(step.value), str(step.value).strip()}:  # With its padding, and alone.
                self._texts.setdefault(text, {})[step.form.variables.tobytes()] = step.form
        odd = sorted((one for one in self._texts if not NUMBER.fullmatch(one)), key=len)
        ways = [re.escape(one) for one in reversed(odd) if one]
        self._parts = re.compile("|".join([*ways, NUMBER.pattern]))

    def of(self, value: Any) -> Linear:
        """Return the forms of the numbers of a value, one after the other."""
        plain, form = np.asarray(raw(value), dtype=float).ravel(), getattr(value, "_form", None)
        cells = constant(plain) if form is None else form.take(np.arange(plain.size))
        at = np.searchsorted(self._values, plain, side="right") - 1
        known = (at >= 0) & ~cells.noisy
        known[known] = self._values[at[known]] == plain[known]
        if not known.any():
            return cells
        places = np.arange(plain.size)
        places[known] = plain.size + np.arange(known.sum())
        return joined([cells, self._forms.take(self._places[at[known]])]).take(places)

    def parts(self, text: str) -> list[tuple[str, list[Linear]]]:
        """Return the parts of a text, and of each the forms of the noisy number that it may be."""
        result = [match[0] for match in self._parts.finditer(text)]
        values = [float(one) if NUMBER.fullmatch(one) else math.nan for one in result]
        numbers = self.of(np.array(values))
        texts = [self._texts.get(one) or self._texts.get(one.lstrip("-"), {}) for one in result]
        known = [list(held.values()) for held in texts]
        for i in np.flatnonzero(numbers.noisy).tolist():
            known[i] = known[i] or [numbers.take([i])]
        literal = self._parts.split(text)
        return [*((one, []) for one in literal), *zip(result, known, strict=True)]

    def in_text(self, text: str) -> Linear:
        """Return the forms of the noisy numbers that are written in a text."""
        result = {id(form): form for _, forms in self.parts(text) for form in forms}
        return joined([constant([]), *result.values()])


MOST_DEPTH, _OBJECT = 30, 6
"""Levels of an output that are looked into; an object counts as several: it may hold itself."""

_HELD = (dict, list, tuple, str, bytes, int, float, np.ndarray)
"""Types whose values a user's class may give attributes."""
_SHOWN = (complex, bytearray, range, slice, date, timedelta, Decimal, Fraction, Enum, type)
"""Types of which ``repr`` shows everything."""


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
    if _kind(d) != _kind(d_prime):
        words = f"{path} is {_named(d)} under D and {_named(d_prime)} under D′"
        yield Mismatch(path, FindingKind.TYPE, words)
        return
    a, b = _unwrapped(d), _unwrapped(d_prime)
    if hides(a) and depth < MOST_DEPTH:
        a, b, depth = _held(a), _held(b), depth + _OBJECT
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
    """Return whether a value is an object of a class that ``str`` does not show whole."""
    plain = isinstance(value, (*_HELD, np.generic, type(None))) or is_code(value)
    return not plain and not is_shown(value)


def is_shown(value: Any) -> bool:
    """Return whether ``repr`` shows all of a value: equal ones may be written in two ways."""
    return isinstance(value, _SHOWN) or type(value).__module__.startswith("pandas._libs")


def _held(value: Any) -> Any:
    """Return the parts of an object by their names; itself, where one cannot be read."""
    with contextlib.suppress(Exception):  # whatever code of a user's object may raise
        parts = parts_of(value)
        result = {name or "content": part for name, part in parts}
        if len(result) == len(parts) and not any(type(p) in (Refused, Taken) for _, p in parts):
            return result
    return value


def _unwrapped(value: Any) -> Any:
    """Return tables, sets, data classes and what has attributes as what they hold."""
    if hasattr(value, "iloc"):
        index = value.index
        names = (value.attrs, list(index.names), type(index), getattr(index, "freqstr", None))
        types = [value.dtype] if value.ndim == 1 else value.dtypes
        categories = [
            (list(getattr(one, "categories", ())), getattr(one, "ordered", None)) for one in types
        ]
        held = {"index": list(value.index), "names": names, "categories": categories}
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
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
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
    if isinstance(value, NoisyArray | np.ndarray):
        return np.ndarray, value.dtype
    value = raw(value)
    if type(value) in (int, float):
        return type(value)
    # By name, since a class may be made anew in each run.
    return type(value).__module__, type(value).__qualname__


def _named(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}"
    kind = _kind(value)
    name = kind[1] if isinstance(kind, tuple) else kind.__name__
    return "None" if value is None else f"of type {name}"
