"""Any output of a mechanism as a pattern (its structure) and a row of numbers (its leaves).

Numbers, arrays, strings, None, tuples, dictionaries and mixtures of them are taken. Two outputs
have the same pattern when they differ in finite numbers only; NaN and the infinities belong to
the pattern, so that "no number" is an outcome like any other.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

UNSEEN = -1
"""Pattern of an output whose structure was never seen while exploring."""

_EXACT = 2**53
_MIX = 0x9E3779B97F4A7C15
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class BrokenMechanismError(Exception):
    """The mechanism under audit broke its protocol; the message says how. The verdict: unknown."""


@dataclass(frozen=True)
class Encoded:
    """n outputs. ``pattern``: (n,) structure keys; ``values``: (n, k) leaves, NaN where absent."""

    pattern: Ints
    values: NDArray[Any]

    def __len__(self) -> int:
        return len(self.pattern)

    def column(self, j: int) -> NDArray[np.float64]:
        """Return column j as doubles."""
        return self.values[:, j].astype(np.float64, copy=False)

    def part(self, rows: slice) -> Encoded:
        """Return a view of some rows."""
        return Encoded(self.pattern[rows], self.values[rows])


@dataclass
class PatternBook:
    """The structures seen while exploring. Once closed, a new structure is ``UNSEEN``."""

    keys: dict[Hashable, int] = field(default_factory=dict)
    width: int = 0
    closed: bool = False

    def number(self, key: Hashable, leaves: int) -> int:
        """Return the number of a structure with so many numeric leaves."""
        if key not in self.keys:
            if self.closed:
                return UNSEEN
            self.keys[key] = len(self.keys)
            self.width = max(self.width, leaves)
        return self.keys[key]

    def words(self, encoded: Encoded, row: int) -> str:
        """Return one encoded output as text."""
        values = encoded.values[row].tolist()
        base = int(encoded.pattern[row])
        for key, number in self.keys.items():
            if number == base:
                return _spell(key, iter(values))
        if len(self.keys) == 1:
            # A numeric array with NaN or infinities in places: its key is mixed with those.
            return _spell(next(iter(self.keys)), iter(values))
        return "(" + ", ".join(f"{v:.17g}" for v in values) + ")"


def encode(outputs: Any, size: int, book: PatternBook) -> Encoded:
    """Encode ``size`` outputs that stand along the first axis of ``outputs``.

    Raises ``BrokenMechanismError`` where there are more or fewer of them.
    """
    array = _as_array(outputs)
    if array is None:
        sequence = _as_sequence(outputs)
        _check_number(len(sequence), size)
        return _encode_objects(sequence, book)
    if array.ndim == 0:
        raise BrokenMechanismError(
            f"returned one {array.dtype} for a batch of {size}; "
            "outputs must stand along the first axis"
        )
    _check_number(len(array), size)
    if array.dtype.kind in "USV":
        return _encode_objects(array.tolist(), book)
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag], axis=-1)
    elif array.dtype.kind in "mM":
        array = array.view(np.int64)
    rows = array.reshape(size, math.prod(array.shape[1:]))
    number = book.number(("array", array.shape[1:], array.dtype.kind), rows.shape[1])
    pattern = np.full(size, number, dtype=np.int64)
    if rows.dtype.kind == "f":
        pattern = _mix_nonfinite(pattern, rows)
    return Encoded(pattern, _fit(rows, book))


def join(parts: Sequence[Encoded], width: int) -> Encoded:
    """Return several batches as one, their rows padded with NaN to ``width`` columns."""
    return Encoded(
        np.concatenate([part.pattern for part in parts]),
        np.concatenate([_pad(part.values, width) for part in parts]),
    )


def mix(key: Ints, values: NDArray[Any], salt: int) -> Ints:
    """Return keys that also tell ``values`` apart (64-bit hashing; equal inputs, equal keys)."""
    if values.dtype.kind == "f":
        # + 0.0 turns −0.0 into 0.0, which compares equal to it.
        bits = (values.astype(np.float64) + 0.0).view(np.int64)
    else:
        bits = values.astype(np.int64)
    with np.errstate(over="ignore"):
        odd = np.uint64((_MIX * (2 * salt + 3)) % 2**64 | 1)
        mixed = bits.view(np.uint64) * odd
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        return (key.view(np.uint64) + mixed).view(np.int64)


def _as_array(outputs: Any) -> NDArray[Any] | None:
    """Return numeric outputs as an array; ``None`` where they are objects of their own."""
    if hasattr(outputs, "to_numpy"):
        outputs = outputs.to_numpy()
    if isinstance(outputs, np.ndarray):
        return None if outputs.dtype.kind == "O" else outputs
    if not isinstance(outputs, list | tuple) or not outputs:
        return None
    kinds = set(map(type, outputs))
    if len(kinds) != 1:
        return None
    kind = next(iter(kinds))
    if kind is float or (isinstance(kind, type) and issubclass(kind, np.floating | np.integer)):
        return np.array(outputs)
    if kind is int and max(outputs) < _EXACT and min(outputs) > -_EXACT:
        return np.array(outputs, dtype=np.int64)
    if kind is np.ndarray and len({(o.shape, o.dtype) for o in outputs}) == 1:
        return None if outputs[0].dtype.kind == "O" else np.stack(outputs)
    return None


def _as_sequence(outputs: Any) -> Sequence[Any]:
    if isinstance(outputs, np.ndarray):
        return list(outputs)
    if isinstance(outputs, list | tuple):
        return outputs
    raise BrokenMechanismError(
        f"returned a {type(outputs).__name__} for a batch; "
        "outputs must stand along the first axis of an array, list or tuple"
    )


def _check_number(got: int, size: int) -> None:
    if got != size:
        raise BrokenMechanismError(f"returned {got} outputs where {size} were asked for")


def _mix_nonfinite(pattern: Ints, rows: NDArray[Any]) -> Ints:
    """Mix into the keys of rows where they are NaN and where infinite; others stay as they are."""
    finite = np.isfinite(rows)
    odd = ~finite.all(axis=1)
    if not odd.any():
        return pattern
    mixed = pattern
    for salt, mask in enumerate((np.isnan(rows), rows == np.inf, rows == -np.inf)):
        if mask.any():
            # Eight columns a byte: one mixing for each byte instead of one for each column.
            packed = np.packbits(mask, axis=1)
            for byte in range(packed.shape[1]):
                mixed = mix(mixed, packed[:, byte], 3 * byte + salt)
    return np.where(odd, mixed, pattern)


def _fit(rows: NDArray[Any], book: PatternBook) -> NDArray[Any]:
    if not book.closed or rows.shape[1] == book.width:
        return rows
    return _pad(rows[:, : book.width], book.width)


def _pad(rows: NDArray[Any], width: int) -> NDArray[Any]:
    missing = width - rows.shape[1]
    if missing <= 0:
        return rows
    return np.hstack([rows.astype(np.float64), np.full((len(rows), missing), np.nan)])


def _encode_objects(outputs: Sequence[Any], book: PatternBook) -> Encoded:
    pattern = np.empty(len(outputs), dtype=np.int64)
    leaves: list[list[float]] = []
    for i, output in enumerate(outputs):
        row: list[float] = []
        key = _flatten(output, row)
        pattern[i] = book.number(key, len(row))
        leaves.append(row)
    width = book.width if book.closed else max((len(row) for row in leaves), default=0)
    values = np.full((len(outputs), width), np.nan)
    for i, row in enumerate(leaves):
        values[i, : len(row)] = row[:width]
    return Encoded(pattern, values)


def _flatten(output: Any, leaves: list[float]) -> Hashable:
    """Append the finite numbers of one output to ``leaves``; return the key of everything else."""
    if isinstance(output, np.generic):
        return (type(output).__name__, _flatten(output.item(), leaves))
    if output is None or isinstance(output, bool | str | bytes):
        return (type(output).__name__, output)
    if isinstance(output, int):
        if -_EXACT < output < _EXACT:
            leaves.append(float(output))
            return ("int",)
        return ("int", output)
    if isinstance(output, float):
        if math.isfinite(output):
            leaves.append(output)
            return ("float",)
        return ("float", repr(output))
    if isinstance(output, complex):
        return ("complex", _flatten(output.real, leaves), _flatten(output.imag, leaves))
    if isinstance(output, np.ndarray):
        entries = tuple(_flatten(entry, leaves) for entry in output.ravel().tolist())
        return ("ndarray", output.shape, entries)
    if isinstance(output, list | tuple):
        return (type(output).__name__, *(_flatten(entry, leaves) for entry in output))
    if isinstance(output, dict):
        items = sorted(output.items(), key=lambda item: repr(item[0]))
        return ("dict", *((repr(k), _flatten(v, leaves)) for k, v in items))
    if isinstance(output, set | frozenset):
        return ("set", *sorted(map(repr, output)))
    # An address in a default repr says where an object lies, not what it is.
    return (type(output).__name__, _ADDRESS.sub("", repr(output)))


def _spell(key: Any, leaves: Any) -> str:
    """Return the text of an output from its key, taking its numbers from ``leaves``."""
    name, *rest = key
    if name == "array":
        shape, kind = rest
        count = math.prod(shape)
        texts = [_number(next(leaves), kind) for _ in range(count)]
        return texts[0] if shape == () else "(" + ", ".join(texts) + ")"
    if name == "int" and not rest:
        return _number(next(leaves), "i")
    if name == "float" and not rest:
        return _number(next(leaves), "f")
    if name == "ndarray":
        return "(" + ", ".join(_spell(entry, leaves) for entry in rest[1]) + ")"
    if name == "dict":
        return "{" + ", ".join(f"{k}: {_spell(v, leaves)}" for k, v in rest) + "}"
    if name in ("tuple", "list", "complex"):
        return "(" + ", ".join(_spell(entry, leaves) for entry in rest) + ")"
    if len(rest) == 1 and isinstance(rest[0], tuple):
        return _spell(rest[0], leaves)
    return repr(rest[0]) if name in ("str", "bytes", "bool", "NoneType") else str(rest[0])


def _number(value: float, kind: str) -> str:
    if kind in "iub" and math.isfinite(value):
        return str(int(value))
    return f"{value:.10g}"
