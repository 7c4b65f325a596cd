"""The audit of one pair: what its steps share, how fast the mechanism is, what that allows."""

from __future__ import annotations

import contextlib
import time
import warnings
from dataclasses import dataclass, replace
from typing import Any

from provado.audit.checks.state import FreshProcesses
from provado.audit.options.request import USUAL_SECONDS, Request
from provado.audit.result import PairResult
from provado.audit.search.request import Question
from provado.audit.target.call import RaisedError, Target
from provado.audit.target.output_encoding import BrokenMechanismError, PatternBook
from provado.audit.target.random_state import (
    TIMED,
    GeneratorSet,
    generators,
    held_generator,
    held_generators,
    seeding,
)
from provado.audit.trials.checkpoint import PairCheckpoint
from provado.audit.trials.experiment import draw_block, draw_sides
from provado.audit.trials.plan import Plan
from provado.audit.workers.progress import Forecast
from provado.audit.workers.time_limits import NoAnswerError, Watch

from .explore import MOST_EXPLORED, Clock

FEW_TRIALS = 20_000
"""Where fewer fit in the time, exploring would take too many of them."""

TIMED_SHARE, MOST_TIMED = 1 / 200, 4096
"""Of the time, at most the usual one, what finding that out may take; and how many trials."""

CANDIDATES_TIMED = 3
"""Candidates that are timed at most, until one does not break the mechanism."""


@dataclass(frozen=True)
class Session:
    """One pair under audit, and all that its steps share.

    index: which of the request's pairs. held: the generators that are seeded anew for each block.
    fresh: where fresh processes can be had. kept: what an earlier run left, and what this one does.
    """

    request: Request
    index: int
    held: GeneratorSet
    watch: Watch
    fresh: FreshProcesses
    kept: PairCheckpoint

    @property
    def pair(self) -> tuple[Any, Any]:
        """The two datasets."""
        return self.request.pairs[self.index]

    @property
    def clock(self) -> Clock | None:
        """When the pair began and how long it may take, where it was given a time."""
        seconds = self.request.seconds
        return None if seconds is None else Clock(self.kept.started, seconds)

    def asking(self, **changes: Any) -> Session:
        """Return a session with some fields of the request changed."""
        return replace(self, request=replace(self.request, **changes))

    def calling(self, target: Target) -> Session:
        """Return a session that calls the mechanism in another way from now on.

        Generators that were made on first use are found, too.
        """
        session = self.asking(target=target)
        return replace(session, held=held_generators(self.held, target.call))

    def measure_speed(self) -> tuple[Session, float]:
        """Return it with its time settled, and the seconds a run takes; 0 if it is not known.

        Where neither trials nor time were asked for, the usual time is given to what would take
        longer with the usual number of trials. Listeners are told what comes, before the first
        pair.

        Raises ``BrokenMechanismError`` where the mechanism breaks on a pair that was given, and
        what the watch raises.
        """
        request, session = self.request, self
        searched, given = request.question, bool(request.pairs)
        telling = request.tell.heard and (self.index == 0 if searched is None else not given)
        if not (telling or request.budget is not None or _may_be_few(request)):
            return self, 0.0
        limit = min(request.seconds or request.budget or USUAL_SECONDS, USUAL_SECONDS)
        if searched is None or given:
            cost = self.seconds_a_trial(limit)
        else:
            cost = self._of_candidates(searched, limit)
        usual = False
        if request.budget is not None:
            trials_take = _forecast(request, cost).total
            usual = not cost or trials_take > request.budget * max(len(request.pairs), 1)
            session = self.asking(seconds=request.budget if usual else None, budget=None)
            if searched is not None and usual:
                session = session.asking(question=replace(searched, seconds=limit))
        if telling:
            request.tell.report_forecast(replace(_forecast(session.request, cost), usual=usual))
        return session, cost

    def _of_candidates(self, question: Question, limit: float) -> float:
        """Return the seconds a trial takes on a pair to be searched; 0 where the first break."""
        for candidate in question.candidates[:CANDIDATES_TIMED]:
            # What it warns of on strange data is of no interest yet.
            with contextlib.suppress(BrokenMechanismError), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return self.asking(pairs=(question.pair(candidate),)).seconds_a_trial(limit)
        return 0.0

    def seconds_a_trial(self, limit: float = USUAL_SECONDS) -> float:
        """Return how long a trial takes, from some that are discarded.

        limit: the seconds of which a small share may be spent on it. The first call is not timed,
        since it may import and compile. Exceptions are outputs; a batch that raises is drawn one by
        one.
        """
        target, size, number = self.request.target.catching(), 1, 1
        with seeding(self.held) as seed_held:
            while True:
                where = (self.request.seed, target.name, self.index, TIMED, number)
                seed_held(held_generator(*where))
                started = time.perf_counter()
                try:
                    rngs = generators(*where)
                    draw_sides(target, *self.pair, size, PatternBook(), rngs, self.watch)
                except RaisedError:
                    target, size, number = target.catching(single=True), 1, number + 1
                    continue
                spent = time.perf_counter() - started
                if number > 1 and (spent > TIMED_SHARE * limit or size >= MOST_TIMED):
                    return max(spent, 1e-9) / size
                if self.watch.over:
                    raise self.watch.ended()
                size, number = size * 4 if number > 1 else 1, number + 1

    def trials_a_second(self, plan: Plan) -> float:
        """Return how many trials a second this plan makes, from a block that is discarded."""
        clock, size, spent = self.clock, 8, 0.0
        assert clock is not None
        with seeding(self.held):
            while True:
                trial = replace(plan, trials=size, block=size)
                started = time.perf_counter()
                draw_block(
                    self.request.target, trial, self.request.seed, 0, self.watch, phase=TIMED
                )
                spent = time.perf_counter() - started
                if spent > clock.seconds / 40 or size >= plan.block:
                    return size / max(spent, 1e-9)
                size *= 4


@dataclass(frozen=True)
class PairOutcome:
    """What became of one pair.

    results: one for each rule; none, where no trial was made. cut: what ended the draws before the
    last trial. note: how they were made, if it needs saying. no_pass: why no pass can be given,
    where runs raised or a part of an output was not read. constant: what all outputs were, if they
    were alike.
    """

    results: tuple[PairResult, ...]
    cut: NoAnswerError | None
    note: str
    no_pass: str
    constant: str = ""
    limitations: tuple[str, ...] = ()


def few_trials_fit(request: Request, cost: float) -> bool:
    """Return whether so few trials fit in the time that none should be discarded."""
    if request.sequential or request.seconds is None or not _may_be_few(request):
        return request.sequential
    return bool(cost) and request.seconds / cost < FEW_TRIALS


def _may_be_few(request: Request) -> bool:
    return request.seconds is not None and request.explore is None and not request.sequential


def _forecast(request: Request, cost: float) -> Forecast:
    sequential = few_trials_fit(request, cost)
    explored = min(request.samples, MOST_EXPLORED) if request.explore is None else request.explore
    question = request.question
    return Forecast(
        cost=cost,
        pairs=max(len(request.pairs), 1),
        trials=request.samples,
        explored=0 if sequential else explored,
        candidates=0 if question is None else len(question.candidates),
        searched=0 if question is None else question.runs,
        jobs=1 if sequential else request.jobs,
        confidence=request.confidence,
        seconds=request.seconds,
        time_limit=request.time_limit,
    )
