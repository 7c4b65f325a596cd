"""Scores: one real number an output, large where it speaks for D, small where for D′."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from provado.audit.events.features.feature import Feature, Floats
from provado.audit.events.features.kinds import Kind, Looked
from provado.audit.target.output_encoding import Encoded

NAMED = 3
"""Features of a learned score that are named."""


class Score(Protocol):
    """A score that has been learned. ``raw`` ones learned nothing from the samples."""

    raw: bool

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the scores, shape (n,); NaN where there is nothing to say."""
        ...

    def region(self, low: float, high: float) -> str:
        """Say in words which outputs score in [low, high]."""
        ...

    def record(self) -> dict[str, Any]:
        """Return the score as plain data for a report."""
        ...


class Named(Score, Protocol):
    """A score of one feature."""

    @property
    def name(self) -> str:
        """The feature, in words."""
        ...


def log_ratio(a: NDArray[Any], b: NDArray[Any]) -> Floats:
    """Return the log-likelihood ratio of D against D′ from counts, half a count added to each."""
    return np.asarray(np.log((a + 0.5) / (b + 0.5)))


@dataclass(frozen=True)
class Raw:
    """A feature as it is: the rule is then one or two thresholds on it."""

    feature: Feature
    raw = True

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the feature."""
        return self.feature.read(outputs)

    def region(self, low: float, high: float) -> str:
        """Return an inequality."""
        name = self.feature.words()
        return f"{name} ≥ {low:.10g}" if np.isinf(high) else f"{name} ≤ {high:.10g}"

    def record(self) -> dict[str, Any]:
        """Return the feature's name."""
        return {"kind": "threshold", "feature": self.feature.words()}

    def looked(self) -> Looked:
        """Return thresholds of the feature."""
        return Looked(Kind.THRESHOLDS, (self.feature.words(),))


@dataclass(frozen=True)
class Weighted:
    """A weighted sum of scores (logistic regression on them), the strongest first.

    told: which of them carry it, in words, where that was looked at; see ``explained``.
    """

    parts: tuple[Named, ...]
    weights: tuple[float, ...]
    told: str = ""
    raw = False

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the weighted sum; parts that have nothing to say count 0."""
        total = np.zeros(len(outputs))
        for part, weight in zip(self.parts, self.weights, strict=True):
            total += weight * np.nan_to_num(part(outputs))
        return total

    def region(self, low: float, high: float) -> str:
        """Describe the rule by the score that it wants."""
        told = self.told or some([part.name for part in self.parts])
        return ratio_region(f"from {told}", low, high)

    def record(self) -> dict[str, Any]:
        """Return parts and weights."""
        return {
            "kind": "weighted",
            "parts": [part.record() for part in self.parts[:20]],
            "weights": list(self.weights[:20]),
        }


def some(names: Sequence[str]) -> str:
    """Name the first few of some features, and say how many more there are."""
    named, more = ", ".join(names[:NAMED]), len(names) - NAMED
    return f"{named} and {more} more" if more > 0 else named or "nothing"


def ratio_region(how: str, low: float, high: float) -> str:
    """Say which outputs a rule takes whose score cannot be put in words, estimated ``how``."""
    if np.isinf(high):
        return f"the log-likelihood ratio of D against D′ estimated {how} is at least {low:.4g}"
    return f"the log-likelihood ratio of D against D′ estimated {how} is at most {high:.4g}"
