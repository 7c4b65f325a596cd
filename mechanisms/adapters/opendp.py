"""OpenDP's measurements as mechanisms; the promise is what ``measurement.map`` says.

OpenDP draws from the operating system's generator and takes no seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from provado.mechanisms.statement.errors import UsageError
from provado.mechanisms.statement.mechanism import Dataset, Mechanism, Output
from provado.mechanisms.statement.promise import ApproximateDP, PrivacyPromise, PureDP
from provado.mechanisms.statement.relation import (
    AddOrRemoveOne,
    BoundedAnswers,
    NeighboringRelation,
    ReplaceOne,
)
from provado.mechanisms.statement.source import Source
from provado.mechanisms.statement.verdict import Verdict

from .released import cite, load, stacked, without_deprecations

Build = Callable[[], Any]
"""Makes the measurement. Measurements cannot be pickled: each process makes its own."""

BATCH = 1000
"""Releases asked of the library at a time; more does not make them cheaper."""


def prelude() -> Any:
    """Return ``opendp.prelude`` with the feature that all its constructors need."""
    library = load("opendp.prelude")
    library.enable_features("contrib")
    return library


def listed(data: Dataset) -> Any:
    """Return numpy's arrays and numbers as the lists and numbers of Python that OpenDP takes."""
    return data.tolist() if isinstance(data, np.ndarray | np.generic) else data


@dataclass(frozen=True)
class OpenDPRun:
    """Runs the measurement that ``build`` makes on ``prepare(data)``.

    ``size`` releases come from the library's own sequential composition of as many copies of the
    measurement: each is a full run of it, and the data cross into the library once a batch.
    """

    build: Build
    prepare: Callable[[Dataset], Any] = listed

    def __call__(
        self, data: Dataset, *, size: int | None = None, rng: np.random.Generator | None = None
    ) -> Output:
        """Return one release, or ``size`` of them; ``rng`` has no effect."""
        del rng
        argument = self.prepare(data)
        releases: list[Any] = []
        with without_deprecations():
            while len(releases) < (1 if size is None else size):
                count = min(BATCH, (1 if size is None else size) - len(releases))
                releases += _copies(self.build, count)(argument)
        return releases[0] if size is None else stacked(releases)


@lru_cache(maxsize=64)
def _copies(build: Build, count: int) -> Any:
    return prelude().c.make_composition([build()] * count)


def promise_of(measurement: Any, d_in: float, delta: float | None = None) -> PrivacyPromise:
    """Return what the library says the measurement costs at input distance ``d_in``.

    Max-divergence gives ε-DP, a pair (ε, δ) gives (ε, δ)-DP. Where the library answers with a
    privacy profile or with ρ, its own conversion is read at ``delta``.
    """
    library = prelude()
    if measurement.output_measure == library.zero_concentrated_divergence():
        measurement = library.c.make_zCDP_to_approxDP(measurement)
    cost = measurement.map(d_in)
    if hasattr(cost, "epsilon"):
        if delta is None:
            raise UsageError(
                f"measurement under {measurement.output_measure}: it promises a profile; say at "
                "which delta to read it"
            )
        cost = (cost.epsilon(delta), delta)
    if isinstance(cost, tuple):
        epsilon, cost_delta = cost
        return ApproximateDP(epsilon, cost_delta) if cost_delta > 0 else PureDP(epsilon)
    if measurement.output_measure != library.max_divergence():
        raise UsageError(
            f"measurement under {measurement.output_measure}: promises are read from "
            "MaxDivergence, its approximations and ZeroConcentratedDivergence"
        )
    return PureDP(cost)


RECORDS = {
    "SymmetricDistance": 1,
    "InsertDeleteDistance": 1,
    "ChangeOneDistance": 2,
    "HammingDistance": 2,
}
"""How many records come or go where a metric between datasets is 1; a replaced one does both."""


def relation_of(measurement: Any, d_in: float) -> NeighboringRelation:
    """Return the relation that the measurement's metric and ``d_in`` spell, or ``UsageError``.

    A dataset one record apart is at symmetric distance 1, a replaced record at 2.
    """
    metric = str(measurement.input_metric)
    name = metric.split("(")[0]
    records_apart = RECORDS.get(name, 0) * d_in
    if records_apart == 1:
        return AddOrRemoveOne()
    if records_apart == 2:
        return ReplaceOne()
    if name in ("AbsoluteDistance", "LInfDistance"):
        return BoundedAnswers(sensitivity=float(d_in), monotone="monotonic" in metric)
    raise UsageError(
        f"measurement at {metric} {d_in!r}: this is none of our relations; give the relation"
    )


def distance_of(measurement: Any, relation: NeighboringRelation) -> float:
    """Return how far apart neighbors are in the measurement's metric, or ``UsageError``."""
    metric = str(measurement.input_metric)
    name = metric.split("(")[0]
    unit = RECORDS.get(name)
    if unit is not None and isinstance(relation, AddOrRemoveOne) and unit == 1:
        return 1
    if unit is not None and isinstance(relation, ReplaceOne):
        return 2 // unit
    # A metric that knows that answers move one way only gives a lower cost to such neighbors.
    one_way = "monotonic" not in metric or getattr(relation, "monotone", False)
    if isinstance(relation, BoundedAnswers) and one_way:
        if name in ("AbsoluteDistance", "LInfDistance"):
            return relation.sensitivity
        if name in ("L1Distance", "L2Distance") and relation.at_most == 1:
            return relation.sensitivity
    raise UsageError(
        f"measurement under {metric}: the distance of {relation.words()} neighbors is not known; "
        "give d_in"
    )


def from_measurement(
    build: Build,
    *,
    name: str,
    pairs: Sequence[tuple[Dataset, Dataset]],
    d_in: float,
    delta: float | None = None,
    relation: NeighboringRelation | None = None,
    prepare: Callable[[Dataset], Any] = listed,
    summary: str = "a released OpenDP measurement",
    source: Source | None = None,
    expected: Verdict = Verdict.NO_VIOLATION,
) -> Mechanism:
    """Return the measurement that ``build()`` makes as a mechanism.

    build: a function of a module, or a ``functools.partial`` of one, without arguments.
    d_in: the distance between neighbors in the measurement's metric: in symmetric distance 1 for
        a record more or fewer, 2 for a record replaced.
    delta: where a profile or ρ is promised, the δ at which to read it.
    relation: by default the one that metric and ``d_in`` spell.
    prepare: turns a dataset of ``pairs`` into the measurement's argument; with it, ``d_in`` is the
        distance between prepared neighbors, and ``relation`` speaks of the unprepared ones.
    """
    with without_deprecations():
        measurement = build()
        return Mechanism(
            name=name,
            run=OpenDPRun(build, prepare),
            promise=promise_of(measurement, d_in, delta),
            relation=relation_of(measurement, d_in) if relation is None else relation,
            pairs=pairs,
            source=source or cite("opendp", "opendp.measurements"),
            expected=expected,
            summary=summary,
            seedable=False,
            tags=("library",),
        )
