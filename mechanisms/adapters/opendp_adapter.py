"""The adapter of OpenDP: a ``Measurement`` promises what its ``map`` says at ``d_in``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from provado.mechanisms.definitions import Dataset, Mechanism, NeighboringRelation, UsageError

from .adapter import LiveObject, Query, comes_from, default_name, itself
from .opendp import OpenDPRun, composed, distance_of, from_measurement, relation_of
from .opendp_releases import opendp_mechanisms
from .released import listed


class OpenDPAdapter:
    """Takes live measurements. OpenDP draws from the operating system and takes no seed."""

    name = "opendp"

    def matches(self, obj: Any) -> bool:
        """Say whether ``obj`` is a measurement of OpenDP."""
        return comes_from(obj, "opendp") and all(
            hasattr(obj, each) for each in ("map", "invoke", "output_measure")
        )

    def to_mechanism(
        self,
        obj: Any,
        *,
        pairs: Sequence[tuple[Dataset, Dataset]],
        relation: NeighboringRelation | None = None,
        name: str | None = None,
        d_in: float | None = None,
        delta: float | None = None,
        prepare: Query = listed,
    ) -> Mechanism:
        """Return the measurement as a mechanism; give ``d_in`` or a ``relation`` that spells it.

        d_in: the distance between neighbors in the measurement's metric.
        delta: where the measurement promises a profile or ρ, the δ of the one point to audit
            instead of the whole curve.
        prepare: turns a dataset of ``pairs`` into the measurement's argument; ``d_in`` is then
            the distance between prepared neighbors, and must be given, and so must ``relation``.
        """
        prepared = prepare is not listed
        if d_in is None and relation is None:
            raise UsageError(
                "d_in is missing: a measurement's cost depends on it; give d_in=… (in symmetric "
                "distance 1 for a record more or fewer, 2 for one replaced) or relation=…"
            )
        if prepared and (d_in is None or relation is None):
            raise UsageError("prepare is given: say d_in=… and relation=… too")
        if d_in is None:
            assert relation is not None
            d_in = distance_of(obj, relation)
        elif relation is not None and not prepared:
            _check_records(obj, relation, d_in)
        if obj.input_distance_type[:1] in "iu" and d_in == int(d_in):
            d_in = int(d_in)
        elif obj.input_distance_type[:1] == "f":
            d_in = float(d_in)
        stated = from_measurement(
            LiveObject(obj),
            name=name or default_name(self.name, obj),
            pairs=pairs,
            d_in=d_in,
            delta=delta,
            relation=relation,
        )
        # Made beforehand: a run that keeps nothing between calls is seen to keep nothing.
        return replace(stated, run=OpenDPRun(partial(itself, composed(obj)), prepare))

    def releases(self) -> Sequence[Mechanism]:
        """Return OpenDP's audited releases on the real data."""
        return opendp_mechanisms()


def _check_records(measurement: Any, relation: NeighboringRelation, d_in: float) -> None:
    # A d_in below the relation's would make a claim that the library never made.
    try:
        spelled, least = relation_of(measurement, d_in), distance_of(measurement, relation)
    except UsageError:
        return
    if least > d_in:
        raise UsageError(
            f"d_in is {d_in!r}: it spells {spelled.words()}, and {relation.words()} neighbors are "
            f"at distance {least!r} under {measurement.input_metric}"
        )


ADAPTER = OpenDPAdapter()
