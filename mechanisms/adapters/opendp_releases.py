"""OpenDP on the real data. Sizes are public, so a replaced record is at symmetric distance 2."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from provado.mechanisms.definitions import Mechanism, ReplaceOne

from . import real_data
from .opendp import from_measurement, prelude
from .released import cite
from .shared_queries import answered, band_list, count_list

MEDIAN_CANDIDATES = tuple(float(each) for each in np.arange(15.0, 50.5, 0.5))


def opendp_mechanisms() -> tuple[Mechanism, ...]:
    """Return OpenDP's count, sums, means, histogram, median and noisy max, each at ε = 1."""
    tumors, patients = real_data.malignant().size, real_data.age().size
    width = real_data.BMI_BOUNDS[1] - real_data.BMI_BOUNDS[0]
    release = partial(from_measurement, d_in=2, source=cite("opendp", "make_laplace"))
    plain = partial(_bounded, bounds=real_data.BMI_BOUNDS, size=patients)
    about_zero = partial(_bounded, bounds=real_data.CENTERED_BOUNDS, size=patients)
    return (
        release(
            partial(_sum_of_indicators, size=tumors, scale=1.0),
            **answered("opendp/count", "discrete Laplace"),
        ),
        release(
            partial(plain, statistic="sum", scale=width),
            **answered("opendp/sum", "Laplace on a fine grid"),
        ),
        release(
            partial(plain, statistic="mean", scale=width / patients),
            **answered("opendp/mean", "Laplace on a fine grid"),
        ),
        release(
            partial(about_zero, statistic="sum", scale=2.0),
            **answered("opendp/sum-centered", "Laplace on a fine grid"),
        ),
        release(
            partial(about_zero, statistic="mean", scale=2.0 / patients),
            **answered("opendp/mean-centered", "Laplace on a fine grid"),
        ),
        release(
            partial(_band_histogram, size=patients, scale=2.0),
            **answered("opendp/histogram", "discrete Laplace on each"),
            prepare=band_list,
        ),
        release(
            partial(_median, size=patients, scale=2.0),
            **answered("opendp/median", "noisy min over candidates half a unit apart"),
            source=cite("opendp", "make_private_quantile"),
        ),
        from_measurement(
            partial(_noisy_max, scale=2.0),
            **answered(
                "opendp/noisy-max",
                "report noisy max with exponential noise",
                question="selection",
            ),
            # A replaced record moves each count by at most 1.
            d_in=1,
            relation=ReplaceOne(),
            prepare=count_list,
            source=cite("opendp", "make_noisy_max"),
        ),
    )


def _vectors(dp: Any, record: type, size: int) -> Any:
    atoms = dp.atom_domain(T=record, nan=False) if record is float else dp.atom_domain(T=record)
    return dp.vector_domain(atoms, size=size), dp.symmetric_distance()


def _bounded(*, statistic: str, bounds: tuple[float, float], size: int, scale: float) -> Any:
    dp = prelude()
    then = dp.t.then_sum() if statistic == "sum" else dp.t.then_mean()
    clamped = _vectors(dp, float, size) >> dp.t.then_clamp(bounds)
    return clamped >> then >> dp.m.then_laplace(scale)


def _sum_of_indicators(*, size: int, scale: float) -> Any:
    dp = prelude()
    clamped = _vectors(dp, int, size) >> dp.t.then_clamp((0, 1))
    return clamped >> dp.t.then_sum() >> dp.m.then_laplace(scale)


def _band_histogram(*, size: int, scale: float) -> Any:
    dp = prelude()
    bands = list(range(len(real_data.AGE_BANDS) + 1))
    counts = dp.t.then_count_by_categories(bands, null_category=False)
    return _vectors(dp, int, size) >> counts >> dp.m.then_laplace(scale)


def _median(*, size: int, scale: float) -> Any:
    dp = prelude()
    return dp.m.make_private_quantile(
        *_vectors(dp, float, size),
        dp.max_divergence(),
        candidates=list(MEDIAN_CANDIDATES),
        alpha=0.5,
        scale=scale,
    )


def _noisy_max(*, scale: float) -> Any:
    dp = prelude()
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    return space >> dp.m.then_noisy_max(dp.max_divergence(), scale=scale)
