"""Saved progress of an audit (plans and block counts), so that it can resume; reading runs no code.

All draws follow from a seed and the number of their block, so that an audit goes on where it was
ended, as if it had not been: the blocks that are there are not drawn again.

Kept are the auditor's own plain data: plans, rules, encoded outputs. They are written by
``pickle``, and read by one that knows these types and no other, so that a file from elsewhere can
name no function to be called. What holds an object of a user is not kept at all.
"""

from __future__ import annotations

import dataclasses
import io
import json
import pickle
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from provado.audit.bounds.counts import Counts
from provado.mechanisms import UsageError

SEARCH = -1
"""Stands for the search of a pair, in the place of the number of one."""


@dataclass(frozen=True)
class CheckpointEntry:
    """One thing that is kept of a pair. seconds: that were spent on the pair so far."""

    pair: int
    name: str
    seconds: float
    value: bytes


@dataclass(frozen=True)
class Checkpoint:
    """Saved progress of one audit, and the function that saves more of it; none by default.

    known: by pair and name. save: must have stored its entry before it returns.
    """

    known: Mapping[tuple[int, str], CheckpointEntry] = field(default_factory=dict)
    save: Callable[[CheckpointEntry], None] | None = None

    def to(self, save: Callable[[CheckpointEntry], None]) -> Checkpoint:
        """Return one that saves by another function, if it saves at all."""
        return self if self.save is None else Checkpoint(self.known, save)

    def __reduce__(self) -> tuple[Any, ...]:
        # The function stays in this process; another process sends it messages.
        return Checkpoint, (self.known, None if self.save is None else _ignore)

    def seconds(self, pair: int) -> float:
        """Return how many seconds were spent on a pair by what is known."""
        return max(
            (entry.seconds for (of, _), entry in self.known.items() if of == pair), default=0.0
        )

    @property
    def spent(self) -> float:
        """How many seconds were spent on all pairs."""
        return sum(self.seconds(pair) for pair in {of for of, _ in self.known})


def _ignore(_: CheckpointEntry) -> None:
    pass


NO_CHECKPOINT = Checkpoint()


class PairCheckpoint:
    """What is kept of one pair.

    started: when the pair began, as if all its time had been spent in one go.
    """

    def __init__(self, checkpoint: Checkpoint, pair: int) -> None:
        self._checkpoint, self._pair = checkpoint, pair
        self.started = time.perf_counter() - checkpoint.seconds(pair)

    @property
    def resumed(self) -> bool:
        """Whether there is anything to continue."""
        return bool(self._checkpoint.known)

    def get(self, name: str) -> Any:
        """Return what was put; ``None`` where nothing was. Raises ``UnreadableError``."""
        entry = self._checkpoint.known.get((self._pair, name))
        return None if entry is None else unpack(entry.value)

    def put(self, name: str, value: Any) -> None:
        """Keep plain data; what holds an object of a user is not kept."""
        if self._checkpoint.save is not None and (data := pack(value)) is not None:
            self._tell(name, data)

    def counts(self, block: int) -> tuple[Counts, ...] | None:
        """Return a block's counts at its checkpoints, if they are there, or ``UnreadableError``."""
        entry = self._checkpoint.known.get((self._pair, f"block {block}"))
        if entry is None:
            return None
        try:
            rows = json.loads(entry.value)
            read = [
                [Counts(*item[:6], cells=tuple(item[7:]), unread=item[6]) for item in row]
                for row in rows
            ]
            return tuple(replace(first, beside=tuple(others)) for first, *others in read)
        except (ValueError, TypeError, IndexError) as error:
            raise UnreadableError(f"what was kept holds no counts ({error})") from error

    def put_counts(self, block: int, counts: tuple[Counts, ...]) -> None:
        """Keep the counts of a block."""
        if self._checkpoint.save is not None:
            rows = [[[*item.six, item.unread, *item.cells] for item in row.each] for row in counts]
            self._tell(f"block {block}", json.dumps(rows).encode())

    def _tell(self, name: str, value: bytes) -> None:
        assert self._checkpoint.save is not None
        seconds = time.perf_counter() - self.started
        self._checkpoint.save(CheckpointEntry(self._pair, name, seconds, value))


NOTHING_KEPT = PairCheckpoint(NO_CHECKPOINT, 0)

_OURS = ("provado.audit.", "provado.mechanisms.definitions.")

_KNOWN = {
    "builtins": {"bytearray", "complex", "frozenset", "range", "set", "slice"},
    "collections": {"Counter", "OrderedDict", "deque"},
    "fractions": {"Fraction"},
    "numpy": {"dtype", "ndarray"},
    "numpy._core.multiarray": {"_reconstruct", "scalar"},
    "numpy._core.numeric": {"_frombuffer"},
    "numpy.random._pickle": {"__bit_generator_ctor", "__generator_ctor"},
    "numpy.random._pcg64": {"PCG64"},
    "numpy.random.bit_generator": {"SeedSequence", "__pyx_unpickle_SeedSequence"},
    "provado.audit.events.rule": {"_Nothing"},
}


class UnreadableError(UsageError):
    """What was kept names a type that is not the auditor's own, or is of another version."""


def pack(value: Any) -> bytes | None:
    """Return plain data as bytes; ``None`` where it holds what could not be read again."""
    try:
        data = pickle.dumps(value, protocol=5)
        unpack(data)
    except Exception:  # whatever a user's __reduce__ may raise
        return None
    return data


def unpack(data: bytes) -> Any:
    """Return what was packed. Raises ``UnreadableError`` for anything else."""
    try:
        return _Reader(io.BytesIO(data)).load()
    except UnreadableError:
        raise
    except Exception as error:
        raise UnreadableError(
            f"what was kept cannot be read ({type(error).__name__}: {error})"
        ) from error


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if name in _KNOWN.get(module, ()):
            return super().find_class(module, name)
        if module.startswith(_OURS) and "." not in name:
            result = super().find_class(module, name)
            if isinstance(result, type) and (
                dataclasses.is_dataclass(result) or issubclass(result, Enum | tuple)
            ):
                return result
        raise UnreadableError(
            f"what was kept names {module}.{name}, which is no plain data of an audit"
        )
