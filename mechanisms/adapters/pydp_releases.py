"""PyDP on the real data and on a record more at the upper bound. It offers no selection."""

from __future__ import annotations

from functools import partial

from provado.mechanisms import Mechanism
from provado.mechanisms.adapters import questions as ask
from provado.mechanisms.adapters import real_data
from provado.mechanisms.adapters.pydp import from_algorithm


def pydp_mechanisms() -> tuple[Mechanism, ...]:
    """Return PyDP's count, sums, means and median, each at ε = 1."""
    release = partial(from_algorithm, epsilon=1.0, dtype="float")
    low, high = real_data.BMI_BOUNDS
    plain = partial(release, lower_bound=low, upper_bound=high, pairs=ask.one_more())
    low, high = real_data.CENTERED_BOUNDS
    about_zero = partial(release, lower_bound=low, upper_bound=high, pairs=ask.one_more_centered())
    return (
        from_algorithm(
            "Count",
            name="pydp/count",
            pairs=ask.one_more_malignant(),
            prepare=ask.malignant_only,
            summary=f"{ask.COUNT}, rounded Laplace",
            epsilon=1.0,
            dtype="int",
        ),
        plain("BoundedSum", name="pydp/sum", summary=f"{ask.SUM}, Laplace on a grid"),
        plain("BoundedMean", name="pydp/mean", summary=f"{ask.MEAN}, noisy sum over noisy count"),
        about_zero(
            "BoundedSum",
            name="pydp/sum-centered",
            summary=f"{ask.SUM_CENTERED}, Laplace on a grid",
        ),
        about_zero(
            "BoundedMean",
            name="pydp/mean-centered",
            summary=f"{ask.MEAN_CENTERED}, noisy sum over noisy count",
        ),
        plain("Median", name="pydp/median", summary=f"{ask.MEDIAN}, tree of noisy counts"),
    )
