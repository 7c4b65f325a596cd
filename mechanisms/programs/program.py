"""A plain Python function that calls our noise, as a mechanism that can be drawn from."""

import dis
import types
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from provado.mechanisms.definitions.parameters import UsageError, natural

from . import noise
from .batch import BatchRun, Outcome

PRIMITIVES = tuple(
    getattr(noise, name)
    for name in (
        *("laplace", "exponential", "gaussian", "discrete_laplace", "bernoulli"),
        "integers",
        *("output", "argmax"),
    )
)


class Program:
    """A function of the data, with its other parameters set; see ``mechanisms.programs``.

    Called with ``data`` and a generator ``rng`` it returns what one run told, as a tuple; with
    ``size`` a list of so many. What the function returns, unless it is ``None``, is told last, of a
    list or a generator each of its values. Numbers that are not whole are told rounded to
    ``noise.FINE_GRID``. The noise is floating-point; ``provado prove`` speaks of the same
    program in real numbers.
    """

    def __init__(self, function: Callable[..., Any], **parameters: Any) -> None:
        self.function, self.parameters = function, parameters
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        self.__module__, self.__qualname__ = function.__module__, function.__qualname__

    def __call__(
        self, data: Any, *, size: int | None = None, rng: Generator | None = None
    ) -> Outcome | list[Outcome]:
        """Return the outputs of ``size`` independent runs, or of one run without a size."""
        if rng is None:
            raise UsageError(f"{self.__name__}: give rng, a numpy.random.Generator")
        count = 1 if size is None else natural(size, "size")
        result: list[Outcome] = [()] * count
        passes = [BatchRun(rng, np.arange(count))]
        while passes:
            run = passes.pop()
            token = noise.RUN.set(run)
            try:
                last = self.function(data, **self.parameters)
                last = list(last) if isinstance(last, types.GeneratorType) else last
            finally:
                noise.RUN.reset(token)
            if last is not None:
                run.outputs += last if isinstance(last, list) else [last]
            trials, outcomes = run.outcomes()
            for trial, outcome in zip(trials.tolist(), outcomes, strict=True):
                result[trial] = outcome
            passes += run.parted
        return result[0] if size is None else result


def program(function: Callable[..., Any]) -> Program:
    """Return the function as a ``Program``; usable as a decorator."""
    return Program(function)


def is_program(found: Any) -> bool:
    """Return whether a plain function calls our noise or ``output`` by a name of its module."""
    if not isinstance(found, types.FunctionType):
        return False
    # Only names that are looked up by themselves: rng.laplace is no call of ours.
    steps = dis.get_instructions(found.__code__)
    names = {step.argval for step in steps if step.opname == "LOAD_GLOBAL"}
    known = [found.__globals__.get(name) for name in names]
    return any(value is primitive for value in known for primitive in PRIMITIVES)
