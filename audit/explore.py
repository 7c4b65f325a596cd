"""Exploration: samples that are thrown away once a plan has been made of them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from provado.audit.bounds import BoundMethod
from provado.audit.outputs import Encoded, PatternBook, encode, join
from provado.audit.plan import Plan, plan_bets
from provado.audit.rules.rule import learn_rule
from provado.audit.rules.threshold import Goal
from provado.audit.stream import EXPLORE, generators
from provado.audit.target import Target, global_randomness

MOST_EXPLORED = 1_000_000
MOST_NUMBERS = 2**25
"""Exploration keeps at most so many samples, and so many numbers in all (256 MiB as doubles)."""

LEAST_BATCHED = 100_000
"""A mechanism that draws in batches draws cheaply, so a small audit of it still explores well."""

BATCHED_BLOCK, SINGLE_BLOCK = 2**16, 2**12
FIRST = 64


@dataclass(frozen=True)
class Explored:
    """Exploration outputs under D and D′, equally many, and the structures that they had."""

    a: Encoded
    b: Encoded
    book: PatternBook
    block: int

    @property
    def samples(self) -> int:
        """How many outputs were drawn in all."""
        return len(self.a) + len(self.b)


@dataclass(frozen=True)
class Budget:
    """How much one pair may draw: certifying trials and exploration samples."""

    trials: int
    explored: int


def measure(target: Target, d: Any, d_prime: Any, seconds: float, seed: int, pair: int) -> Budget:
    """Return the budget that ``seconds`` of wall time allow, from timed draws thrown away.

    It is fixed before the certifying trials, so the time that these take cannot steer it.
    """
    rng = generators(seed, target.name, pair, EXPLORE, 2**20)[0]
    size, spent = 32, 0.0
    with global_randomness():
        while True:
            started = time.perf_counter()
            for data in (d, d_prime):
                target.draw(data, size, rng)
            spent = time.perf_counter() - started
            if spent > seconds / 20 or size >= 2**20:
                break
            size *= 4
    total = max(int(seconds * 2 * size / max(spent, 1e-9)), 400)
    # As without a time budget: so many trials by number plan and draw the same again.
    trials = max(total // 2, total - MOST_EXPLORED)
    return Budget(trials=trials, explored=min(trials, MOST_EXPLORED))


def explore(target: Target, d: Any, d_prime: Any, size: int, seed: int, pair: int) -> Explored:
    """Draw about ``size`` outputs, half under each intervention."""
    book = PatternBook()
    parts: tuple[list[Encoded], list[Encoded]] = ([], [])
    block = BATCHED_BLOCK if target.batched else SINGLE_BLOCK
    drawn, number, wanted = 0, 0, max(size // 2, 2)
    with global_randomness() as seed_globals:
        while drawn < wanted:
            n = min(FIRST if number == 0 else block, wanted - drawn)
            coin, *rngs = generators(seed, target.name, pair, EXPLORE, number)
            if not target.takes_rng:
                seed_globals(coin)
            for part, data, rng in zip(parts, (d, d_prime), rngs, strict=True):
                part.append(encode(target.draw(data, n, rng), n, book))
            if number == 0:
                width = max(book.width, 1)
                wanted = min(wanted, max(MOST_NUMBERS // width // 2, FIRST))
                # The size follows from the outputs alone, so that a seed replays anywhere.
                block = max(min(block, 2**22 // width), 256)
            drawn += n
            number += 1
    book.closed = True
    a, b = (join(part, book.width) for part in parts)
    return Explored(a, b, book, block)


def make_plan(
    explored: Explored,
    d: Any,
    d_prime: Any,
    *,
    pair: int,
    trials: int,
    alpha: float,
    delta: float,
    anytime: bool,
) -> Plan:
    """Learn the rule and freeze the experiment."""
    goal = Goal(trials, alpha, delta, betting=anytime or delta > 0)
    with threadpool_limits(1), np.errstate(invalid="ignore", over="ignore"):
        rule = learn_rule(explored.a, explored.b, goal, explored.book.words)
        bets = (
            plan_bets(rule, explored.a, explored.b, goal, anytime=anytime) if goal.betting else None
        )
    return Plan(
        pair=pair,
        d=d,
        d_prime=d_prime,
        rule=rule,
        book=explored.book,
        method=BoundMethod(alpha, delta, bets),
        trials=trials,
        block=explored.block,
        explored=explored.samples,
    )


def examples(plan: Plan, explored: Explored, guess: int, number: int = 5) -> tuple[str, ...]:
    """Return outputs of the first exploration samples on which the rule guesses so, as text."""
    found: dict[str, None] = {}
    for part in (explored.a, explored.b):
        head = part.part(slice(0, 20_000))
        for row in np.flatnonzero(plan.rule.guess(head) == guess)[: 4 * number].tolist():
            found.setdefault(explored.book.words(head, row))
    return tuple(found)[:number]
