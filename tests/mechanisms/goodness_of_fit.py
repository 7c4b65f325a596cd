"""Chi-square goodness of fit against exact probabilities, shared by the tests of the samplers."""

import numpy as np
from scipy import stats

ALPHA = 1e-6
"""Below this p-value a sampler is wrong: with fixed seeds a pass stays a pass."""


def p_value(outputs, support, probabilities):
    """Return the p-value of ``outputs`` under ``probabilities`` on a sorted integer ``support``.

    Whatever falls outside the support is one more cell; cells with fewer than ten expected outputs
    are pooled into one.
    """
    outputs, support = np.asarray(outputs), np.asarray(support)
    expected = np.append(probabilities, max(0.0, 1 - np.sum(probabilities))) * outputs.size
    place = np.searchsorted(support, outputs)
    inside = (place < support.size) & (support[np.minimum(place, support.size - 1)] == outputs)
    counts = np.bincount(np.where(inside, place, support.size), minlength=support.size + 1)
    if np.any(counts[expected == 0]):
        return 0.0
    rare = expected < 10
    counts = np.append(counts[~rare], counts[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    if expected[-1] < 1e-6:
        counts, expected = counts[:-1], expected[:-1]
    statistic = np.sum((counts - expected) ** 2 / expected)
    return float(stats.chi2.sf(statistic, counts.size - 1))


def same_distribution_p_value(first, second):
    """Return the p-value that two samples of integers have one distribution, rare values pooled."""
    values, codes = np.unique(np.concatenate([first, second]), return_inverse=True)
    table = np.stack(
        [
            np.bincount(part, minlength=values.size)
            for part in (codes[: len(first)], codes[len(first) :])
        ]
    )
    rare = table.sum(axis=0) < 30
    table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
    return float(stats.chi2_contingency(table[:, table.sum(axis=0) > 0]).pvalue)
