"""What an audit was asked to do: read and checked before anything is drawn."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from provado.mechanisms import (
    Mechanism,
    NeighboringRelation,
    PrivacyPromise,
    UsageError,
)
from provado.mechanisms.adapters.plugins import adapts, as_mechanism
from provado.mechanisms.definitions.curve import CurvePromise
from provado.mechanisms.definitions.parameters import (
    check_claimed,
    check_delta,
    check_epsilon,
    real,
)
from provado.mechanisms.definitions.relation import RELATIONS, check_neighbors, short

from ..bounds.alpha_spending import alpha_of_each
from ..bounds.method import sharpest_point
from ..result import AUTO, view
from ..search.request import Question, read_question
from ..target.call import Target, timed
from ..trials.checkpoint import NO_CHECKPOINT, Checkpoint
from ..workers.progress import Progress, ProgressReporter
from . import domains
from .declaration import named
from .domains import MOST_JOBS, MOST_SECONDS, MOST_SEED

if TYPE_CHECKING:
    from concurrent.futures import Executor

Pair = tuple[Any, Any]

MOST_TRIALS = domains.MOST
"""More would not be drawn in years."""

AUTO_TRIALS = 1_000_000
"""So many trials a sequential audit makes at most, unless it is told."""

DEFAULT_TRIALS = 1_000_000

EXPLORED = re.compile(r"(?:(\d+)(?::(\d+))?)?(?:(?:^|(?<=\d),)search=(\d+)(?::(\d+))?)?", re.ASCII)

ARITHMETIC = named("arithmetic").domain.form["enum"]

SILENT = ProgressReporter(None)

MOST_SEARCHED = 1_000_000
"""Calls to search a pair with at most."""

USUAL_SECONDS = 60.0
"""Wall time for an audit that was asked for neither trials nor a time, where it is slow."""

SHARED = 0.8
"""Of a time limit, what drawing gets where it has no time of its own."""


@dataclass(frozen=True)
class PrivacyClaim:
    """What is claimed; ``epsilon`` is None where nothing is.

    promise: the claim, where it was given or stated as one; ε and δ are then its default point.
    """

    epsilon: float | None
    delta: float
    promise: PrivacyPromise | None = None

    @classmethod
    def of(
        cls, statement: Mechanism | None, epsilon: Any, delta: Any, promise: Any
    ) -> PrivacyClaim:
        """Return a claim that is given by ε and δ, by a promise, or by the mechanism's statement.

        Raises ``UsageError`` where it is given in two ways, or its numbers break a rule.
        """
        if promise is not None:
            promise = checked_promise(promise, epsilon, delta)
        elif statement is not None and epsilon is None and delta is None:
            promise = statement.promise
        if promise is not None:
            epsilon, delta = promise.point()
        elif statement is not None and epsilon is None:
            epsilon = statement.promise.point()[0]
        delta = checked_number("delta", 0.0 if delta is None else delta, check_delta)
        if epsilon is None:
            return cls(None, delta)
        check = partial(check_claimed, delta=delta)
        return cls(checked_number("epsilon", epsilon, check), delta, promise)

    @property
    def curve(self) -> CurvePromise | None:
        """The promise, where it is a curve."""
        return self.promise if isinstance(self.promise, CurvePromise) else None

    @property
    def stated_epsilon(self) -> float:
        """The claimed ε. Raises ``UsageError`` where nothing is claimed."""
        if self.epsilon is None:
            raise UsageError("epsilon is missing: a claim needs a finite number above 0")
        return self.epsilon

    @property
    def pure(self) -> bool:
        """Whether one ε without δ is claimed."""
        return bool(self.epsilon) and not self.delta and self.curve is None

    def words(self) -> str:
        """Return the claim as people write it, empty where there is none."""
        if self.epsilon is None:
            return ""
        if self.curve is not None:
            return str(self.curve.words())
        return f"({self.epsilon:g}, {self.delta:g})-DP" if self.delta else f"{self.epsilon:g}-DP"


@dataclass(frozen=True)
class Request:
    """The arguments of ``audit`` after every check. ``time_limit`` is infinite where none is set.

    statement: the mechanism's own statement, where it brought one. question: what to search for
    the pair, where there is none yet. ideal: whether exact real arithmetic is meant.
    sequential: nothing is explored, and ``samples`` is the most that are drawn. detectable: the ε
    of a violation that such an audit must be able to detect before it ends without one.
    budget: the wall time of a pair, where ``samples`` would take longer; ``None`` once that is
    settled, or where one of the two was asked for. kept: how many exploration samples are kept
    whole, where that was asked for. curve: the promise, where it is a curve; ``epsilon`` and
    ``delta`` are then its default point, at which an audit tests it that explores nothing.
    checkpoint: the saved progress of an earlier run, and what saves that of this one. executor:
    whose workers draw the certifying blocks, where they are not our own. block_limit: seconds that
    a block may take. timing: whether run time is a part of the output. until: after how many of the
    planned trials an audit ends that time ended there before.
    """

    target: Target
    epsilon: float
    delta: float
    pairs: tuple[Pair, ...]
    samples: int
    confidence: float
    seed: int
    relation: NeighboringRelation | None
    jobs: int
    anytime: bool
    seconds: float | None
    time_limit: float
    explore: int | None
    statement: Mechanism | None
    sequential: bool
    detectable: float
    question: Question | None = None
    ideal: bool = False
    budget: float | None = None
    kept: int | None = None
    tell: ProgressReporter = SILENT
    curve: CurvePromise | None = None
    checkpoint: Checkpoint = NO_CHECKPOINT
    executor: Executor | None = None
    block_limit: float = math.inf
    timing: bool = False
    until: int | None = None

    @property
    def alpha(self) -> float:
        """Each pair's share of the chance of a false alarm."""
        return alpha_of_each(1 - self.confidence, len(self.pairs))


def read_request(
    mechanism: Any,
    *,
    epsilon: float | Fraction | None,
    delta: float | Fraction | None,
    pair: Any,
    samples: int | str | None,
    confidence: float,
    seed: int,
    relation: NeighboringRelation | str | None,
    jobs: int,
    stop_early: bool,
    seconds: float | None,
    time_limit: float | None,
    explore: int | str | None,
    detectable: float | None,
    name: str | None,
    data: Any = None,
    domain: Any = None,
    values: Sequence[Any] | None = None,
    fixed_size: bool = False,
    arithmetic: str = "floating",
    progress: Callable[[Progress], None] | bool | None = None,
    promise: PrivacyPromise | None = None,
    checkpoint: Checkpoint = NO_CHECKPOINT,
    executor: Executor | None = None,
    block_limit: float | None = None,
    timing: bool = False,
    read: Callable[[Any], Any] | None = None,
) -> Request:
    """Return the request; raises ``UsageError`` for the first argument that breaks a rule."""
    if arithmetic not in ARITHMETIC:
        raise UsageError(f"arithmetic is {arithmetic!r}: it must be {' or '.join(ARITHMETIC)}")
    relation, usual = checked_relation(relation), samples is None and seconds is None
    if samples is None:
        # A time alone sets the number of trials.
        samples = DEFAULT_TRIALS if seconds is None else MOST_TRIALS
    sequential, most, until = _most_trials(samples)
    explored, kept, runs, ended = _exploration(explore)
    seconds = None if seconds is None else _seconds("seconds", seconds)
    question = None
    if data is not None:
        if pair is not None:
            raise UsageError("pair and data: neighbors are given or made of data; give one")
        if relation is None and isinstance(mechanism, Mechanism):
            relation = mechanism.relation
        question = read_question(
            data,
            relation,
            domain=domain,
            values=values,
            runs=runs or min(most if explored is None else explored, MOST_SEARCHED),
            # How many trials a time allows is not known yet.
            trials=None if runs or seconds is not None else min(most, MOST_SEARCHED),
            seconds=math.inf if seconds is None else seconds,
            ended=ended,
            fixed_size=fixed_size,
        )
        pair = question.pair(question.candidates[0])
    else:
        about_data = {"domain": domain, "values": values, "fixed_size": fixed_size or None}
        for name_given in (key for key, value in about_data.items() if value is not None):
            raise UsageError(
                f"{name_given} is given without data: it says what their records may hold"
            )
    if (
        pair is not None
        and ((epsilon is None and promise is None) or not callable(mechanism))
        and adapts(mechanism)
    ):
        pairs = listed_pairs(pair)
        mechanism = as_mechanism(mechanism, pairs=pairs, relation=relation, name=name)
    statement = mechanism if isinstance(mechanism, Mechanism) else None
    claim = PrivacyClaim.of(statement, epsilon, delta, promise)
    if statement is not None:
        mechanism = statement.run
        name = name or statement.name
        relation = relation or statement.relation
        pair = list(statement.pairs) if pair is None else pair
    if name is not None and not isinstance(name, str):
        raise UsageError(f"name is {name!r}: it must be a text")
    curve, point = claim.curve, (claim.stated_epsilon, claim.delta)
    # An audit with a time may become sequential; any other chooses its point by exploration.
    by_time = explored is None and (seconds is not None or usual)
    if curve is not None and (sequential or by_time):
        point = sharpest_point(curve)
    pairs = listed_pairs(pair)
    for d, d_prime in pairs:
        _check_neighbors(relation, d, d_prime)
    limit = time_to_spend("time_limit", time_limit)
    if sequential and seconds is None and math.isfinite(limit):
        # The time is there to be used, and ends a sequential audit as well as any other reason.
        seconds = SHARED * limit / len(pairs)
    if read is not None and not callable(read):
        raise UsageError(
            f"read is {short(read)}: it must be a function from an output to plain values"
        )
    target = Target.of(mechanism, name, read)
    target = timed(target) if timing else target
    return Request(
        target=target,
        epsilon=point[0],
        delta=point[1],
        pairs=pairs if question is None else (),
        samples=most,
        until=until,
        confidence=checked_confidence(confidence),
        seed=whole_number("seed", seed, 0, MOST_SEED),
        relation=relation,
        jobs=whole_number("jobs", jobs, 1, MOST_JOBS),
        anytime=bool(stop_early),
        seconds=seconds,
        time_limit=limit,
        explore=explored,
        statement=statement,
        sequential=sequential,
        detectable=_detectable(detectable, point[0]),
        question=question,
        ideal=arithmetic == "ideal",
        budget=min(USUAL_SECONDS, SHARED * limit) / len(pairs) if usual else None,
        kept=kept,
        curve=curve,
        checkpoint=checkpoint,
        executor=checked_executor(executor),
        block_limit=time_to_spend("block_limit", block_limit),
        timing=bool(timing),
        tell=ProgressReporter(view().bar(target.name) if progress is True else progress or None),
    )


def checked_promise(promise: Any, epsilon: Any, delta: Any) -> PrivacyPromise:
    """Return a promise that is given instead of ``epsilon`` and ``delta``."""
    if epsilon is not None or delta is not None:
        raise UsageError("promise and epsilon or delta: a claim is given in one way; give one")
    if isinstance(promise, type) or not isinstance(promise, PrivacyPromise):
        raise UsageError(f"promise is {short(promise)}: it must be a promise, such as PureDP(1.0)")
    return promise


def checked_relation(relation: Any) -> NeighboringRelation | None:
    """Return a relation, which may be given by its name."""
    if isinstance(relation, str):
        if relation not in RELATIONS:
            raise UsageError(f"relation is {relation!r}: it must be one of {', '.join(RELATIONS)}")
        return RELATIONS[relation]
    if relation is not None and (
        isinstance(relation, type) or not isinstance(relation, NeighboringRelation)
    ):
        raise UsageError(f"relation is {relation!r}: it must have the methods check and words")
    return relation


def _most_trials(samples: Any) -> tuple[bool, int, int | None]:
    """Return whether an audit is sequential, its trials (at most), and after how many it ends."""
    if not isinstance(samples, str):
        return False, whole_number("samples", samples, 1, MOST_TRIALS), None
    word, colon, most = samples.partition(":")
    number = int(most) if most.isdecimal() else None
    if word.isdecimal() and number and number <= int(word):
        return False, whole_number("samples", int(word), 1, MOST_TRIALS), number
    if word != AUTO or (colon and number is None):
        raise UsageError(
            f"samples is {short(samples)}: it must be a whole number, {AUTO!r} or '{AUTO}:N', or "
            "'N:END' with END of at most N, after which planned trials end"
        )
    return True, whole_number("samples", number, 1, MOST_TRIALS) if colon else AUTO_TRIALS, None


def _exploration(explore: Any) -> tuple[int | None, ...]:
    """Return how many samples are explored and how many kept whole, runs of the search and its end.

    Each is ``None`` unless it was asked for.
    """
    if not isinstance(explore, str):
        size = None if explore is None else whole_number("explore", explore, 2, MOST_TRIALS)
        return size, None, None, None
    read = EXPLORED.fullmatch(explore)
    numbers = read.groups() if read else (None,) * 4
    size, kept, runs, ended = (None if item is None else int(item) for item in numbers)
    if (kept or runs) and 2 <= (kept or 2) <= (size or 2) and (ended or 1) <= (runs or 1):
        for number in (size, runs):
            whole_number("explore", number or 2, 1, MOST_TRIALS)
        return size, kept, runs, ended
    raise UsageError(
        f"explore is {short(explore)}: it must be a whole number, or 'N:KEPT' with KEPT of at "
        "least 2 and at most N; of a search that is repeated ',search=RUNS:END' may follow, with "
        "END of at most RUNS"
    )


def checked_executor(value: Any) -> Executor | None:
    """Return it; raises ``UsageError`` for what cannot be handed work."""
    if value is not None and not callable(getattr(value, "submit", None)):
        raise UsageError(
            f"executor is {short(value)}: it must be a concurrent.futures.Executor, such as a "
            "ProcessPoolExecutor or the get_executor() of a Dask client"
        )
    executor: Executor | None = value
    return executor


def expected_detectable(epsilon: float) -> float:
    """Return the ε of a violation that a user expects an audit of this claim to detect."""
    return max(1.1 * epsilon, epsilon + 0.05)


def _detectable(value: Any, epsilon: float) -> float:
    if value is None:
        return expected_detectable(epsilon)
    number = checked_number("detectable", value, check_epsilon)
    if not number > epsilon:
        raise UsageError(f"detectable is {short(value)}: it must be above epsilon")
    return number


def listed_pairs(pair: Any) -> tuple[Pair, ...]:
    """Return one pair or a list of pairs as a tuple; raise ``UsageError`` for anything else."""
    if pair is None:
        raise UsageError("pair is missing: an audit needs two datasets (d0, d1), or data")
    pairs = [pair] if isinstance(pair, tuple) else pair
    if not isinstance(pairs, list) or not pairs:
        raise UsageError(
            f"pair is of type {type(pair).__name__}: it must be a tuple (d0, d1) or a list of "
            "such tuples"
        )
    for item in pairs:
        if not isinstance(item, tuple) or len(item) != 2:
            raise UsageError(f"pair holds {short(item)}: each pair must be a tuple of two datasets")
    return tuple(pairs)


def _check_neighbors(relation: NeighboringRelation | None, d: Any, d_prime: Any) -> None:
    try:
        check_neighbors(d, d_prime, relation)
    except (TypeError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        what = "a comparison" if relation is None else relation.words()
        raise UsageError(
            f"pair is {short((d, d_prime))}: {what} does not apply ({error})"
        ) from error


def checked_number(name: str, value: Any, check: Any) -> float:
    """Return ``check(value)`` as a float; raise ``UsageError`` for what is no number."""
    real(value, name)
    return float(check(value))


def time_to_spend(name: str, value: Any) -> float:
    """Return a limit in seconds, infinite where there is none; raise ``UsageError`` for others."""
    return math.inf if value is None else _seconds(name, value)


def _seconds(name: str, value: Any) -> float:
    def check(number: Any) -> float:
        if not (math.isfinite(float(number)) and float(number) > 0):
            raise UsageError(f"{name} is {short(number)}: it must be a finite number above 0")
        if float(number) > MOST_SECONDS:
            raise UsageError(f"{name} is {short(number)}: it must be at most {MOST_SECONDS:,}")
        return float(number)

    return checked_number(name, value, check)


def whole_number(name: str, value: Any, least: int, most: int) -> int:
    """Return a whole number from ``least`` to ``most``; raise ``UsageError`` for anything else."""
    try:
        whole = int(value)
        exact = whole == value and not isinstance(value, bool)
    except (TypeError, ValueError, OverflowError):
        exact, whole = False, 0
    if not exact or whole < least:
        raise UsageError(f"{name} is {short(value)}: it must be a whole number of at least {least}")
    if whole > most:
        raise UsageError(f"{name} is {short(value)}: it must be at most {most:,}")
    return whole


def checked_confidence(value: Any) -> float:
    """Return a number strictly between 0 and 1; raise ``UsageError`` for anything else."""
    number = checked_number("confidence", value, float)
    if not 0 < number < 1:
        raise UsageError(f"confidence is {short(value)}: it must lie between 0 and 1")
    return number
