"""The adapter of diffprivlib: a mechanism promises its ε and δ, a model what a fit is booked at.

Its audited releases on the real data have neighbors by a replaced record, the histogram also by one
record more.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms import definitions as dp
from provado.mechanisms.adapters import real_data
from provado.mechanisms.adapters.adapter import LibraryAdapter, Query, comes_from, itself, load
from provado.mechanisms.adapters.diffprivlib import from_mechanism, from_model, from_tool, is_model
from provado.mechanisms.adapters.real_data import answered, count_list

PRECISION = dp.Source(
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


def diffprivlib_mechanisms() -> tuple[dp.Mechanism, ...]:
    """Return diffprivlib's count, sums, means, histogram, median and selections, each at ε = 1."""
    release = partial(from_tool, epsilon=1.0)
    plain = partial(release, bounds=real_data.BMI_BOUNDS)
    about_zero = partial(
        release,
        bounds=real_data.CENTERED_BOUNDS,
        source=PRECISION,
        expected=dp.Verdict.VIOLATION,
        true_epsilon=math.inf,
    )
    edges = (0.0, *real_data.AGE_BANDS, 120.0)
    histogram = partial(release, "histogram", bins=edges, range=(edges[0], edges[-1]))
    select = partial(from_mechanism, relation=dp.ReplaceOne())
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
            relation=dp.AddOrRemoveOne(),
        ),
        histogram(
            **answered(
                "diffprivlib/histogram-replace-one",
                "truncated geometric on each, with sensitivity 1: a replaced record moves two of "
                "them, so it costs 2ε on the relation of the library's sums and means; for its "
                "histogram the library names no relation",
                question="histogram",
            ),
            relation=dp.ReplaceOne(),
            expected=dp.Verdict.VIOLATION,
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


class DiffprivlibAdapter(LibraryAdapter):
    """Takes mechanisms that randomise a value, and models; the tools have ``from_tool``."""

    name = "diffprivlib"

    def matches(self, obj: Any) -> bool:
        """Return whether ``obj`` is a mechanism or a model of diffprivlib."""
        return is_model(obj) or (
            comes_from(obj, "diffprivlib")
            and all(hasattr(obj, each) for each in ("randomise", "epsilon", "delta", "copy"))
        )

    def adapted(
        self,
        obj: Any,
        relation: dp.NeighboringRelation | None,
        *,
        query: Query = itself,
        attributes: Sequence[str] | None = None,
        **stated: Any,
    ) -> dp.Mechanism:
        """Return a copy of the object, taken now, as a mechanism; its draws come from ``rng``.

        relation: by default values that move by at most the object's ``sensitivity``; records
            that are replaced, for a model.
        query: turns a dataset of ``pairs`` into the value to randomise; it needs ``relation``. Into
            a matrix of records, for a model.
        attributes: of a model, the fitted attributes to release; see ``diffprivlib_models``.
        """
        kind = type(obj).__name__
        if is_model(obj):
            return from_model(obj, relation=relation, query=query, attributes=attributes, **stated)
        if attributes is not None:
            raise dp.UsageError(f"attributes is given: {kind} is no model, and has none to release")
        if hasattr(obj, "utility"):
            raise dp.UsageError(
                f"{kind}: its utilities, and so the data, were fixed when it was made; give "
                "provado.mechanisms.adapters.diffprivlib.from_mechanism a function that makes it"
            )
        if hasattr(obj, "function_sensitivity"):
            raise dp.UsageError(f"{kind}: it releases functions; an audit compares values")
        if relation is None and (query is not itself or not hasattr(obj, "sensitivity")):
            raise dp.UsageError(
                f"relation is missing: {kind} does not say which inputs are neighbors"
            )
        return from_mechanism(
            Copies(_unseeded(obj), query),
            relation=dp.BoundedAnswers(obj.sensitivity) if relation is None else relation,
            **stated,
        )

    def releases(self) -> Sequence[dp.Mechanism]:
        """Return diffprivlib's audited releases on the real data."""
        return diffprivlib_mechanisms()


@dataclass(frozen=True, eq=False)
class Copies:
    """Makes copies of ``original`` that draw from the ``random_state`` they are made with."""

    original: Any
    query: Query

    def __call__(self, data: dp.Dataset, random_state: Any) -> tuple[Any, Any]:
        """Return a copy and the value to randomise."""
        copied = self.original.copy()
        copied.random_state = copied._rng = random_state
        value = self.query(data)
        return copied, value.item() if isinstance(value, np.generic) else value


def _unseeded(obj: Any) -> Any:
    # The library's default generator, the system's, cannot be pickled.
    copied = obj.copy()
    copied.random_state = copied._rng = None
    return copied


ADAPTER = DiffprivlibAdapter()
