"""PyDP's algorithms (Google's C++ library) as mechanisms; the promise is what the object says.

PyDP draws from its own secure generator and takes no seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from provado.mechanisms.adapters.released import cite, load, stacked, without_deprecations
from provado.mechanisms.mechanism import Dataset, Mechanism, Output
from provado.mechanisms.promise import ApproximateDP, PureDP
from provado.mechanisms.relation import AddOrRemoveOne, NeighboringRelation
from provado.mechanisms.source import Source
from provado.mechanisms.verdict import Verdict

Options = tuple[tuple[str, Any], ...]
"""Keyword arguments as pairs, so that what holds them stays frozen."""


def listed(data: Dataset) -> Any:
    """Return an array as the list that PyDP takes; anything else as it is."""
    return data.tolist() if isinstance(data, np.ndarray) else data


@dataclass(frozen=True)
class PyDPRun:
    """Runs the class ``algorithm`` of ``pydp.algorithms.laplacian`` on ``prepare(data)``.

    An algorithm gives one result for its budget, so it is reset for each release. The entries are
    summarised once and merged back, which is how the library spreads one aggregation over
    machines: it draws nothing before the result.
    """

    algorithm: str
    options: Options
    prepare: Callable[[Dataset], Any] = listed

    def __call__(
        self, data: Dataset, *, size: int | None = None, rng: np.random.Generator | None = None
    ) -> Output:
        """Return one release, or ``size`` of them; ``rng`` has no effect."""
        del rng
        releases = []
        with without_deprecations():
            algorithm = make(self.algorithm, self.options)
            algorithm.reset()
            algorithm.add_entries(self.prepare(data))
            summary = algorithm.serialize()
            for _ in range(1 if size is None else size):
                algorithm.reset()
                algorithm.merge(summary)
                releases.append(algorithm.result())
        return releases[0] if size is None else stacked(releases)


@lru_cache(maxsize=64)
def make(algorithm: str, options: Options) -> Any:
    """Return this process's object of the class ``algorithm`` with these ``options``."""
    return getattr(load("pydp.algorithms.laplacian"), algorithm)(**dict(options))


def from_algorithm(
    algorithm: str,
    *,
    name: str,
    pairs: Sequence[tuple[Dataset, Dataset]],
    relation: NeighboringRelation | None = None,
    prepare: Callable[[Dataset], Any] = listed,
    summary: str = "a released PyDP algorithm",
    source: Source | None = None,
    expected: Verdict = Verdict.NO_VIOLATION,
    **options: Any,
) -> Mechanism:
    """Return a class of ``pydp.algorithms.laplacian`` as a mechanism, promising its ε and δ.

    algorithm: Count, BoundedSum, BoundedMean, BoundedVariance, Median, Percentile, Max, Min, …
    relation: add-or-remove-one by default: Google's library bounds what a privacy unit
        contributes and calibrates to its presence (a sum's sensitivity is max(|lower|, |upper|)).
    prepare: turns a dataset of ``pairs`` into the entries.
    options: passed to the class, ``epsilon``, ``dtype`` and the bounds among them. Without bounds
        the library spends part of its budget on finding some.
    """
    fixed = tuple(options.items())
    with without_deprecations():
        made = make(algorithm, fixed)
    return Mechanism(
        name=name,
        run=PyDPRun(algorithm, fixed, prepare),
        promise=ApproximateDP(made.epsilon, made.delta) if made.delta > 0 else PureDP(made.epsilon),
        relation=AddOrRemoveOne() if relation is None else relation,
        pairs=pairs,
        source=source or cite("python-dp", f"pydp.algorithms.laplacian.{algorithm}"),
        expected=expected,
        summary=summary,
        seedable=False,
        tags=("library",),
    )
