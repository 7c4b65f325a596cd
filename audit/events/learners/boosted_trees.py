"""Gradient-boosted trees, fitted by scikit-learn and kept as plain data.

A rule is kept for hours between two runs of an audit. So nothing of scikit-learn's own classes,
which change from release to release, stays in it: the splits are read off once the trees are
fitted, and must give the same log-odds, bit for bit.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.audit.events.features.feature import Feature, Floats
from provado.audit.target.output_encoding import Encoded
from provado.audit.workers import one_thread

from .piecewise import ratio_region, some

TREES_FITTED = 20_000
"""Samples of each side that the trees are fitted on."""

MOST_LEAVES = 12

_LEAVES = np.arange(2**MOST_LEAVES)
_FIRST_LEFT = np.argmin(_LEAVES[:, None] >> np.arange(MOST_LEAVES + 1) & 1, axis=1)
"""By a set of leaves, as bits: the first leaf that is not in it."""

Split = tuple[int, float, bool, int]
"""A column, the largest number that goes left, whether NaN goes left, and the leaves to the left,
as bits; leaves are numbered from left to right."""

Tree = tuple[tuple[Split, ...], tuple[float, ...]]
"""Splits, and the value of each leaf."""


@dataclass(frozen=True)
class BoostedTrees:
    """The sum of the values of the leaves that a row falls into, one of each tree, and a start."""

    start: float
    trees: tuple[Tree, ...]

    def decision_function(self, matrix: Floats) -> Floats:
        """Return the log-odds of each row, shape (n,), added up in the order of the trees.

        A row that goes right at a split falls into no leaf to its left; of the leaves that are left
        it falls into the first.
        """
        total = np.full(len(matrix), self.start)
        columns = np.asfortranarray(matrix)
        for splits, values in self.trees:
            passed = np.zeros(len(matrix), dtype=np.uint16)
            for column, threshold, missing_left, leaves in splits:
                x = columns[:, column]
                right = x > threshold if missing_left else ~(x <= threshold)
                passed |= right * np.uint16(leaves)
            total += np.array(values)[_FIRST_LEFT[passed]]
        return total


@dataclass(frozen=True)
class Classifier:
    """The log-odds of boosted trees on features.

    told: which of them carry it, in words, where that was examined; see ``explained``.
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
        """Return the classifier that was fitted, and its features."""
        return {
            "kind": "classifier",
            "model": "HistGradientBoostingClassifier",
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
        max_iter=15,
        max_leaf_nodes=MOST_LEAVES,
        min_samples_leaf=50,
        early_stopping=False,
        random_state=0,
    )
    with one_thread(), warnings.catch_warnings():
        # Where the system does not say how many processors it has: one thread needs one.
        warnings.filterwarnings("ignore", "Could not find the number of physical cores")
        model.fit(matrix, labels)
        return Classifier(plain_trees(model, matrix), tuple(features))


def plain_trees(model: Any, matrix: Floats) -> Any:
    """Return the trees of a fitted classifier as ``BoostedTrees``, or the classifier itself.

    It stays what it is where a release of scikit-learn keeps its trees in another form, or where
    the log-odds of any row of ``matrix`` differ: then a rule of it is used, but not kept.
    """
    try:
        (start,) = np.ravel(model._baseline_prediction).tolist()
        trees = BoostedTrees(start, tuple(_tree(item.nodes) for (item,) in model._predictors))
        same = np.array_equal(trees.decision_function(matrix), model.decision_function(matrix))
    except (AttributeError, IndexError, TypeError, ValueError, OverflowError):
        return model
    return trees if same else model


def _tree(nodes: Any) -> Tree:
    """Return a tree from scikit-learn's table of nodes, of which the first is the root."""
    splits, values = list[Split](), list[float]()

    def grow(at: int) -> None:
        node = nodes[at]
        if node["is_leaf"]:
            values.append(float(node["value"]))
            return
        first = len(values)
        grow(int(node["left"]))
        left = (1 << len(values)) - (1 << first)
        missing_left = bool(node["missing_go_to_left"])
        splits.append((int(node["feature_idx"]), float(node["num_threshold"]), missing_left, left))
        grow(int(node["right"]))

    grow(0)
    return tuple(splits), tuple(values)
