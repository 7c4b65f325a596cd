"""All pairs of one audit, in this process or in one of their own, however that ends."""

import contextlib
import importlib
import math
import multiprocessing
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any

from provado.audit.checks.state import FreshProcesses, Order, answer_order, fresh_processes
from provado.audit.options.request import Request
from provado.audit.result import PairResult
from provado.audit.search.request import SearchRecord
from provado.audit.target.exceptions import own_error
from provado.audit.target.output_encoding import BrokenMechanismError
from provado.audit.target.random_state import GeneratorSet
from provado.audit.trials.checkpoint import CheckpointEntry
from provado.audit.workers import GRACE, Child, Send
from provado.audit.workers.progress import Progress, ProgressReporter
from provado.audit.workers.time_limits import NoAnswerError, watched
from provado.mechanisms import UsageError, Verdict
from provado.mechanisms.definitions.relation import counted

from .one_pair import run_pair, search_pair

HEAVY = ("sklearn.ensemble",)
"""What an audit may import on its way. Another process would do so again and again, each time."""


BLAMED = "the mechanism "
"""How the reason of an audit begins that its mechanism ended."""

RESUMED = "resumed from its journal: drawn in more than one run"
CONSTANT = "under D and under D′: check that the mechanism computes on these data what it should"
OF_TIME = "; the first of them planned from its speed, and the time given is that of all together"


@dataclass(frozen=True)
class AuditOutcome:
    """What was found of the pairs.

    reason: why not all of them were completed; empty where they were. notes: how the draws were
    made, where that needs saying. interrupted: the user ended it. search: what was tried before
    the pair was chosen. limitations: what a reader must know first.
    """

    pairs: tuple[PairResult, ...] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()
    interrupted: bool = False
    search: SearchRecord | None = None
    limitations: tuple[str, ...] = ()


def run_pairs(
    request: Request,
    held: GeneratorSet,
    done: Callable[[PairResult], None] = lambda _: None,
    fresh: FreshProcesses | None = None,
) -> AuditOutcome:
    """Run the pairs one after another in this process; call ``done`` with each result.

    held: the generators there were when the audit began. fresh: where fresh processes can be had,
    unless one is to be started from here.
    """
    pairs, notes = list[PairResult](), dict[str, None]()
    reason, interrupted, searched, doing = "", False, None, "while exploring"
    unread, limitations = "", dict[str, None]()
    try:
        with (
            watched(request.time_limit, request.block_limit, request.seconds) as watch,
            _fresh(request, held, fresh) as copies,
        ):
            if request.question is not None:
                doing = "while looking for the worst neighbors"
                request, searched, unread = search_pair(request, held, watch, copies)
                assert request.question is not None
                copies.found = request.question.candidates[0]
                doing = "while exploring"
            for index in range(len(request.pairs)):
                ran = run_pair(request, index, held, watch, copies)
                for pair in ran.results:
                    pairs.append(pair)
                    done(pair)
                if ran.constant:
                    where = f" on pair {index + 1}" if len(request.pairs) > 1 else ""
                    limitations[f"Every output was {ran.constant}{where}, {CONSTANT}."] = None
                if ran.note:
                    notes[ran.note] = None
                limitations |= dict.fromkeys(ran.limitations)
                if ran.no_pass:
                    reason = reason or f"{BLAMED}{ran.no_pass}"
                if ran.cut is not None:
                    reason, interrupted = _cut(ran.cut, ran.results), ran.cut.interrupted
                    break
            violated = any(pair.verdict is Verdict.VIOLATION for pair in pairs)
            if violated and searched is not None and searched.other_size:
                notes[_other_size(request)] = None
            if searched is not None and searched.unfinished and not violated:
                reason = reason or searched.unfinished
    except BrokenMechanismError as error:
        reason, interrupted = f"{BLAMED}{error}", watch.interrupted
    except NoAnswerError as error:
        reason, interrupted = error.reason, error.interrupted
        if interrupted:
            reason += f" {doing}" + ("" if pairs else ": nothing was certified yet")
    except MemoryError:
        reason = "out of memory while drawing or learning the rule"
    except UsageError:
        raise
    except Exception as error:
        # What a listener of the user raises is the user's.
        codes = {frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)}
        if ProgressReporter.pass_on.__code__ in codes:
            raise
        reason = own_error(error)
    if unread and not any(pair.verdict is Verdict.VIOLATION for pair in pairs):
        reason = reason or f"{BLAMED}{unread}"
    if request.checkpoint.known:
        notes[RESUMED + (OF_TIME if request.seconds is not None else "")] = None
    sentences = tuple(limitations)
    return AuditOutcome(tuple(pairs), reason, tuple(notes), interrupted, searched, sentences)


def _other_size(request: Request) -> str:
    assert request.question is not None
    pair, data = len(request.question.candidates[0].d), len(request.question.records)
    return (
        f"the datasets of the worst pair have size {pair}, your data have size {data}: where the "
        "number of records is fixed, --fixed-size (fixed_size=True) tries only pairs of that size"
    )


def _fresh(
    request: Request, held: GeneratorSet, known: FreshProcesses | None
) -> contextlib.AbstractContextManager[FreshProcesses]:
    if known is not None:
        return contextlib.nullcontext(known)
    return fresh_processes(request.target, request.question or request.pairs, request.seed, held)


def isolated(request: Request, held: GeneratorSet) -> AuditOutcome:
    """Run the pairs in another process; what ends it is a reason like any other.

    The pairs that were completed before are kept. On an interrupt the process has some seconds to
    say what it has so far. In this process the mechanism is never called: where the other asks for
    fresh processes, they are started from here.
    """
    line, other = multiprocessing.Pipe()
    child = Child(partial(_in_child, request, held, other))
    other.close()
    children: list[Child[Any]] = [child]
    pairs = list[PairResult]()
    # The process keeps the limit itself, unless compiled code lets no signal through.
    limit = request.time_limit + GRACE
    end = time.monotonic() + child.begins + limit
    interrupted, asking = False, [line]
    try:
        while True:
            try:
                left = min(end - time.monotonic(), 1.0)
                ready = wait([*asking, *child.handles], timeout=max(left, 0))
                if line in ready:
                    if (order := _order(line)) is None:
                        asking = []
                    else:
                        children.append(_answering(request, held, line, order))
                    continue
                if not ready:
                    if time.monotonic() < end:
                        continue
                    reason = "interrupted" if interrupted else _hard(request)
                    return AuditOutcome(tuple(pairs), reason, interrupted=interrupted)
                kind, message = child.receive()
            except KeyboardInterrupt:
                if interrupted:
                    raise
                interrupted, end = True, time.monotonic() + GRACE
                child.ask_to_stop()
                continue
            if kind == "began":
                end = end if interrupted else time.monotonic() + limit
            elif kind == "sent" and isinstance(message, Progress):
                request.tell.pass_on(message)
            elif kind == "sent" and isinstance(message, CheckpointEntry):
                assert request.checkpoint.save is not None
                request.checkpoint.save(message)
            elif kind == "sent":
                pairs.append(message)
            elif kind == "value":
                found, imported = message
                for name in imported:
                    importlib.import_module(name)
                outcome: AuditOutcome = replace(found, pairs=tuple(pairs))
                return outcome
            else:
                whose = "the mechanism took its process down"
                reason = f"{whose if kind == 'ended' else 'the audit itself failed'}: {message}"
                return AuditOutcome(tuple(pairs), reason, interrupted=interrupted)
    finally:
        for one in children:
            one.end()
        line.close()


def _order(line: Connection) -> Order | None:
    """Return what the process of an audit asks for; ``None`` where it has ended."""
    with contextlib.suppress(EOFError, OSError):
        order: Order = line.recv()
        return order
    return None


def _answering(request: Request, held: GeneratorSet, line: Connection, order: Order) -> Child[None]:
    pairs = request.question or request.pairs
    asked = (request.target, pairs, request.seed, held, line, order)
    return Child(partial(answer_order, *asked))


def _in_child(
    request: Request, held: GeneratorSet, line: Connection, send: Send
) -> tuple[AuditOutcome, list[str]]:
    """Return all but the pairs, which were sent, and the heavy modules that it imported."""
    copies = FreshProcesses(line)
    request = replace(request, tell=request.tell.to(send), checkpoint=request.checkpoint.to(send))
    outcome = run_pairs(request, held, send, copies)
    return replace(outcome, pairs=()), [name for name in HEAVY if name in sys.modules]


def _cut(cut: NoAnswerError, pairs: Sequence[PairResult]) -> str:
    if not pairs:
        return cut.reason
    made, planned = pairs[-1].counts.trials, pairs[-1].planned_trials
    return f"{cut.reason}: {made:,} of {counted(planned, 'trial')} were made"


def _hard(request: Request) -> str:
    assert math.isfinite(request.time_limit)
    return f"no answer within {request.time_limit:g} s"
