"""The three answers of the additive noise model."""

from __future__ import annotations

import math
from enum import StrEnum

from provado.mechanisms.definitions import UsageError


class Direction(StrEnum):
    """What two scores say. Algorithm 1 of Kusner et al. leaves equal scores without an answer."""

    FORWARD = "X→Y"
    BACKWARD = "Y→X"
    UNDECIDED = "undecided"

    def reversed(self) -> Direction:
        """Return what the same scores say when X and Y change names."""
        swapped = {Direction.FORWARD: Direction.BACKWARD, Direction.BACKWARD: Direction.FORWARD}
        return swapped.get(self, self)


def direction_of(score_forward: float, score_backward: float) -> Direction:
    """Return the direction with the smaller score, ``UNDECIDED`` when they are equal.

    score_forward: s_{X→Y} = s(x′, r′_Y); score_backward: s_{Y→X} = s(y′, r′_X). −∞ is allowed (the
    log-IQR of a column that is mostly one value).

    Source: Kusner et al., Private Causal Inference (2016), Algorithm 1, line 9. Raises
    ``UsageError`` for NaN.
    """
    for value, name in ((score_forward, "score_forward"), (score_backward, "score_backward")):
        if math.isnan(value):
            raise UsageError(f"{name} is {value!r}: a score must be a number")
    if score_forward == score_backward:
        return Direction.UNDECIDED
    return Direction.FORWARD if score_forward < score_backward else Direction.BACKWARD
