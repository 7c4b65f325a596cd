"""The certifying part of an experiment: its plan, its draws and their counts, block by block.

The plan is everything that is decided before the first draw that counts. And what a block of
outputs adds to what an audit knows, so that it can be read again later.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from multiprocessing.connection import wait
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from provado.audit.bounds import Bets, BoundMethod, mixture
from provado.audit.bounds.alpha_spending import EXACT
from provado.audit.bounds.counts import Counts
from provado.audit.events.cause import UNNAMED, Cause
from provado.audit.events.rule import Rule
from provado.audit.events.threshold import Goal
from provado.audit.target.call import RaisedError, Target
from provado.audit.target.exceptions import Raised, Raises
from provado.audit.target.output_encoding import BrokenMechanismError, Encoded, PatternBook, encode
from provado.audit.target.random_state import (
    CERTIFY,
    GeneratorSet,
    generators,
    held_generator,
    seeding,
)
from provado.audit.trials.checkpoint import NOTHING_KEPT, PairCheckpoint
from provado.audit.workers import Child, Send
from provado.audit.workers.time_limits import UNWATCHED, NoAnswerError, Watch

LEAST_CHECKPOINT = 64
MOST_EXPONENT = 700.0


@dataclass(frozen=True)
class Plan:
    """A frozen experiment on one pair of datasets.

    method: the bound that counts once all trials are made. early: the one that counts where time or
    the user ends the experiment before; it is valid whenever that is, and whyever. The two share
    the pair's alpha unless they are the same.
    trials: certifying trials, each with a coin of its own. block: trials a block.
    explored: exploration samples that the rule was learned from. rounded: whether its rule is blind
    to the low-order bits of floating-point numbers. cause: what it uses. edges: of the rule's
    score, between the cells of a ladder; empty where there is none. beside: the plans of other
    rules that are counted on the same trials, each with a share of alpha of its own. until: after
    how many trials it ends, where that is before the last.
    """

    pair: int
    d: Any
    d_prime: Any
    rule: Rule
    book: PatternBook
    method: BoundMethod
    early: BoundMethod
    trials: int
    block: int
    explored: int
    rounded: bool = False
    cause: Cause = UNNAMED
    edges: tuple[float, ...] = ()
    beside: tuple[Plan, ...] = ()
    until: int | None = None

    @property
    def each(self) -> tuple[Plan, ...]:
        """The plan of each rule, this one's first."""
        return self, *self.beside

    @property
    def most_cells(self) -> int:
        """How many cells there are: between the edges, beyond them, and one for scores of NaN."""
        return len(self.edges) + 2

    def cells(self, outputs: Encoded) -> NDArray[np.int64]:
        """Return the cell of each output, shape (n,)."""
        return cells_of(self.rule, self.edges, outputs)

    @property
    def blocks(self) -> int:
        """How many blocks hold all trials."""
        return -(-self.trials // self.block)

    def block_trials(self, block: int) -> int:
        """Return the number of trials in one block; the last may be short."""
        return min(self.block, self.trials - block * self.block)

    def checkpoints(self, block: int) -> tuple[int, ...]:
        """Return after how many trials of this block the counts are wanted, its last included.

        The others are the checkpoints of the whole experiment that fall inside this block.
        """
        before, size = block * self.block, self.block_trials(block)
        powers = (2**power for power in range(before.bit_length(), (before + size).bit_length()))
        inside = (n - before for n in powers if before < n < before + size and is_checkpoint(n))
        return (*inside, size)


def cells_of(rule: Rule, edges: tuple[float, ...], outputs: Encoded) -> NDArray[np.int64]:
    """Return the cell between ``edges`` of the rule's score of each output; the last is for NaN."""
    if not len(outputs):
        return np.empty(0, dtype=np.int64)
    score = rule.score(outputs)
    result = np.searchsorted(np.array(edges), score, side="right").astype(np.int64)
    return np.where(np.isnan(score), len(edges) + 1, result)


def is_checkpoint(trials: int) -> bool:
    """Return whether the counts so far are kept after so many trials: at powers of two.

    They show how the bound grew; nothing is decided by them.
    """
    return trials >= LEAST_CHECKPOINT and trials.bit_count() == 1


def plan_bets(rule: Rule, a: Encoded, b: Encoded, goal: Goal, *, anytime: bool) -> tuple[Bets, int]:
    """Return the bets of the betting bound and the side that they are on, planned on exploration.

    Most is staked where the bound is best at the planned number of trials and at the rates seen.
    The side is 1 or −1 where δ > 0 and the rule guesses only D or only D′, else 0.
    """
    guesses = rule.guess(a), rule.guess(b)
    said = (np.count_nonzero(part == say) for part in guesses for say in (1, -1, 0))
    seen = Counts(*map(int, said))
    side = seen.side if goal.delta > 0 else 0
    if side:
        beside = goal.epsilon is None and not anytime
        alpha = goal.alpha * (1 - EXACT) if beside else goal.alpha
        goal = replace(goal, delta=goal.delta / 2, alpha=alpha)
    right, wrong, _ = seen.guessed(side)
    plan = _best_stake if goal.epsilon is None else _stake_at_point
    stake = plan(right / seen.trials, (wrong + 0.5) / seen.trials, goal)
    return mixture(stake, goal.delta, anytime=anytime), side


def _stake_at_point(right: float, wrong: float, goal: Goal) -> float:
    """Return the stake whose wealth refutes the largest δ at ``goal.epsilon``, at these rates."""
    assert goal.epsilon is not None
    factor = math.exp(min(goal.epsilon, MOST_EXPONENT))
    rest, need = max(1 - right - wrong, 0.0), -math.log(goal.alpha) / goal.trials
    stakes = np.geomspace(1e-8, 0.999 / (factor + 1), 400)
    low, high = np.zeros(len(stakes)), np.ones(len(stakes))
    for _ in range(40):
        delta = (low + high) / 2
        grown = right * np.log1p(stakes * (1 - delta)) + rest * np.log1p(-stakes * delta)
        refuted = grown + wrong * np.log1p(-stakes * (factor + delta)) >= need
        low, high = np.where(refuted, delta, low), np.where(refuted, high, delta)
    return float(stakes[int(np.argmax(low))])


def _best_stake(right: float, wrong: float, goal: Goal) -> float:
    """Return the stake whose wealth refutes the largest ε if the rates are as forecast."""
    best, best_epsilon = 0.5 / (1 + goal.delta), -math.inf
    need = -math.log(goal.alpha) / goal.trials
    rest = 1 - right - wrong
    for stake in np.geomspace(1e-8, 0.999 / (1 + goal.delta), 400).tolist():
        # right·log(1 + λ(1−δ)) + wrong·log(1 − λ(e^ε + δ)) + rest·log(1 − λδ) = log(1/α)/n
        gain = right * math.log1p(stake * (1 - goal.delta))
        gain += rest * math.log1p(-stake * goal.delta) if rest > 0 else 0.0
        short = (need - gain) / wrong
        if short > MOST_EXPONENT:
            # The bet would lose by so much that no ε is refuted; exp overflows there.
            continue
        afford = -math.expm1(short) / stake - goal.delta
        epsilon = math.log(afford) if afford > 0 else -math.inf
        if epsilon > best_epsilon:
            best, best_epsilon = stake, epsilon
    return best


Guesses = NDArray[np.int8]
Rngs = tuple[np.random.Generator, np.random.Generator, np.random.Generator]
Hand = Callable[[dict[int, tuple[Counts, ...]]], Iterator[tuple[Counts, ...]]]

MALLOC_KEEPS = 2**22
"""Bytes of the largest array that is made without new pages."""


class CutBlockError(Exception):
    """A block of a mechanism that is called one by one was ended inside; the trials made count.

    reason: what ended it. counts: at its checkpoints, those of all trials made last.
    """

    def __init__(self, reason: NoAnswerError, counts: tuple[Counts, ...]) -> None:
        super().__init__(str(reason))
        self.reason, self.counts = reason, counts


def draw_block(
    target: Target,
    plan: Plan,
    seed: int,
    block: int,
    watch: Watch = UNWATCHED,
    *,
    phase: int = CERTIFY,
) -> tuple[Counts, ...]:
    """Run the trials of one block; return the counts so far at each of its checkpoints.

    The last are those of the whole block. Each trial tosses a fair coin and intervenes with do(D)
    or do(D′). A mechanism that draws in batches gets all trials of one side at once, which is the
    same experiment: the trials are independent, and the order of the sides, where a checkpoint
    asks for one, is drawn as that of so many fair coins with so many heads.

    Raises ``CutBlockError`` where the watch ends a block of which some trials were made.
    """
    n, places = plan.block_trials(block), plan.checkpoints(block)
    rngs = generators(seed, target.name, plan.pair, phase, block)
    # One of its own: what stayed unread is told of the block that it was in.
    book = replace(plan.book, unread={})
    most = n if plan.until is None else max(plan.until - block * plan.block, 1)
    read = partial(_read, plan)
    drawn = draw_sides(target, plan.d, plan.d_prime, n, book, rngs, watch, most=most, read=read)
    # Each rule has a guess for each output.
    (guesses_d, _), (guesses_d_prime, _) = drawn.a[0], drawn.b[0]
    order, heads = drawn.order, len(guesses_d)
    made = heads + len(guesses_d_prime)
    if order is None and len(places) > 1:
        # The coin is tossed for nothing else: an order that is drawn moves no other draw.
        order = rngs[0].permutation(n) < heads
    places = (*(place for place in places if place < made), made)
    each = list(zip(plan.each, drawn.a, drawn.b, strict=True))
    tables = []
    for place in places:
        d = heads if place == made or order is None else int(np.count_nonzero(order[:place]))
        more = tuple(_counted(item, a, b, d, place - d) for item, a, b in each[1:])
        unread = book.unread_words() if place == made else ""
        tables.append(_counted(*each[0], d, place - d, beside=more, unread=unread))
    if drawn.ended is not None:
        raise CutBlockError(drawn.ended, tuple(tables))
    return tuple(tables)


@dataclass(frozen=True)
class Sides:
    """The outputs of some trials, under do(D) and under do(D′), or what was read of them.

    order: which of the trials were do(D), where they were made one by one. ended: what ended them
    before the last, if anything did; at least one was made.
    """

    a: Any
    b: Any
    order: NDArray[np.bool_] | None = None
    ended: NoAnswerError | None = None


def draw_sides(
    target: Target,
    d: Any,
    d_prime: Any,
    trials: int,
    book: PatternBook,
    rngs: Rngs,
    watch: Watch = UNWATCHED,
    raises: Raises | None = None,
    most: int | None = None,
    read: Callable[[Encoded], Any] = lambda outputs: outputs,
) -> Sides:
    """Toss a fair coin for each trial, intervene with do(D) or do(D′), and encode the outputs.

    rngs: for the coin, for do(D), for do(D′). raises: is told what single calls raised; a batch of
    one is a single call, where it is given. most: of single calls, the trials that are made.
    read: what is wanted of the outputs of a side, which need not be kept for it.
    Raises what the watch raises before any was made.
    """
    with watch.block():
        coin, rng_d, rng_d_prime = rngs
        if target.batched:
            heads = int(coin.binomial(trials, 0.5))
            lone = raises if trials == 1 else None
            a = read(_batch(target, d, heads, rng_d, book, watch, lone, 0))
            b = read(_batch(target, d_prime, trials - heads, rng_d_prime, book, watch, lone, 1))
            if raises is not None and lone is None:
                raises.runs = [raises.runs[0] + heads, raises.runs[1] + trials - heads]
            return Sides(a, b)
        order = coin.integers(0, 2, trials).astype(bool)
        outputs: list[Any] = []
        ended: NoAnswerError | None = None
        try:
            data = (d if side else d_prime for side in order[:most].tolist())
            for output in target.draw_each(data, rng_d, watch):
                outputs.append(output)
        except NoAnswerError as error:
            ended = error
        made = len(outputs)
        if ended is not None and not made:
            raise ended
        order = order[:made]
        if raises is not None:
            for side, rows in enumerate((order, ~order)):
                raises.note([outputs[row] for row in np.flatnonzero(rows).tolist()], side)
        both = encode(outputs, made, book)
        return Sides(read(both.part(order)), read(both.part(~order)), order, ended)


def count_blocks(
    target: Target,
    plan: Plan,
    seed: int,
    jobs: int,
    held: GeneratorSet,
    watch: Watch = UNWATCHED,
    kept: PairCheckpoint = NOTHING_KEPT,
    hand: Hand | None = None,
) -> Generator[tuple[Counts, ...], None, None]:
    """Yield the counts of every block in order; with ``jobs`` > 1 from worker processes.

    held: the generators that are seeded anew for each block, beside ``rng``. Each block yields its
    counts at its checkpoints, those of the whole block last. They are the same for any number of
    jobs, if the mechanism draws from ``rng`` or from generators that can be seeded.
    kept: blocks that are there are not drawn; it is told of the others once they are.
    hand: yields the blocks in order from those that are there and from somebody else's workers.

    Raises ``BrokenMechanismError`` where the mechanism breaks, what the watch raises where time
    runs out, and ``CutBlockError`` as ``draw_block``.
    """
    # Where malloc adapts, as in glibc, it now keeps for the next block what one of these sets free.
    np.empty(MALLOC_KEEPS // 8)
    there, missing = dict[int, tuple[Counts, ...]](), cast(Sequence[int], range(plan.blocks))
    if kept.resumed:
        known = ((block, kept.counts(block)) for block in range(plan.blocks))
        there = {block: counts for block, counts in known if counts is not None}
        missing = [block for block in missing if block not in there]
    if hand is not None and missing:
        yield from hand(there)
        return
    if min(jobs, len(missing)) <= 1:
        with seeding(held) as seed_held:
            for block in range(plan.blocks):
                if block in there:
                    yield there[block]
                    continue
                seed_held(held_generator(seed, target.name, plan.pair, CERTIFY, block))
                counts = draw_block(target, plan, seed, block, watch)
                kept.put_counts(block, counts)
                yield counts
        return
    jobs = min(jobs, len(missing))
    shares = [missing[first::jobs] for first in range(jobs)]
    workers = [Child(partial(_count_share, target, plan, seed, held, share)) for share in shares]
    try:
        yield from _in_order(workers, plan, watch, there, kept)
    finally:
        for worker in workers:
            worker.end()


def _count_share(
    target: Target, plan: Plan, seed: int, held: GeneratorSet, share: Iterable[int], send: Send
) -> str | None:
    """Send the number and the counts of every block of one worker; return what broke."""
    try:
        with seeding(held) as seed_held:
            for block in share:
                seed_held(held_generator(seed, target.name, plan.pair, CERTIFY, block))
                send((block, draw_block(target, plan, seed, block)))
    except BrokenMechanismError as error:
        return str(error)
    return None


def _in_order(
    workers: list[Child[str | None]],
    plan: Plan,
    watch: Watch,
    arrived: dict[int, tuple[Counts, ...]],
    kept: PairCheckpoint,
) -> Iterator[tuple[Counts, ...]]:
    """Yield what arrived before and what the workers send, in the order of the blocks."""
    patience = watch.patience(plan.block)
    heard = {worker: time.monotonic() + worker.begins for worker in workers}
    for block in range(plan.blocks):
        while block not in arrived:
            seen = set(wait([h for worker in heard for h in worker.handles], timeout=0.5))
            for worker in [child for child in heard if not seen.isdisjoint(child.handles)]:
                kind, message = worker.receive()
                heard[worker] = time.monotonic()
                if kind == "began":
                    continue
                if kind in ("raised", "ended"):
                    raise BrokenMechanismError(f"took a worker process down: {message}")
                if isinstance(message, str):
                    raise BrokenMechanismError(message)
                if message is None:
                    del heard[worker]
                    continue
                arrived[message[0]] = message[1]
                kept.put_counts(*message)
            if watch.over:
                raise watch.ended()
            if time.monotonic() > min(heard.values(), default=math.inf) + patience:
                raise NoAnswerError(f"no answer within {patience:.0f} s: a batch hangs")
        yield arrived.pop(block)


def _batch(
    target: Target,
    data: Any,
    size: int,
    rng: np.random.Generator,
    book: PatternBook,
    watch: Watch,
    lone: Raises | None,
    side: int,
) -> Encoded:
    """Return a batch of outputs under one side, 0 for D; ``lone`` notes that of a single run."""
    if size == 0:
        # A mechanism need not know how to return no output.
        none = np.empty(0, dtype=np.int64)
        return Encoded(none, np.empty((0, book.width)), none)
    try:
        outputs = target.draw(data, size, rng, watch)
    except RaisedError as error:
        if lone is None:
            raise
        outputs = [Raised.of(error.__cause__ or error)]
    if lone is not None:
        lone.note(outputs, side)
    return encode(outputs, size, book)


_Reading = tuple[Guesses, NDArray[np.int64]]
"""What a rule reads of outputs: its guesses, and the cells of its ladder, if it has one."""


def _read(plan: Plan, outputs: Encoded) -> tuple[_Reading, ...]:
    """Return what each rule of a plan reads."""
    none, no_cells = np.empty(0, dtype=np.int8), np.empty(0, dtype=np.int64)
    return tuple(
        (
            item.rule.guess(outputs) if len(outputs) else none,
            item.cells(outputs) if item.edges else no_cells,
        )
        for item in plan.each
    )


def _counted(plan: Plan, a: _Reading, b: _Reading, d: int, d_prime: int, **more: Any) -> Counts:
    """Return the counts of the first trials, so many under do(D) and under do(D′)."""
    (said_d, cells_d), (said_d_prime, cells_d_prime) = a, b
    heads = [cells_d[:d], cells_d_prime[:d_prime]] if plan.edges else []
    cells = [np.bincount(head, minlength=plan.most_cells) for head in heads]
    said = *_three(said_d[:d]), *_three(said_d_prime[:d_prime])
    return Counts(*said, cells=tuple(n for each in cells for n in each.tolist()), **more)


def _three(guesses: Guesses) -> tuple[int, int, int]:
    """Return how many guesses are D, D′ and neither."""
    d, d_prime = int(np.count_nonzero(guesses == 1)), int(np.count_nonzero(guesses == -1))
    return d, d_prime, len(guesses) - d - d_prime


A_NOTE = 200
"""Bytes that are counted for what is noted of an output beside its numbers."""

Items = tuple[tuple[Any, Any], ...]


@dataclass(frozen=True)
class BlockOutputs:
    """The outputs of one block, and what they added.

    raises: all that single runs had raised so far. width, added: what the book of structures has
    since.
    """

    sides: Sides
    raises: Raises
    width: int
    added: tuple[Items, ...]

    def put_into(self, book: PatternBook) -> None:
        """Let a book know what this block added."""
        for known, added in zip(_known(book), self.added, strict=True):
            known.update(added)
        book.width = self.width


def size_of(sides: Sides) -> int:
    """Return about how many bytes the outputs of a block take."""
    arrays = [
        array for item in (sides.a, sides.b) for array in (item.pattern, item.values, item.rest)
    ]
    notes = sum(len(item) for item in (sides.a, sides.b) if item.notes is not None)
    return sum(int(array.nbytes) for array in arrays if array is not None) + A_NOTE * notes


class BookGrowth:
    """Remembers the size of a book of structures, to return what was added since."""

    def __init__(self, book: PatternBook) -> None:
        self._book = book
        self._sizes = [len(known) for known in _known(book)]

    def seen(self, sides: Sides, raises: Raises) -> BlockOutputs:
        """Return a block, and what the book has since this was made."""
        sized = zip(_known(self._book), self._sizes, strict=True)
        added = tuple(tuple(islice(known.items(), size, None)) for known, size in sized)
        return BlockOutputs(sides, raises, self._book.width, added)


def _known(book: PatternBook) -> tuple[dict[Any, Any], ...]:
    return book.keys, book.outlines, book.marked, book.common, book.unread
