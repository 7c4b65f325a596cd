"""PyDP's algorithms (Google's C++ library) as mechanisms; the promise is what the object says.

PyDP is OpenMined's; its distribution is called ``python-dp``, its package ``pydp``.

PyDP draws from its own secure generator and takes no seed.
"""

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from numpy.random import Generator

from provado.mechanisms import definitions as dp
from provado.mechanisms.adapters import adapter

Options = tuple[tuple[str, Any], ...]
"""Keyword arguments as pairs, so that what holds them stays frozen."""


LOCK = threading.RLock()
"""An algorithm holds its entries, so two threads must not use it at a time."""


INHERITED = 400
"""Draws of Laplace noise that use up what the library has read ahead, 64 KiB, about twice over."""

_drawn_in = os.getpid()


def draw_anew() -> None:
    """Throw away the randomness that a forked process has inherited.

    The library reads ahead, and all forks of a process would draw from what it has left.
    """
    global _drawn_in
    if os.getpid() != _drawn_in:
        numerical = adapter.load("pydp.algorithms.numerical_mechanisms")
        laplace = numerical.LaplaceMechanism(1.0, sensitivity=1.0)
        for _ in range(INHERITED):
            laplace.add_noise(0.0)
        _drawn_in = os.getpid()


@dataclass(frozen=True)
class PyDPRun(adapter.LibraryRun):
    """Runs the class ``algorithm`` of ``pydp.algorithms.laplacian`` on ``prepare(data)``.

    An algorithm gives one result for its budget, so it is reset for each release. The entries are
    summarised once and merged back, which is how the library spreads one aggregation over
    machines: it draws nothing before the result.
    """

    algorithm: str
    options: Options
    prepare: Callable[[dp.Dataset], Any] = adapter.listed

    def draws(self, data: dp.Dataset, count: int, _rng: Generator | None) -> list[Any]:
        """Return the releases."""
        releases = []
        with LOCK, adapter.without_deprecations():
            draw_anew()
            algorithm = make(self.algorithm, self.options)
            algorithm.reset()
            algorithm.add_entries(self.prepare(data))
            summary = algorithm.serialize()
            for _ in range(count):
                algorithm.reset()
                algorithm.merge(summary)
                releases.append(algorithm.result())
        return releases


@lru_cache(maxsize=64)
def make(algorithm: str, options: Options) -> Any:
    """Return this process's object of the class ``algorithm`` with these ``options``."""
    return getattr(adapter.load("pydp.algorithms.laplacian"), algorithm)(**dict(options))


def from_algorithm(
    algorithm: str,
    *,
    name: str,
    pairs: Sequence[tuple[dp.Dataset, dp.Dataset]],
    relation: dp.NeighboringRelation | None = None,
    prepare: Callable[[dp.Dataset], Any] = adapter.listed,
    summary: str = "a released PyDP algorithm",
    source: dp.Source | None = None,
    expected: dp.Verdict = dp.Verdict.NO_VIOLATION,
    **options: Any,
) -> dp.Mechanism:
    """Return a class of ``pydp.algorithms.laplacian`` as a mechanism, promising its ε and δ.

    algorithm: Count, BoundedSum, BoundedMean, BoundedVariance, Median, Percentile, Max, Min, …
    relation: add-or-remove-one by default: Google's library bounds what a privacy unit
        contributes and calibrates to its presence (a sum's sensitivity is max(|lower|, |upper|)).
    prepare: turns a dataset of ``pairs`` into the entries.
    options: passed to the class, ``epsilon``, ``dtype`` and the bounds among them. Without bounds
        the library spends part of its budget on finding some.
    """
    fixed = tuple(options.items())
    with adapter.without_deprecations():
        made = make(algorithm, fixed)
    return pydp_mechanism(
        PyDPRun(algorithm, fixed, prepare),
        promise_of(made),
        name=name,
        pairs=pairs,
        relation=dp.AddOrRemoveOne() if relation is None else relation,
        place=f"pydp.algorithms.laplacian.{algorithm}",
        source=source,
        expected=expected,
        summary=summary,
    )


def promise_of(obj: Any) -> dp.PrivacyPromise:
    """Return the ε and δ of an algorithm or a numerical mechanism as a promise.

    Laplace mechanisms have no δ.
    """
    return adapter.stated_promise(obj.epsilon, getattr(obj, "delta", 0.0))


def pydp_mechanism(
    run: Callable[..., dp.Output],
    promise: dp.PrivacyPromise,
    *,
    place: str,
    source: dp.Source | None = None,
    summary: str = "a released PyDP algorithm",
    **stated: Any,
) -> dp.Mechanism:
    """Return the statement of a release of PyDP.

    place: where in the library it is made. stated: name, pairs, relation and other fields.
    """
    cited = source or adapter.cite("python-dp", place)
    return adapter.library_release(
        run, promise, source=cited, summary=summary, seedable=False, **stated
    )
