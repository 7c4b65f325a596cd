"""Counterfactual replay: the real program twice under the same noise, one data point changed."""

from .api import replay
from .record.patch import noise
from .result import Finding, FindingKind, NoiseCall, PairReplay, Parted, Replay

__all__ = [
    "Finding",
    "FindingKind",
    "NoiseCall",
    "PairReplay",
    "Parted",
    "Replay",
    "noise",
    "replay",
]
