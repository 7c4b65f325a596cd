"""The audit of one pair: what its steps share, how fast the mechanism is, its certifying draws.

All blocks of a plan are drawn, unless time or a certified violation ends them; the result of the
pair is what its plan and its counts show.
"""

from __future__ import annotations

import contextlib
import math
import time
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from provado.audit.bounds import BoundMethod, epsilon_lower, parameter_lower
from provado.audit.bounds.counts import Counts, effect_sizes
from provado.audit.bounds.power import detectable_epsilon
from provado.audit.checks.independence import improbable_table, workers_share_noise
from provado.audit.checks.state import FreshProcesses
from provado.audit.events.features.feature import left_out
from provado.audit.options.request import USUAL_SECONDS, Request
from provado.audit.result import PairResult, Witness
from provado.audit.search.request import Question
from provado.audit.target import random_state
from provado.audit.target.call import RaisedError, Target
from provado.audit.target.output_encoding import BrokenMechanismError, PatternBook
from provado.audit.trials import experiment
from provado.audit.trials.checkpoint import PairCheckpoint
from provado.audit.trials.executor import count_on
from provado.audit.workers import can_isolate, unsendable
from provado.audit.workers.progress import Forecast
from provado.audit.workers.time_limits import NoAnswerError, Watch
from provado.mechanisms import Verdict
from provado.mechanisms.definitions.relation import difference_words, short

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
    held: random_state.GeneratorSet
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
        return replace(session, held=random_state.held_generators(self.held, target.call))

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
        with random_state.seeding(self.held) as seed_held:
            while True:
                where = (self.request.seed, target.name, self.index, random_state.TIMED, number)
                seed_held(random_state.held_generator(*where))
                started = time.perf_counter()
                try:
                    rngs = random_state.generators(*where)
                    experiment.draw_sides(target, *self.pair, size, PatternBook(), rngs, self.watch)
                except RaisedError:
                    target, size, number = target.catching(single=True), 1, number + 1
                    continue
                spent = time.perf_counter() - started
                if number > 1 and (spent > TIMED_SHARE * limit or size >= MOST_TIMED):
                    return max(spent, 1e-9) / size
                if self.watch.over:
                    raise self.watch.ended()
                size, number = size * 4 if number > 1 else 1, number + 1

    def trials_a_second(self, plan: experiment.Plan) -> float:
        """Return how many trials a second this plan makes, from a block that is discarded."""
        clock, size, spent = self.clock, 8, 0.0
        assert clock is not None
        with random_state.seeding(self.held):
            while True:
                trial = replace(plan, trials=size, block=size)
                started = time.perf_counter()
                experiment.draw_block(
                    self.request.target,
                    trial,
                    self.request.seed,
                    0,
                    self.watch,
                    phase=random_state.TIMED,
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

    def concluded(self, plans: Iterable[experiment.Plan], raises: str) -> PairOutcome:
        """Return it with no pass where none can be given; a violation stays one.

        raises: what a pass does not cover of exceptions that are outputs, in words.
        """
        left = left_out(kind for plan in plans for kind in plan.rule.event_kinds)
        if any(result.verdict is Verdict.VIOLATION for result in self.results):
            return replace(self, no_pass="", limitations=tuple(left))
        results = self.results
        if self.no_pass:
            results = tuple(replace(result, verdict=Verdict.UNKNOWN) for result in results)
        return replace(self, results=results, limitations=(*left, *filter(None, [raises])))


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


OVERTIME = 1.1
"""Of the time for a pair, when it ends though not all its trials are made."""


def _time_left(clock: Clock) -> float:
    """Return how long the certifying draws may take, even where all else took the time."""
    return max(clock.left(OVERTIME), 0.1 * clock.seconds, 0.5)


def certify(
    session: Session, plan: experiment.Plan
) -> tuple[tuple[Counts, ...], NoAnswerError | None, str]:
    """Draw all blocks; stop early only with a bound that allows it, or where time is over.

    Returns the counts so far, those of all trials last, none where none was made; what ended the
    draws before the last trial; and how they were made, if it needs saying.

    Raises ``BrokenMechanismError`` where the mechanism breaks or its blocks differ beyond chance.
    """
    request, watch, kept = session.request, session.watch, session.kept
    jobs, note = _workers(session, plan)
    total, checkpoints, tables = Counts(), list[Counts](), list[Counts]()
    cut: NoAnswerError | None = None
    hand = None
    if request.executor is not None and not note and not request.timing:
        drawn_from = request.target, plan, request.seed
        hand = partial(count_on, request.executor, drawn_from, watch=watch, kept=kept)
    how = (jobs, session.held, watch, kept, hand)
    blocks = experiment.count_blocks(request.target, plan, request.seed, *how)
    since = time.monotonic()
    with watch.within(math.inf if session.clock is None else _time_left(session.clock)):
        for number in range(plan.blocks):
            block: tuple[Counts, ...] = ()
            try:
                block = next(blocks)
                cut = watch.ended() if watch.over and number + 1 < plan.blocks else None
            except NoAnswerError as error:
                cut = error
            except experiment.CutBlockError as error:
                cut, block = error.reason, error.counts
            if block:
                reached = [total + counts for counts in block]
                checkpoints += [
                    counts for counts in reached if experiment.is_checkpoint(counts.trials)
                ]
                tables.append(block[-1])
                total = reached[-1]
                bound = partial(_bound, total, plan)
                request.tell("certify", total.trials, plan.trials, bound, since)
                ended = plan.until is not None and total.trials >= plan.until
                if ended or (request.anytime and _all_refuted(request, total, plan)):
                    cut = None
                    break
            if cut is not None:
                break
        blocks.close()
    # Run times of one block are alike, whatever the mechanism does.
    if not request.timing:
        _require_like_blocks(tables, -(-plan.blocks // 2))
    if cut is not None and cut.spent:
        cut = None
    if not total.trials:
        return (), cut or NoAnswerError("no trial was made in the time given"), note
    reached = [*(counts for counts in checkpoints if counts != total), total]
    return tuple(reached), cut, note


def _require_like_blocks(blocks: Sequence[Counts], half: int) -> None:
    """Raise ``BrokenMechanismError`` where blocks, or their first half and the rest, differ."""
    rules = zip(*(counts.each for counts in blocks), strict=False)
    tables = [np.array([counts.six for counts in rule]) for rule in rules]
    halves = [np.array([table[:half].sum(axis=0), table[half:].sum(axis=0)]) for table in tables]
    for what, part in (
        ("the second half of the trials than in the first", halves),
        ("some blocks of trials than in others", tables),
    ):
        if any(map(improbable_table, part)):
            raise BrokenMechanismError(
                f"gave other answers in {what}: "
                "its calls are not independent draws from one distribution"
            )


def _bound(counts: Counts, plan: experiment.Plan) -> float:
    """Return the largest ε that the rules of a plan certify so far."""
    both = zip(plan.each, counts.each, strict=True)
    return max(epsilon_lower(item, rule.early) for rule, item in both)


def _all_refuted(request: Request, counts: Counts, plan: experiment.Plan) -> bool:
    """Return whether a violation is certified, also without low-order bits where that is asked."""
    both = zip(plan.each, counts.each, strict=True)
    done = {rule.rounded for rule, item in both if certifies_violation(request, item, rule.method)}
    return done == {rule.rounded for rule in plan.each}


def _workers(session: Session, plan: experiment.Plan) -> tuple[int, str]:
    """Return how many processes may draw, and why it is one where more were asked for."""
    request = session.request
    jobs = min(request.jobs, plan.blocks)
    if request.timing or (jobs == 1 and request.executor is None):
        return 1, ""
    if not can_isolate():
        return 1, "drawn in one process: this one cannot start others"
    target, seed = request.target, request.seed
    if request.executor is None and (why := unsendable(target, plan)):
        return 1, f"drawn in one process: {why}"
    where = (plan.book, seed, plan.pair, session.held, session.watch)
    why = workers_share_noise(target, plan.d, *where)
    if why:
        return 1, f"drawn in one process: worker processes may share their noise ({why})"
    return jobs, ""


def pair_result(
    request: Request,
    plan: experiment.Plan,
    checkpoints: tuple[Counts, ...],
    cut: NoAnswerError | None,
    shown: tuple[tuple[str, ...], tuple[str, ...]],
    explored: int,
    kept: int = 0,
) -> PairResult:
    """Return what the counts at the checkpoints, those of all trials last, say under a plan.

    cut: what ended the draws too early, if anything did. shown: examples of outputs, and explored:
    how many were drawn to plan; kept: how many of these were kept whole, where not all were.
    """
    counts = replace(checkpoints[-1], unread="")
    method = plan.method if counts.trials == plan.trials else plan.early
    lower, curve = epsilon_lower(counts, method), request.curve
    claimed = request.epsilon if method.epsilon is None else method.epsilon
    otherwise = Verdict.NO_VIOLATION if cut is None else Verdict.UNKNOWN
    named = plan.book.named()
    guess_d, guess_d_prime = map(named, plan.rule.words())
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
        method=method,
        planned_trials=plan.trials,
        explored_trials=explored,
        counts=counts,
        epsilon_lower=lower,
        detectable_epsilon=detectable_epsilon(counts, method, claimed),
        effects=effect_sizes(counts, request.confidence),
        verdict=Verdict.VIOLATION if certifies_violation(request, counts, method) else otherwise,
        checkpoints=tuple(Counts(*checkpoint.six) for checkpoint in checkpoints),
        event_kinds=tuple(
            replace(kind, of=tuple(map(named, kind.of)))
            for kind in plan.rule.event_kinds
            if not kind.failed
        ),
        rounded=plan.rounded,
        cause=replace(plan.cause, words=named(plan.cause.words)),
        kept_trials=kept,
        parameter_lower=None if curve is None else parameter_lower(counts, method, curve),
    )


def certifies_violation(request: Request, counts: Counts, method: BoundMethod) -> bool:
    """Return whether the counts certify a violation of the claim."""
    if request.curve is None:
        return epsilon_lower(counts, method) > request.epsilon
    return parameter_lower(counts, method, request.curve) > request.curve.parameter
