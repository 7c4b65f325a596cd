"""A weighted sum of cells: logistic regression on what each feature says by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from provado.audit.events.features.feature import Feature, Floats
from provado.audit.target.output_encoding import Encoded

from .piecewise import Cells
from .score import Named, Weighted

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
