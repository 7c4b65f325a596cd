"""One pair of datasets from exploration to verdict."""

from __future__ import annotations

import hashlib
import math
import pickle
import time
from typing import Any

import numpy as np

from provado.audit.bounds import epsilon_lower
from provado.audit.counts import Counts
from provado.audit.effect import effect_sizes
from provado.audit.experiment import count_blocks
from provado.audit.explore import (
    LEAST_BATCHED,
    MOST_EXPLORED,
    Budget,
    examples,
    explore,
    make_plan,
    measure,
)
from provado.audit.outputs import BrokenMechanismError, encode
from provado.audit.plan import Plan, is_checkpoint
from provado.audit.power import detectable_epsilon
from provado.audit.request import Request
from provado.audit.result import PairResult, Witness
from provado.audit.rules.feature import Exact
from provado.audit.state import DRAWS, changed, fingerprint, fresh_copies, improbable_table
from provado.audit.stream import FRESH, generators
from provado.audit.target import STALL_SECONDS, Target, global_randomness, watchdog
from provado.mechanisms import Verdict
from provado.mechanisms.intervention import difference_words, short


def run_pair(request: Request, index: int) -> PairResult:
    """Explore, plan, draw, count and bound one pair.

    Raises ``BrokenMechanismError`` where the mechanism breaks, changes its data or keeps state.
    """
    target, (d, d_prime) = request.target, request.pairs[index]
    data_before = _data_digest(d, d_prime)
    memory_before = fingerprint(target.call)
    copies = fresh_copies(target.call, generators(request.seed, target.name, index, FRESH, 0)[0])
    with _stall(request, STALL_SECONDS):
        budget = _budget(request, d, d_prime, index)
    started = time.perf_counter()
    with _stall(request, max(STALL_SECONDS, 20 * (request.seconds or 0.0))):
        explored = explore(target, d, d_prime, budget.explored, request.seed, index)
    pace = (time.perf_counter() - started) / max(explored.samples, 1)
    plan = make_plan(
        explored,
        d,
        d_prime,
        pair=index,
        trials=budget.trials,
        alpha=request.alpha,
        delta=request.delta,
        anytime=request.stop_early,
    )
    kept = changed(memory_before, fingerprint(target.call))
    if kept:
        _require_like_copies(request, plan, copies, kept)
    shown = (examples(plan, explored, 1), examples(plan, explored, -1))
    samples = explored.samples
    del explored
    checkpoints = _certify(request, plan, pace)
    if _data_digest(d, d_prime) != data_before:
        raise BrokenMechanismError("changed the dataset that it was given")
    return _pair_result(request, plan, checkpoints, samples, shown)


def _budget(request: Request, d: Any, d_prime: Any, index: int) -> Budget:
    if request.seconds is None:
        least = LEAST_BATCHED if request.target.batched else 0
        return Budget(request.samples, min(max(request.samples, least), MOST_EXPLORED))
    return measure(request.target, d, d_prime, request.seconds, request.seed, index)


def _certify(request: Request, plan: Plan, pace: float) -> tuple[Counts, ...]:
    """Draw all blocks; stop early only with a bound that allows it.

    Returns the counts at the checkpoints, those of all trials last.
    """
    halves, checkpoints = [Counts(), Counts()], list[Counts]()
    blocks = count_blocks(request.target, plan, request.seed, request.jobs)
    patience = max(STALL_SECONDS, 20 * pace * plan.block)
    for number in range(plan.blocks):
        with _stall(request, patience):
            block = next(blocks)
        drawn = halves[0] + halves[1]
        reached = [drawn + counts for counts in block]
        checkpoints += [counts for counts in reached if is_checkpoint(counts.trials)]
        halves[2 * number >= plan.blocks] += block[-1]
        if request.stop_early and epsilon_lower(reached[-1], plan.method) > request.epsilon:
            break
    if improbable_table(np.array([_cells(half) for half in halves])):
        raise BrokenMechanismError(
            "gave other answers in the second half of the trials than in the first: "
            "its calls are not independent draws from one distribution"
        )
    total = halves[0] + halves[1]
    return (*(counts for counts in checkpoints if counts != total), total)


def _stall(request: Request, patience: float) -> Any:
    """Return a watchdog for one step; the audit's own limit, where there is one, goes first."""
    return watchdog(patience if math.isinf(request.time_limit) else math.inf)


def _cells(counts: Counts) -> list[int]:
    return [
        counts.d_said_d,
        counts.d_said_d_prime,
        counts.d_abstained,
        counts.d_prime_said_d,
        counts.d_prime_said_d_prime,
        counts.d_prime_abstained,
    ]


def _require_like_copies(
    request: Request, plan: Plan, copies: list[Any] | None, kept: list[str]
) -> None:
    """Raise ``BrokenMechanismError`` unless fresh copies of the mechanism all answer alike."""
    what = f"keeps state between calls ({', '.join(kept[:3])} changed)"
    if copies is None:
        raise BrokenMechanismError(
            f"{what}, so its trials may depend on each other; audit an object that can be "
            "pickled, of which fresh copies can be compared"
        )
    tables: tuple[list[list[int]], ...] = ([], [], [], [])
    with global_randomness() as seed_globals:
        for number, fresh in enumerate(copies, 1):
            target = Target.of(fresh, request.target.name)
            coin, *rngs = generators(request.seed, target.name, plan.pair, FRESH, number)
            seed_globals(coin)
            for side, (data, rng) in enumerate(zip((plan.d, plan.d_prime), rngs, strict=True)):
                outputs = encode(target.draw(data, DRAWS, rng), DRAWS, plan.book)
                guesses = plan.rule.guess(outputs)
                tables[side].append([int(np.count_nonzero(guesses == g)) for g in (1, -1, 0)])
                # Outputs that the rule takes for one may still differ from copy to copy.
                keys = Exact(tuple(range(plan.book.width))).read(outputs)
                tables[side + 2].append(np.bincount(keys >> 61 & 7, minlength=8).tolist())
    if any(improbable_table(np.array(table)) for table in tables):
        raise BrokenMechanismError(f"{what} and fresh copies of it answer differently")


def _data_digest(d: Any, d_prime: Any) -> str:
    try:
        return hashlib.sha256(pickle.dumps((d, d_prime))).hexdigest()
    except Exception:  # whatever a user's __reduce__ may raise
        return short((d, d_prime), 10_000)


def _pair_result(
    request: Request,
    plan: Plan,
    checkpoints: tuple[Counts, ...],
    explored: int,
    shown: tuple[tuple[str, ...], tuple[str, ...]],
) -> PairResult:
    counts = checkpoints[-1]
    lower = epsilon_lower(counts, plan.method)
    guess_d, guess_d_prime = plan.rule.words()
    return PairResult(
        index=plan.pair,
        witness=Witness(
            d=short(plan.d),
            d_prime=short(plan.d_prime),
            difference=difference_words(plan.d, plan.d_prime),
            guess_d=guess_d,
            guess_d_prime=guess_d_prime,
            examples_d=shown[0],
            examples_d_prime=shown[1],
        ),
        rule=plan.rule.record(),
        method=plan.method,
        planned_trials=plan.trials,
        explored_trials=explored,
        counts=counts,
        epsilon_lower=lower,
        detectable_epsilon=detectable_epsilon(counts, plan.method, request.epsilon),
        effects=effect_sizes(counts, request.confidence),
        verdict=Verdict.VIOLATION if lower > request.epsilon else Verdict.NO_VIOLATION,
        checkpoints=checkpoints,
    )
