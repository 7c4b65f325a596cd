"""The two tests by which the conformance suite compares outputs, each at a stated level."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from provado.mechanisms.definitions.intervention import record_key, records

LEVEL = 1e-6
"""The chance that a test accuses a sound adapter."""

LEAST_COUNT = 30
"""Values that are seen more rarely than this are one cell."""


def same_distribution_p_value(first: Any, second: Any) -> float:
    """Return a p-value that two samples of outputs have one distribution.

    Numbers: the two-sample Kolmogorov–Smirnov test, conservative where values tie; for vectors
    the least p-value of a coordinate times their number. Anything else: the chi-square test of a
    table of values. Samples of numbers of different shapes give 0.
    """
    a, b = (_columns(each) for each in (first, second))
    if a is None or b is None:
        return _table_p_value(first, second)
    if a.shape[1] != b.shape[1]:
        return 0.0
    p_values = [
        float(stats.ks_2samp(x, y, method="asymp").pvalue) for x, y in zip(a.T, b.T, strict=True)
    ]
    return min(1.0, min(p_values) * len(p_values))


def dependence_p_value(outputs: Any) -> float:
    """Return a p-value that consecutive outputs are independent.

    Disjoint pairs of neighbors in the batch are tested for rank correlation, at both ways of
    pairing; two p-values, so twice the smaller. Vectors are read at their first coordinate, and
    what is no number by the place of its spelling in alphabetical order.
    """
    columns = _columns(outputs)
    values = _codes(outputs) if columns is None else columns[:, 0]
    p_values = []
    for start in (0, 1):
        tail = values[start : start + (values.size - start) // 2 * 2]
        x, y = tail[0::2], tail[1::2]
        if np.ptp(x) > 0 and np.ptp(y) > 0:
            p_values.append(float(stats.spearmanr(x, y).pvalue))
    return min(1.0, 2 * min(p_values)) if p_values else 1.0


def _columns(outputs: Any) -> NDArray[np.float64] | None:
    try:
        array = np.asarray(outputs)
    except ValueError:
        return None
    if array.dtype.kind not in "biuf" or not array.size:
        return None
    return array.reshape(len(array), -1).astype(np.float64)


def _codes(*samples: Any) -> NDArray[np.int64]:
    keys = [record_key(each) for sample in samples for each in records(sample)]
    # Not by first appearance: of outputs that are all different that is the order of the draws.
    places = {key: place for place, key in enumerate(sorted(set(keys), key=repr))}
    return np.array([places[key] for key in keys], dtype=np.int64)


def _table_p_value(first: Any, second: Any) -> float:
    codes, n = _codes(first, second), len(records(first))
    table = np.stack(
        [np.bincount(part, minlength=codes.max() + 1) for part in (codes[:n], codes[n:])]
    )
    rare = table.sum(axis=0) < LEAST_COUNT
    table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
    table = table[:, table.sum(axis=0) > 0]
    return float(stats.chi2_contingency(table).pvalue) if table.shape[1] > 1 else 1.0
