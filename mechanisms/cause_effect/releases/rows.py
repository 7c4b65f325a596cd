"""Datasets of the private releases: one row (x, y) for each person, replaced as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.cause_effect.anm.directions import Residuals
from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import answers

Vector = NDArray[np.float64]

Predictor = Callable[[Vector], Vector]
"""A public function of the line, applied elementwise: trained on other data, or chosen by hand."""


def two_columns(data: Any, name: str, least: int = 2) -> tuple[Vector, Vector]:
    """Return the columns of a dataset of shape (m, 2).

    Raises ``UsageError`` unless there are two columns of at least ``least`` finite numbers.
    """
    table = answers(data, name)
    if table.ndim != 2 or table.shape[1] != 2 or table.shape[0] < least:
        raise UsageError(
            f"{name} has shape {table.shape}: it must be (m, 2), one row (x, y) for each of at "
            f"least {least} records"
        )
    return table[:, 0].copy(), table[:, 1].copy()


def four_vectors(data: Any, f: Predictor, g: Predictor) -> Residuals:
    """Return x′, y′ and both residuals for public f : X → Y and g : Y → X.

    data: shape (m, 2). One replaced row changes one entry of each of the four. Raises
    ``UsageError`` as ``two_columns``.
    """
    x, y = two_columns(data, "data")
    return Residuals(x, y, x - g(y), y - f(x))


def halved(values: Vector) -> Vector:
    """Return ``values``/2: the public function that the catalogue's examples use as f and g."""
    return values / 2
