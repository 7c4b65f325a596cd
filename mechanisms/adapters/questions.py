"""What all libraries are asked: the words, the bounds and the pair of neighbors of each question.

Column and pair are the same for all libraries wherever the relation is. The centered column is
there because its sums lie near 0, where floating-point noise shows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.adapters import real_data
from provado.mechanisms.adapters.real_data import Records

Pairs = tuple[tuple[Records, Records], ...]

COUNT = "malignant tumors among 569"
SUM = "sum of 442 body mass indices, bounds 15 to 50 kg/m²"
MEAN = "mean of 442 body mass indices, bounds 15 to 50 kg/m²"
SUM_CENTERED = "sum of 442 centered body mass indices, bounds −1 to 1"
MEAN_CENTERED = "mean of 442 centered body mass indices, bounds −1 to 1"
MEDIAN = "median of 442 body mass indices, bounds 15 to 50 kg/m²"
HISTOGRAM = "442 ages in four bands"
SELECTION = "the fullest of four age bands of 442 patients"


def one_turned_malignant() -> Pairs:
    """Return the tumors and the same with one benign tumor replaced by a malignant one."""
    return (real_data.lowest_raised(real_data.malignant(), 1),)


def one_more_malignant() -> Pairs:
    """Return the tumors and the same with one malignant tumor more."""
    return (real_data.one_more(real_data.malignant(), 1),)


def lowest_raised() -> Pairs:
    """Return the body mass indices and the same with the lowest at the upper bound."""
    return (real_data.lowest_raised(real_data.body_mass_index(), real_data.BMI_BOUNDS[1]),)


def one_more() -> Pairs:
    """Return the body mass indices and the same with one record more, at the upper bound."""
    return (real_data.one_more(real_data.body_mass_index(), real_data.BMI_BOUNDS[1]),)


def lowest_raised_centered() -> Pairs:
    """Return the centered column and the same with the lowest at the upper bound."""
    column, upper = real_data.centered_body_mass_index(), real_data.CENTERED_BOUNDS[1]
    return (real_data.lowest_raised(column, upper),)


def one_more_centered() -> Pairs:
    """Return the centered column and the same with one record more, at the upper bound."""
    column, upper = real_data.centered_body_mass_index(), real_data.CENTERED_BOUNDS[1]
    return (real_data.one_more(column, upper),)


def moved_between_bands() -> Pairs:
    """Return the ages and the same with one patient moved from the fullest band to the next."""
    return (real_data.moved_between_bands(real_data.age()),)


def one_more_in_its_fifties() -> Pairs:
    """Return the ages and the same with one patient of 55 more."""
    return (real_data.one_more(real_data.age(), 55.0),)


def band_list(ages: NDArray[np.float64]) -> list[int]:
    """Return the band of each age as Python integers."""
    return [int(band) for band in real_data.age_bands(ages)]


def count_list(ages: NDArray[np.float64]) -> list[int]:
    """Return the four bands' counts as Python integers."""
    return [int(count) for count in real_data.band_counts(ages)]


def malignant_only(labels: NDArray[np.int64]) -> list[int]:
    """Return one entry for each malignant tumor."""
    return [1] * int(np.count_nonzero(labels))
