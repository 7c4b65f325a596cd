"""One pair of datasets from exploration to verdict."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from provado.mechanisms import Verdict

from .bounds import epsilon_lower
from .counts import Counts
from .experiment import CutBlockError, count_blocks
from .explore import (
    CERTIFIED_SHARE,
    MOST_EXPLORED,
    Clock,
    Explored,
    examples,
    explore,
    make_plans,
    trials_a_second,
)
from .fresh import DRAWS, LEAST_DRAWS, FreshProcesses
from .independence import improbable_table, shared_noise, workers_share_noise
from .outputs import BrokenMechanismError
from .pace import few_trials_fit, foresee
from .plan import Plan, is_checkpoint
from .processes import can_fork
from .randomness import Held, held_generators
from .request import Request
from .required import Before, require_like_copies
from .result import PairResult
from .rules.threshold import Goal
from .search.searched import Searched
from .search.worst import find_worst
from .sequential import run_sequence
from .summary import pair_result, refuted
from .target import RaisedError, Target
from .watch import NoAnswerError, Watch

OVERTIME = 1.1
"""Of the time for a pair, when it ends though not all its trials are made."""

LEAST_TRIALS = 200
"""So many are planned whatever the time; fewer certify hardly anything."""

Cut = NoAnswerError | None


@dataclass(frozen=True)
class Ran:
    """What became of one pair.

    results: two, where low-order bits tell more than the rest of the output; none, where no trial
    was made. cut: what ended the draws before the last trial.
    note: how they were made, if it needs saying. raised: why no pass can be given, where runs
    raised.
    """

    results: tuple[PairResult, ...]
    cut: Cut
    note: str
    raised: str


@dataclass(frozen=True)
class Drawn:
    """What the certifying draws gave.

    checkpoints: the counts so far, those of all trials last; none where none was made. cut: what
    ended the draws before the last trial. note: how they were made, if it needs saying.
    """

    checkpoints: tuple[Counts, ...]
    cut: Cut
    note: str


def run_pair(request: Request, index: int, held: Held, watch: Watch, fresh: FreshProcesses) -> Ran:
    """Explore, plan, draw, count and bound one pair.

    Raises ``BrokenMechanismError`` where the mechanism breaks, changes its data, keeps state or
    gives draws that depend on each other, and ``NoAnswerError`` where exploration is ended.
    """
    d, d_prime = request.pairs[index]
    before, started = Before.of(request, index), time.perf_counter()
    with watch.learning():
        request, cost = foresee(request, index, held, watch)
    clock = None if request.seconds is None else Clock(started, request.seconds)
    if few_trials_fit(request, cost):
        found = run_sequence(request, index, clock, before, held, watch, fresh)
        sequence, ended, raised = found
        return Ran((sequence,) if sequence is not None else (), ended, "", raised)
    with watch.learning():
        explored, plans, target, raised = _plan(request, index, clock, held, watch)
    request = replace(request, target=target)
    before.require_same_data(d, d_prime)
    dependent = shared_noise(explored.a, explored.b, explored.batches)
    if dependent:
        raise BrokenMechanismError(
            f"gives draws that are not independent: {dependent}, so its trials cannot be counted"
        )
    kept = before.kept(request)
    if kept:
        require_like_copies(plans[-1], target, fresh, watch, DRAWS, kept)
    shown = [(examples(plan, explored, 1), examples(plan, explored, -1)) for plan in plans]
    samples, whole = explored.samples, explored.kept
    del explored
    # Some generators may have been made on first use.
    held = held_generators(held, request.target.call)
    results, notes = list[PairResult](), dict[str, None]()
    cut: Cut = None
    for plan, seen in zip(plans, shown, strict=True):
        drawn = _certify(request, plan, clock, held, watch)
        before.require_same_data(d, d_prime)
        cut = drawn.cut
        if drawn.note:
            notes[drawn.note] = None
        if drawn.checkpoints:
            result = pair_result(request, plan, drawn.checkpoints, drawn.cut, seen, samples, whole)
            results.append(result)
            if result.verdict is Verdict.VIOLATION and not kept:
                made = result.counts.trials
                draws = LEAST_DRAWS if cut else min(max(made // 500, LEAST_DRAWS), DRAWS)
                require_like_copies(plan, target, fresh, watch, draws)
        if cut is not None:
            break
    accused = any(one.verdict is Verdict.VIOLATION for one in results)
    if raised and not accused:
        results = [replace(one, verdict=Verdict.UNKNOWN) for one in results]
    return Ran(tuple(results), cut, "; ".join(notes), "" if accused else raised)


def search_pair(request: Request, held: Held, watch: Watch) -> tuple[Request, Searched]:
    """Return the request with the pair that was found for it, and what was tried.

    What is left of the time is for the pair. Raises as ``run_pair`` does.
    """
    started = time.perf_counter()
    with watch.learning():
        request, _ = foresee(request, 0, held, watch)
    assert request.question is not None
    goal = Goal(
        request.samples,
        request.alpha,
        request.delta,
        betting=request.stop_early or request.delta > 0,
    )
    with watch.learning():
        pair, searched = find_worst(
            request.target,
            request.question,
            goal,
            request.epsilon,
            seed=request.seed,
            held=held,
            watch=watch,
            tell=request.tell,
        )
    seconds = request.seconds
    if seconds is not None:
        seconds = max(seconds - (time.perf_counter() - started), 0.2 * seconds)
    return replace(request, pairs=(pair,), seconds=seconds), searched


def _plan(
    request: Request, index: int, clock: Clock | None, held: Held, watch: Watch
) -> tuple[Explored, tuple[Plan, ...], Target, str]:
    """Return exploration, plans, how the mechanism is called from now on, and what it raised."""
    (d, d_prime), seed = request.pairs[index], request.seed
    size = min(request.samples, MOST_EXPLORED)
    if request.explore is not None:
        size = request.explore
    before = time.perf_counter()
    target, raised = request.target.catching(), ""
    how = (seed, index, held, watch, clock, request.kept)
    try:
        request.tell("explore", 0, size)
        explored = explore(target, d, d_prime, size, *how)
    except RaisedError as error:
        # Which outputs of the batch raised shows when they are drawn one by one.
        target, raised = target.catching(single=True), f"{error} (in a batch, in no single run)"
        explored = explore(target, d, d_prime, size, *how)
    raises = explored.raises
    if raises.all and raises.first is not None:
        raise BrokenMechanismError(raises.first.words())
    if raises.any:
        raised = raises.words()
    else:
        # What is raised from now on was not explored: nothing is known of it.
        target = replace(target, catches=False)
    speed = explored.samples / max(time.perf_counter() - before, 1e-9)

    def planned(trials: int, learned: Sequence[Plan] = ()) -> tuple[Plan, ...]:
        return make_plans(
            explored,
            d,
            d_prime,
            pair=index,
            trials=trials,
            alpha=request.alpha,
            delta=request.delta,
            anytime=request.stop_early,
            ideal=request.ideal,
            learned=learned,
            curve=request.curve,
        )

    if clock is None:
        return explored, planned(request.samples), target, raised
    plans = planned(_affordable_trials(clock, speed, request.samples))
    speed = trials_a_second(plans[0], target, clock, seed, held, watch) / len(plans)
    trials = _affordable_trials(clock, speed, request.samples)
    return explored, planned(trials, plans), target, raised


def _affordable_trials(clock: Clock, speed: float, most: int) -> int:
    return min(max(int(CERTIFIED_SHARE * max(clock.left(), 0.0) * speed), LEAST_TRIALS), most)


def _time_left(clock: Clock) -> float:
    """Return how long the certifying draws may take, even where all else took the time."""
    return max(clock.left(OVERTIME), 0.1 * clock.seconds, 0.5)


def _certify(request: Request, plan: Plan, clock: Clock | None, held: Held, watch: Watch) -> Drawn:
    """Draw all blocks; stop early only with a bound that allows it, or where time is over."""
    jobs, note = _workers(request, plan, held, watch)
    halves, checkpoints, tables = [Counts(), Counts()], list[Counts](), list[list[int]]()
    cut: Cut = None
    blocks = count_blocks(request.target, plan, request.seed, jobs, held, watch)
    since = time.monotonic()
    with watch.within(math.inf if clock is None else _time_left(clock)):
        for number in range(plan.blocks):
            block: tuple[Counts, ...] = ()
            try:
                block = next(blocks)
                cut = watch.ended() if watch.over and number + 1 < plan.blocks else None
            except NoAnswerError as error:
                cut = error
            except CutBlockError as error:
                cut, block = error.reason, error.counts
            if block:
                drawn = halves[0] + halves[1]
                reached = [drawn + counts for counts in block]
                checkpoints += [counts for counts in reached if is_checkpoint(counts.trials)]
                halves[2 * number >= plan.blocks] += block[-1]
                tables.append(_cells(block[-1]))
                so_far = reached[-1]
                request.tell(
                    "certify",
                    so_far.trials,
                    plan.trials,
                    partial(epsilon_lower, so_far, plan.early),
                    since,
                )
                if request.stop_early and refuted(request, reached[-1], plan.method):
                    cut = None
                    break
            if cut is not None:
                break
        blocks.close()
    for what, table in (
        ("the second half of the trials than in the first", [_cells(half) for half in halves]),
        ("some blocks of trials than in others", tables),
    ):
        if improbable_table(np.array(table).reshape(-1, 6)):
            raise BrokenMechanismError(
                f"gave other answers in {what}: "
                "its calls are not independent draws from one distribution"
            )
    if cut is not None and cut.spent:
        cut = None
    total = halves[0] + halves[1]
    if not total.trials:
        return Drawn((), cut or NoAnswerError("no trial was made in the time given"), note)
    kept = (*(counts for counts in checkpoints if counts != total), total)
    return Drawn(kept, cut, note)


def _workers(request: Request, plan: Plan, held: Held, watch: Watch) -> tuple[int, str]:
    """Return how many processes may draw, and why it is one where more were asked for."""
    jobs = min(request.jobs, plan.blocks)
    if jobs == 1:
        return 1, ""
    if not can_fork():
        return 1, "drawn in one process: this one cannot fork others"
    target, seed = request.target, request.seed
    why = workers_share_noise(target, plan.d, plan.book, seed, plan.pair, held, watch)
    if why:
        return 1, f"drawn in one process: worker processes may share their noise ({why})"
    return jobs, ""


def _cells(counts: Counts) -> list[int]:
    return [
        counts.d_said_d,
        counts.d_said_d_prime,
        counts.d_abstained,
        counts.d_prime_said_d,
        counts.d_prime_said_d_prime,
        counts.d_prime_abstained,
    ]
