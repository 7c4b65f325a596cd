"""diffprivlib on the real data: on replaced records, the histogram also on a record more."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import AddOrRemoveOne, Mechanism, ReplaceOne, Source, Verdict

from . import real_data
from .diffprivlib import from_mechanism, from_tool
from .released import load
from .shared_queries import answered, count_list

PRECISION = Source(
    "Haney, Desfontaines, Hartman, Shrestha, Hay, Precision-based Attacks and Interval Refining "
    "(2022), arXiv:2207.13793",
    "the attack on diffprivlib, here on 0.6.6",
)

# Where noise and exact value lie within a factor of 2 their difference is exact (Sterbenz), so the
# output is a multiple of the finer of their last places.
FINER_SUM = (
    "the exact sum is −1e−13 under D and 1.09 under D′, and noise is no finer than its own last "
    "place, so an output below 1/4 in size that is no multiple of 2⁻⁵³ (6 % of D's) never comes "
    "from D′"
)
FINER_MEAN = (
    "the exact mean is −2e−16 under D and 0.0025 under D′, and noise is no finer than its own "
    "last place, so an output below 2⁻¹¹ in size that is no multiple of 2⁻⁶¹ (9 % of D's) never "
    "comes from D′"
)


def diffprivlib_mechanisms() -> tuple[Mechanism, ...]:
    """Return diffprivlib's count, sums, means, histogram, median and selections, each at ε = 1."""
    release = partial(from_tool, epsilon=1.0)
    plain = partial(release, bounds=real_data.BMI_BOUNDS)
    about_zero = partial(
        release,
        bounds=real_data.CENTERED_BOUNDS,
        source=PRECISION,
        expected=Verdict.VIOLATION,
        true_epsilon=math.inf,
    )
    edges = (0.0, *real_data.AGE_BANDS, 120.0)
    histogram = partial(release, "histogram", bins=edges, range=(edges[0], edges[-1]))
    select = partial(from_mechanism, relation=ReplaceOne())
    selection = partial(answered, question="selection")
    laplace = "truncated floating-point Laplace"
    return (
        release("count_nonzero", **answered("diffprivlib/count", "truncated geometric")),
        plain("sum", **answered("diffprivlib/sum", laplace)),
        plain("mean", **answered("diffprivlib/mean", laplace)),
        about_zero("sum", **answered("diffprivlib/sum-centered", f"{laplace}: {FINER_SUM}")),
        about_zero("mean", **answered("diffprivlib/mean-centered", f"{laplace}: {FINER_MEAN}")),
        histogram(
            **answered("diffprivlib/histogram", "truncated geometric on each", added=True),
            relation=AddOrRemoveOne(),
        ),
        histogram(
            **answered(
                "diffprivlib/histogram-replace-one",
                "truncated geometric on each, with sensitivity 1: a replaced record moves two of "
                "them, so it costs 2ε on the relation of the library's sums and means; for its "
                "histogram the library names no relation",
                question="histogram",
            ),
            relation=ReplaceOne(),
            expected=Verdict.VIOLATION,
            true_epsilon=2.0,
        ),
        plain(
            "median",
            **answered(
                "diffprivlib/median", "exponential mechanism over the intervals between records"
            ),
        ),
        select(
            partial(_selection, kind="Exponential"),
            **selection("diffprivlib/exponential", "exponential mechanism"),
        ),
        select(
            partial(_selection, kind="PermuteAndFlip"),
            **selection("diffprivlib/permute-and-flip", "permute-and-flip"),
        ),
    )


def _selection(ages: NDArray[np.float64], random_state: Any, *, kind: str) -> tuple[Any, None]:
    # A replaced record moves each count by at most 1.
    mechanism = getattr(load("diffprivlib.mechanisms"), kind)(
        epsilon=1.0, sensitivity=1, utility=count_list(ages), random_state=random_state
    )
    return mechanism, None
