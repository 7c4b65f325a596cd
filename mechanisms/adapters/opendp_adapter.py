"""The adapter of OpenDP: a ``Measurement`` promises what its ``map`` says at ``d_in``.

In its audited releases on the real data sizes are public, so that a replaced record is at symmetric
distance 2.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from provado.mechanisms.adapters import adapter, opendp, real_data
from provado.mechanisms.adapters.real_data import answered, band_list, count_list
from provado.mechanisms.definitions import Mechanism, NeighboringRelation, ReplaceOne, UsageError

MEDIAN_CANDIDATES = tuple(float(each) for each in np.arange(15.0, 50.5, 0.5))


def opendp_mechanisms() -> tuple[Mechanism, ...]:
    """Return OpenDP's count, sums, means, histogram, median and noisy max, each at ε = 1."""
    tumors, patients = real_data.malignant().size, real_data.age().size
    width = real_data.BMI_BOUNDS[1] - real_data.BMI_BOUNDS[0]
    release = partial(
        opendp.from_measurement, d_in=2, source=adapter.cite("opendp", "make_laplace")
    )
    plain = partial(_bounded, bounds=real_data.BMI_BOUNDS, size=patients)
    about_zero = partial(_bounded, bounds=real_data.CENTERED_BOUNDS, size=patients)
    fine = "Laplace on a fine grid"
    by_laplace = {
        "count": ("discrete Laplace", partial(_sum_of_indicators, size=tumors, scale=1.0)),
        "sum": (fine, partial(plain, statistic="sum", scale=width)),
        "mean": (fine, partial(plain, statistic="mean", scale=width / patients)),
        "sum-centered": (fine, partial(about_zero, statistic="sum", scale=2.0)),
        "mean-centered": (fine, partial(about_zero, statistic="mean", scale=2.0 / patients)),
    }
    return (
        *(
            release(build, **answered(f"opendp/{name}", how))
            for name, (how, build) in by_laplace.items()
        ),
        release(
            partial(_band_histogram, size=patients, scale=2.0),
            **answered("opendp/histogram", "discrete Laplace on each"),
            prepare=band_list,
        ),
        release(
            partial(_median, size=patients, scale=2.0),
            **answered("opendp/median", "noisy min over candidates half a unit apart"),
            source=adapter.cite("opendp", "make_private_quantile"),
        ),
        opendp.from_measurement(
            partial(_noisy_max, scale=2.0),
            **answered(
                "opendp/noisy-max", "report noisy max with exponential noise", question="selection"
            ),
            # A replaced record moves each count by at most 1.
            d_in=1,
            relation=ReplaceOne(),
            prepare=count_list,
            source=adapter.cite("opendp", "make_noisy_max"),
        ),
    )


def _vectors(dp: Any, record: type, size: int) -> Any:
    atoms = dp.atom_domain(T=record, nan=False) if record is float else dp.atom_domain(T=record)
    return dp.vector_domain(atoms, size=size), dp.symmetric_distance()


def _bounded(*, statistic: str, bounds: tuple[float, float], size: int, scale: float) -> Any:
    dp = opendp.prelude()
    then = dp.t.then_sum() if statistic == "sum" else dp.t.then_mean()
    clamped = _vectors(dp, float, size) >> dp.t.then_clamp(bounds)
    return clamped >> then >> dp.m.then_laplace(scale)


def _sum_of_indicators(*, size: int, scale: float) -> Any:
    dp = opendp.prelude()
    clamped = _vectors(dp, int, size) >> dp.t.then_clamp((0, 1))
    return clamped >> dp.t.then_sum() >> dp.m.then_laplace(scale)


def _band_histogram(*, size: int, scale: float) -> Any:
    dp = opendp.prelude()
    bands = list(range(len(real_data.AGE_BANDS) + 1))
    counts = dp.t.then_count_by_categories(bands, null_category=False)
    return _vectors(dp, int, size) >> counts >> dp.m.then_laplace(scale)


def _median(*, size: int, scale: float) -> Any:
    dp = opendp.prelude()
    return dp.m.make_private_quantile(
        *_vectors(dp, float, size),
        dp.max_divergence(),
        candidates=list(MEDIAN_CANDIDATES),
        alpha=0.5,
        scale=scale,
    )


def _noisy_max(*, scale: float) -> Any:
    dp = opendp.prelude()
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    return space >> dp.m.then_noisy_max(dp.max_divergence(), scale=scale)


class OpenDPAdapter(adapter.LibraryAdapter):
    """Takes live measurements. OpenDP draws from the operating system and takes no seed."""

    name = "opendp"

    def matches(self, obj: Any) -> bool:
        """Return whether ``obj`` is a measurement of OpenDP."""
        return adapter.comes_from(obj, "opendp") and all(
            hasattr(obj, each) for each in ("map", "invoke", "output_measure")
        )

    def adapted(
        self,
        obj: Any,
        relation: NeighboringRelation | None,
        *,
        d_in: float | None = None,
        delta: float | None = None,
        prepare: adapter.Query = adapter.listed,
        **stated: Any,
    ) -> Mechanism:
        """Return the measurement as a mechanism; give ``d_in`` or a ``relation`` that spells it.

        d_in: the distance between neighbors in the measurement's metric.
        delta: where the measurement promises a profile or ρ, the δ of the one point to audit
            instead of the whole curve.
        prepare: turns a dataset of ``pairs`` into the measurement's argument; ``d_in`` is then
            the distance between prepared neighbors, and must be given, and so must ``relation``.
        """
        prepared = prepare is not adapter.listed
        if d_in is None and relation is None:
            raise UsageError(
                "d_in is missing: a measurement's cost depends on it; give d_in=… (in symmetric "
                "distance 1 for a record more or fewer, 2 for one replaced) or relation=…"
            )
        if prepared and (d_in is None or relation is None):
            raise UsageError("prepare is given: say d_in=… and relation=… too")
        if d_in is None:
            assert relation is not None
            d_in = opendp.distance_of(obj, relation)
        elif relation is not None and not prepared:
            _check_records(obj, relation, d_in)
        if obj.input_distance_type[:1] in "iu" and d_in == int(d_in):
            d_in = int(d_in)
        elif obj.input_distance_type[:1] == "f":
            d_in = float(d_in)
        made = opendp.from_measurement(
            adapter.LiveObject(obj), d_in=d_in, delta=delta, relation=relation, **stated
        )
        # Made beforehand: a run that keeps nothing between calls is seen to keep nothing.
        return replace(
            made, run=opendp.OpenDPRun(partial(adapter.itself, opendp.composed(obj)), prepare)
        )

    def releases(self) -> Sequence[Mechanism]:
        """Return OpenDP's audited releases on the real data."""
        return opendp_mechanisms()


def _check_records(measurement: Any, relation: NeighboringRelation, d_in: float) -> None:
    # A d_in below the relation's would make a claim that the library never made.
    try:
        spelled = opendp.relation_of(measurement, d_in)
        least = opendp.distance_of(measurement, relation)
    except UsageError:
        return
    if least > d_in:
        raise UsageError(
            f"d_in is {d_in!r}: it spells {spelled.words()}, and {relation.words()} neighbors are "
            f"at distance {least!r} under {measurement.input_metric}"
        )


ADAPTER = OpenDPAdapter()
