"""The two runs of a pair: under the same seeds, recorded, in a process of their own."""

from __future__ import annotations

import contextlib
import copy
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from multiprocessing.connection import wait
from types import FunctionType
from typing import Any

import numpy as np

from provado.audit.target.call import Target
from provado.audit.target.exceptions import Raised
from provado.audit.target.output_encoding import BrokenMechanismError
from provado.audit.target.random_state import seeding
from provado.audit.workers import Child, Send
from provado.mechanisms import UsageError

from .claim import Claim
from .compare import Run, judge
from .libraries import LIBRARIES
from .patch import Places, recording
from .recording import Tape
from .released_forms import is_followed
from .result import Finding, FindingKind, PairReplay
from .source_location import Own, files_of
from .trace import Trace

_NEAR, _FAR = 3.0, 1e12
"""What noise is multiplied by to lie to one side of all data."""


def isolated(work: Callable[[Send], PairReplay], limit: float) -> PairReplay:
    """Return what the work returns in another process, or why it returned nothing."""
    child: Child[PairReplay] = Child(work)
    stage: Any = "D"
    end = time.monotonic() + child.begins + limit
    try:
        while True:
            ready = wait(child.handles, timeout=min(max(end - time.monotonic(), 0), 3600.0))
            if not ready:
                return _ended(stage, f"no answer within {limit:g} s", FindingKind.HANG)
            kind, message = child.receive()
            if kind == "began":
                end = time.monotonic() + limit
            elif kind == "sent":
                stage = message
            elif kind == "value":
                value: PairReplay = message
                return value
            elif kind == "usage":
                raise UsageError(message)
            elif kind == "raised":
                return PairReplay("", reason=f"the replay itself failed: {message}")
            else:
                return _ended(stage, message, FindingKind.EXCEPTION)
    finally:
        child.end()


def _ended(stage: Any, words: str, kind: FindingKind) -> PairReplay:
    """Return what is known where a run did not come back: under D′ alone, that is a finding."""
    if isinstance(stage, PairReplay):
        reason = f"under other noise: {words}"
        return stage if stage.findings else replace(stage, reason=reason)
    if stage == "D":
        return PairReplay("", reason=f"under D: {words}")
    said = f"under D it answers; under D′: {words}"
    return PairReplay("", (Finding(kind, said, event="that it does not answer"),))


def replayed(
    target: Target, pair: tuple[Any, Any], claim: Claim, seed: int, send: Send
) -> PairReplay:
    """Return what both runs of a pair come to, in this process; ``send`` tells when one is over.

    Where code that is not followed made a part of the output, both are run again under noise that
    lies far to either side of all data: what of the data gets past the noise shows there.
    """
    places = Places.of(target.call)
    if _import_libraries(places):
        places = Places.of(target.call)
    own = Own(files_of(target.call))
    runs: list[Run] = []
    # Of one table of lines, so that both are compared by numbers.
    numbers: dict[Any, int] = {}
    for data in pair:
        before = runs[0].tape if runs else None
        try:
            runs.append(_run(target, data, seed, own, places, before, numbers))
        except BrokenMechanismError as error:
            words = str(error)
            return _ended("D′" if runs else "D", words, FindingKind.EXCEPTION)
        send("D′")
    found = judge(runs[0], runs[1], claim)
    followed = is_followed(runs[0].output, runs[1].output)
    if found.reason or (found.findings and followed):
        return found
    send(found)

    def again(far: float) -> Run | None:
        # Where noise of one sign makes it raise, such as a logarithm, that of the other may not.
        for one in (far, -far):
            with contextlib.suppress(BrokenMechanismError):
                run = _run(target, pair[0], seed, own, places, runs[0].tape, numbers, one, True)
                if not isinstance(run.output, Raised):
                    return run
        return None

    repeated = [again(_NEAR)]
    if followed:
        return judge(runs[0], runs[1], claim, (), repeated)
    repeated.append(again(_FAR))
    others = list[tuple[Run, Run]]()
    for far in (_FAR, -_FAR):
        with contextlib.suppress(BrokenMechanismError):
            one = _run(target, pair[0], seed, own, places, None, numbers, far)
            others.append((one, _run(target, pair[1], seed, own, places, one.tape, numbers, far)))
    return judge(runs[0], runs[1], claim, others, repeated)


def _run(
    target: Target,
    data: Any,
    seed: int,
    own: Own,
    places: Places,
    before: Tape | None,
    numbers: dict[Any, int],
    far: float = 0.0,
    again: bool = False,
) -> Run:
    trace, data = Trace(own, numbers), copy.deepcopy(data)
    # The same state of every generator, whatever the first run left behind.
    with seeding(places.generators) as seed_held:
        seed_held(np.random.default_rng(seed))
        tape = Tape(own, before, far, again)
        tape.trace = trace.length
        with recording(tape, places) as (recorders, unseen):
            rng = recorders.generator(np.random.PCG64(seed))
            started = time.monotonic()
            with trace.on():
                (output,) = target.draw_each([data], rng)
            seconds = time.monotonic() - started
        tape.ran = tape.number_of_steps
    return Run(output, tape, trace, tuple(unseen), seconds)


def _import_libraries(places: Places) -> bool:
    """Import the libraries that a mechanism names: what it imports later is not recorded.

    Returns whether any was.
    """
    names = set[str]()
    for one in places.reached:
        if isinstance(one, FunctionType):
            names.update(name.partition(".")[0] for name in one.__code__.co_names)
    known = set(sys.modules)
    for library, module in LIBRARIES.items():
        if library in names or library in sys.modules:
            # A library may be broken, or not there: then the run itself will say so.
            with contextlib.suppress(Exception):
                import_module(module)
    return not known.issuperset(LIBRARIES.values()) and set(sys.modules) != known
