"""PipelineDP: aggregates of partitions, with its local backend."""

import logging

import pipeline_dp
from atlas_row import Rows
from pipeline_dp import Metrics

PACKAGE = {"name": "pipeline-dp", "version": "0.3.1", "what": "aggregates of partitions"}

logging.disable(logging.CRITICAL)
rows = Rows(PACKAGE, "add-or-remove-one: all records of one person")
PEOPLE = [[[1, 1.0], [2, 0.0], [3, 1.0]], [[1, 1.0], [2, 0.0]]]
HEAVY = [[[1, 1.0], [2, 0.0], [3, 1.0], [3, 1.0], [3, 1.0]], [[1, 1.0], [2, 0.0]]]
EXTRACT = pipeline_dp.DataExtractors(
    privacy_id_extractor=lambda row: row[0],
    partition_extractor=lambda _: 0,
    value_extractor=lambda row: row[1],
)


def metric(key, asked, epsilon=1.0, delta=0.0, noise=pipeline_dp.NoiseKind.LAPLACE):
    """Declare an aggregate of one public partition."""

    def release(data):
        budget = pipeline_dp.NaiveBudgetAccountant(total_epsilon=epsilon, total_delta=delta)
        engine = pipeline_dp.DPEngine(budget, pipeline_dp.LocalBackend())
        parameters = pipeline_dp.AggregateParams(
            metrics=[asked],
            noise_kind=noise,
            max_partitions_contributed=1,
            max_contributions_per_partition=1,
            min_value=0.0,
            max_value=1.0,
        )
        found = engine.aggregate(data, parameters, EXTRACT, public_partitions=[0])
        budget.compute_budgets()
        return [round(float(one), 6) for one in next(iter(found))[1]]

    release.__name__ = key
    rows.row(
        f"`{asked}`, {noise.value} noise",
        epsilon=epsilon,
        delta=delta,
        pairs=[PEOPLE, HEAVY],
        claim="A library for differentially private data analysis pipelines.",
        place="summary",
    )(release)


metric("count", Metrics.COUNT)
metric("total", Metrics.SUM)
metric("mean", Metrics.MEAN)
metric("people", Metrics.PRIVACY_ID_COUNT)
metric("gaussian_count", Metrics.COUNT, 0.5, 0.01, pipeline_dp.NoiseKind.GAUSSIAN)
