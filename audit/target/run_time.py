"""Run time as one more part of an output: what an observer with a clock sees."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from .call import Target

NOTE = (
    "run time was a part of the output: it depends on all else that the machine does, so that a "
    "violation in it may be of this machine alone, and none here may be one elsewhere; whether "
    "runs depend on each other was not checked"
)


class Timed:
    """A mechanism whose output is what it answers and the seconds that it took, run by run.

    The coin of each trial is tossed anew, so that a machine that grows slower tells nothing: given
    all that came before, a guess is right as often as the claim allows, and no more.
    """

    def __init__(self, target: Target) -> None:
        self._target = target.catching(single=True) if target.batched else target

    def __call__(self, data: Any, rng: np.random.Generator) -> dict[str, Any]:
        """Answer once."""
        call = self._target.once(rng)
        started = time.perf_counter_ns()
        answer = call(data)
        ended = time.perf_counter_ns()
        return {"output": self._target.as_read(answer), "seconds": (ended - started) / 1e9}


def timed(target: Target) -> Target:
    """Return a mechanism, called one by one, with its run time in its output."""
    return Target(call=Timed(target), name=target.name, batched=False, takes_rng=True)
