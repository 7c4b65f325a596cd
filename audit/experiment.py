"""Draw and count: the certifying part of an experiment, block by block."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.audit.counts import Counts
from provado.audit.outputs import BrokenMechanismError, encode
from provado.audit.plan import Plan
from provado.audit.stream import CERTIFY, generators
from provado.audit.target import Target, global_randomness


def draw_block(target: Target, plan: Plan, seed: int, block: int) -> tuple[Counts, ...]:
    """Run the trials of one block; return the counts so far at each of its checkpoints.

    The last are those of the whole block. Each trial tosses a fair coin and intervenes with do(D)
    or do(D′). A mechanism that draws in batches gets all trials of one side at once, which is the
    same experiment: the trials are independent, and the order of the sides, where a checkpoint
    asks for one, is drawn as that of so many fair coins with so many heads.
    """
    n = plan.block_trials(block)
    coin, rng_d, rng_d_prime = generators(seed, target.name, plan.pair, CERTIFY, block)
    if target.batched:
        heads = int(coin.binomial(n, 0.5))
        said_d = _batch(target, plan, plan.d, heads, rng_d)
        said_d_prime = _batch(target, plan, plan.d_prime, n - heads, rng_d_prime)
        places = plan.checkpoints(block)
        # The coin is tossed for nothing else: an order that is drawn moves no other draw.
        order = coin.permutation(n) < heads if len(places) > 1 else None
    else:
        side = coin.integers(0, 2, n).astype(bool)
        data = (plan.d_prime, plan.d)
        outputs = [target.draw(data[one], 1, rng_d)[0] for one in side.tolist()]
        guesses = plan.rule.guess(encode(outputs, n, plan.book))
        said_d, said_d_prime = guesses[side], guesses[~side]
        places, order = plan.checkpoints(block), side
    tables = []
    for place in places:
        d = len(said_d) if place == n or order is None else int(np.count_nonzero(order[:place]))
        tables.append(Counts(*_three(said_d[:d]), *_three(said_d_prime[: place - d])))
    return tuple(tables)


def count_blocks(target: Target, plan: Plan, seed: int, jobs: int) -> Iterator[tuple[Counts, ...]]:
    """Yield the counts of every block in order; with ``jobs`` > 1 from forked worker processes.

    Each block yields its counts at its checkpoints, those of the whole block last.

    The counts are the same for any number of jobs. Raises ``BrokenMechanismError`` where the
    mechanism breaks.
    """
    blocks = range(plan.blocks)
    methods = multiprocessing.get_all_start_methods()
    if jobs == 1 or len(blocks) == 1 or "fork" not in methods:
        with global_randomness() as seed_globals:
            for block in blocks:
                if not target.takes_rng:
                    seed_globals(generators(seed, target.name, plan.pair, CERTIFY, block)[1])
                yield draw_block(target, plan, seed, block)
        return
    # Forked workers inherit the mechanism, which then need not be picklable.
    _SHARED.append((target, plan, seed))
    try:
        with multiprocessing.get_context("fork").Pool(min(jobs, len(blocks))) as pool:
            for outcome in pool.imap(_work, blocks):
                if isinstance(outcome, str):
                    raise BrokenMechanismError(outcome)
                yield outcome
    finally:
        _SHARED.pop()


_SHARED: list[tuple[Target, Plan, int]] = []


def _work(block: int) -> tuple[Counts, ...] | str:
    target, plan, seed = _SHARED[-1]
    try:
        with global_randomness() as seed_globals:
            if not target.takes_rng:
                seed_globals(generators(seed, target.name, plan.pair, CERTIFY, block)[1])
            return draw_block(target, plan, seed, block)
    except BrokenMechanismError as error:
        return str(error)


def _batch(
    target: Target, plan: Plan, data: Any, size: int, rng: np.random.Generator
) -> NDArray[np.int8]:
    if size == 0:
        # A mechanism need not know how to return no output.
        return np.empty(0, dtype=np.int8)
    return plan.rule.guess(encode(target.draw(data, size, rng), size, plan.book))


def _three(guesses: NDArray[np.int8]) -> tuple[int, int, int]:
    """Return how many guesses are D, D′ and neither."""
    d, d_prime = int(np.count_nonzero(guesses == 1)), int(np.count_nonzero(guesses == -1))
    return d, d_prime, len(guesses) - d - d_prime
