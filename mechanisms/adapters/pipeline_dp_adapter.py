"""The adapter of PipelineDP: an ``AggregateParams`` is released on its local backend.

PipelineDP draws its noise from PyDP, which takes no seed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from numpy.random import Generator

from provado.mechanisms import definitions as dp
from provado.mechanisms.adapters import adapter
from provado.mechanisms.adapters.diffprivlib import promise_of
from provado.mechanisms.adapters.pydp import LOCK, draw_anew

Extractor = Callable[[Any], Any]


class PipelineDPAdapter:
    """Takes the parameters of an aggregation, since an engine serves for one budget only."""

    name = "pipeline_dp"

    def matches(self, obj: Any) -> bool:
        """Return whether ``obj`` is an ``AggregateParams``."""
        return adapter.comes_from(obj, "pipeline_dp") and all(
            hasattr(obj, each) for each in ("metrics", "noise_kind")
        )

    def to_mechanism(
        self,
        obj: Any,
        *,
        pairs: Sequence[tuple[dp.Dataset, dp.Dataset]],
        relation: dp.NeighboringRelation | None = None,
        name: str | None = None,
        epsilon: float | None = None,
        delta: float = 0.0,
        extractors: tuple[Extractor, Extractor, Extractor] | None = None,
        public_partitions: Sequence[Any] | None = None,
    ) -> dp.Mechanism:
        """Return the aggregation as a mechanism that promises its budget, (ε, δ).

        A dataset is a list of records. A release is a dictionary of the metrics by partition.
        relation: by default add-or-remove-one, for data with one record a privacy unit.
        epsilon, delta: the budget, which the parameters do not hold.
        extractors: of a record its privacy unit, its partition and its value; by default a record
            holds the three in this order.
        public_partitions: where given, all of them are released, and no others.
        """
        if epsilon is None:
            raise dp.UsageError("epsilon is missing: it is the budget that the aggregation gets")
        partitions = None if public_partitions is None else tuple(public_partitions)
        run = Aggregation(
            obj, epsilon, delta, extractors or tuple(map(itemgetter, range(3))), partitions
        )
        with adapter.without_deprecations():
            spent = run.budget()
        return adapter.library_release(
            run,
            promise_of(float(spent.total_epsilon), float(spent.total_delta)),
            name=name or adapter.default_name(self.name, obj),
            pairs=pairs,
            relation=dp.AddOrRemoveOne() if relation is None else relation,
            summary=f"an aggregation by PipelineDP: {', '.join(map(str, obj.metrics))}",
            source=adapter.cite("pipeline-dp", "DPEngine.aggregate"),
            seedable=False,
        )

    def releases(self) -> Sequence[dp.Mechanism]:
        """Return none: what is released is what the user asks for."""
        return ()


@dataclass(frozen=True, eq=False)
class Aggregation:
    """Aggregates on the local backend, each time with a budget and an engine of its own."""

    params: Any
    epsilon: float
    delta: float
    extractors: tuple[Extractor, ...]
    partitions: tuple[Any, ...] | None

    def budget(self) -> Any:
        """Return a new accountant."""
        accountant = adapter.load("pipeline_dp").NaiveBudgetAccountant
        return accountant(total_epsilon=self.epsilon, total_delta=self.delta)

    def __call__(
        self, data: dp.Dataset, *, size: int | None = None, rng: Generator | None = None
    ) -> dp.Output:
        """Return one release, or a list of ``size`` of them; ``rng`` has no effect."""
        del rng
        with LOCK, adapter.without_deprecations():
            draw_anew()
            releases = [self._release(data) for _ in range(1 if size is None else size)]
        return releases[0] if size is None else releases

    def _release(self, data: dp.Dataset) -> dict[Any, tuple[float, ...]]:
        library, budget = adapter.load("pipeline_dp"), self.budget()
        engine = library.DPEngine(budget, library.LocalBackend())
        names = ("privacy_id_extractor", "partition_extractor", "value_extractor")
        extractors = library.DataExtractors(**dict(zip(names, self.extractors, strict=True)))
        found = engine.aggregate(list(data), self.params, extractors, self.partitions)
        budget.compute_budgets()
        # A collection of the library has no order.
        return dict(sorted((key, tuple(metrics)) for key, metrics in found))


ADAPTER = PipelineDPAdapter()
