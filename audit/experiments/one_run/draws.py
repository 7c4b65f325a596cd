"""The runs of an audit with many interventions in each: coins, one run, scores, right guesses."""

from __future__ import annotations

import functools
import math
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.audit.bounds.one_run_finding import OneRunFinding
from provado.audit.target.call import Target
from provado.audit.target.output_encoding import BrokenMechanismError
from provado.audit.target.random_state import Held, held_generators, seeding
from provado.audit.target.seed_stream import LEARN_RUN, ONE_RUN, generators, held_generator
from provado.audit.trials.checkpoint import Keeper, Kept
from provado.audit.trials.executor import ALONE, answers, hand_over
from provado.audit.trials.safe_pickle import UnreadableError
from provado.audit.workers.time_limits import UNWATCHED, NoAnswerError, Watch, watched
from provado.mechanisms.definitions.curve import CurvePromise
from provado.mechanisms.definitions.relation import short

from .canaries import Canaries, Coins, Score, guessed, right, scores_of

FRACTIONS = (1.0, 2 / 3, 1 / 2, 1 / 3, 1 / 5, 1 / 10, 1 / 20)
"""Of the canaries, how many to guess: what exploring runs choose from."""

FOREVER = 1e8
"""Seconds, three years: a run may be slow, so that only what the user says is too long."""

Seed = Callable[[np.random.Generator], None]


@dataclass(frozen=True)
class Asked:
    """What is run: checked."""

    target: Target
    canaries: Canaries
    score: Score | None
    delta: float
    curve: CurvePromise | None
    alpha: float
    seed: int
    runs: int
    explore: int
    guesses: int | None
    threshold: float | None


@dataclass(frozen=True)
class Guessed:
    """How many guesses a run made, and the right ones of all runs.

    reason: why not all runs were made; empty where they were. interrupted: the user ended it.
    """

    guesses: int
    right: int = 0
    reason: str = ""
    interrupted: bool = False


def guess(
    asked: Asked, limits: tuple[float, float], keeper: Keeper, executor: Executor | None = None
) -> Guessed:
    """Make all runs but those that were kept; what broke comes back as a reason.

    limits: seconds for all runs and for each; infinite where there is none.
    """
    kept, guesses = Kept(keeper, 0), asked.guesses or 0
    try:
        with watched(min(limits[0], FOREVER), limits[1]) as watch:
            held = held_generators(of=asked.target.call)
            with seeding(held) as seed_held:
                guesses = _how_many(asked, kept, seed_held, watch)
                known = _known(asked, kept, guesses)
                missing = [run for run in range(asked.runs) if run not in known]
                for run, hits in _made(asked, guesses, missing, seed_held, watch, executor):
                    known[run] = hits
                    kept.put(f"run {run}", hits)
        return Guessed(guesses, sum(known.values()))
    except BrokenMechanismError as error:
        return Guessed(guesses, reason=str(error), interrupted=watch.interrupted)
    except NoAnswerError as error:
        return Guessed(guesses, reason=error.reason, interrupted=error.interrupted)
    except MemoryError:
        return Guessed(guesses, reason="out of memory")


def _how_many(asked: Asked, kept: Kept, seed_held: Seed, watch: Watch) -> int:
    """Return how many coins each run guesses: as asked for, as kept, or as exploring tells."""
    if asked.guesses is not None:
        return asked.guesses
    found = kept.get("guesses")
    if found is not None:
        return _whole(found, 1, len(asked.canaries))
    explored = [_draw(asked, LEARN_RUN, run, seed_held, watch) for run in range(asked.explore)]
    guesses = _most_telling(asked, explored) if explored else max(1, len(asked.canaries) // 2)
    kept.put("guesses", guesses)
    return guesses


def _known(asked: Asked, kept: Kept, guesses: int) -> dict[int, int]:
    """Return the right guesses of the runs that were kept."""
    found = {run: kept.get(f"run {run}") for run in range(asked.runs)}
    return {run: _whole(hits, 0, guesses) for run, hits in found.items() if hits is not None}


def _whole(value: Any, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise UnreadableError(f"what was kept is {short(value)}: not from {low} to {high}")
    return value


def _made(
    asked: Asked,
    guesses: int,
    missing: list[int],
    seed_held: Seed,
    watch: Watch,
    executor: Executor | None,
) -> Iterator[tuple[int, int]]:
    """Yield each run that is missing and its right guesses, as they are made."""
    if executor is None:
        for run in missing:
            yield run, _right(asked, guesses, run, seed_held, watch)
        return
    name = asked.target.name
    handed = hand_over((asked, guesses), f"{name}, its canaries and its score")
    yield from answers(executor, run_for, handed, iter(missing), watch, math.inf)


def run_for(handed: bytes, run: int) -> int | str:
    """Return the right guesses of one run, or what broke; a worker calls this."""
    with ALONE:
        (asked, guesses), held = _read(handed)
        try:
            with seeding(held) as seed_held:
                return _right(asked, guesses, run, seed_held, UNWATCHED)
        except BrokenMechanismError as error:
            return str(error)


@functools.lru_cache(maxsize=2)
def _read(handed: bytes) -> tuple[tuple[Asked, int], Held]:
    """Return what was handed over, and the generators of this process."""
    found: tuple[Asked, int] = pickle.loads(handed)
    return found, held_generators(of=found[0].target.call)


def _right(asked: Asked, guesses: int, run: int, seed_held: Seed, watch: Watch) -> int:
    scores, coins = _draw(asked, ONE_RUN, run, seed_held, watch)
    return right(guessed(scores, guesses, asked.threshold), coins)


def _draw(
    asked: Asked, phase: int, run: int, seed_held: Seed, watch: Watch
) -> tuple[NDArray[np.float64], Coins]:
    """Toss the coins of one run, intervene, run, and score."""
    where = (asked.seed, asked.target.name, 0, phase, run)
    coin, rng, _ = generators(*where)
    seed_held(held_generator(*where))
    coins: Coins = coin.integers(0, 2, len(asked.canaries)).astype(bool)
    if watch.over:
        raise watch.ended()
    with watch.block():
        try:
            outputs = asked.target.draw(asked.canaries.dataset(coins), 1, rng, watch)
        except BrokenMechanismError as error:
            raise BrokenMechanismError(f"the mechanism {error}") from error
        if not hasattr(outputs, "__len__") or len(outputs) != 1:
            raise BrokenMechanismError(
                f"the mechanism returned {short(outputs)} where one output was asked for"
            )
        with watch.learning():
            return scores_of(outputs[0], asked.score, len(asked.canaries)), coins


def _most_telling(asked: Asked, explored: list[tuple[NDArray[np.float64], Coins]]) -> int:
    """Return the number of guesses by which these runs would have certified most."""
    m = len(asked.canaries)

    def certified(guesses: int) -> float:
        hits = sum(right(guessed(s, guesses, asked.threshold), coins) for s, coins in explored)
        found = OneRunFinding(m, guesses, asked.threshold, len(explored), 0, hits)
        if asked.curve is not None:
            return found.certified_of(asked.curve, asked.alpha)[0]
        return found.certified(asked.delta, asked.alpha)

    return max((max(1, round(share * m)) for share in FRACTIONS), key=certified)
