"""What the entries of Kusner et al. (2016) share, and the pairs of neighbors that are audited.

Rows are tuples, so that a dataset can be compared and kept in a catalogue.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from provado.mechanisms.definitions import Mechanism, ReplaceOne
from provado.mechanisms.scores.iqr import quartile_positions

WORK = "Kusner et al., Private Causal Inference (2016)"

entry = partial(Mechanism, relation=ReplaceOne(), tags=("kusner2016",))
"""A mechanism whose data points are rows or values, one of which is replaced."""

Fields = dict[str, Any]
"""Fields of a ``Mechanism``, or parameters of a release, by name."""

Values = tuple[float, ...]
Rows = tuple[tuple[float, float], ...]


def replaced(rows: Rows, index: int, row: tuple[float, float]) -> Rows:
    """Return the rows with one of them replaced."""
    return (*rows[:index], row, *rows[index + 1 :])


def twice(values: Values) -> Rows:
    """Return the rows (v, v): with f and g halving, both residuals are v/2."""
    return tuple((v, v) for v in values)


def step(m: int, low: float, high: float) -> tuple[Values, Values]:
    """Return m values whose IQR is ``low``, and a neighbor whose IQR is ``high``.

    Half of the values are 0; those up to the third quartile are ``low`` and those above it
    ``high``; the neighbor has the third quartile turned from ``low`` to ``high``. About m/4 points
    must change to move the IQR to any other place.
    """
    half, (_, q) = m // 2, quartile_positions(m)
    below = (0.0,) * half + (low,) * (q - half - 1)
    above = (high,) * (m - q)
    return (*below, low, *above), (*below, high, *above)


EDGE = step(400, 0.99, 1.01)
"""ln IQR just below 0 and just above 0; some 100 points must change to move it by a half."""

WIDE = step(400, 1.02, 2.6)
"""Both in [1, e), nearly as far apart as neighbors in one bin can be."""

JUMP: tuple[Values, Values] = ((0.0, 0.0, 0.0, 100.0), (0.0, 0.0, 5.0, 100.0))
"""IQR 0 and 5: no bin holds both, and a single point is enough to leave any bin."""

EDGE_ROWS = (twice(EDGE[0]), twice(EDGE[1]))
WIDE_ROWS = (twice(WIDE[0]), twice(WIDE[1]))
"""As above, for x′ and y′ at once."""

_FAR = math.exp(28)
FAR_ROWS = (twice((0.0, 0.0, 1.0, 2 * _FAR)), twice((0.0, 0.0, _FAR, 2 * _FAR)))
"""One row moves all four IQRs by a factor e^28, and a single row is enough to leave any bin."""

LINE: Rows = tuple((i / 25 - 1, i / 25 - 1) for i in range(50))
AGAINST: tuple[Rows, Rows] = (LINE, replaced(LINE, 49, (10.0, -10.0)))
"""All rows agree on the order; one is turned against all others, in both directions."""

CLUSTERS: Rows = ((0.0, 0.0),) * 25 + ((10.0, 10.0),) * 25
ASTRAY: tuple[Rows, Rows] = (CLUSTERS, replaced(CLUSTERS, 49, (0.0, 5.0)))
"""Two clusters, and one row that belongs to neither."""


def _median_flip() -> tuple[Rows, Rows]:
    """Two clusters of 190 and 210 rows: as many pairs within as across; one row moves over."""
    left = tuple(i / 1000 for i in range(190))
    right = tuple(10 + i / 1000 for i in range(210))
    rows = twice((*left, *right))
    return rows, replaced(rows, 399, (0.19, 0.19))


MEDIAN_FLIP = _median_flip()
"""The median distance is that within clusters for one and that across for the other."""
