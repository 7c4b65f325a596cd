"""Counterfactual replay: the real program twice under the same noise, one data point changed."""

from .api import replay
from .record.patch import noise
from .result import Divergence, Finding, FindingKind, NoiseCall, PairReplay, Replay

__all__ = [
    "Divergence",
    "Finding",
    "FindingKind",
    "NoiseCall",
    "PairReplay",
    "Replay",
    "noise",
    "replay",
]
