"""Exploration: samples that are discarded once a plan has been made of them.

Of outputs that are too wide for all to be kept, a streaming histogram counts the others on fine
cells of every coordinate; then a few coordinates are kept.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from provado.audit.bounds import BoundMethod
from provado.audit.bounds.alpha_spending import RESERVE, alpha_of_each
from provado.audit.events.cause import CauseKind, name_cause
from provado.audit.events.features.feature import Column, Exact, Floats
from provado.audit.events.learners.piecewise import PENALTY, CellRatios
from provado.audit.events.learners.table import Table
from provado.audit.events.rounding import grid_of, rare_rules, rounded_rule, rule_of_rounded
from provado.audit.events.rule import Rule, learn_further, learn_rule
from provado.audit.events.threshold import Goal, rank_grid, tally
from provado.audit.target import random_state
from provado.audit.target.call import Target
from provado.audit.target.exceptions import Raises
from provado.audit.target.output_encoding import Encoded, PatternBook, encode, join
from provado.audit.trials import experiment
from provado.audit.trials.checkpoint import PairCheckpoint
from provado.audit.workers import one_thread
from provado.audit.workers.time_limits import UNWATCHED, Watch
from provado.mechanisms.definitions import CurvePromise

from .curve_plan import anchors, plan_test

Counts = NDArray[np.int64]

CELL = 8
"""Outputs in a cell, of those that the cells were chosen on; fewer in the tails."""


@dataclass
class CellCounts:
    """Cells of every coordinate, and how many outputs under D and under D′ fell into each.

    edges: of each coordinate, sorted. counts: (2, k, m), D first; a coordinate with fewer cells
    leaves the last of the m empty. Memory does not grow with the outputs that are counted.
    """

    edges: tuple[Floats, ...]
    counts: NDArray[np.int32]

    @classmethod
    def of(cls, a: Encoded, b: Encoded) -> CellCounts:
        """Choose the cells on outputs of both sides: some of these in each cell, one in the last.

        A value that stands for several cells has one of its own, and so has what lies beyond all
        values seen.
        """
        pooled = np.sort(np.concatenate([a.values, b.values]).T.astype(np.float64), axis=1)
        edges = tuple(map(_edges, pooled))
        most = 1 + max(map(len, edges), default=0)
        return cls(edges, np.zeros((2, len(edges), most), dtype=np.int32))

    def add(self, a: Encoded, b: Encoded) -> None:
        """Count outputs under D (``a``) and under D′ (``b``); a NaN is in no cell."""
        for counts, part in zip(self.counts, (a, b), strict=True):
            ordered = np.sort(part.values.T.astype(np.float64), axis=1)
            for cells, edges, x in zip(counts, self.edges, ordered, strict=True):
                cells[: len(edges) + 1] += tally(edges, _numbers(x))

    def telling(self, most: int) -> tuple[CellRatios, ...]:
        """Return cells of the coordinates with the most informative runs of cells, best first."""
        gains = np.array([best_run_gain(*self._of(j)) for j in range(len(self.edges))])
        best = [j for j in np.argsort(-gains, kind="stable")[:most].tolist() if gains[j] > 0]
        features = [Column(j, len(self.edges)) for j in best]
        return tuple(
            CellRatios.counted(
                feature, self.edges[feature.j], *self._of(feature.j), penalty=PENALTY
            )
            for feature in features
        )

    def _of(self, j: int) -> tuple[Counts, Counts]:
        a, b = self.counts[:, j, : len(self.edges[j]) + 1].astype(np.int64)
        return a, b


def best_run_gain(a: Counts, b: Counts) -> float:
    """Return the log-likelihood that the most informative run of cells gains by a share of its own.

    a, b: counts of the two sides, of equally many outputs. Runs have 1, 2, 4, … neighboring cells,
    in steps of half of that. What no run tells is 0.
    """
    best, length = 0.0, 1
    under_a, under_b = (np.concatenate([[0], np.cumsum(side)]) for side in (a, b))
    while length <= len(a):
        first = np.arange(0, len(a) - length + 1, max(length // 2, 1))
        x, y = (side[first + length] - side[first] for side in (under_a, under_b))
        n = np.maximum(x + y, 1)
        best = max(best, float(np.max(xlogy(x, x / n) + xlogy(y, y / n) + (x + y) * math.log(2))))
        length *= 2
    return best


def _edges(ordered: Floats) -> Floats:
    """Return the edges of one coordinate from sorted values, NaN last."""
    x = _numbers(ordered)
    x = x[np.isfinite(x)]
    if not len(x):
        return np.empty(0)
    at = x[rank_grid(len(x), 1, max(len(x) // CELL, 1))]
    # An edge behind a value that is met again, and behind the largest.
    behind = np.nextafter(np.append(at[1:][at[1:] == at[:-1]], x[-1]), np.inf)
    return np.unique(np.concatenate([x[:1], at, behind]))


def _numbers(ordered: Floats) -> Floats:
    return ordered[: len(ordered) - int(np.count_nonzero(np.isnan(ordered)))]


MOST_EXAMINED = 2**29
"""So many numbers of outputs that are not kept are examined."""

WORTHWHILE = 2
"""So many times as many outputs as are kept must be left, for any of them to be drawn."""

COUNTED = 0.45
"""Share of them that are only counted; of the others single coordinates are kept."""

DEARER = 5
"""Counting an output takes about so many times as long as drawing it at the least."""

SLOWER = 1.25
"""So many times as long as the first block others are planned to take."""

COLUMNS = 16
"""Coordinates of which cells are learned, and which are then kept: the most informative ones."""

NOT_SEEN = "an output of a structure that was not seen at first"


@dataclass(frozen=True)
class WideSample:
    """Outputs drawn after those that exploration keeps whole, and what was learned before them.

    a, b: outputs under D and under D′, of which only the coordinates of ``scores`` are kept; those
    that are kept whole come first. scores: learned from other outputs than these. drawn: how many
    of each side in all.
    """

    a: Encoded
    b: Encoded
    scores: tuple[CellRatios | Table, ...]
    drawn: int


def how_many(kept: int, left: int, width: int) -> int:
    """Return how many further outputs of each side are drawn, after so many that were kept."""
    left = min(left, MOST_EXAMINED // (2 * max(width, 1)))
    return left if left >= WORTHWHILE * kept else 0


def worth_trying(kept: int, block: int) -> float:
    """Return in the time of drawing how many outputs it must be possible, to be begun at all."""
    return (1 + COUNTED * DEARER) * max(WORTHWHILE * kept, block / COUNTED)


def draw_wide(
    a: Encoded,
    b: Encoded,
    draw: Callable[[int], tuple[Encoded, Encoded]],
    size: int,
    block: int,
    book: PatternBook,
    left: Callable[[], float] | None = None,
) -> WideSample | None:
    """Draw ``size`` outputs of each side by ``draw``, so many a block, and keep little of them.

    a, b: the outputs that are kept whole, on which cells are chosen, whatever the side. Of the
    first ones drawn counts are kept, by which coordinates are chosen, and structures; of the others
    these coordinates. left: the seconds that are left, if fewer may have to be drawn for that: how
    many, follows from the pace of the first block. ``None`` where too few fit to be worth it.
    """
    sieve, structures, drawn = CellCounts.of(a, b), list[tuple[Encoded, Encoded]](), 0

    def add(sides: tuple[Encoded, Encoded]) -> None:
        sieve.add(*sides)
        structures.append((_only(sides[0], ()), _only(sides[1], ())))

    if left is not None:
        before, drawn = left(), min(block, int(COUNTED * size))
        sides = draw(drawn)
        drew = left()
        add(sides)
        pace = COUNTED * (before - left()) + (1 - COUNTED) * (before - drew)
        size = min(size, int(left() * drawn / max(SLOWER * pace, 1e-9)))
        if size < WORTHWHILE * len(a) or int(COUNTED * size) < drawn:
            return None
    counted = int(COUNTED * size)
    while drawn < counted:
        n = min(block, counted - drawn)
        add(draw(n))
        drawn += n

    def spell(outputs: Encoded, row: int) -> str:
        for known in (a, b):
            alike = (known.pattern == outputs.pattern[row]).argmax()
            if known.pattern[alike] == outputs.pattern[row]:
                return book.words(known, int(alike))
        return NOT_SEEN

    cells = sieve.telling(COLUMNS)
    width = a.values.shape[1]
    table = Table.learn(Exact((), width), *_joined(structures), spell)
    read = tuple(cell.feature.j for cell in cells if isinstance(cell.feature, Column))
    kept = [(_only(a, read), _only(b, read))]
    while drawn < size:
        n = min(block, size - drawn)
        sides = draw(n)
        kept.append((_only(sides[0], read), _only(sides[1], read)))
        drawn += n
    scores: tuple[CellRatios | Table, ...] = cells
    return WideSample(*_joined(kept), (*scores, table) if len(table.keys) > 1 else scores, drawn)


def _only(outputs: Encoded, columns: tuple[int, ...]) -> Encoded:
    """Return structures and some columns of the outputs, as a copy."""
    return Encoded(outputs.pattern, outputs.values[:, list(columns)], outputs.coarse, only=columns)


def _joined(sides: list[tuple[Encoded, Encoded]]) -> tuple[Encoded, Encoded]:
    only = sides[0][0].only or ()
    a, b = (join([side[i] for side in sides], len(only)) for i in (0, 1))
    return replace(a, only=only), replace(b, only=only)


MOST_EXPLORED = 1_000_000
MOST_NUMBERS = 2**25
"""Exploration keeps at most so many samples, and so many numbers in all (256 MiB as doubles)."""

BLOCK, SINGLE_BLOCK, LEAST_BLOCK = 2**16, 2**10, 2**6
"""Trials a block: at most, at most where the mechanism is called one by one, at least."""

LARGE_BLOCK, LARGE = 2**18, 2**24
"""Trials a block of a batched mechanism with few numbers an output, from so many trials on: what
each block costs by itself is then spread over more of them."""

LEAST_BLOCKS = 16
"""So many blocks an experiment has, if they are not too small: blocks are compared with each other,
and between them the time is examined."""

FIRST, ALL_RAISED = 64, 256
"""Samples of each side in the first batch; and where no more are needed if all of them raised."""

EXPLORED_SHARE, CERTIFIED_SHARE = 0.4, 0.92
"""Of the time for a pair, what exploring may take; of what is left once the rule was learned, what
the certifying draws are planned to take."""

LEARNED_A_SECOND = 300_000
"""Numbers that exploration keeps for each second of the time: a rule is learned from so many
in a fraction of it."""


KEPT_A_SECOND = 10_000_000
"""Bytes: outputs that come faster are drawn again rather than kept for a run that goes on."""


@dataclass(frozen=True)
class Explored:
    """Exploration outputs under D and D′, equally many, and the structures that they had.

    batches: how many outputs under each were drawn in each batch. most_block: the most trials a
    block may have, for outputs of this size. raises: what single runs raised. further: outputs
    that were drawn beyond these, where they are too wide for all to be kept.
    """

    a: Encoded
    b: Encoded
    book: PatternBook
    batches: tuple[int, ...]
    most_block: int
    raises: Raises
    further: WideSample | None = None

    @property
    def samples(self) -> int:
        """How many outputs were drawn in all."""
        further = self.further.drawn if self.further is not None else 0
        return len(self.a) + len(self.b) + 2 * further

    @property
    def kept(self) -> int:
        """How many of them were kept whole; 0 for all."""
        return len(self.a) + len(self.b) if self.further is not None else 0


@dataclass(frozen=True)
class Clock:
    """When a pair that was given ``seconds`` began, and by when which part of it must end."""

    started: float
    seconds: float

    def left(self, share: float = 1.0) -> float:
        """Return how many seconds are left of this share of the time."""
        return self.started + share * self.seconds - time.perf_counter()


def explore(
    target: Target,
    d: Any,
    d_prime: Any,
    size: int,
    seed: int,
    pair: int,
    held: random_state.GeneratorSet,
    watch: Watch = UNWATCHED,
    clock: Clock | None = None,
    whole: int | None = None,
    kept: PairCheckpoint | None = None,
) -> Explored:
    """Draw about ``size`` outputs, half under each intervention; fewer if the clock says so.

    Batches grow, and do not depend on the size: so many samples are the first of any more. Where
    outputs are too wide to be all kept, ``draw_wide`` draws the others, as the clock allows.
    whole: how many are kept whole, where that does not follow from their width. kept: batches that
    an earlier run drew, and that are kept of this one where drawing them again would take longer.
    """
    started = time.perf_counter()
    book, raises = PatternBook(), Raises()
    parts: tuple[list[Encoded], list[Encoded]] = ([], [])
    batches: list[int] = []
    most = BLOCK if target.batched else SINGLE_BLOCK
    half = max(size // 2, 1)
    wanted = half if whole is None else min(whole // 2, half)
    further, paid = None, 0.0
    with random_state.seeding(held) as seed_held:

        def draw(n: int) -> tuple[Encoded, Encoded]:
            nonlocal raises
            number = len(batches)
            name = f"{'batch' if target.batched else 'single runs'} {number}"
            seen: experiment.BlockOutputs | None = None if kept is None else kept.get(name)
            if seen is not None and len(seen.sides.a) == n:
                seen.put_into(book)
                raises = seen.raises
                batches.append(n)
                return seen.sides.a, seen.sides.b
            if number and watch.over:
                raise watch.ended()
            growing, began = experiment.BookGrowth(book), time.perf_counter()
            where = (seed, target.name, pair, random_state.EXPLORE, number)
            seed_held(random_state.held_generator(*where))
            rngs = random_state.generators(*where)[1:]
            sides = list[Encoded]()
            for side, (data, rng) in enumerate(zip((d, d_prime), rngs, strict=True)):
                with watch.block():
                    outputs = target.draw(data, n, rng, watch)
                    # Reading an output may run code of its own.
                    sides.append(encode(outputs, n, book))
                if target.catches and not target.batched:
                    raises.note(outputs, side)
            batches.append(n)
            drawn = experiment.Sides(sides[0], sides[1])
            if (
                kept is not None
                and time.perf_counter() - began > experiment.size_of(drawn) / KEPT_A_SECOND
            ):
                kept.put(name, growing.seen(drawn, raises))
            return drawn.a, drawn.b

        while (drawn := sum(batches)) < wanted:
            n = min(max(drawn // 4, FIRST), most, wanted - drawn)
            before = time.perf_counter()
            for part, outputs in zip(parts, draw(n), strict=True):
                part.append(outputs)
            spent = time.perf_counter() - before
            if raises.all and drawn + n >= ALL_RAISED:
                break
            if len(batches) == 1:
                width = max(book.width, 1)
                numbers = MOST_NUMBERS if clock is None else LEARNED_A_SECOND * clock.seconds
                if whole is None:
                    wanted = min(wanted, max(int(numbers / width / 2), FIRST))
                # The size follows from the outputs alone, so that a seed replays anywhere.
                most = max(min(most, 2**22 // width), LEAST_BLOCK)
                # A first call may start an interpreter, import or compile: no later one does.
                paid = (1 - EXPLORED_SHARE) * (time.perf_counter() - started)
            elif clock is not None and clock.left(EXPLORED_SHARE) + paid < 1.25 * spent:
                break
        book.closed = True
        a, b = (join(part, book.width) for part in parts)
        sizes = tuple(batches)
        more = how_many(wanted, half - wanted, book.width)
        time_left = None if clock is None else partial(clock.left, EXPLORED_SHARE)
        pace = (time.perf_counter() - started) / max(len(a), 1)
        tried = time_left is None or pace * worth_trying(wanted, most) < time_left()
        if more and len(a) == wanted and tried:
            further = draw_wide(a, b, draw, more, most, book, time_left)
    return Explored(a, b, book, sizes, most, raises, further)


def block_of(trials: int, most: int, width: int) -> int:
    """Return how many trials of so many make a block; it follows from the numbers alone."""
    if trials >= LARGE and most == BLOCK and width <= BLOCK // 2**14:
        most = LARGE_BLOCK
    return min(max(-(-trials // LEAST_BLOCKS), LEAST_BLOCK), most)


def make_plans(
    explored: Explored,
    d: Any,
    d_prime: Any,
    *,
    pair: int,
    trials: int,
    alpha: float,
    delta: float,
    anytime: bool,
    ideal: bool = False,
    learned: Sequence[experiment.Plan] = (),
    curve: CurvePromise | None = None,
    claimed: float = 0.0,
) -> tuple[experiment.Plan, ...]:
    """Learn the rule and freeze the experiment; two of them, where low-order bits reveal more.

    One looks at outputs as released, the other at outputs of which low-order bits were taken off;
    they share alpha. ideal: only the latter, as where exact real arithmetic is meant.
    learned: the plans of the same exploration for another number of trials; their rules are taken
    over where they are those for this number, too. curve: the promise, where it is a curve; its
    point is then chosen here, and ``delta`` is not examined. claimed: the claimed ε, else.
    """
    goal = Goal(_near(trials), alpha, delta, betting=anytime or delta > 0, claimed=claimed)
    a, b, book = explored.a, explored.b, explored.book
    with one_thread(), np.errstate(invalid="ignore", over="ignore"):
        if not learned or _near(learned[0].trials) != goal.trials:
            learned = ()
        rules = [
            (plan.rule, plan.rounded, plan.cause.kind is CauseKind.RARE) for plan in learned
        ] or _learned(explored, goal, curve, ideal=ideal)
        tests: list[tuple[BoundMethod, BoundMethod, tuple[float, ...]]] = []
        if curve is None:
            goal = replace(goal, trials=trials, alpha=alpha_of_each(alpha, len(rules)))
            tests += [(*_bounds(rule, explored, goal, anytime=anytime), ()) for rule, *_ in rules]
        else:
            kinds = sorted({rounded for _, rounded, _ in rules})
            goal = replace(goal, trials=trials, alpha=alpha_of_each(alpha, len(kinds)))
            learned, known, rules = (), rules, []
            for kind in kinds:
                alike = [rule for rule, rounded, _ in known if rounded == kind]
                rule, method, edges = plan_test(curve, alike, a, b, goal, anytime=anytime)
                rules.append((rule, kind, False))
                tests.append((method, method, edges))
        book = replace(book, noted=book.full or any(rule.noted for rule, *_ in rules))
        causes = [plan.cause for plan in learned] or [
            name_cause(rule, a, b, book, goal, by_bits=not rounded, rare=rare)
            for rule, rounded, rare in rules
        ]
    return tuple(
        experiment.Plan(
            pair=pair,
            d=d,
            d_prime=d_prime,
            rule=rule,
            book=book,
            method=method,
            early=early,
            trials=trials,
            block=block_of(trials, explored.most_block, book.width),
            explored=explored.samples,
            rounded=rounded,
            cause=cause,
            edges=edges,
        )
        for (rule, rounded, _), (method, early, edges), cause in zip(
            rules, tests, causes, strict=True
        )
    )


def _learned(
    explored: Explored, goal: Goal, curve: CurvePromise | None, *, ideal: bool
) -> list[tuple[Rule, bool, bool]]:
    """Return rules, whether each is blind to low-order bits, and whether it is of rare outputs."""
    goals = (goal,) if curve is None else anchors(curve, goal)
    rules = [(*item, False) for at in goals for item in _for_goal(explored, at, ideal=ideal)]
    if curve is not None:
        return rules
    released = None if ideal or len(rules) > 1 else rules[0][0]
    more = rare_rules(released, rules[-1][0], explored.a, explored.b, goal, explored.book)
    return rules + [(*item, True) for item in more]


def _for_goal(explored: Explored, goal: Goal, *, ideal: bool) -> list[tuple[Rule, bool]]:
    """Return the rule for a goal, and whether it is blind to low-order bits; or two of them."""
    a, b, book, more = explored.a, explored.b, explored.book, explored.further
    if ideal and more is None:
        return [(rule_of_rounded(grid_of(a, b), a, b, goal, book), True)]
    rule = learn_rule(a, b, goal, book.words)
    if more is not None:
        rule = learn_further(rule, more.scores, more.a, more.b, goal)
    apart, by_bits = rounded_rule(rule, a, b, goal, book)
    return [*([(rule, False)] if by_bits and not ideal else []), (apart, True)]


def _bounds(
    rule: Rule, explored: Explored, goal: Goal, *, anytime: bool
) -> tuple[BoundMethod, BoundMethod]:
    """Return the bound after all trials, and the one for an experiment that ends before."""
    if goal.betting:
        bets, side = experiment.plan_bets(rule, explored.a, explored.b, goal, anytime=anytime)
        aimed = goal.claimed if side and not anytime else None
        method = BoundMethod(goal.alpha, goal.delta, bets, side=side, aimed=aimed)
        return method, method.anytime
    kept = RESERVE * goal.alpha
    early = replace(goal, alpha=kept)
    bets, _ = experiment.plan_bets(rule, explored.a, explored.b, early, anytime=True)
    return BoundMethod((1 - RESERVE) * goal.alpha), BoundMethod(kept, 0.0, bets)


def _near(trials: int) -> int:
    """Return the nearest power of two: rules for about as many trials are one and the same."""
    return 1 << round(math.log2(trials))


def examples(
    plan: experiment.Plan, explored: Explored, guess: int, number: int = 5
) -> tuple[str, ...]:
    """Return outputs of the first exploration samples on which the rule guesses so, as text."""
    result: dict[str, None] = {}
    for part in (explored.a, explored.b):
        head = part if plan.cause.kind is CauseKind.RARE else part.part(slice(0, 20_000))
        for row in np.flatnonzero(plan.rule.guess(head) == guess)[: 4 * number].tolist():
            result.setdefault(explored.book.words(head, row))
    return tuple(result)[:number]
