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
from provado.mechanisms.adapters.pydp import LOCK, draw_anew

Extractor = Callable[[Any], Any]


class PipelineDPAdapter(adapter.LibraryAdapter):
    """Takes the parameters of an aggregation, since an engine serves for one budget only."""

    name = "pipeline_dp"

    def matches(self, obj: Any) -> bool:
        """Return whether ``obj`` is an ``AggregateParams``."""
        return adapter.comes_from(obj, "pipeline_dp") and all(
            hasattr(obj, each) for each in ("metrics", "noise_kind")
        )

    def adapted(
        self,
        obj: Any,
        relation: dp.NeighboringRelation | None,
        *,
        epsilon: float | None = None,
        delta: float = 0.0,
        extractors: tuple[Extractor, Extractor, Extractor] | None = None,
        public_partitions: Sequence[Any] | None = None,
        **stated: Any,
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
            adapter.stated_promise(float(spent.total_epsilon), float(spent.total_delta)),
            relation=dp.AddOrRemoveOne() if relation is None else relation,
            summary=f"an aggregation by PipelineDP: {', '.join(map(str, obj.metrics))}",
            source=adapter.cite("pipeline-dp", "DPEngine.aggregate"),
            seedable=False,
            **stated,
        )


@dataclass(frozen=True, eq=False)
class Aggregation(adapter.LibraryRun):
    """Aggregates on the local backend, each time with a budget and an engine of its own."""

    params: Any
    epsilon: float
    delta: float
    extractors: tuple[Extractor, ...]
    partitions: tuple[Any, ...] | None
    stacks = False

    def budget(self) -> Any:
        """Return a new accountant."""
        accountant = adapter.load("pipeline_dp").NaiveBudgetAccountant
        return accountant(total_epsilon=self.epsilon, total_delta=self.delta)

    def draws(self, data: dp.Dataset, count: int, _rng: Generator | None) -> list[Any]:
        """Return the releases."""
        with LOCK, adapter.without_deprecations():
            draw_anew()
            return [self._release(data) for _ in range(count)]

    def _release(self, data: dp.Dataset) -> dict[Any, tuple[float, ...]]:
        library, budget = adapter.load("pipeline_dp"), self.budget()
        engine = library.DPEngine(budget, library.LocalBackend())
        names = ("privacy_id_extractor", "partition_extractor", "value_extractor")
        extractors = library.DataExtractors(**dict(zip(names, self.extractors, strict=True)))
        result = engine.aggregate(list(data), self.params, extractors, self.partitions)
        budget.compute_budgets()
        # A collection of the library has no order.
        return dict(sorted((key, tuple(metrics)) for key, metrics in result))


ADAPTER = PipelineDPAdapter()
