"""Baselines: what an earlier run certified, and what is different now beyond chance."""

from .compare import Change, Deviation, compare, exit_status
from .document import (
    Baseline,
    Recorded,
    baseline_document,
    baseline_of,
    check_replaceable,
    dumps,
    load_baseline,
)

__all__ = [
    "Baseline",
    "Change",
    "Deviation",
    "Recorded",
    "baseline_document",
    "baseline_of",
    "check_replaceable",
    "compare",
    "dumps",
    "exit_status",
    "load_baseline",
]
