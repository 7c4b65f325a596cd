"""What the conformance suite is given: an adapter, an example, and what is known about it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from provado.mechanisms.definitions import (
    Dataset,
    Mechanism,
    NeighboringRelation,
    Output,
    PrivacyPromise,
)

from .adapter import Adapter

DRAWS = 4000

Audited = Callable[[Mechanism], bool]
"""An audit from outside: whether it certified a violation."""


class ConformanceError(AssertionError):
    """An adapter breaks a rule; the message says on which example and how."""


class NotApplicableError(Exception):
    """A rule says nothing about this example; the message says what the example lacks."""


@dataclass(frozen=True)
class Example:
    """One kind of object of a library, and what is known about it without the adapter.

    make: ``make(epsilon)`` makes the object that is to cost ε.
    accounting: ``accounting(obj)`` returns what the library itself accounts for the object: (ε, δ)
        or a promise, by a way that is not the adapter's.
    relation, options: passed to ``to_mechanism``.
    epsilons: the parameters at which the promise is compared.
    scales: whether the noise is numeric, continuous and inversely proportional to ε (no rounding
        and no clipping within reach).
    halved: makes the object of ``make(1.0)`` with the same claim and half the noise.
    strangers: two datasets that are no neighbors.
    """

    name: str
    make: Callable[[float], Any]
    accounting: Callable[[Any], tuple[float, float] | PrivacyPromise]
    pairs: Sequence[tuple[Dataset, Dataset]]
    relation: NeighboringRelation | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    epsilons: tuple[float, ...] = (0.5, 1.0, 2.0)
    scales: bool = True
    halved: Callable[[], Any] | None = None
    strangers: tuple[Dataset, Dataset] | None = None


@dataclass(frozen=True)
class Case:
    """An adapter, one example, and an auditor where there is one."""

    adapter: Adapter
    example: Example
    audited: Audited | None = None

    def mechanism(self, obj: Any, **changed: Any) -> Mechanism:
        """Return what the adapter makes of ``obj`` on the example's pairs."""
        example = self.example
        given = {"pairs": example.pairs, "relation": example.relation, **example.options}
        return self.adapter.to_mechanism(obj, **{**given, **changed})

    def draws(self, obj: Any, seed: int, size: int | None = DRAWS) -> Output:
        """Return ``size`` outputs on the first dataset, each batch on a copy of it."""
        data = copy.deepcopy(self.example.pairs[0][0])
        return self.mechanism(obj).run(data, size=size, rng=np.random.default_rng(seed))
