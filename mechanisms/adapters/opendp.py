"""OpenDP's measurements as mechanisms; the promise is what ``measurement.map`` says.

OpenDP draws from the operating system's generator and takes no seed.
"""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from numpy.random import Generator

from provado.mechanisms import definitions as dp
from provado.mechanisms.adapters import adapter

Build = Callable[[], Any]
"""Makes the measurement. Measurements cannot be pickled: each process makes its own."""

BATCHES = (1000, 100, 10)
"""Releases asked of the library at a time; more does not make them cheaper."""

Composed = tuple[tuple[int, Callable[[], Any]], ...]
"""How many copies of a measurement, and what returns their composition; the last is one copy."""


def prelude() -> Any:
    """Return ``opendp.prelude`` with the feature that all its constructors need."""
    library = adapter.load("opendp.prelude")
    library.enable_features("contrib")
    return library


@dataclass(frozen=True)
class OpenDPRun(adapter.LibraryRun):
    """Runs a measurement on ``prepare(data)``.

    compositions: returns the library's own sequential compositions of 1000, 100, 10 and 1 copies
        of it, as far as it composes: each is as many full runs, and the data cross into the
        library once for many releases.
    """

    compositions: Callable[[], Composed]
    prepare: Callable[[dp.Dataset], Any] = adapter.listed

    def draws(self, data: dp.Dataset, count: int, _rng: Generator | None) -> list[Any]:
        """Return the releases."""
        argument, missing = self.prepare(data), count
        releases: list[Any] = []
        with adapter.without_deprecations():
            for copies, held in self.compositions():
                for _ in range(missing // copies):
                    answer = held()(argument)
                    releases += [answer] if copies == 1 else answer
                missing %= copies
        return releases


@lru_cache(maxsize=64)
def built(build: Build) -> Composed:
    """Return the compositions of the measurement that ``build`` makes, in this process."""
    return composed(build())


def composed(measurement: Any) -> Composed:
    """Return the compositions of a live measurement, made beforehand."""
    compose = prelude().c.make_composition
    made: Composed = ()
    with adapter.without_deprecations(), contextlib.suppress(Exception):
        # Under some measures the library composes nothing; then each release is a call.
        made = tuple(
            (count, adapter.LiveObject(compose([measurement] * count))) for count in BATCHES
        )
    return (*made, (1, adapter.LiveObject(measurement)))


def promise_of(measurement: Any, d_in: float, delta: float | None = None) -> dp.PrivacyPromise:
    """Return what the library says the measurement costs at input distance ``d_in``.

    Max-divergence gives ε-DP, a pair (ε, δ) gives (ε, δ)-DP, ρ gives ρ-zCDP, a privacy profile a
    curve. With ``delta`` the last two are read as a point, by the library's own conversion.
    """
    library = prelude()
    if measurement.output_measure == library.zero_concentrated_divergence():
        if delta is None:
            return dp.ConcentratedDP(float(measurement.map(d_in)))
        measurement = library.c.make_zCDP_to_approxDP(measurement)
    cost = measurement.map(d_in)
    if hasattr(cost, "epsilon"):
        if delta is None:
            return dp.PrivacyCurve(cost.delta, f"profile of {measurement.output_measure}")
        cost = (cost.epsilon(delta), delta)
    if isinstance(cost, tuple):
        return adapter.stated_promise(*cost)
    if measurement.output_measure != library.max_divergence():
        raise dp.UsageError(
            f"measurement under {measurement.output_measure}: promises are read from "
            "MaxDivergence, its approximations and ZeroConcentratedDivergence"
        )
    return dp.PureDP(cost)


RECORDS = {
    "SymmetricDistance": 1,
    "InsertDeleteDistance": 1,
    "ChangeOneDistance": 2,
    "HammingDistance": 2,
}
"""How many records come or go where a metric between datasets is 1; a replaced one does both."""


def relation_of(measurement: Any, d_in: float) -> dp.NeighboringRelation:
    """Return the relation that the measurement's metric and ``d_in`` spell, or ``UsageError``.

    A dataset one record apart is at symmetric distance 1, a replaced record at 2.
    """
    metric = str(measurement.input_metric)
    name = metric.split("(")[0]
    records_apart = RECORDS.get(name, 0) * d_in
    if records_apart == 1:
        return dp.AddOrRemoveOne()
    if records_apart == 2:
        return dp.ReplaceOne()
    if name in ("AbsoluteDistance", "LInfDistance"):
        return dp.BoundedAnswers(sensitivity=float(d_in), monotone="monotonic" in metric)
    raise dp.UsageError(
        f"measurement at {metric} {d_in!r}: this is none of our relations; give the relation"
    )


def distance_of(measurement: Any, relation: dp.NeighboringRelation) -> float:
    """Return how far apart neighbors are in the measurement's metric, or ``UsageError``."""
    metric = str(measurement.input_metric)
    name = metric.split("(")[0]
    unit = RECORDS.get(name)
    if unit is not None and isinstance(relation, dp.AddOrRemoveOne) and unit == 1:
        return 1
    if unit is not None and isinstance(relation, dp.ReplaceOne):
        return 2 // unit
    # A metric that knows that answers move one way only gives a lower cost to such neighbors.
    one_way = "monotonic" not in metric or getattr(relation, "monotone", False)
    if isinstance(relation, dp.BoundedAnswers) and one_way:
        if name in ("AbsoluteDistance", "LInfDistance"):
            return relation.sensitivity
        if name in ("L1Distance", "L2Distance") and relation.at_most == 1:
            return relation.sensitivity
    raise dp.UsageError(
        f"measurement under {metric}: the distance of {relation.words()} neighbors is not known; "
        "give d_in"
    )


def from_measurement(
    build: Build,
    *,
    name: str,
    pairs: Sequence[tuple[dp.Dataset, dp.Dataset]],
    d_in: float,
    delta: float | None = None,
    relation: dp.NeighboringRelation | None = None,
    prepare: Callable[[dp.Dataset], Any] = adapter.listed,
    summary: str = "a released OpenDP measurement",
    source: dp.Source | None = None,
    **stated: Any,
) -> dp.Mechanism:
    """Return the measurement that ``build()`` makes as a mechanism.

    build: a function of a module, or a ``functools.partial`` of one, without arguments.
    d_in: the distance between neighbors in the measurement's metric: in symmetric distance 1 for
        a record more or fewer, 2 for a record replaced.
    delta: where a profile or ρ is promised, the δ of the one point to audit instead of the whole
        curve.
    relation: by default the one that metric and ``d_in`` spell.
    prepare: turns a dataset of ``pairs`` into the measurement's argument; with it, ``d_in`` is the
        distance between prepared neighbors, and ``relation`` speaks of the unprepared ones.
    stated: other fields of the mechanism, such as ``expected``.
    """
    with adapter.without_deprecations():
        measurement = build()
        return adapter.library_release(
            OpenDPRun(partial(built, build), prepare),
            promise_of(measurement, d_in, delta),
            name=name,
            relation=relation_of(measurement, d_in) if relation is None else relation,
            pairs=pairs,
            source=source or adapter.cite("opendp", "opendp.measurements"),
            summary=summary,
            seedable=False,
            **stated,
        )
