"""Aggregations of PipelineDP: by the conformance suite, and what it does not ask."""

import pytest

from provado.audit import audit
from provado.mechanisms import UsageError, Verdict
from provado.mechanisms.adapters import pipeline_dp_adapter
from provado.mechanisms.adapters.conformance import AdapterConformance, Example
from provado.mechanisms.adapters.plugins import as_mechanism

library = pytest.importorskip("pipeline_dp")

# It imports what warns about itself.
pytestmark = pytest.mark.filterwarnings("ignore")

ROWS = [(0, "a", 1.0), (1, "a", 0.5), (2, "b", 1.0)]
MORE = [*ROWS, (3, "b", 1.0)]


def aggregation(_=None, most=1.0):
    return library.AggregateParams(
        noise_kind=library.NoiseKind.LAPLACE,
        metrics=[library.Metrics.COUNT, library.Metrics.SUM],
        max_partitions_contributed=1,
        max_contributions_per_partition=1,
        min_value=0.0,
        max_value=most,
    )


class TestPipelineDP(AdapterConformance):
    adapter = pipeline_dp_adapter.ADAPTER
    examples = (
        Example(
            "count and sum",
            make=aggregation,
            accounting=lambda _: (1.0, 0.0),
            pairs=((ROWS, MORE),),
            options={"epsilon": 1.0, "public_partitions": ["a", "b"]},
            # The budget is no part of the parameters.
            epsilons=(1.0,),
            scales=False,
            strangers=(ROWS, [*MORE, (4, "a", 1.0)]),
        ),
    )


def test_partitions_that_are_not_public_are_selected():
    mechanism = as_mechanism(aggregation(), pairs=[(ROWS, MORE)], epsilon=1.0, delta=1e-3)
    assert mechanism.promise.point() == (1.0, 1e-3)
    assert set().union(*mechanism.run(ROWS, size=50)) <= {"a", "b"}


def test_records_of_another_form():
    rows = [{"who": 0, "where": "a", "how_many": 1.0}]
    mechanism = as_mechanism(
        aggregation(),
        pairs=[(rows, [])],
        epsilon=1.0,
        extractors=tuple(lambda row, key=key: row[key] for key in ("who", "where", "how_many")),
        public_partitions=["a"],
    )
    assert list(mechanism.run(rows)) == ["a"]


def test_the_budget_is_needed():
    with pytest.raises(UsageError, match="epsilon is missing"):
        as_mechanism(aggregation(), pairs=[(ROWS, MORE)])


def test_a_unit_with_two_records_in_two_partitions_is_bounded():
    pair = (ROWS, [*ROWS, (3, "a", 1.0)])
    mechanism = as_mechanism(aggregation(), pairs=[pair], epsilon=1.0, public_partitions=["a", "b"])
    assert audit(mechanism, samples=3000).verdict is not Verdict.UNKNOWN
