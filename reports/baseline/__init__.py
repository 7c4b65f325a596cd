"""Baselines: what an earlier run certified, and what is different now beyond chance."""

from provado.reports.baseline.compare import Change, Difference, compare, exit_status
from provado.reports.baseline.document import (
    baseline_document,
    check_replaceable,
    dumps,
    load_baseline,
)
from provado.reports.baseline.entry import Baseline, Entry, baseline_of

__all__ = [
    "Baseline",
    "Change",
    "Difference",
    "Entry",
    "baseline_document",
    "baseline_of",
    "check_replaceable",
    "compare",
    "dumps",
    "exit_status",
    "load_baseline",
]
