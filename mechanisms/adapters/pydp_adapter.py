"""The adapter of PyDP, OpenMined's Python interface to Google's library.

It is distributed as ``python-dp`` and imported as ``pydp`` (the distribution ``pydp`` is another
project). Its audited releases on the real data have neighbors by a record more at the upper bound.
PyDP offers no selection.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from numpy.random import Generator

from provado.mechanisms import definitions as dp
from provado.mechanisms.adapters import adapter, pydp, real_data
from provado.mechanisms.adapters.adapter import Neighbors, Query, listed
from provado.mechanisms.adapters.real_data import answered, malignant_only


def pydp_mechanisms() -> tuple[dp.Mechanism, ...]:
    """Return PyDP's count, sums, means and median, each at ε = 1."""
    release = partial(pydp.from_algorithm, epsilon=1.0, dtype="float")
    low, high = real_data.BMI_BOUNDS
    plain = partial(release, lower_bound=low, upper_bound=high)
    low, high = real_data.CENTERED_BOUNDS
    about_zero = partial(release, lower_bound=low, upper_bound=high)
    one_more = partial(answered, added=True)
    ratio = "noisy sum over noisy count"
    return (
        pydp.from_algorithm(
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


METHODS = ("quick_result", "add_noise")
"""Of the aggregations of ``pydp.algorithms``, and of its numerical mechanisms."""


class PyDPAdapter(adapter.LibraryAdapter):
    """Takes live algorithms and numerical mechanisms. PyDP takes no seed."""

    name = "pydp"

    def matches(self, obj: Any) -> bool:
        """Return whether ``obj`` is an algorithm or a numerical mechanism of PyDP."""
        return (
            adapter.comes_from(obj, "pydp")
            and hasattr(obj, "epsilon")
            and any(hasattr(obj, each) for each in METHODS)
        )

    def adapted(
        self, obj: Any, relation: Neighbors, *, prepare: Query = listed, **stated: Any
    ) -> dp.Mechanism:
        """Return the object as a mechanism, promising its ε and δ.

        Each release is a call of its ``quick_result``, which resets it: entries that were added
        to the object before are gone. A numerical mechanism's is a call of ``add_noise``.
        relation: by default add-or-remove-one for an algorithm; for a numerical mechanism values
            that move by at most its ``sensitivity``.
        prepare: turns a dataset of ``pairs`` into the entries; it needs ``relation``.
        """
        if relation is None and prepare is not listed:
            raise dp.UsageError("prepare is given: say relation=… too")
        if relation is None:
            aggregates = hasattr(obj, "quick_result")
            relation = dp.AddOrRemoveOne() if aggregates else dp.BoundedAnswers(obj.sensitivity)
        return pydp.pydp_mechanism(
            LiveRun(adapter.LiveObject(obj), prepare),
            pydp.promise_of(obj),
            relation=relation,
            place=f"{type(obj).__module__}.{type(obj).__name__}",
            **stated,
        )

    def releases(self) -> Sequence[dp.Mechanism]:
        """Return PyDP's audited releases on the real data."""
        return pydp_mechanisms()


@dataclass(frozen=True)
class LiveRun(adapter.LibraryRun):
    """Runs a live object on ``prepare(data)``, once for each release."""

    held: adapter.LiveObject
    prepare: Query = listed

    def draws(self, data: dp.Dataset, count: int, _rng: Generator | None) -> list[Any]:
        """Return the releases."""
        obj = self.held()
        release = next(getattr(obj, each) for each in METHODS if hasattr(obj, each))
        argument = self.prepare(data)
        with pydp.LOCK, adapter.without_deprecations():
            pydp.draw_anew()
            return [release(argument) for _ in range(count)]


ADAPTER = PyDPAdapter()
