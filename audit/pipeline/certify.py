"""The certifying draws of one plan: all blocks, unless time or a certain violation ends them."""

import math
import time
from dataclasses import dataclass
from functools import partial

import numpy as np

from provado.audit.bounds import epsilon_lower
from provado.audit.bounds.counts import Counts
from provado.audit.checks.independence import improbable_table, workers_share_noise
from provado.audit.options.request import Request
from provado.audit.target.output_encoding import BrokenMechanismError
from provado.audit.trials.executor import BlockRequest, count_on
from provado.audit.trials.experiment import CutBlockError, count_blocks
from provado.audit.trials.plan import Plan, is_checkpoint
from provado.audit.workers import can_isolate, unsendable
from provado.audit.workers.time_limits import NoAnswerError

from .explore import Clock
from .session import Session
from .verdict import certifies_violation

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
                if ended or (request.stop_early and _all_refuted(request, so_far, plan)):
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
    """Tell whether a violation is certified, also apart from low-order bits where that is asked."""
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
