"""Mechanisms that meet their claim exactly, so that an audit of them uses its whole level.

All take one bit, or one number, and claim ε = 1 unless it is said; ``HOLDERS`` make mechanisms
that draw from randomness of their own.
"""

from __future__ import annotations

import functools
import os
import random
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.textbook.gaussian import analytic_sigma, gaussian
from provado.mechanisms.textbook.laplace import laplace_on_grid
from provado.mechanisms.textbook.randomized_response import randomized_response

TRUTH = float(np.e / (1 + np.e))
DELTA = 0.01
VALUES = 20_000

laplace = functools.partial(laplace_on_grid, scale=1)
response = functools.partial(randomized_response, epsilon=1.0)
EVENT = 0.05
"""The δ of an event that only one dataset gives."""

exact_gaussian = functools.partial(gaussian, sigma=analytic_sigma(1.0, DELTA), grid=2.0**-10)
"""At its exact (1, ``DELTA``)."""


def event(
    data: int, *, size: int, rng: np.random.Generator, ratio: float = 1.0, q: float = 0.0
) -> NDArray[np.int8]:
    """Return 1 with chance ``ratio``·q + ``EVENT`` if the data are 1, with chance q if not; else 0.

    It is (ln ``ratio``, ``EVENT``)-DP, and no less.
    """
    return (rng.random(size) < (ratio * q + EVENT if data else q)).astype(np.int8)


likelier_event = functools.partial(event, ratio=float(np.e), q=0.02)


def partition(data: int, *, rng: np.random.Generator) -> dict[str, str] | None:
    """Release a partition with chance ``EVENT`` where its one record is there, and nothing else."""
    return {"rome": "released"} if data and rng.random() < EVENT else None


def fails(data: int, *, rng: np.random.Generator) -> int:
    """Raise with chance ``EVENT`` if the data are 1; return 0 else."""
    if data and rng.random() < EVENT:
        raise ValueError("a one among the data")
    return 0


def heavy_ties(data: float, *, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Clip Laplace to [0, 1]: two thirds of the outputs are 0 or 1."""
    return np.clip(laplace(data, size=size, rng=rng), 0.0, 1.0)


def many_values(data: int, *, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return one of 20,000 values, of which the even ones speak for 0, the odd ones for 1."""
    reports = response(data, size=size, rng=rng)
    return 2 * rng.integers(0, VALUES // 2, size=size) + reports


def ignoring(data: Any, *, size: int, rng: np.random.Generator) -> NDArray[np.float64]:  # noqa: ARG001
    """Return normal noise, whatever the data are."""
    return rng.normal(size=size)


def ignoring_vector(data: Any, *, size: int, rng: np.random.Generator) -> NDArray[np.float64]:  # noqa: ARG001
    """Return eight numbers of normal noise, whatever the data are."""
    return rng.normal(size=(size, 8))


class Holder:
    """Randomized response from a source of its own: ``uniforms(n)`` gives n numbers in [0, 1)."""

    def __init__(self, uniforms: Callable[[int], Any]) -> None:
        self.uniforms = uniforms

    def report(self, data: int, size: int) -> NDArray[np.int64]:
        """Return so many reports."""
        return data ^ (np.asarray(self.uniforms(size)) >= TRUTH).astype(np.int64)


class OneACall(Holder):
    """Gives one report a call."""

    def __call__(self, data: int) -> int:
        """Return a report."""
        return int(self.report(data, 1)[0])


class InBatches(Holder):
    """Gives all reports of a batch at once, and leaves the ``rng`` that it is given alone."""

    def __call__(self, data: int, *, size: int, rng: Any) -> NDArray[np.int64]:  # noqa: ARG002
        """Return ``size`` reports."""
        return self.report(data, size)


class Attribute:
    """Holds a generator as an attribute."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def __call__(self, size: int) -> Any:
        """Return uniform numbers."""
        return self.rng.random(size)


class ByHand:
    """A linear congruential generator in an integer, which nobody can find or seed."""

    def __init__(self, seed: int) -> None:
        self.state = (0x9E3779B97F4A7C15 * (seed + 1)) % 2**64

    def __call__(self, size: int) -> list[float]:
        """Return the upper bits of its states as numbers."""
        numbers = []
        for _ in range(size):
            self.state = (6364136223846793005 * self.state + 1442695040888963407) % 2**64
            numbers.append((self.state >> 11) / 2**53)
        return numbers


def _closure(seed: int) -> Callable[[int], Any]:
    rng = np.random.default_rng(seed)
    return lambda size: rng.random(size)


def _first_use(seed: int) -> Callable[[int], Any]:
    made: list[np.random.Generator] = []

    def uniforms(size: int) -> Any:
        if not made:
            made.append(np.random.default_rng(seed))
        return made[0].random(size)

    return uniforms


def _of_the_module(seed: int) -> Callable[[int], Any]:
    # Made anew for each audit: a module's generator is as old as its module.
    globals()["OF_THE_MODULE"] = np.random.default_rng(seed)
    return _from_the_module


def _from_the_module(size: int) -> Any:
    return globals()["OF_THE_MODULE"].random(size)


def _legacy_state(seed: int) -> Callable[[int], Any]:
    state = np.random.RandomState(seed)
    return lambda size: state.random_sample(size)


def _of_python(seed: int) -> Callable[[int], Any]:
    own = random.Random(seed)
    return lambda size: [own.random() for _ in range(size)]


def _numpy_random(seed: int) -> Callable[[int], Any]:
    np.random.seed(seed)  # noqa: NPY002
    return lambda size: np.random.random(size)  # noqa: NPY002


def _random(seed: int) -> Callable[[int], Any]:
    random.seed(seed)
    return lambda size: [random.random() for _ in range(size)]


def _system(seed: int) -> Callable[[int], Any]:  # noqa: ARG001
    return lambda size: np.frombuffer(os.urandom(8 * size), np.uint64) / 2.0**64


HOLDERS: dict[str, Callable[[int], Callable[[int], Any]]] = {
    "default_rng as attribute": Attribute,
    "default_rng in a closure": _closure,
    "default_rng of the module": _of_the_module,
    "default_rng made on first call": _first_use,
    "RandomState": _legacy_state,
    "random.Random": _of_python,
    "numpy.random": _numpy_random,
    "random": _random,
    "written by hand": ByHand,
    "operating system": _system,
}
"""Makers of sources by where the generator lives; each takes a seed of its own."""
