"""Blocks that somebody else's processes draw: any ``concurrent.futures.Executor``.

A block is named by its number, and its streams follow from that, so that any process that draws it,
and however often it is begun, its counts are the same. Only counts come back.
"""

import contextlib
import functools
import math
import pickle
import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from typing import Any, TypeVar

from provado.audit.bounds.counts import Counts
from provado.audit.target import random_state
from provado.audit.target.call import Target
from provado.audit.target.output_encoding import BrokenMechanismError
from provado.audit.workers import UnsendableError, to_bytes
from provado.audit.workers.time_limits import NoAnswerError, Watch
from provado.mechanisms import UsageError
from provado.mechanisms.definitions.relation import one_line

from .checkpoint import PairCheckpoint
from .experiment import Plan, draw_block

HANDED = 64
"""So many blocks are handed over at a time: enough for as many workers."""

QUEUED = 10.0
"""A block may wait for a worker: so many times as long as it may take it is waited for."""

ALONE = threading.Lock()
"""One block at a time in a process: they seed generators that all its threads share."""


BlockRequest = tuple[Target, Plan, int]
"""All that a block is drawn from but its number: the last is the seed."""


T = TypeVar("T")


def pickled_request(request: Any, name: str) -> bytes:
    """Return what is drawn as bytes; raises ``UsageError`` where ``name`` cannot be sent."""
    try:
        return to_bytes(request)
    except UnsendableError as error:
        raise UsageError(f"executor: {name} {error}") from None


def draw_for(handed: bytes, block: int) -> tuple[Counts, ...] | str:
    """Return the counts of one block at its checkpoints, or what broke; a worker calls this."""
    with ALONE:
        request, held = _read(handed)
        target, plan, seed = request
        try:
            with random_state.seeding(held) as seed_held:
                stream = target.name, plan.pair, random_state.CERTIFY, block
                seed_held(random_state.held_generator(seed, *stream))
                return draw_block(target, plan, seed, block)
        except BrokenMechanismError as error:
            return str(error)


@functools.lru_cache(maxsize=2)
def _read(handed: bytes) -> tuple[BlockRequest, random_state.GeneratorSet]:
    """Return what was handed over, and the generators of this process."""
    request: BlockRequest = pickle.loads(handed)
    target, plan, seed = request
    # Once for nothing: what it makes on first use must be there to be seeded.
    with contextlib.suppress(BrokenMechanismError):
        target.draw(
            plan.d,
            1,
            random_state.generators(seed, target.name, plan.pair, random_state.WORKERS, 0)[1],
        )
    return request, random_state.held_generators(of=target.call)


def count_on(
    executor: Executor,
    request: BlockRequest,
    arrived: dict[int, tuple[Counts, ...]],
    watch: Watch,
    kept: PairCheckpoint,
) -> Iterator[tuple[Counts, ...]]:
    """Yield the counts of every block in order; those that have not arrived come from an executor.

    Raises ``BrokenMechanismError`` where the mechanism, or the process that draws, breaks, and what
    the watch raises where time runs out.
    """
    (target, plan, _), known = request, frozenset(arrived)
    handed = pickled_request(request, f"{target.name} and its datasets")
    missing = (block for block in range(plan.blocks) if block not in known)
    patience = QUEUED * watch.patience(plan.block)
    with contextlib.closing(
        answers(executor, draw_for, handed, missing, watch, patience)
    ) as coming:
        for block in range(plan.blocks):
            while block not in arrived:
                number, counts = next(coming)
                arrived[number] = counts
                kept.put_counts(number, counts)
            yield arrived.pop(block)


def answers(
    executor: Executor,
    call: Callable[[bytes, int], T | str],
    handed: bytes,
    missing: Iterator[int],
    watch: Watch,
    patience: float,
) -> Generator[tuple[int, T], None, None]:
    """Yield the number and the answer of each call that is missing, as they come.

    patience: seconds that nothing may be heard for. Raises as ``count_on`` does.
    """
    waiting: dict[Future[T | str], int] = {}
    heard = time.monotonic()
    try:
        while True:
            while len(waiting) < HANDED and (number := next(missing, None)) is not None:
                waiting[_submitted(executor, call, handed, number)] = number
            if not waiting:
                return
            for future in wait(waiting, timeout=0.5, return_when=FIRST_COMPLETED).done:
                number, heard = waiting.pop(future), time.monotonic()
                yield number, _answer(future)
            if watch.over:
                raise watch.ended()
            if math.isfinite(patience) and time.monotonic() > heard + patience:
                raise NoAnswerError(f"no answer of the executor within {patience:.0f} s")
    finally:
        for future in waiting:
            future.cancel()


def _submitted(
    executor: Executor, call: Callable[[bytes, int], T | str], handed: bytes, number: int
) -> Future[T | str]:
    try:
        return executor.submit(call, handed, number)
    except Exception as error:
        raise BrokenMechanismError(
            f"could not be handed to the executor: {one_line(error)}"
        ) from error


def _answer(future: Future[T | str]) -> T:
    try:
        result = future.result()
    except (Exception, CancelledError) as error:
        raise BrokenMechanismError(
            f"could not be drawn by the executor: {one_line(error)}"
        ) from error
    if isinstance(result, str):
        raise BrokenMechanismError(result)
    return result
