"""Two runs of an unchanged mechanism with other seeds, each with the rule that it learned."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from provado.audit import audit
from provado.mechanisms.catalogue import catalogue
from provado.reports.audit_report.baseline import Change, baseline_of, compare
from provado.reports.tasks.run import Record, Run, Settings

ALPHA = 0.05
NAMES = (
    "discrete-laplace/count",
    "noisy-max/laplace",
    "priv-pc/one-edge",
    "randomized-response/binary",
    "sparse-vector/svt-1",
    "truncated-geometric/five",
    "twin/laplace-wrong-scale",
)
PAIRS = 15


@pytest.mark.slow
def test_a_rise_is_reported_no_more_often_than_stated() -> None:
    settings = Settings(5_000, None, 1 - ALPHA, 0, 3600.0)
    mechanisms = {one.name: one for one in catalogue()}
    risen = naive = 0
    for name in NAMES:
        runs = [
            Run("0", {}, settings, (Record(result, (), settings),))
            for result in (
                audit(mechanisms[name], samples=5_000, seed=seed, confidence=1 - ALPHA)
                for seed in range(2 * PAIRS)
            )
        ]
        for before, after in zip(runs[::2], runs[1::2], strict=True):
            differences = compare(after, baseline_of(before))
            risen += any(Change.RISE in one.changes for one in differences)
            naive += after.results[0].epsilon_lower > before.results[0].epsilon_lower
    comparisons = len(NAMES) * PAIRS
    assert risen <= binom.ppf(0.99, comparisons, ALPHA)
    assert naive > comparisons / 4
