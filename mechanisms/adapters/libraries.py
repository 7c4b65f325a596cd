"""The released libraries on real data: what each offers of count, sum, mean, median and selection.

Each is asked for ε = 1 on the relation that it states, and promises what it then says. Column and
pair are the same for all libraries wherever the relation is.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.adapters import diffprivlib, opendp, pydp, real_data
from provado.mechanisms.adapters.released import load
from provado.mechanisms.mechanism import Mechanism
from provado.mechanisms.relation import AddOrRemoveOne, ReplaceOne
from provado.mechanisms.source import Source
from provado.mechanisms.verdict import Verdict

BANDS = len(real_data.AGE_BANDS) + 1
MEDIAN_CANDIDATES = tuple(float(each) for each in np.arange(15.0, 50.5, 0.5))

COUNT = "malignant tumors among 569"
SUM = "sum of 442 body mass indices, bounds 15 to 50 kg/m²"
MEAN = "mean of 442 body mass indices, bounds 15 to 50 kg/m²"
SUM_CENTERED = "sum of 442 centered body mass indices, bounds −1 to 1"
MEAN_CENTERED = "mean of 442 centered body mass indices, bounds −1 to 1"
MEDIAN = "median of 442 body mass indices, bounds 15 to 50 kg/m²"
HISTOGRAM = "442 ages in four bands"
SELECTION = "the fullest of four age bands of 442 patients"


def library_mechanisms() -> tuple[Mechanism, ...]:
    """Return all audited releases of OpenDP, diffprivlib and PyDP; each needs its library.

    Raises ``UsageError`` with the command to install them where one is missing.
    """
    return (*opendp_mechanisms(), *diffprivlib_mechanisms(), *pydp_mechanisms())


def opendp_mechanisms() -> tuple[Mechanism, ...]:
    """Return OpenDP's; a replaced record is at symmetric distance 2 of vectors of known size."""
    bmi, centered, ages = _columns()
    raised = (real_data.lowest_raised(bmi, real_data.BMI_BOUNDS[1]),)
    raised_centered = (real_data.lowest_raised(centered, real_data.CENTERED_BOUNDS[1]),)
    moved = (real_data.moved_between_bands(ages),)
    width = real_data.BMI_BOUNDS[1] - real_data.BMI_BOUNDS[0]
    release = partial(opendp.from_measurement, d_in=2)
    sums = partial(_bounded, statistic="sum", size=bmi.size)
    means = partial(_bounded, statistic="mean", size=bmi.size)
    return (
        release(
            partial(_zeros_and_ones, size=real_data.malignant().size, scale=1.0),
            name="opendp/count",
            pairs=(real_data.lowest_raised(real_data.malignant(), 1),),
            summary=f"{COUNT}, discrete Laplace",
        ),
        release(
            partial(sums, bounds=real_data.BMI_BOUNDS, scale=width),
            name="opendp/sum",
            pairs=raised,
            summary=f"{SUM}, Laplace on a fine grid",
        ),
        release(
            partial(means, bounds=real_data.BMI_BOUNDS, scale=width / bmi.size),
            name="opendp/mean",
            pairs=raised,
            summary=f"{MEAN}, Laplace on a fine grid",
        ),
        release(
            partial(sums, bounds=real_data.CENTERED_BOUNDS, scale=2.0),
            name="opendp/sum-centered",
            pairs=raised_centered,
            summary=f"{SUM_CENTERED}, Laplace on a fine grid",
        ),
        release(
            partial(means, bounds=real_data.CENTERED_BOUNDS, scale=2.0 / bmi.size),
            name="opendp/mean-centered",
            pairs=raised_centered,
            summary=f"{MEAN_CENTERED}, Laplace on a fine grid",
        ),
        release(
            partial(_band_histogram, size=ages.size, scale=2.0),
            name="opendp/histogram",
            pairs=moved,
            prepare=_band_list,
            summary=f"{HISTOGRAM}, discrete Laplace on each",
        ),
        release(
            partial(_median, size=bmi.size, scale=2.0),
            name="opendp/median",
            pairs=raised,
            summary=f"{MEDIAN}, noisy min over candidates half a unit apart",
        ),
        opendp.from_measurement(
            partial(_noisy_max, scale=2.0),
            name="opendp/noisy-max",
            pairs=moved,
            d_in=1,
            relation=ReplaceOne(),
            prepare=_count_list,
            summary=f"{SELECTION}, report noisy max with exponential noise",
        ),
    )


def diffprivlib_mechanisms() -> tuple[Mechanism, ...]:
    """Return diffprivlib's, on replaced records; the histogram also on a record more."""
    bmi, centered, ages = _columns()
    raised = (real_data.lowest_raised(bmi, real_data.BMI_BOUNDS[1]),)
    raised_centered = (real_data.lowest_raised(centered, real_data.CENTERED_BOUNDS[1]),)
    moved = (real_data.moved_between_bands(ages),)
    release = partial(diffprivlib.from_tool, epsilon=1.0)
    edges = (0.0, *real_data.AGE_BANDS, 120.0)
    histogram = partial(release, "histogram", bins=edges, range=(edges[0], edges[-1]))
    return (
        release(
            "count_nonzero",
            name="diffprivlib/count",
            pairs=(real_data.lowest_raised(real_data.malignant(), 1),),
            summary=f"{COUNT}, truncated geometric",
        ),
        release(
            "sum",
            name="diffprivlib/sum",
            pairs=raised,
            bounds=real_data.BMI_BOUNDS,
            summary=f"{SUM}, truncated Laplace in floating point",
        ),
        release(
            "mean",
            name="diffprivlib/mean",
            pairs=raised,
            bounds=real_data.BMI_BOUNDS,
            summary=f"{MEAN}, truncated Laplace in floating point",
        ),
        release(
            "sum",
            name="diffprivlib/sum-centered",
            pairs=raised_centered,
            bounds=real_data.CENTERED_BOUNDS,
            expected=Verdict.VIOLATION,
            source=PRECISION,
            summary=f"{SUM_CENTERED}, truncated Laplace in floating point: {FINER_SUM}",
        ),
        release(
            "mean",
            name="diffprivlib/mean-centered",
            pairs=raised_centered,
            bounds=real_data.CENTERED_BOUNDS,
            expected=Verdict.VIOLATION,
            source=PRECISION,
            summary=f"{MEAN_CENTERED}, truncated Laplace in floating point: {FINER_MEAN}",
        ),
        histogram(
            name="diffprivlib/histogram",
            pairs=(real_data.one_more(ages, 55.0),),
            relation=AddOrRemoveOne(),
            summary=f"{HISTOGRAM}, truncated geometric on each",
        ),
        histogram(
            name="diffprivlib/histogram-replace-one",
            pairs=moved,
            relation=ReplaceOne(),
            expected=Verdict.VIOLATION,
            summary=f"{HISTOGRAM}, truncated geometric on each with sensitivity 1: a replaced "
            "record moves two bands, so the loss is 2ε on the relation of the library's other "
            "tools; the library states none",
        ),
        release(
            "median",
            name="diffprivlib/median",
            pairs=raised,
            bounds=real_data.BMI_BOUNDS,
            summary=f"{MEDIAN}, exponential mechanism over the intervals between records",
        ),
        diffprivlib.from_mechanism(
            _exponential,
            name="diffprivlib/exponential",
            pairs=moved,
            relation=ReplaceOne(),
            summary=f"{SELECTION}, exponential mechanism",
        ),
        diffprivlib.from_mechanism(
            _permute_and_flip,
            name="diffprivlib/permute-and-flip",
            pairs=moved,
            relation=ReplaceOne(),
            summary=f"{SELECTION}, permute-and-flip",
        ),
    )


def pydp_mechanisms() -> tuple[Mechanism, ...]:
    """Return PyDP's, on a record more at the upper bound; it offers no selection."""
    bmi, centered, _ = _columns()
    more = (real_data.one_more(bmi, real_data.BMI_BOUNDS[1]),)
    more_centered = (real_data.one_more(centered, real_data.CENTERED_BOUNDS[1]),)
    release = partial(pydp.from_algorithm, epsilon=1.0, dtype="float")
    low, high = real_data.BMI_BOUNDS
    plain = partial(release, lower_bound=low, upper_bound=high, pairs=more)
    low, high = real_data.CENTERED_BOUNDS
    about_zero = partial(release, lower_bound=low, upper_bound=high, pairs=more_centered)
    return (
        pydp.from_algorithm(
            "Count",
            name="pydp/count",
            pairs=(real_data.one_more(real_data.malignant(), 1),),
            prepare=_ones,
            summary=f"{COUNT}, geometric",
            epsilon=1.0,
            dtype="int",
        ),
        plain("BoundedSum", name="pydp/sum", summary=f"{SUM}, Laplace on a grid"),
        plain("BoundedMean", name="pydp/mean", summary=f"{MEAN}, noisy sum over noisy count"),
        about_zero(
            "BoundedSum", name="pydp/sum-centered", summary=f"{SUM_CENTERED}, Laplace on a grid"
        ),
        about_zero(
            "BoundedMean",
            name="pydp/mean-centered",
            summary=f"{MEAN_CENTERED}, noisy sum over noisy count",
        ),
        plain("Median", name="pydp/median", summary=f"{MEDIAN}, tree of noisy counts"),
    )


PRECISION = Source(
    "Haney, Desfontaines, Hartman, Shrestha, Hay, Precision-based Attacks and Interval Refining "
    "(2022), arXiv:2207.13793",
    "the attack; diffprivlib 0.6.6 adds its noise in floating point still",
)
FINER_SUM = (
    "of two numbers the sum is no finer than the coarser; D sums to −1e−13 and D′ to 1.09, so an "
    "output below 1/4 in size that is no multiple of 2⁻⁵³ comes from D, and never from D′"
)
FINER_MEAN = (
    "of two numbers the sum is no finer than the coarser; D has mean −2e−16 and D′ 0.0025, so an "
    "output below 2⁻¹¹ in size that is no multiple of 2⁻⁶¹ comes from D, and never from D′"
)


def _columns() -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    return real_data.body_mass_index(), real_data.centered_body_mass_index(), real_data.age()


def _ones(labels: NDArray[np.int64]) -> list[int]:
    return [1] * int(np.count_nonzero(labels))


def _band_list(ages: NDArray[np.float64]) -> list[int]:
    return [int(band) for band in real_data.age_bands(ages)]


def _count_list(ages: NDArray[np.float64]) -> list[int]:
    return [int(count) for count in real_data.band_counts(ages)]


def _exponential(ages: NDArray[np.float64], random_state: Any) -> tuple[Any, None]:
    return _selection("Exponential", ages, random_state), None


def _permute_and_flip(ages: NDArray[np.float64], random_state: Any) -> tuple[Any, None]:
    return _selection("PermuteAndFlip", ages, random_state), None


def _selection(name: str, ages: NDArray[np.float64], random_state: Any) -> Any:
    # A replaced record moves each count by at most 1.
    return getattr(load("diffprivlib.mechanisms"), name)(
        epsilon=1.0, sensitivity=1, utility=_count_list(ages), random_state=random_state
    )


def _bounded(*, statistic: str, bounds: tuple[float, float], size: int, scale: float) -> Any:
    dp = opendp.prelude()
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=size)
    then = dp.t.then_sum() if statistic == "sum" else dp.t.then_mean()
    clamped = (space, dp.symmetric_distance()) >> dp.t.then_clamp(bounds)
    return clamped >> then >> dp.m.then_laplace(scale)


def _zeros_and_ones(*, size: int, scale: float) -> Any:
    dp = opendp.prelude()
    space = dp.vector_domain(dp.atom_domain(T=int), size=size), dp.symmetric_distance()
    return space >> dp.t.then_clamp((0, 1)) >> dp.t.then_sum() >> dp.m.then_laplace(scale)


def _band_histogram(*, size: int, scale: float) -> Any:
    dp = opendp.prelude()
    space = dp.vector_domain(dp.atom_domain(T=int), size=size), dp.symmetric_distance()
    counts = dp.t.then_count_by_categories(list(range(BANDS)), null_category=False)
    return space >> counts >> dp.m.then_laplace(scale)


def _median(*, size: int, scale: float) -> Any:
    dp = opendp.prelude()
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=size)
    return dp.m.make_private_quantile(
        space,
        dp.symmetric_distance(),
        dp.max_divergence(),
        candidates=list(MEDIAN_CANDIDATES),
        alpha=0.5,
        scale=scale,
    )


def _noisy_max(*, scale: float) -> Any:
    dp = opendp.prelude()
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    return space >> dp.m.then_noisy_max(dp.max_divergence(), scale=scale)
