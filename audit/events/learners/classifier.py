"""Scores of many features: gradient-boosted trees, weighted sums of cells by logistic regression.

The trees are for what cells and weighted sums do not see. Of any learned score it is said by how
few of its features it is carried: only those are named that matter.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from provado.audit.events.features.feature import Feature, Floats
from provado.audit.events.learners.piecewise import Cells
from provado.audit.events.learners.score import NAMED, Named, Score, Weighted, ratio_region, some
from provado.audit.events.threshold import Goal, best_cut
from provado.audit.target.output_encoding import Encoded
from provado.audit.workers import one_thread

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


FITTED = 40_000
"""Samples of each side that the weights are fitted on."""


def weigh(features: list[Feature], a: Encoded, b: Encoded) -> Weighted:
    """Weigh the cells of each feature by logistic regression (ridge penalty 1, Newton's method).

    Features whose share of the score varies by less than 0.01 are left out; the strongest come
    first.
    """
    heads = [part.part(slice(0, FITTED)) for part in (a, b)]
    cells = [Cells.learn(f, *(f.read(head) for head in heads)) for f in features]
    cells = [cell for cell in cells if len(cell.edges)]
    if not cells:
        return Weighted((), ())
    design, labels = _design(cells, a, b)
    shares = np.abs(_logistic(design, labels)) * design.std(axis=0)
    told = [i for i in np.argsort(-shares, kind="stable").tolist() if shares[i] > 0.01]
    weights = _logistic(design[:, told], labels)
    return Weighted(tuple(cells[i] for i in told), tuple(weights.tolist()))


def reweigh(parts: Sequence[Named], a: Encoded, b: Encoded) -> Weighted:
    """Weigh some scores as they are, at least one, again without those that stood beside them."""
    return Weighted(tuple(parts), tuple(_logistic(*_design(parts, a, b)).tolist()))


def _design(parts: Sequence[Named], a: Encoded, b: Encoded) -> tuple[Floats, Floats]:
    """Return scores as columns, and 1 for outputs under D."""
    heads = [part.part(slice(0, FITTED)) for part in (a, b)]
    design = np.vstack([np.column_stack([part(head) for part in parts]) for head in heads])
    return design, np.repeat([1.0, 0.0], [len(head) for head in heads])


def _logistic(design: Floats, labels: Floats) -> Floats:
    """Return the weights of a logistic regression without intercept, ridge penalty 1."""
    weights = np.zeros(design.shape[1])
    for _ in range(8):
        p = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        gradient = design.T @ (labels - p) - weights
        hessian = (design.T * (p * (1 - p))) @ design + np.eye(len(weights))
        step = np.linalg.solve(hessian, gradient)
        weights = weights + step
        if np.max(np.abs(step), initial=0.0) < 1e-3:
            break
    return weights


CARRIES = 0.85
"""A part of an output carries a rule's bound where it promises so much of it by itself."""

TRIED = (1, 2, NAMED, 6, 12, 24)
"""Numbers of strongest features that are tried by themselves."""

LOOKED_AT = 4000
"""Outputs of each side on which the features of trees are put in order."""


def explained(
    score: Score,
    learned: tuple[Encoded, Encoded],
    held: tuple[Encoded, Encoded],
    goal: Goal,
    bound: float,
) -> Score:
    """Return a learned score that says by how many of its features it is carried; others as is.

    learned: outputs under D and D′ that it was learned from, and on which it is learned again from
    its strongest features only. held: others, on which its best cut promises ``bound`` and on which
    what is left of that is forecast.
    """
    if bound <= 0:
        return score
    if isinstance(score, Weighted):
        parts = score.parts
        names = [part.name for part in parts]

        def restricted(k: int) -> Score:
            return reweigh(parts[:k], *learned)

    elif isinstance(score, Classifier):
        features = [score.features[i] for i in _in_order(score, *learned)]
        names = [feature.words() for feature in features]

        def restricted(k: int) -> Score:
            return classify(features[:k], *learned)

    else:
        return score

    def carry(k: int) -> bool:
        part = restricted(k)
        return best_cut(part(held[0]), part(held[1]), goal).value >= CARRIES * bound

    return replace(score, told=_told(names, carry))


def _told(names: Sequence[str], carry: Callable[[int], bool]) -> str:
    """Name features, the strongest first, and say how many of them carry the score."""
    if len(names) <= NAMED:
        return ", ".join(names)
    tried = [k for k in TRIED if k < len(names)]
    enough, first = next(filter(carry, tried), None), ", ".join(names[:NAMED])
    if enough is None:
        how = f"the strongest {tried[-1]} do not carry the bound; first {first}"
    elif enough > NAMED:
        how = f"it takes the strongest {enough}, first {first}"
    else:
        how = f"chiefly {', '.join(names[:enough])}"
    return f"{len(names)} numbers ({how})"


def _in_order(score: Classifier, a: Encoded, b: Encoded) -> list[int]:
    """Return places of the features, those first without which the trees lose most likelihood.

    A feature is taken away by setting it to its median.
    """
    heads = [part.part(slice(0, LOOKED_AT)) for part in (a, b)]
    matrix = np.vstack([feature_matrix(score.features, head) for head in heads])
    sign = np.repeat([1.0, -1.0], [len(head) for head in heads])
    losses = []
    for j, column in enumerate(matrix.T.copy()):
        matrix[:, j] = np.nanmedian(column) if np.isfinite(column).any() else np.nan
        losses.append(float(np.logaddexp(0, -sign * score.model.decision_function(matrix)).sum()))
        matrix[:, j] = column
    return [int(j) for j in np.argsort(-np.array(losses), kind="stable")]
