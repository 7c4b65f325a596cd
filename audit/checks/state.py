"""Detect state that a mechanism keeps: data that it changes, memory between calls.

A mechanism that remembers its noise gives trials that depend on each other, and looks like one
that leaks. Its outputs in one process do not show that; but of processes started before the first
call, each has a memory of its own, and answers differently.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import io
import math
import pickle
import random
import time
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, NoReturn

import numpy as np

from provado.audit import workers
from provado.audit.events.features.feature import Exact
from provado.audit.events.rule import Rule
from provado.audit.search.candidates import Candidate
from provado.audit.target import random_state
from provado.audit.target.call import Target
from provado.audit.target.output_encoding import BrokenMechanismError, PatternBook, encode
from provado.audit.trials.experiment import Plan
from provado.audit.workers.time_limits import Watch
from provado.mechanisms.definitions.relation import short

from .independence import improbable_constancy, improbable_table

COPIES, DRAWS, LEAST_DRAWS = 16, 200, 20
"""So many processes draw so many outputs each under do(D) and do(D′)."""

Table = list[int]


@dataclass(frozen=True)
class Order:
    """What fresh processes are to draw, and what they take for the same answer.

    found: the pair, where it was found only after the processes had been started.
    single, catches: how the mechanism is called, as in a ``Target``.
    """

    pair: int
    found: Candidate | None
    rule: Rule
    book: PatternBook
    draws: int
    single: bool
    catches: bool


class FreshProcesses:
    """Where processes in which the mechanism was never called can be had; there may be none.

    line: to the process that answers an ``Order``. found: a pair that they do not know yet.
    """

    def __init__(self, line: Connection | None) -> None:
        self._line = line
        self.found: Candidate | None = None

    def differ(
        self, plan: Plan, target: Target, watch: Watch, draws: int = DRAWS, grace: float = 0.0
    ) -> bool | None:
        """Return whether fresh processes differ in their answers; ``None`` where none can say.

        Their answers are compared by what the rule says of them, and by the outputs themselves.
        They have until the watch is over, and in any case the grace.
        Raises ``BrokenMechanismError`` where one of them breaks.
        """
        how = (target.sized, target.catches)
        order = Order(plan.pair, self.found, plan.rule, plan.book, draws, *how)
        answers = self._ask(order, watch, grace)
        if answers is None:
            return None
        broken = [answer.reason for answer in answers if isinstance(answer, workers.Broken)]
        if broken:
            raise BrokenMechanismError(f"breaks in a fresh process: {broken[0]}")
        tables = [np.array(rows) for rows in zip(*answers, strict=True)]
        return any(improbable_table(table) or improbable_constancy(table) for table in tables)

    def _ask(self, order: Order, watch: Watch, grace: float) -> list[Any] | None:
        # Taken away until it has answered: who was late once would answer the next order wrongly.
        line, self._line = self._line, None
        if line is None:
            return None
        patience = COPIES * watch.patience(2 * order.draws)
        started = time.monotonic()
        try:
            line.send(order)
            while not line.poll(0.5):
                waited = time.monotonic() - started
                if waited > max(patience, grace) or (watch.over and waited > grace):
                    return None
            answers: list[Any] = line.recv()
        except (EOFError, OSError, pickle.PicklingError, TypeError, AttributeError):
            # A pair that was searched may hold what cannot be sent.
            return None
        self._line = line
        return answers


@contextlib.contextmanager
def fresh_processes(
    target: Target, pairs: Any, seed: int, held: random_state.GeneratorSet
) -> Iterator[FreshProcesses]:
    """Start a process that waits until it is asked, and kill it on the way out.

    pairs: or the question, where they are searched. None is started where none can be.
    """
    if not workers.can_isolate() or workers.unsendable(target, pairs):
        yield FreshProcesses(None)
        return
    with workers.waiting(partial(_wait_for_orders, target, pairs, seed, held)) as (line, _):
        yield FreshProcesses(line)


def _wait_for_orders(
    target: Target,
    pairs: Any,
    seed: int,
    held: random_state.GeneratorSet,
    line: Connection,
    send: workers.Send,
) -> NoReturn:
    while True:
        answer_order(target, pairs, seed, held, line, line.recv(), send)


def answer_order(
    target: Target,
    pairs: Any,
    seed: int,
    held: random_state.GeneratorSet,
    line: Connection,
    order: Order,
    _: workers.Send,
) -> None:
    """Send what ``COPIES`` processes answer; in this one, too, nothing was called yet."""
    pair = pairs[order.pair] if order.found is None else pairs.pair(order.found)
    work = [partial(_answers, target, pair, seed, order, held, copy) for copy in range(COPIES)]
    line.send(workers.run_in_processes(work, processes=2, time_limit=math.inf))


def _answers(
    target: Target, pair: Any, seed: int, order: Order, held: random_state.GeneratorSet, copy: int
) -> list[Table]:
    """Return, for each side, how often the rule made each guess and how often each output came."""
    said, came = list[Table](), list[Table]()
    # Outputs that the rule takes for one may still differ from process to process.
    exact = Exact(tuple(range(order.book.width)))
    target = replace(target.catching(single=order.single), catches=order.catches)
    rngs = random_state.generators(seed, target.name, order.pair, random_state.FRESH, copy)[1:]
    with random_state.seeding(held) as seed_held:
        seed_held(
            random_state.held_generator(seed, target.name, order.pair, random_state.FRESH, copy)
        )
        for data, rng in zip(pair, rngs, strict=True):
            outputs = encode(target.draw(data, order.draws, rng), order.draws, order.book)
            guesses = order.rule.guess(outputs)
            said.append([int(np.count_nonzero(guesses == g)) for g in (1, -1, 0)])
            came.append(np.bincount(exact.read(outputs) >> 61 & 7, minlength=8).tolist())
    return said + came


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

    Examined: attributes, closure, default values, the module globals that it names, and the size
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
            {name: x for name, x in item.items() if name != "_cache"}
            if type(item) is dict
            else item
            for item in state
        ]
        return *made[:2], tuple(item for item in kept if type(item) is not dict or item), *made[3:]


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

    Asked where something that the mechanism holds has changed, and before anything is reported: a
    memory need not show.
    """
    differ = fresh.differ(plan, target, watch, draws, workers.GRACE)
    shows = f"{', '.join(kept[:3])} changed" if kept else "in what cannot be examined"
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
