"""Rare leaks for ``search_bars``, each beside a count that uses up its whole claim of ε = 1.

With a small probability, and only if the data hold the record 7, an output reveals that they do.
All other outputs are a count with noise of exactly ε = 1, alone or beside noise that ignores the
data. Where an output is floating point, exact real arithmetic is meant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.audit.bounds.binomial import binomial_epsilon_lower

RECORD = 7
PAIR = ([1, 2, RECORD], [1, 2])

Rng = np.random.Generator
Floats = NDArray[np.float64]
Leak = Callable[[Floats, NDArray[np.bool_], int, Rng], Any]


@dataclass(frozen=True)
class RareLeak:
    """One mechanism.

    chance: of a revealing output where the record is there. leak: from noisy counts, from which
    outputs reveal something and from the exact count to the outputs. smooth: whether the noise is
    continuous. both: outputs reveal the exact count, with the record and without it. single: the
    mechanism is called once an output.
    """

    name: str
    chance: float
    leak: Leak
    smooth: bool = False
    both: bool = False
    single: bool = False

    def mechanism(self, *, sound: bool = False) -> Callable[..., Any]:
        """Return it as a mechanism of a list of numbers; where ``sound`` nothing is revealed."""

        def batched(data: list[int], size: int, rng: Rng) -> Any:
            reveals = not sound and (self.both or RECORD in data)
            hit = (rng.random(size) < self.chance) & reveals
            noise = rng.laplace(0, 1, size) if self.smooth else _geometric(size, rng)
            return self.leak(len(data) + noise, hit, len(data), rng)

        def one(data: list[int], rng: Rng) -> Any:
            return batched(data, 1, rng)[0]

        return one if self.single else batched

    def limit(self, trials: int, alpha: float = 0.05) -> float:
        """Return what the exact binomial test of the best event certifies at expected counts."""
        right = trials / 2 * self.chance * (2 if self.both else 1)
        return binomial_epsilon_lower(round(right), 0, alpha)


def _geometric(size: int, rng: Rng) -> Any:
    share = -np.expm1(-1.0)
    return (rng.geometric(share, size) - rng.geometric(share, size)).astype(np.float64)


def _replaced(value: Any) -> Leak:
    return lambda counts, hit, *_: np.where(hit, value, counts)


def _added(value: float) -> Leak:
    return lambda counts, hit, *_: counts + value * hit


def _listed(leaking: Callable[[float, Rng], Any], usual: Callable[[float], Any] = float) -> Leak:
    def leak(counts: Floats, hit: Any, exact: int, rng: Rng) -> Any:  # noqa: ARG001
        pairs = zip(counts.tolist(), hit.tolist(), strict=True)
        return [leaking(count, rng) if reveals else usual(count) for count, reveals in pairs]

    return leak


def _joint(counts: Floats, hit: Any, exact: int, rng: Rng) -> Any:  # noqa: ARG001
    """Either coordinate has each of its values often, but 7 and 7 together only by a leak."""
    x, y = rng.integers(0, 20, (2, len(counts)))
    y = np.where((x == 7) & (y == 7), 8, y)
    return np.column_stack([counts, np.where(hit, 7, x), np.where(hit, 7, y)])


def _second(counts: Floats, hit: Any, exact: int, rng: Rng) -> Any:  # noqa: ARG001
    return np.column_stack([counts, np.where(hit, 17, rng.integers(0, 10, len(counts)))])


def _equal(counts: Floats, hit: Any, exact: int, rng: Rng) -> Any:  # noqa: ARG001
    other = rng.normal(0, 3, len(counts))
    return np.column_stack([counts, np.where(hit, counts, other)])


def _decimals(counts: Floats, hit: Any, exact: int, rng: Rng) -> Any:  # noqa: ARG001
    return np.where(hit, np.round(counts, 2), counts)


def _exact(counts: Floats, hit: Any, exact: int, rng: Rng) -> Any:  # noqa: ARG001
    return np.where(hit, exact + 1000, counts)


def _raised(counts: Floats, hit: Any, exact: int, rng: Rng) -> Any:  # noqa: ARG001
    if hit.any():
        raise ValueError("record 7 is out of range")
    return counts


RARE_LEAKS = (
    RareLeak("value plus 1000", 5e-5, _replaced(RECORD + 1000)),
    RareLeak("exact count plus 1000", 1e-4, _exact, both=True),
    RareLeak("half a step", 1e-4, _added(0.5)),
    RareLeak("lowest bits", 5e-5, _added(2.0**-20)),
    RareLeak("two decimals", 1e-4, _decimals, smooth=True),
    RareLeak("one value of a second coordinate", 5e-5, _second),
    RareLeak("joint value of two coordinates", 1e-4, _joint),
    RareLeak("two equal coordinates", 5e-5, _equal, smooth=True),
    RareLeak("NaN", 5e-5, _replaced(np.nan), smooth=True),
    RareLeak("text for a number", 1e-4, _listed(lambda *_: "record 7 failed")),
    RareLeak(
        "text with a number of its own",
        1e-4,
        _listed(lambda _, rng: f"no count for age {rng.random():.6f}"),
        smooth=True,
    ),
    RareLeak(
        "another form of a noisy text",
        1e-4,
        _listed(lambda count, _: f"count {count:.4f} (1 left out)", "count {:.4f}".format),
        smooth=True,
    ),
    RareLeak(
        "one more key",
        2e-4,
        _listed(lambda count, _: {"count": count, "left out": 1}, lambda count: {"count": count}),
    ),
    RareLeak("one value more", 5e-5, _listed(lambda count, _: [count] * 2, lambda count: [count])),
    RareLeak("exception", 1e-3, _raised, single=True),
)
