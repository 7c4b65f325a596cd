"""Train and test halves, chosen without a look at the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import natural


@dataclass(frozen=True, eq=False)
class Split:
    """Row numbers of the training and of the test set, each ascending, without a common row."""

    train: NDArray[np.int64]
    test: NDArray[np.int64]

    def __post_init__(self) -> None:
        both = np.concatenate([self.train, self.test])
        if both.size and (both.min() < 0 or np.unique(both).size != both.size):
            raise UsageError("split: each row may stand once, in train or in test, from 0 on")
        for rows in (self.train, self.test):
            rows.setflags(write=False)


def split_half(n: int, rng: np.random.Generator) -> Split:
    """Return a random split of ``n`` rows into ⌊n/2⌋ to train and the rest to test.

    It depends on n and ``rng`` only, so a replaced record stays in its half: the privacy of either
    half is that of the whole. Source: Kusner et al., Private Causal Inference (2016), section 3.2
    and the 50/50 splits of section 6. Raises ``UsageError`` unless n is a whole number from 2 on.
    """
    count = natural(n, "n")
    if count < 2:
        raise UsageError(f"n is {n!r}: a split needs at least 2 rows")
    order = rng.permutation(count)
    return Split(np.sort(order[: count // 2]), np.sort(order[count // 2 :]))
