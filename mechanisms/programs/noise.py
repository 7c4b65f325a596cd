"""The noise, the output and the maximum that programs call, each only while a program runs."""

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any

import numpy as np
from numpy.random import Generator

from provado.mechanisms.definitions.parameters import UsageError, natural, positive

from .batch import Batch, BatchRun

RUN: ContextVar[BatchRun | None] = ContextVar("the program's run", default=None)


def _run(name: str) -> BatchRun:
    run = RUN.get()
    if run is None:
        raise UsageError(
            f"{name}() is called outside of a run: draw with program(f)(data, rng=generator)"
        )
    return run


def _draw(name: str, many: Callable[[Generator, int], Any]) -> Batch:
    return _run(name).draw(many)


def laplace(scale: float) -> Any:
    """Return a draw of density e^(−|x|/scale)/(2·scale); ``scale`` > 0, in units of the answers."""
    b = positive(scale, "laplace: scale")
    return _draw("laplace", lambda rng, size: rng.laplace(scale=b, size=size))


def exponential(scale: float) -> Any:
    """Return a draw x ≥ 0 of density e^(−x/scale)/scale; ``scale`` > 0."""
    b = positive(scale, "exponential: scale")
    return _draw("exponential", lambda rng, size: rng.exponential(b, size=size))


def gaussian(scale: float) -> Any:
    """Return a draw of N(0, scale²); ``scale`` > 0. No pure ε holds for it."""
    b = positive(scale, "gaussian: scale")
    return _draw("gaussian", lambda rng, size: rng.normal(scale=b, size=size))


def discrete_laplace(scale: float) -> Any:
    """Return a whole number k drawn with probability proportional to e^(−|k|/scale); scale > 0."""
    b = positive(scale, "discrete_laplace: scale")
    stop = -np.expm1(-1 / b)

    def difference(rng: Generator, size: int) -> Any:
        # The difference of two geometric numbers.
        return rng.geometric(stop, size=size) - rng.geometric(stop, size=size)

    return _draw("discrete_laplace", difference)


def bernoulli(p: float) -> Any:
    """Return True with probability ``p`` in [0, 1], else False."""
    chance = float(p)
    if not 0 <= chance <= 1:
        raise UsageError(f"bernoulli: p is {p!r}: it must lie in [0, 1]")
    return _draw("bernoulli", lambda rng, size: rng.random(size) < chance)


def integers(count: int) -> Any:
    """Return a whole number from 0 to ``count`` − 1, each as likely; ``count`` ≥ 1."""
    most = natural(count, "integers: count")
    return _draw("integers", lambda rng, size: rng.integers(most, size=size))


def output(value: Any) -> None:
    """Release ``value``: outputs of a run are released in order, and nothing else of it is.

    Equal numbers are told alike: True as 1, 2.0 as 2.

    A number that is not whole is told rounded to ``noise.FINE_GRID``, as its lowest bits,
    which floating point makes from the answers, would tell more than any ε. What is proved of the
    number holds for the rounded one.
    """
    _run("output").outputs.append(value)


def argmax(values: Iterable[Any]) -> int:
    """Return the position of the largest value, from 0; of equal ones the first."""
    best = -1
    largest: Any = None
    for i, value in enumerate(values):
        if i == 0 or value > largest:
            best, largest = i, value
    if best < 0:
        raise UsageError("argmax: there is no value")
    return best
