"""Many data points, each under the intervention of its own coin: datasets, scores and guesses."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.audit.target.output_encoding import BrokenMechanismError
from provado.mechanisms import UsageError
from provado.mechanisms.definitions.relation import cut, short

Coins = NDArray[np.bool_]
Score = Callable[[Any], Any]


@dataclass(frozen=True)
class Canaries:
    """The points that are intervened on; the dataset is ``data`` and, after it, what the coins say.

    first: the m records that stand in it where their coins are heads. second: those that stand in
    their place where they are tails; ``None`` where there is none then. data: the other records.
    All are lists, tuples, arrays or data frames of one kind.
    """

    first: Any
    second: Any
    data: Any

    def __post_init__(self) -> None:
        for name, records in (("canaries", self.first), ("instead", self.second)):
            if records is not None and not _tabular(records):
                raise UsageError(
                    f"{name} is {short(records)}: it must be a list, tuple, array or data frame of "
                    "records"
                )
        if len(self) < 1:
            raise UsageError(f"canaries is {short(self.first)}: it must hold at least one record")
        if self.second is not None and len(self.second) != len(self):
            raise UsageError(
                f"instead has {len(self.second)} records: it must have one for each of the "
                f"{len(self)} canaries"
            )
        for records in (self.second, self.data):
            if records is not None and not isinstance(records, type(self.first)):
                raise UsageError(
                    f"canaries is a {type(self.first).__name__}: data and instead must be of the "
                    f"same kind, not a {type(records).__name__}"
                )

    def __len__(self) -> int:
        return len(self.first)

    @property
    def relation(self) -> str:
        """The neighboring relation in which one coin is one step."""
        return "add-or-remove-one" if self.second is None else "replace-one"

    def dataset(self, coins: Coins) -> Any:
        """Return a new dataset under do(coins): ``data``, then the canaries in their order."""
        first, second, data = self.first, self.second, self.data
        if isinstance(first, list | tuple):
            other: list[Any] = [None] * len(self) if second is None else list(second)
            chosen = [
                one if coin else another
                for one, another, coin in zip(first, other, coins.tolist(), strict=True)
                if coin or second is not None
            ]
            return type(first)([*([] if data is None else data), *chosen])
        if isinstance(first, np.ndarray):
            if second is None:
                array = first[coins]
            else:
                across = coins.reshape(-1, *([1] * (first.ndim - 1)))
                array = np.where(across, first, second)
            return array.copy() if data is None else np.concatenate([data, array])
        pandas = importlib.import_module("pandas")
        if second is None:
            frames = [first[coins]]
        else:
            both = pandas.concat([first, second], ignore_index=True)
            frames = [both.iloc[np.where(coins, 0, len(self)) + np.arange(len(self))]]
        return pandas.concat([*([] if data is None else [data]), *frames], ignore_index=True)


def _tabular(records: Any) -> bool:
    array = isinstance(records, np.ndarray) and records.ndim >= 1
    return array or isinstance(records, list | tuple) or hasattr(records, "iloc")


def scores_of(output: Any, score: Score | None, canaries: int) -> NDArray[np.float64]:
    """Return one number for each canary; the higher, the rather its coin was heads.

    Without ``score`` the output itself is taken, coordinate i for canary i. Raises
    ``BrokenMechanismError`` where there are not as many numbers.
    """
    what = "the mechanism" if score is None else "the score"
    try:
        numbers = np.asarray(output if score is None else score(output), dtype=np.float64)
    except Exception as error:
        said = cut(" ".join(str(error).split()), 300)
        kind = "gave no numbers" if score is None else "raised"
        raise BrokenMechanismError(f"{what} {kind}: {type(error).__name__}: {said}") from error
    numbers = numbers.ravel()
    if len(numbers) != canaries:
        hint = ": give a score" if score is None else ""
        raise BrokenMechanismError(
            f"{what} gave {len(numbers)} numbers for {canaries} canaries{hint}"
        )
    if np.isnan(numbers).any():
        raise BrokenMechanismError(
            f"{what} gave NaN for canary {int(np.argmax(np.isnan(numbers)))}"
        )
    return numbers


def guessed(scores: NDArray[np.float64], guesses: int, threshold: float | None) -> NDArray[np.int8]:
    """Return 1 (heads), −1 (tails) or 0 (no guess) for each canary, exactly so many not 0.

    The highest scores are heads and the lowest tails, half of the guesses each; or, with a
    ``threshold``, the scores farthest from it, on their side of it. Nothing but the scores and the
    positions of canaries is looked at.
    """
    said = np.zeros(len(scores), dtype=np.int8)
    if threshold is None:
        order = np.argsort(scores, kind="stable")
        said[order[: guesses // 2]] = -1
        said[order[len(order) - (guesses - guesses // 2) :]] = 1
        return said
    far = np.argsort(-np.abs(scores - threshold), kind="stable")[:guesses]
    said[far] = np.where(scores[far] > threshold, 1, -1)
    return said


def right(said: NDArray[np.int8], coins: Coins) -> int:
    """Return how many guesses name what the coin said."""
    return int(np.count_nonzero(said == np.where(coins, 1, -1)))
