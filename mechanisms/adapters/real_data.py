"""Real records that scikit-learn ships, and the questions that all libraries are asked about them.

No constant here is computed from the data. The breast-cancer data are Wolberg, Mangasarian and
Street's (569 tumors); the diabetes data are Efron, Hastie, Johnstone and Tibshirani's (442
patients, Least Angle Regression, 2004).

A question has words, a column and a pair of neighbors. Column and pair are the same for all
libraries wherever the relation is. The centered column is there because its sums lie near 0, where
floating-point noise shows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.definitions import Intervention

T = TypeVar("T", bound=np.generic)

Records = NDArray[Any]

BMI_BOUNDS = (15.0, 50.0)
"""Body mass index in kg/m²: below 15 and above 50 adults are rarely seen outside hospital."""

CENTERED_BOUNDS = (-1.0, 1.0)
"""The data's description: each centered column has squares that sum to 1, so none exceeds 1."""

AGE_BANDS = (40.0, 50.0, 60.0)
"""Years of age at which the next band begins: under 40, 40 to 49, 50 to 59, 60 and over."""

FIFTIES = 55.0
"""An age in the fullest band."""


@cache
def malignant() -> NDArray[np.int64]:
    """Return 1 for each malignant tumor and 0 for each benign one, shape (569,), read-only."""
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    return _fixed((data.target == list(data.target_names).index("malignant")).astype(np.int64))


@cache
def body_mass_index() -> NDArray[np.float64]:
    """Return the patients' body mass index in kg/m², shape (442,), read-only."""
    return _diabetes("bmi", scaled=False)


@cache
def centered_body_mass_index() -> NDArray[np.float64]:
    """Return the same column as scikit-learn hands it out by default: centered, of unit norm."""
    return _diabetes("bmi", scaled=True)


@cache
def age() -> NDArray[np.float64]:
    """Return the patients' ages in years, shape (442,), read-only."""
    return _diabetes("age", scaled=False)


def age_bands(ages: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the band 0 to 3 of each age, with ``AGE_BANDS`` as the limits."""
    return np.digitize(ages, AGE_BANDS).astype(np.int64)


def band_counts(ages: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return how many ages fall in each of the four bands, shape (4,)."""
    return np.bincount(age_bands(ages), minlength=len(AGE_BANDS) + 1).astype(np.int64)


def lowest_raised(data: Records, upper: float) -> tuple[Records, Records]:
    """Return the data and do(D_i = ``upper``) of it, with i the first of the smallest records.

    Among the real records that one moves farthest, so sums, means and ranks move most.
    """
    return data, Intervention(int(np.argmin(data)), data.dtype.type(upper)).apply(data)


def moved_between_bands(ages: Records, age: float) -> tuple[Records, Records]:
    """Return the ages and do(D_i = 30), with i the first patient in the band of ``age``.

    Fifties and under-forties are the two fullest bands, so a selection between them moves most.
    """
    first = int(np.argmax(age_bands(ages) == np.digitize(age, AGE_BANDS)))
    return ages, Intervention(first, 30.0).apply(ages)


def one_more(data: Records, value: float) -> tuple[Records, Records]:
    """Return the data and the data with one record ``value`` more."""
    return data, np.append(data, data.dtype.type(value))


def _diabetes(column: str, *, scaled: bool) -> NDArray[np.float64]:
    from sklearn.datasets import load_diabetes

    data = load_diabetes(scaled=scaled)
    return _fixed(data.data[:, data.feature_names.index(column)].astype(np.float64))


def _fixed(values: NDArray[T]) -> NDArray[T]:
    values.setflags(write=False)
    return values


Pairs = tuple[tuple[Records, Records], ...]


@dataclass(frozen=True)
class RealDataQuery:
    """A question about one column of real records.

    column: returns the records. value: of the record that comes in.
    replace: how that record takes the place of another.
    """

    words: str
    column: Callable[[], Records]
    value: float
    replace: Callable[[Records, float], tuple[Records, Records]] = lowest_raised

    def replaced(self) -> Pairs:
        """Return the column and the same with one record replaced."""
        return (self.replace(self.column(), self.value),)

    def added(self) -> Pairs:
        """Return the column and the same with one record more."""
        return (one_more(self.column(), self.value),)


_BMI = body_mass_index, BMI_BOUNDS[1]
_CENTERED = centered_body_mass_index, CENTERED_BOUNDS[1]
_BANDS = age, FIFTIES, moved_between_bands

QUESTIONS = {
    "count": RealDataQuery("malignant tumors among 569", malignant, 1),
    "sum": RealDataQuery("sum of 442 body mass indices, bounds 15 to 50 kg/m²", *_BMI),
    "mean": RealDataQuery("mean of 442 body mass indices, bounds 15 to 50 kg/m²", *_BMI),
    "sum-centered": RealDataQuery(
        "sum of 442 centered body mass indices, bounds −1 to 1", *_CENTERED
    ),
    "mean-centered": RealDataQuery(
        "mean of 442 centered body mass indices, bounds −1 to 1", *_CENTERED
    ),
    "median": RealDataQuery("median of 442 body mass indices, bounds 15 to 50 kg/m²", *_BMI),
    "histogram": RealDataQuery("442 ages in four bands", *_BANDS),
    "selection": RealDataQuery("the fullest of four age bands of 442 patients", *_BANDS),
}


def answered(
    name: str, how: str, *, question: str | None = None, added: bool = False
) -> dict[str, Any]:
    """Return name, pairs and summary of a release.

    name: ``library/question``; or give the question. how: the noise, in words. added: whether
        neighbors have a record more, and not one replaced.
    """
    query = QUESTIONS[question or name.partition("/")[2]]
    pairs = query.added() if added else query.replaced()
    return {"name": name, "pairs": pairs, "summary": f"{query.words}, {how}"}


def band_list(ages: NDArray[np.float64]) -> list[int]:
    """Return the band of each age as Python integers."""
    return [int(band) for band in age_bands(ages)]


def count_list(ages: NDArray[np.float64]) -> list[int]:
    """Return the four bands' counts as Python integers."""
    return [int(count) for count in band_counts(ages)]


def malignant_only(labels: NDArray[np.int64]) -> list[int]:
    """Return one entry for each malignant tumor."""
    return [1] * int(np.count_nonzero(labels))
