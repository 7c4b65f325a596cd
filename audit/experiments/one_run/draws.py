"""The runs of an audit with many interventions in each: coins, one run, scores, right guesses.

The canaries are many data points, each under the intervention of its own coin: they make datasets,
and their scores make guesses.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import math
import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.audit.checks.state import CHANGED, changed, digest, fingerprint
from provado.audit.result import OneRunFinding
from provado.audit.target import random_state
from provado.audit.target.call import Target
from provado.audit.target.output_encoding import BrokenMechanismError
from provado.audit.trials.checkpoint import Checkpoint, PairCheckpoint, UnreadableError
from provado.audit.trials.executor import ALONE, answers, pickled_request
from provado.audit.workers import GRACE, Send, can_isolate, unsendable, waiting
from provado.audit.workers.time_limits import UNWATCHED, NoAnswerError, Watch, watched
from provado.mechanisms import UsageError
from provado.mechanisms.definitions.curve import CurvePromise
from provado.mechanisms.definitions.relation import changed_rows, counted, one_line, short

FRACTIONS = (1.0, 2 / 3, 1 / 2, 1 / 3, 1 / 5, 1 / 10, 1 / 20)
"""Of the canaries, how many to guess: what exploring runs choose from."""

FOREVER = 1e8
"""Seconds, three years: a run may be slow, so that only what the user says is too long."""

Seed = Callable[[np.random.Generator], None]


@dataclass(frozen=True)
class OneRunPlan:
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

    @property
    def many(self) -> bool:
        """Whether there is more than one run, so that one may depend on another."""
        return self.runs + self.explore > 1


@dataclass(frozen=True)
class Guessed:
    """How many guesses a run made, and the right ones of all runs.

    reason: why not all runs were made; empty where they were. interrupted: the user ended it.
    """

    guesses: int
    correct: int = 0
    reason: str = ""
    interrupted: bool = False


def guess(
    plan: OneRunPlan,
    limits: tuple[float, float],
    checkpoint: Checkpoint,
    executor: Executor | None = None,
) -> Guessed:
    """Make all runs but those that were kept; what broke comes back as a reason.

    limits: seconds for all runs and for each; infinite where there is none.
    """
    kept, guesses = PairCheckpoint(checkpoint, 0), plan.guesses or 0
    try:
        with _fresh(plan) as fresh, watched(min(limits[0], FOREVER), limits[1]) as watch:
            held = random_state.held_generators(of=plan.target.call)
            before, scores = fingerprint(plan.target.call), None
            with random_state.seeding(held) as seed_held:
                guesses = _how_many(plan, kept, seed_held, watch)
                known = _known(plan, kept, guesses)
                missing = [run for run in range(plan.runs) if run not in known]
                made = _made(plan, guesses, missing, seed_held, watch, executor)
                for run, hits, result in made:
                    known[run], scores = hits, result
                    kept.put(f"run {run}", hits)
            names = changed(before, fingerprint(plan.target.call)) if plan.many else []
            if names and scores is not None:
                _require_same(scores, fresh(missing[-1], watch), names)
        return Guessed(guesses, sum(known.values()))
    except BrokenMechanismError as error:
        return Guessed(guesses, reason=str(error), interrupted=watch.interrupted)
    except NoAnswerError as error:
        return Guessed(guesses, reason=error.reason, interrupted=error.interrupted)
    except MemoryError:
        return Guessed(guesses, reason="out of memory")


@contextlib.contextmanager
def _fresh(asked: OneRunPlan) -> Iterator[Callable[[int, Watch], Any]]:
    """Yield a function that makes a run in a process where the mechanism was never called.

    It returns the scores, or ``None`` where there is no such process, or where it takes longer than
    all runs did. One is started beforehand.
    """
    if not (asked.many and can_isolate()) or unsendable(asked):
        yield lambda _, __: None
        return
    began = time.monotonic()
    with waiting(functools.partial(_fresh_run, asked)) as (line, child):

        def scores(run: int, watch: Watch) -> Any:
            line.send(run)
            until = 2 * time.monotonic() - began + child.begins + GRACE
            while time.monotonic() < until:
                if wait(child.handles, timeout=0.5):
                    kind, found = child.receive()
                    if kind != "began":
                        return found if kind == "value" else None
                elif watch.over:
                    raise watch.ended()
            return None

        yield scores


def _fresh_run(plan: OneRunPlan, line: Connection, _: Send) -> NDArray[np.float64]:
    run = line.recv()
    with random_state.seeding(random_state.held_generators(of=plan.target.call)) as seed_held:
        return _draw(plan, random_state.ONE_RUN, run, seed_held, UNWATCHED)[0]


def _require_same(here: Any, fresh: Any, names: list[str]) -> None:
    """Raise ``BrokenMechanismError`` where a run depends on those before it, or may."""
    what = f"the mechanism keeps state between calls ({', '.join(names[:3])} changed)"
    if fresh is None:
        why = "and no fresh process could be asked whether it answers alike"
        raise BrokenMechanismError(f"{what}, so that its runs may depend on each other, {why}")
    if not np.allclose(here, fresh, rtol=1e-6):
        raise BrokenMechanismError(
            f"{what}, and its last run, made again from the same coins and seed in a fresh "
            "process, gives other scores"
        )


def _how_many(plan: OneRunPlan, kept: PairCheckpoint, seed_held: Seed, watch: Watch) -> int:
    """Return how many coins each run guesses: as asked for, as kept, or as explored."""
    if plan.guesses is not None:
        return plan.guesses
    result = kept.get("guesses")
    if result is not None:
        return _whole(result, 1, len(plan.canaries))
    explored = [
        _draw(plan, random_state.LEARN_RUN, run, seed_held, watch) for run in range(plan.explore)
    ]
    guesses = _most_informative(plan, explored) if explored else max(1, len(plan.canaries) // 2)
    kept.put("guesses", guesses)
    return guesses


def _known(plan: OneRunPlan, kept: PairCheckpoint, guesses: int) -> dict[int, int]:
    """Return the right guesses of the runs that were kept."""
    result = {run: kept.get(f"run {run}") for run in range(plan.runs)}
    return {run: _whole(hits, 0, guesses) for run, hits in result.items() if hits is not None}


def _whole(value: Any, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise UnreadableError(f"what was kept is {short(value)}: not from {low} to {high}")
    return value


def _made(
    plan: OneRunPlan,
    guesses: int,
    missing: list[int],
    seed_held: Seed,
    watch: Watch,
    executor: Executor | None,
) -> Iterator[tuple[int, int, NDArray[np.float64] | None]]:
    """Yield each run that is missing, its right guesses, and its scores if it was made here."""
    if executor is None:
        for run in missing:
            scores, coins = _draw(plan, random_state.ONE_RUN, run, seed_held, watch)
            yield run, right(guessed(scores, guesses, plan.threshold), coins), scores
        return
    name = plan.target.name
    handed = pickled_request((plan, guesses), f"{name}, its canaries and its score")
    for run, hits in answers(executor, run_for, handed, iter(missing), watch, math.inf):
        yield run, hits, None


def run_for(handed: bytes, run: int) -> int | str:
    """Return the right guesses of one run, or what broke; a worker calls this."""
    with ALONE:
        (plan, guesses), held = _read(handed)
        try:
            with random_state.seeding(held) as seed_held:
                before = fingerprint(plan.target.call)
                scores, coins = _draw(plan, random_state.ONE_RUN, run, seed_held, UNWATCHED)
                if plan.many and (names := changed(before, fingerprint(plan.target.call))):
                    _require_same(None, None, names)
                return right(guessed(scores, guesses, plan.threshold), coins)
        except BrokenMechanismError as error:
            return str(error)


@functools.lru_cache(maxsize=2)
def _read(handed: bytes) -> tuple[tuple[OneRunPlan, int], random_state.GeneratorSet]:
    """Return what was handed over, and the generators of this process."""
    result: tuple[OneRunPlan, int] = pickle.loads(handed)
    return result, random_state.held_generators(of=result[0].target.call)


def _draw(
    plan: OneRunPlan, phase: int, run: int, seed_held: Seed, watch: Watch
) -> tuple[NDArray[np.float64], Coins]:
    """Toss the coins of one run, intervene, run, and score."""
    where = (plan.seed, plan.target.name, 0, phase, run)
    coin, rng, _ = random_state.generators(*where)
    seed_held(random_state.held_generator(*where))
    coins: Coins = coin.integers(0, 2, len(plan.canaries)).astype(bool)
    if watch.over:
        raise watch.ended()
    given = digest(plan.canaries) if plan.many else ""
    with watch.block():
        try:
            outputs = plan.target.draw(plan.canaries.dataset(coins), 1, rng, watch)
            if plan.many and digest(plan.canaries) != given:
                raise BrokenMechanismError(CHANGED)
        except BrokenMechanismError as error:
            raise BrokenMechanismError(f"the mechanism {error}") from error
        if not hasattr(outputs, "__len__") or len(outputs) != 1:
            raise BrokenMechanismError(
                f"the mechanism returned {short(outputs)} where one output was requested"
            )
        with watch.learning():
            return scores_of(outputs[0], plan.score, len(plan.canaries)), coins


def _most_informative(plan: OneRunPlan, explored: list[tuple[NDArray[np.float64], Coins]]) -> int:
    """Return the number of guesses by which these runs would have certified most."""
    m = len(plan.canaries)

    def certified(guesses: int) -> float:
        hits = sum(right(guessed(s, guesses, plan.threshold), coins) for s, coins in explored)
        finding = OneRunFinding(m, guesses, plan.threshold, len(explored), 0, hits)
        if plan.curve is not None:
            return finding.certified_of(plan.curve, plan.alpha)[0]
        return finding.certified(plan.delta, plan.alpha)

    return max((max(1, round(share * m)) for share in FRACTIONS), key=certified)


Coins = NDArray[np.bool_]
Score = Callable[[Any], Any]


@dataclass(frozen=True)
class Canaries:
    """The points that are intervened on; the dataset is ``data`` and, after it, what the coins say.

    first: the m records that stand in it where their coins are heads. second: those that stand in
    their place where they are tails; ``None`` where there is none then. data: the other records.
    All are lists, tuples, arrays or data frames of one kind.
    """

    first: Any
    second: Any
    data: Any

    def __post_init__(self) -> None:
        for name, records in (("canaries", self.first), ("replacements", self.second)):
            if not _tabular(records) and (records is not None or name == "canaries"):
                raise UsageError(
                    f"{name} is {short(records)}: it must be a list, tuple, array or data frame of "
                    "records"
                )
        if len(self) < 1:
            raise UsageError(f"canaries is {short(self.first)}: it must hold at least one record")
        if self.second is not None and len(self.second) != len(self):
            raise UsageError(
                f"replacements has {counted(len(self.second), 'record')}: it must have one for "
                f"each of the {counted(len(self), 'canary')}"
            )
        for name, records in (("replacements", self.second), ("data", self.data)):
            if records is None:
                continue
            if not isinstance(records, type(self.first)):
                raise UsageError(
                    f"canaries is of type {type(self.first).__name__}: data and replacements must "
                    f"be of the same kind, not of type {type(records).__name__}"
                )
            own, form = _form_of(self.first), _form_of(records)
            if own != form:
                raise UsageError(f"{name} has {form}: canaries has {own}, and both must agree")
        if self.second is not None and not changed_rows(self.first, self.second):
            raise UsageError("replacements equal the canaries: no coin changes the dataset")

    def __len__(self) -> int:
        return len(self.first)

    @property
    def relation(self) -> str:
        """The neighboring relation in which one coin is one step."""
        return "add-or-remove-one" if self.second is None else "replace-one"

    def dataset(self, coins: Coins) -> Any:
        """Return a new dataset under do(coins): ``data``, then the canaries in their order."""
        first, second, data = self.first, self.second, self.data
        if isinstance(first, list | tuple):
            other: list[Any] = [None] * len(self) if second is None else list(second)
            chosen = [
                one if coin else another
                for one, another, coin in zip(first, other, coins.tolist(), strict=True)
                if coin or second is not None
            ]
            return type(first)([*([] if data is None else data), *chosen])
        if isinstance(first, np.ndarray):
            if second is None:
                array = first[coins]
            else:
                across = coins.reshape(-1, *([1] * (first.ndim - 1)))
                array = np.where(across, first, second)
            return array.copy() if data is None else np.concatenate([data, array])
        pandas = importlib.import_module("pandas")
        if second is None:
            frames = [first[coins]]
        else:
            both = pandas.concat([first, second], ignore_index=True)
            frames = [both.iloc[np.where(coins, 0, len(self)) + np.arange(len(self))]]
        return pandas.concat([*([] if data is None else [data]), *frames], ignore_index=True)


def _tabular(records: Any) -> bool:
    array = isinstance(records, np.ndarray) and records.ndim >= 1
    return array or isinstance(records, list | tuple) or hasattr(records, "iloc")


def _form_of(records: Any) -> str:
    """Return what all records of an array or a frame share, in words; nothing of a list."""
    if isinstance(records, np.ndarray):
        kind = "text" if records.dtype.kind in "US" else "values that are no text"
        return f"records of shape {records.shape[1:]} with {kind}"
    names = getattr(records, "columns", None)
    return "" if names is None else f"the columns {short(sorted(names, key=str))}"


def scores_of(output: Any, score: Score | None, canaries: int) -> NDArray[np.float64]:
    """Return one number for each canary; the higher, the rather its coin was heads.

    Without ``score`` the output itself is taken, coordinate i for canary i. Raises
    ``BrokenMechanismError`` where there are not as many numbers.
    """
    what = "the mechanism" if score is None else "the score"
    try:
        result = output if score is None else score(output)
    except Exception as error:
        raise BrokenMechanismError(f"{what} raised {one_line(error)}") from error
    try:
        numbers = np.asarray(result)
        if np.ma.is_masked(result) or numbers.dtype.kind not in "biufO":
            raise TypeError
        numbers = numbers.astype(np.float64).ravel()
    except Exception as error:
        raise BrokenMechanismError(
            f"{what} returned a {type(result).__name__} where one real number for each canary is "
            "needed (no text, dates, complex or masked values)"
        ) from error
    if len(numbers) != canaries:
        hint = ": give a score" if score is None else ""
        raise BrokenMechanismError(
            f"{what} returned an array of length {len(numbers)}, not one number for each of "
            f"{counted(canaries, 'canary')}{hint}"
        )
    if np.isnan(numbers).any():
        raise BrokenMechanismError(
            f"{what} returned NaN for canary {int(np.argmax(np.isnan(numbers)))}"
        )
    return numbers


def guessed(scores: NDArray[np.float64], guesses: int, threshold: float | None) -> NDArray[np.int8]:
    """Return 1 (heads), −1 (tails) or 0 (no guess) for each canary, exactly so many not 0.

    The highest scores are heads and the lowest tails, half of the guesses each; or, with a
    ``threshold``, the scores farthest from it, on their side of it. Nothing but the scores and the
    positions of canaries is examined.
    """
    said = np.zeros(len(scores), dtype=np.int8)
    if threshold is None:
        order = np.argsort(scores, kind="stable")
        said[order[: guesses // 2]] = -1
        said[order[len(order) - (guesses - guesses // 2) :]] = 1
        return said
    far = np.argsort(-np.abs(scores - threshold), kind="stable")[:guesses]
    said[far] = np.where(scores[far] > threshold, 1, -1)
    return said


def right(said: NDArray[np.int8], coins: Coins) -> int:
    """Return how many guesses are right."""
    return int(np.count_nonzero(said == np.where(coins, 1, -1)))
