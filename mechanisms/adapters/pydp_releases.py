"""PyDP on the real data and on a record more at the upper bound. It offers no selection."""

from __future__ import annotations

from functools import partial

from provado.mechanisms.definitions import Mechanism

from . import real_data
from .pydp import from_algorithm
from .shared_queries import answered, malignant_only


def pydp_mechanisms() -> tuple[Mechanism, ...]:
    """Return PyDP's count, sums, means and median, each at ε = 1."""
    release = partial(from_algorithm, epsilon=1.0, dtype="float")
    low, high = real_data.BMI_BOUNDS
    plain = partial(release, lower_bound=low, upper_bound=high)
    low, high = real_data.CENTERED_BOUNDS
    about_zero = partial(release, lower_bound=low, upper_bound=high)
    one_more = partial(answered, added=True)
    ratio = "noisy sum over noisy count"
    return (
        from_algorithm(
            "Count",
            **one_more("pydp/count", "rounded Laplace"),
            prepare=malignant_only,
            epsilon=1.0,
            dtype="int",
        ),
        plain("BoundedSum", **one_more("pydp/sum", "Laplace on a grid")),
        plain("BoundedMean", **one_more("pydp/mean", ratio)),
        about_zero("BoundedSum", **one_more("pydp/sum-centered", "Laplace on a grid")),
        about_zero("BoundedMean", **one_more("pydp/mean-centered", ratio)),
        plain("Median", **one_more("pydp/median", "tree of noisy counts")),
    )
