"""Gradient-boosted trees on all features, for what cells and weighted sums do not see."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.audit.events.features.feature import Feature, Floats
from provado.audit.target.output_encoding import Encoded
from provado.audit.workers import one_thread

from .score import ratio_region, some

TREES_FITTED = 20_000
"""Samples of each side that the trees are fitted on."""


@dataclass(frozen=True)
class Classifier:
    """The log-odds of a classifier of scikit-learn on features.

    told: which of them carry it, in words, where that was looked at; see ``explained``.
    """

    model: Any
    features: tuple[Feature, ...]
    told: str = ""
    raw = False

    def __call__(self, outputs: Encoded) -> Floats:
        """Return the log-odds of D."""
        matrix = feature_matrix(self.features, outputs)
        return np.asarray(self.model.decision_function(matrix), dtype=np.float64)

    def region(self, low: float, high: float) -> str:
        """Describe the rule by the score that it wants."""
        told = self.told or some([feature.words() for feature in self.features])
        return ratio_region(f"by boosted trees on {told}", low, high)

    def record(self) -> dict[str, Any]:
        """Return the classifier's type and features."""
        return {
            "kind": "classifier",
            "model": type(self.model).__name__,
            "features": [feature.words() for feature in self.features],
        }


def feature_matrix(features: Sequence[Feature], outputs: Encoded) -> Floats:
    """Return the features as columns; infinities, which the trees do not take, as NaN."""
    matrix = np.column_stack([feature.read(outputs) for feature in features])
    matrix[~np.isfinite(matrix)] = np.nan
    return matrix


def classify(features: list[Feature], a: Encoded, b: Encoded) -> Classifier:
    """Fit gradient-boosted trees on the features; missing values are handled by the trees."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    heads = [part.part(slice(0, TREES_FITTED)) for part in (a, b)]
    matrix = np.vstack([feature_matrix(features, head) for head in heads])
    labels = np.repeat([1, 0], [len(head) for head in heads])
    model = HistGradientBoostingClassifier(
        max_iter=15, max_leaf_nodes=12, min_samples_leaf=50, early_stopping=False, random_state=0
    )
    with one_thread(), warnings.catch_warnings():
        # Where the system does not say how many processors it has: one thread needs one.
        warnings.filterwarnings("ignore", "Could not find the number of physical cores")
        model.fit(matrix, labels)
    return Classifier(model, tuple(features))
