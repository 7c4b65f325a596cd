"""Fresh processes, in which the mechanism was never called: what a memory of earlier calls changes.

A mechanism that remembers its noise gives trials that depend on each other, and looks like one
that leaks. It cannot be told from its outputs in one process; but of processes started before the
first call, each has a memory of its own, and answers differently.
"""

import contextlib
import math
import multiprocessing
import pickle
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from provado.audit.events.features.feature import Exact
from provado.audit.events.rule import Rule
from provado.audit.search.candidates import Candidate
from provado.audit.target.call import Target
from provado.audit.target.output_encoding import BrokenMechanismError, PatternBook, encode
from provado.audit.target.random_state import (
    FRESH,
    GeneratorSet,
    generators,
    held_generator,
    seeding,
)
from provado.audit.trials.plan import Plan
from provado.audit.workers import Broken, Child, Send, can_isolate, run_in_processes, unsendable
from provado.audit.workers.time_limits import Watch

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
        """Tell whether fresh processes differ in their answers; ``None`` where none can say.

        Their answers are compared by what the rule says of them, and by the outputs themselves.
        They have until the watch is over, and in any case the grace.
        Raises ``BrokenMechanismError`` where one of them breaks.
        """
        how = (target.sized, target.catches)
        order = Order(plan.pair, self.found, plan.rule, plan.book, draws, *how)
        answers = self._ask(order, watch, grace)
        if answers is None:
            return None
        broken = [one.reason for one in answers if isinstance(one, Broken)]
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
    target: Target, pairs: Any, seed: int, held: GeneratorSet
) -> Iterator[FreshProcesses]:
    """Start a process that waits until it is asked, and kill it on the way out.

    pairs: or the question, where they are searched. None is started where none can be.
    """
    if not can_isolate() or unsendable(target, pairs):
        yield FreshProcesses(None)
        return
    line, other = multiprocessing.Pipe()
    child: Child[None] = Child(partial(_wait_for_orders, target, pairs, seed, held, other, line))
    other.close()
    try:
        yield FreshProcesses(line)
    finally:
        line.close()
        child.end()


def _wait_for_orders(
    target: Target,
    pairs: Any,
    seed: int,
    held: GeneratorSet,
    line: Connection,
    other: Connection,
    send: Send,
) -> None:
    other.close()
    with contextlib.suppress(EOFError):
        while True:
            answer_order(target, pairs, seed, held, line, line.recv(), send)


def answer_order(
    target: Target,
    pairs: Any,
    seed: int,
    held: GeneratorSet,
    line: Connection,
    order: Order,
    _: Send,
) -> None:
    """Send what ``COPIES`` processes answer; in this one, too, nothing was called yet."""
    pair = pairs[order.pair] if order.found is None else pairs.pair(order.found)
    work = [partial(_answers, target, pair, seed, order, held, copy) for copy in range(COPIES)]
    line.send(run_in_processes(work, processes=2, time_limit=math.inf))


def _answers(
    target: Target, pair: Any, seed: int, order: Order, held: GeneratorSet, copy: int
) -> list[Table]:
    """Return, for each side, how often the rule said what and how often which output came."""
    said, came = list[Table](), list[Table]()
    # Outputs that the rule takes for one may still differ from process to process.
    exact = Exact(tuple(range(order.book.width)))
    target = replace(target.catching(single=order.single), catches=order.catches)
    rngs = generators(seed, target.name, order.pair, FRESH, copy)[1:]
    with seeding(held) as seed_held:
        seed_held(held_generator(seed, target.name, order.pair, FRESH, copy))
        for data, rng in zip(pair, rngs, strict=True):
            outputs = encode(target.draw(data, order.draws, rng), order.draws, order.book)
            guesses = order.rule.guess(outputs)
            said.append([int(np.count_nonzero(guesses == g)) for g in (1, -1, 0)])
            came.append(np.bincount(exact.read(outputs) >> 61 & 7, minlength=8).tolist())
    return said + came
