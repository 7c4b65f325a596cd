"""The certifying draws of one plan, and the result of the pair: what its plan and counts show.

All blocks are drawn, unless time or a certified violation ends them.
"""

import math
import time
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from provado.audit.bounds import BoundMethod, epsilon_lower, parameter_lower
from provado.audit.bounds.counts import Counts, effect_sizes
from provado.audit.bounds.method import detectable_epsilon
from provado.audit.checks.independence import improbable_table, workers_share_noise
from provado.audit.options.request import Request
from provado.audit.result import PairResult, Witness
from provado.audit.target.output_encoding import BrokenMechanismError
from provado.audit.trials.executor import BlockRequest, count_on
from provado.audit.trials.experiment import CutBlockError, count_blocks
from provado.audit.trials.plan import Plan, is_checkpoint
from provado.audit.workers import can_isolate, unsendable
from provado.audit.workers.time_limits import NoAnswerError
from provado.mechanisms import Verdict
from provado.mechanisms.definitions.relation import difference_words, short

from .explore import Clock
from .session import Session

OVERTIME = 1.1
"""Of the time for a pair, when it ends though not all its trials are made."""


@dataclass(frozen=True)
class Drawn:
    """What the certifying draws gave.

    checkpoints: the counts so far, those of all trials last; none where none was made. cut: what
    ended the draws before the last trial. note: how they were made, if it needs saying.
    """

    checkpoints: tuple[Counts, ...]
    cut: NoAnswerError | None
    note: str


def _time_left(clock: Clock) -> float:
    """Return how long the certifying draws may take, even where all else took the time."""
    return max(clock.left(OVERTIME), 0.1 * clock.seconds, 0.5)


def certify(session: Session, plan: Plan) -> Drawn:
    """Draw all blocks; stop early only with a bound that allows it, or where time is over.

    Raises ``BrokenMechanismError`` where the mechanism breaks or its blocks differ beyond chance.
    """
    request, watch, kept = session.request, session.watch, session.kept.blocks()
    jobs, note = _workers(session, plan)
    halves, checkpoints, tables = [Counts(), Counts()], list[Counts](), list[Counts]()
    cut: NoAnswerError | None = None
    hand = None
    if request.executor is not None and not note and not request.timing:
        asked = BlockRequest(request.target, plan, request.seed)
        hand = partial(count_on, request.executor, asked, watch=watch, kept=kept)
    how = (jobs, session.held, watch, kept, hand)
    blocks = count_blocks(request.target, plan, request.seed, *how)
    since = time.monotonic()
    with watch.within(math.inf if session.clock is None else _time_left(session.clock)):
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
                tables.append(block[-1])
                so_far = reached[-1]
                bound = partial(_bound, so_far, plan)
                request.tell("certify", so_far.trials, plan.trials, bound, since)
                ended = plan.until is not None and so_far.trials >= plan.until
                if ended or (request.anytime and _all_refuted(request, so_far, plan)):
                    cut = None
                    break
            if cut is not None:
                break
        blocks.close()
    # Run times of one block are alike, whatever the mechanism does.
    parts = (
        ("the second half of the trials than in the first", halves),
        ("some blocks of trials than in others", tables),
    )
    each = (
        (what, rule)
        for what, part in parts
        for rule in zip(*(one.each for one in part), strict=False)
    )
    for what, rule in () if request.timing else each:
        table = [counts.six for counts in rule]
        if improbable_table(np.array(table)):
            raise BrokenMechanismError(
                f"gave other answers in {what}: "
                "its calls are not independent draws from one distribution"
            )
    if cut is not None and cut.spent:
        cut = None
    total = halves[0] + halves[1]
    if not total.trials:
        return Drawn((), cut or NoAnswerError("no trial was made in the time given"), note)
    reached = [*(counts for counts in checkpoints if counts != total), total]
    return Drawn(tuple(reached), cut, note)


def _bound(counts: Counts, plan: Plan) -> float:
    """Return the largest ε that the rules of a plan certify so far."""
    both = zip(plan.each, counts.each, strict=True)
    return max(epsilon_lower(one, rule.early) for rule, one in both)


def _all_refuted(request: Request, counts: Counts, plan: Plan) -> bool:
    """Return whether a violation is certified, also without low-order bits where that is asked."""
    both = zip(plan.each, counts.each, strict=True)
    done = {rule.rounded for rule, one in both if certifies_violation(request, one, rule.method)}
    return done == {rule.rounded for rule in plan.each}


def _workers(session: Session, plan: Plan) -> tuple[int, str]:
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
    plan: Plan,
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
        checkpoints=tuple(Counts(*one.six) for one in checkpoints),
        event_kinds=tuple(
            replace(one, of=tuple(map(named, one.of)))
            for one in plan.rule.event_kinds
            if not one.failed
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
