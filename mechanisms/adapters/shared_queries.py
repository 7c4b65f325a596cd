"""What all libraries are asked: the words, the column and the pair of neighbors of each question.

Column and pair are the same for all libraries wherever the relation is. The centered column is
there because its sums lie near 0, where floating-point noise shows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import real_data
from .real_data import Records

Pairs = tuple[tuple[Records, Records], ...]


@dataclass(frozen=True)
class Question:
    """A question about one column of real records.

    column: returns the records. value: of the record that comes in.
    replace: how that record takes the place of another.
    """

    words: str
    column: Callable[[], Records]
    value: float
    replace: Callable[[Records, float], tuple[Records, Records]] = real_data.lowest_raised

    def replaced(self) -> Pairs:
        """Return the column and the same with one record replaced."""
        return (self.replace(self.column(), self.value),)

    def added(self) -> Pairs:
        """Return the column and the same with one record more."""
        return (real_data.one_more(self.column(), self.value),)


_BMI = real_data.body_mass_index, real_data.BMI_BOUNDS[1]
_CENTERED = real_data.centered_body_mass_index, real_data.CENTERED_BOUNDS[1]
_BANDS = real_data.age, real_data.FIFTIES, real_data.moved_between_bands

QUESTIONS = {
    "count": Question("malignant tumors among 569", real_data.malignant, 1),
    "sum": Question("sum of 442 body mass indices, bounds 15 to 50 kg/m²", *_BMI),
    "mean": Question("mean of 442 body mass indices, bounds 15 to 50 kg/m²", *_BMI),
    "sum-centered": Question("sum of 442 centered body mass indices, bounds −1 to 1", *_CENTERED),
    "mean-centered": Question("mean of 442 centered body mass indices, bounds −1 to 1", *_CENTERED),
    "median": Question("median of 442 body mass indices, bounds 15 to 50 kg/m²", *_BMI),
    "histogram": Question("442 ages in four bands", *_BANDS),
    "selection": Question("the fullest of four age bands of 442 patients", *_BANDS),
}


def answered(
    name: str, how: str, *, question: str | None = None, added: bool = False
) -> dict[str, Any]:
    """Return name, pairs and summary of a release.

    name: ``library/question``; or give the question. how: the noise, in words. added: whether
        neighbors have a record more, and not one replaced.
    """
    asked = QUESTIONS[question or name.partition("/")[2]]
    pairs = asked.added() if added else asked.replaced()
    return {"name": name, "pairs": pairs, "summary": f"{asked.words}, {how}"}


def band_list(ages: NDArray[np.float64]) -> list[int]:
    """Return the band of each age as Python integers."""
    return [int(band) for band in real_data.age_bands(ages)]


def count_list(ages: NDArray[np.float64]) -> list[int]:
    """Return the four bands' counts as Python integers."""
    return [int(count) for count in real_data.band_counts(ages)]


def malignant_only(labels: NDArray[np.int64]) -> list[int]:
    """Return one entry for each malignant tumor."""
    return [1] * int(np.count_nonzero(labels))
