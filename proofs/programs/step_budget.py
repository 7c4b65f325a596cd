"""How much a search may do: counted and not timed, so that a claim is decided alike everywhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

LOOK = 20
"""Steps of a look at an example of two runs."""
QUESTION = 200
"""Steps of a search for multipliers; a term of an exact probability is one step."""


class WorkIsOverError(Exception):
    """The steps that were allowed are done."""


@dataclass
class StepBudget:
    """How many steps may still be done."""

    left: int


_CURRENT: ContextVar[StepBudget | None] = ContextVar("work", default=None)


@contextmanager
def allowed(steps: int) -> Iterator[StepBudget]:
    """Allow no more steps inside."""
    work = StepBudget(steps)
    token = _CURRENT.set(work)
    try:
        yield work
    finally:
        _CURRENT.reset(token)


def spend(steps: int) -> None:
    """Count steps; raise ``WorkIsOverError`` where there are more than are allowed."""
    work = _CURRENT.get()
    if work is None:
        return
    work.left -= steps
    if work.left < 0:
        raise WorkIsOverError("the work that is allowed is done")
