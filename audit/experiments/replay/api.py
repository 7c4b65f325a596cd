"""``replay``: the real program twice, under the same noise, with one data point changed.

Both runs are made with the same seeds, recorded, in a process of their own.
"""

import contextlib
import copy
import functools
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from itertools import islice
from multiprocessing.connection import wait
from types import FunctionType
from typing import Any

import numpy as np

from provado.audit.experiments.replay import result
from provado.audit.experiments.replay.compare import RecordedRun, judge
from provado.audit.experiments.replay.record.libraries import LIBRARIES
from provado.audit.experiments.replay.record.patch import ReachableState, recording
from provado.audit.experiments.replay.record.recording import Own, Tape, Trace, files_of
from provado.audit.experiments.replay.released_forms import is_followed
from provado.audit.options import request
from provado.audit.options.declaration import TIME_LIMIT
from provado.audit.options.domains import MOST_SEED
from provado.audit.search.request import read_question
from provado.audit.target.call import RAISES, Target
from provado.audit.target.exceptions import Raised
from provado.audit.target.flatten import MOST_TAKEN
from provado.audit.target.output_encoding import BrokenMechanismError
from provado.audit.target.random_state import seeding
from provado.audit.workers import Child, Send, runs_in_subprocess
from provado.mechanisms import (
    ExactlyDecidable,
    Mechanism,
    NeighboringRelation,
    PrivacyPromise,
    UsageError,
)
from provado.mechanisms.adapters.interpreter import OtherInterpreter
from provado.mechanisms.adapters.plugins import adapts, as_mechanism
from provado.mechanisms.definitions.relation import difference_words

MOST_PAIRS = 6
"""Pairs that are replayed where neighbors are made of data."""


def replay(
    mechanism: Any,
    *,
    epsilon: float | Fraction | None = None,
    delta: float | Fraction | None = None,
    promise: PrivacyPromise | None = None,
    pair: Any = None,
    data: Any = None,
    domain: Any = None,
    values: Sequence[Any] | None = None,
    relation: NeighboringRelation | str | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    isolate: bool = True,
    name: str | None = None,
    command: str = "",
) -> result.Replay:
    """Run a mechanism under do(D_i = d) and do(D_i = d′) with the same noise, and compare the runs.

    A counterfactual: what would this very run have done with another data point? The second run's
    noise primitives give what they gave in the first: of ``x + noise`` the sum is frozen, so that
    all that follows depends on the data only by ways that have no noise.

    mechanism, epsilon, delta, promise, pair, relation, name: as in ``provado.audit.audit``. Without
        a claim no costs are compared.
    data, domain, values: instead of ``pair``, one dataset: the first six neighbors that the search
        of ``provado.audit.audit`` would try are replayed.
    seed: of the generators, those of the first run.
    time_limit: seconds for both runs of a pair, an hour if not given.
    isolate: run it in another process; in this one otherwise, as where it cannot be sent to one.
    command: how a finding's audit is typed.

    Seen are the methods of numpy's generators, old and new, and of ``random``; OpenDP's
    measurements, diffprivlib's mechanisms, PyDP's algorithms; and functions that ``noise`` marks.
    Sums, scaled values, selections, comparisons and conversions of noisy numbers are followed,
    cell by cell, whatever numpy or Python does them. What is not is in ``notes``; then the cost is
    NaN, and the replay is not ``completed`` unless something is found.

    Returns a ``Replay`` with findings, no verdicts: each names a line and an event that an audit of
    the pair can look at, which its ``audit()`` does. A mechanism that raises, hangs or ends its
    process is an answer.

    Raises ``UsageError`` where an argument breaks a rule.

    Source: Re:cord-play (arXiv 2602.17454): recorded noise, changed data, compared control flow and
    inputs of noise; Tschantz, Sen, Datta, Differential Privacy as a Causal Property (2022), for
    the interventions.
    """
    relation = request.checked_relation(relation)
    if isinstance(mechanism, ExactlyDecidable):
        raise UsageError("mechanism is a table of exact probabilities: it runs no code to replay")
    if isinstance(mechanism, OtherInterpreter):
        raise UsageError("mechanism runs in another interpreter: its code cannot be followed here")
    pair = _pairs(mechanism, pair, data, domain, values, relation)
    if ((epsilon is None and promise is None) or not callable(mechanism)) and adapts(mechanism):
        mechanism = as_mechanism(
            mechanism, pairs=request.listed_pairs(pair), relation=relation, name=name
        )
    statement = mechanism if isinstance(mechanism, Mechanism) else None
    claim = request.PrivacyClaim.of(statement, epsilon, delta, promise)
    if claim.epsilon is None and delta is not None:
        raise UsageError("delta is given without epsilon: a claim needs both")
    call = mechanism if statement is None else statement.run
    relation = relation or (statement.relation if statement else None)
    pairs = request.listed_pairs(pair)
    if relation is not None:
        for d, d_prime in pairs:
            relation.check(d, d_prime)
    target = Target.of(call, name or (statement.name if statement else None)).catching(single=True)
    limit = TIME_LIMIT if time_limit is None else request.time_to_spend("time_limit", time_limit)
    seed = request.whole_number("seed", seed, 0, MOST_SEED)
    found = []
    for item in pairs:
        work = functools.partial(replayed, target, item, claim, seed)
        apart, notes = runs_in_subprocess(isolate, work)
        done = isolated(work, limit) if apart else work(lambda _: None)
        curve = claim.curve
        stated = (None if curve else claim.epsilon), (None if curve else claim.delta or None)
        replayed_claim = result.ReplayedClaim(mechanism, item, *stated, curve, relation, command)
        done = replace(
            done,
            difference=difference_words(*item),
            notes=(*notes, *done.notes),
            findings=tuple(replace(finding, claim=replayed_claim) for finding in done.findings),
        )
        found.append(done)
    return result.Replay(
        name=target.name,
        epsilon=claim.epsilon,
        delta=None if claim.epsilon is None else claim.delta,
        promise=claim.words() if claim.promise is None else claim.promise.words(),
        relation=relation.words() if relation else "",
        seed=seed,
        pairs=tuple(found),
    )


def _pairs(
    mechanism: Any,
    pair: Any,
    data: Any,
    domain: Any,
    values: Sequence[Any] | None,
    relation: NeighboringRelation | None,
) -> Any:
    if data is not None:
        if pair is not None:
            raise UsageError("pair and data: neighbors are given or made of data; give one")
        if relation is None and isinstance(mechanism, Mechanism):
            relation = mechanism.relation
        question = read_question(data, relation, domain=domain, values=values, runs=MOST_PAIRS)
        return [question.pair(candidate) for candidate in question.candidates[:MOST_PAIRS]]
    if domain is not None or values is not None:
        raise UsageError("domain or values is given without data: they say what may stand in it")
    if pair is None and isinstance(mechanism, Mechanism):
        return list(mechanism.pairs)
    return pair


_NEAR, _FAR = 3.0, 1e12
"""What noise is multiplied by to lie to one side of all data."""


def isolated(work: Callable[[Send], result.PairReplay], limit: float) -> result.PairReplay:
    """Return what the work returns in another process, or why it returned nothing."""
    child: Child[result.PairReplay] = Child(work)
    stage: Any = "D"
    end = time.monotonic() + child.begins + limit
    try:
        while True:
            ready = wait(child.handles, timeout=min(max(end - time.monotonic(), 0), 3600.0))
            if not ready:
                return _ended(stage, f"no answer within {limit:g} s", result.FindingKind.HANG)
            kind, message = child.receive()
            if kind == "began":
                end = time.monotonic() + limit
            elif kind == "sent":
                stage = message
            elif kind == "value":
                value: result.PairReplay = message
                return value
            elif kind == "usage":
                raise UsageError(message)
            elif kind == "raised":
                return result.PairReplay("", reason=f"the replay itself failed: {message}")
            else:
                return _ended(stage, message, result.FindingKind.EXCEPTION)
    finally:
        child.end()


def _ended(stage: Any, words: str, kind: result.FindingKind) -> result.PairReplay:
    """Return what is known where a run did not come back: under D′ alone, that is a finding."""
    if isinstance(stage, result.PairReplay):
        reason = f"under other noise: {words}"
        return stage if stage.findings else replace(stage, epsilon=math.nan, reason=reason)
    if stage == "D":
        return result.PairReplay("", reason=f"under D: {words}")
    sentence = f"under D it answers; under D′: {words}"
    return result.PairReplay(
        "", (result.Finding(kind, sentence, event="that it does not answer"),), epsilon=math.inf
    )


def replayed(
    target: Target, pair: tuple[Any, Any], claim: request.PrivacyClaim, seed: int, send: Send
) -> result.PairReplay:
    """Return what both runs of a pair gave, in this process; ``send`` is called after each run.

    The first is made once more under another seed: noise that stays the same hides nothing, and a
    seed that changes is drawn. Where code that is not followed made a part of the output, both are
    run again under noise that lies far to either side of all data: what of the data gets past the
    noise shows there.
    """
    places = ReachableState.of(target.call)
    if _import_libraries(places):
        places = ReachableState.of(target.call)
    own = Own(files_of(target.call))
    runs: list[RecordedRun] = []
    # Of one table of lines, so that both are compared by numbers.
    numbers: dict[Any, int] = {}
    for data in pair:
        before = runs[0].tape if runs else None
        try:
            runs.append(_run(target, data, seed, own, places, before, numbers))
        except BrokenMechanismError as error:
            words = str(error)
            return _ended("D′" if runs else "D", words, result.FindingKind.EXCEPTION)
        send("D′")
    for name, data, run in zip(("D", "D′"), pair, runs, strict=True):
        if isinstance(run.output, Raised) and not _raises(target, data, seed, places):
            return result.PairReplay(
                "", reason=f"under {name}, where it is followed, it {run.output.words()}"
            )
    pair_replay = judge(runs[0], runs[1], claim)
    followed = is_followed(runs[0].output, runs[1].output)
    if pair_replay.reason:
        return pair_replay
    send(pair_replay)
    reseeded = None
    with contextlib.suppress(BrokenMechanismError):
        run = _run(target, pair[0], seed ^ 1, own, places, None, numbers, salt=1)
        reseeded = None if isinstance(run.output, Raised) else run
    pair_replay = judge(runs[0], runs[1], claim, reseeded=reseeded)
    if pair_replay.findings and followed:
        return pair_replay

    def again(far: float) -> RecordedRun | None:
        # Where noise of one sign makes it raise, such as a logarithm, that of the other may not.
        for item in (far, -far):
            with contextlib.suppress(BrokenMechanismError):
                run = _run(target, pair[0], seed, own, places, runs[0].tape, numbers, item, True)
                if not isinstance(run.output, Raised):
                    return run
        return None

    repeated = [again(_NEAR)]
    if followed:
        return judge(runs[0], runs[1], claim, (), repeated, reseeded)
    repeated.append(again(_FAR))
    others = list[tuple[RecordedRun, RecordedRun]]()
    for far in (_FAR, -_FAR):
        with contextlib.suppress(BrokenMechanismError):
            recorded_run = _run(target, pair[0], seed, own, places, None, numbers, far)
            others.append(
                (
                    recorded_run,
                    _run(target, pair[1], seed, own, places, recorded_run.tape, numbers, far),
                )
            )
    return judge(runs[0], runs[1], claim, others, repeated, reseeded)


def _run(
    target: Target,
    data: Any,
    seed: int,
    own: Own,
    places: ReachableState,
    before: Tape | None,
    numbers: dict[Any, int],
    far: float = 0.0,
    again: bool = False,
    salt: int = 0,
) -> RecordedRun:
    trace, data = Trace(own, numbers), copy.deepcopy(data)
    # The same state of every generator, whatever the first run left behind.
    with seeding(places.generators) as seed_held:
        seed_held(np.random.default_rng(seed))
        tape = Tape(own, before, far, again, salt)
        tape.trace = trace.length
        with recording(tape, places) as (recorders, unseen):
            rng = recorders.generator(np.random.PCG64(seed))
            started = time.monotonic()
            with trace.on():
                output = _answer(target, data, rng)
            seconds = time.monotonic() - started
        tape.ran = tape.number_of_steps
    return RecordedRun(output, tape, trace, tuple(unseen), seconds)


class Given(list[Any]):
    """What an iterator gave, one after the other."""

    __qualname__ = "iterator"


def _answer(target: Target, data: Any, rng: np.random.Generator) -> Any:
    """Return the output of one run; what a generator, or another iterator of Python's, gives."""
    (output,) = target.draw_each([data], rng)
    if not isinstance(output, Iterator) or type(output).__module__ not in ("builtins", "itertools"):
        return output
    try:
        given = Given(islice(output, MOST_TAKEN))
    except RAISES as error:
        return Raised.of(error)
    return output if len(given) == MOST_TAKEN else given


def _raises(target: Target, data: Any, seed: int, places: ReachableState) -> bool:
    """Return whether a program raises where nothing of it is recorded, too."""
    with seeding(places.generators) as seed_held:
        seed_held(np.random.default_rng(seed))
        rng = np.random.Generator(np.random.PCG64(seed))
        return isinstance(_answer(target, copy.deepcopy(data), rng), Raised)


def _import_libraries(places: ReachableState) -> bool:
    """Import the libraries that a mechanism names: what it imports later is not recorded.

    Returns whether any was.
    """
    names = set[str]()
    for item in places.reached:
        if isinstance(item, FunctionType):
            names.update(name.partition(".")[0] for name in item.__code__.co_names)
    known = set(sys.modules)
    for library, module in LIBRARIES.items():
        if library in names or library in sys.modules:
            # A library may be broken, or not there: then the run itself will say so.
            with contextlib.suppress(Exception):
                import_module(module)
    return not known.issuperset(LIBRARIES.values()) and set(sys.modules) != known
