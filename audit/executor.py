"""Blocks that somebody else's processes draw: any ``concurrent.futures.Executor``.

A block is named by its number, and its streams follow from that, so that whoever draws it, and
however often it is begun, its counts are the same. Only counts come back.
"""

from __future__ import annotations

import contextlib
import functools
import math
import pickle
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from dataclasses import dataclass

from provado.mechanisms import UsageError

from .counts import Counts
from .experiment import draw_block
from .keeper import Blocks
from .outputs import BrokenMechanismError
from .plan import Plan
from .processes import UnsendableError, to_bytes
from .randomness import Held, held_generators, seeding
from .stream import CERTIFY, WORKERS, generators, held_generator
from .target import Target
from .watch import NoAnswerError, Watch

HANDED = 64
"""So many blocks are handed over at a time: enough for as many workers."""

QUEUED = 10.0
"""A block may wait for a worker: so many times as long as it may take it is waited for."""

_ALONE = threading.Lock()
"""One block at a time in a process: they seed generators that all its threads share."""


@dataclass(frozen=True)
class Asked:
    """All that a block is drawn from but its number."""

    target: Target
    plan: Plan
    seed: int


def hand_over(asked: Asked) -> bytes:
    """Return what is drawn as bytes; raises ``UsageError`` where it cannot be sent."""
    try:
        return to_bytes(asked)
    except UnsendableError as error:
        raise UsageError(f"executor: {asked.target.name} and its datasets: {error}") from None


def draw_for(handed: bytes, block: int) -> tuple[Counts, ...] | str:
    """Return the counts of one block at its checkpoints, or what broke; a worker calls this."""
    with _ALONE:
        asked, held = _read(handed)
        target, plan, seed = asked.target, asked.plan, asked.seed
        try:
            with seeding(held) as seed_held:
                seed_held(held_generator(seed, target.name, plan.pair, CERTIFY, block))
                return draw_block(target, plan, seed, block)
        except BrokenMechanismError as error:
            return str(error)


@functools.lru_cache(maxsize=2)
def _read(handed: bytes) -> tuple[Asked, Held]:
    """Return what was handed over, and the generators of this process."""
    asked: Asked = pickle.loads(handed)
    target, plan = asked.target, asked.plan
    # Once for nothing: what it makes on first use must be there to be seeded.
    with contextlib.suppress(BrokenMechanismError):
        target.draw(plan.d, 1, generators(asked.seed, target.name, plan.pair, WORKERS, 0)[1])
    return asked, held_generators(of=target.call)


def count_on(
    executor: Executor,
    asked: Asked,
    arrived: dict[int, tuple[Counts, ...]],
    watch: Watch,
    kept: Blocks,
) -> Iterator[tuple[Counts, ...]]:
    """Yield the counts of every block in order; those that have not arrived come from an executor.

    Raises ``BrokenMechanismError`` where the mechanism, or whoever draws it, breaks, and what the
    watch raises where time runs out.
    """
    plan, handed, known = asked.plan, hand_over(asked), frozenset(arrived)
    missing = (block for block in range(plan.blocks) if block not in known)
    waiting: dict[Future[tuple[Counts, ...] | str], int] = {}
    patience, heard = QUEUED * watch.patience(plan.block), time.monotonic()
    try:
        for block in range(plan.blocks):
            while block not in arrived:
                while len(waiting) < HANDED and (number := next(missing, None)) is not None:
                    waiting[_submitted(executor, handed, number)] = number
                for future in wait(waiting, timeout=0.5, return_when=FIRST_COMPLETED).done:
                    number, counts = waiting.pop(future), _answer(future)
                    arrived[number], heard = counts, time.monotonic()
                    kept.put(number, counts)
                if watch.over:
                    raise watch.ended()
                if math.isfinite(patience) and time.monotonic() > heard + patience:
                    raise NoAnswerError(f"no answer of the executor within {patience:.0f} s")
            yield arrived.pop(block)
    finally:
        for future in waiting:
            future.cancel()


def _submitted(executor: Executor, handed: bytes, block: int) -> Future[tuple[Counts, ...] | str]:
    try:
        return executor.submit(draw_for, handed, block)
    except Exception as error:
        raise BrokenMechanismError(
            f"could not be handed to the executor: {type(error).__name__}: {error}"
        ) from error


def _answer(future: Future[tuple[Counts, ...] | str]) -> tuple[Counts, ...]:
    try:
        found = future.result()
    except (Exception, CancelledError) as error:
        words = " ".join(str(error).split())
        raise BrokenMechanismError(
            f"could not be drawn by the executor: {type(error).__name__}: {words}"
        ) from error
    if isinstance(found, str):
        raise BrokenMechanismError(found)
    return found
