"""Privacy code that went wrong in the field, each rebuilt as a small mechanism with its fix.

Every one is audited as a new user would: ordinary data, a domain, a relation and a claim, never a
pair. Noise is textbook floating point, so exact real arithmetic is meant. ``kind`` says what makes
a bug hard to find; rows of another kind go below those that are here.
"""

from __future__ import annotations

import itertools
import json
import math
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.search_programs import ANY, Rng, ignores_outlier, raises_on_outlier
from provado.mechanisms import GaussianDP
from provado.reports.targets.dataset import load_dataset

DELTA, RARE, LEAST, MU = 1e-3, 1_000_000, 12, 0.75
CITIES = ("bonn", "oslo", "rome")


@dataclass(frozen=True)
class FieldProgram:
    """One report. given: the keywords of ``audit`` that state claim, data, domain and relation."""

    kind: str
    name: str
    broken: Callable[..., Any]
    fixed: Callable[..., Any]
    given: dict[str, Any]

    def claim(self) -> str:
        """Return the claim in words."""
        if "promise" in self.given:
            return str(self.given["promise"].words())
        delta = f", δ = {self.given['delta']:g}" if "delta" in self.given else ""
        return f"ε = {self.given['epsilon']:g}{delta}"


def document(scale: float) -> Callable[..., Any]:
    """Return a noisy sum in a JSON document, as text."""

    def run(data: Any, size: int, rng: Rng) -> Any:
        return [json.dumps({"sum": x}) for x in (sum(data) + rng.laplace(0, scale, size)).tolist()]

    return run


# An event that only one dataset gives, with more than δ. ------------------------------------------


def revealed(chance: float) -> Callable[..., Any]:
    """Return a mechanism that reveals with this chance that a one is among the data."""

    def run(data: Any, size: int, rng: Rng) -> Any:
        return (rng.random(size) < chance) & (max(data, default=0) == 1)

    return run


def partitions(threshold: float) -> Callable[..., Any]:
    """Return the release of noisy counts at or above a threshold, of the cities that occur."""

    def run(data: Any, size: int, rng: Rng) -> Any:
        counts = np.array([list(data).count(one) for one in CITIES])
        noisy = counts + rng.laplace(0, 1, (size, len(CITIES)))
        return np.where((counts > 0) & (noisy >= threshold), noisy, -1.0)

    return run


def truncated(most: float) -> Callable[..., Any]:
    """Return a count with Laplace noise of scale 1 from −``most`` to ``most``."""

    def run(data: Any, size: int, rng: Rng) -> Any:
        share = rng.random(size) * -np.expm1(-most)
        return len(data) - np.log1p(-share) * np.where(rng.random(size) < 0.5, 1, -1)

    return run


# A step at one count, by the true value. ----------------------------------------------------------


def count_by_truth(data: Any, size: int, rng: Rng) -> Any:
    """Suppress a noisy count where the true one is below twelve."""
    noisy = sum(data) + rng.laplace(0, 1, size)
    return noisy if sum(data) >= LEAST else np.zeros(size)


def count_by_noisy(data: Any, size: int, rng: Rng) -> Any:
    noisy = sum(data) + rng.laplace(0, 1, size)
    return np.where(noisy >= LEAST, noisy, 0.0)


def cities_by_truth(data: Any, size: int, rng: Rng) -> Any:
    """Leave out the cities that fewer than five people live in."""
    counts = np.array([list(data).count(one) for one in CITIES])
    return np.where(counts >= 5, counts + rng.laplace(0, 1, (size, len(CITIES))), 0.0)


def cities_by_noisy(data: Any, size: int, rng: Rng) -> Any:
    noisy = [list(data).count(one) for one in CITIES] + rng.laplace(0, 1, (size, len(CITIES)))
    return np.where(noisy >= 5, noisy, 0.0)


# An exception that one dataset alone raises. ------------------------------------------------------


def fails_now_and_then(data: Any, rng: Rng) -> Any:
    """Run out of retries in one of five runs where a record is large."""
    if max(data, default=0) > 0.9 and rng.random() < 0.2:
        raise RuntimeError("no sample was accepted")
    return float(len(data) + rng.laplace(0, 1))


def never_fails(data: Any, rng: Rng) -> Any:
    return float(len(data) + rng.laplace(0, 1))


# A file with a header and missing values. ---------------------------------------------------------


def people() -> Any:
    """Return the data frame that is read from a CSV file of numbers with a header."""
    rows = ["age,visits", *(f"{20 + 7 * i},{i % 3}" for i in range(10))]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "people.csv"
        file.write_text("\n".join(rows) + "\n", encoding="utf-8")
        return load_dataset(file)


def age_around_the_clip(data: Any, size: int, rng: Rng) -> Any:
    """Sum ages that NumPy clips, which leaves a missing one as it is."""
    return np.clip(data["age"].to_numpy(float) / 120, 0, 1).sum() + rng.laplace(0, 1, size)


def age_present(data: Any, size: int, rng: Rng) -> Any:
    return (data["age"].dropna() / 120).clip(0, 1).sum() + rng.laplace(0, 1, size)


def missing_exactly(data: Any, size: int, rng: Rng) -> Any:
    """Release the exact number of missing ages beside a noisy sum of the others."""
    many = np.full(size, float(data["age"].isna().sum()))
    return np.column_stack([age_present(data, size, rng), many])


def missing_with_noise(data: Any, size: int, rng: Rng) -> Any:
    total = (data["age"].dropna() / 120).clip(0, 1).sum() + rng.laplace(0, 2, size)
    return np.column_stack([total, data["age"].isna().sum() + rng.laplace(0, 2, size)])


# A violation that only the best pair and event show in full. --------------------------------------


def three_bits(scale: float) -> Callable[..., Any]:
    """Return the noisy sums of three bits and of their parity, all of which one record moves."""

    def run(data: Any, size: int, rng: Rng) -> Any:
        bits = np.asarray(data, dtype=int).reshape(-1, 3)
        sums = [*bits.sum(axis=0), (bits.sum(axis=1) % 2).sum()]
        return np.array(sums) + rng.laplace(0, scale, (size, 4))

    return run


def microbatches(sigma: float) -> Callable[..., Any]:
    """Return the noisy sum of the sums of four records each, clipped to [−1, 1]."""

    def run(data: Any, size: int, rng: Rng) -> Any:
        sums = np.add.reduceat(np.asarray(data, dtype=float), range(0, len(data), 4))
        return np.clip(sums, -1, 1).sum() + rng.normal(0, sigma, size)

    return run


def field_programs() -> tuple[FieldProgram, ...]:
    """Return all rows, by kind."""
    add, replace = {"relation": "add-or-remove-one"}, {"relation": "replace-one"}
    one, rare = {"epsilon": 1.0}, {"epsilon": 1.0, "delta": DELTA, "samples": RARE}
    threshold, most = 1 - math.log(2 * DELTA), math.log1p(math.expm1(1) / (2 * DELTA))
    cities = {"data": [CITIES[i * i % 3] for i in range(20)], "domain": list(CITIES)}
    ages = {"data": people(), "domain": {"age": (0, 120, None)}, **replace}
    eight = list(itertools.product((0, 1), repeat=3))
    bits = {"data": [eight[i * i % 8] for i in range(12)], "domain": eight, **replace}
    gradients = {"data": [0.2 * i - 1 for i in range(12)], "domain": (-10, 10), **replace}
    of_mu = {"promise": GaussianDP(MU)}
    counted: dict[str, Any] = {"samples": None, "data": [i % 2 for i in range(40)]}
    rows: tuple[tuple[str, str, Any, Any, dict[str, Any]], ...] = (
        (
            "one-sided δ",
            "a record revealed with chance 2 δ",
            revealed(2 * DELTA),
            revealed(DELTA),
            {"data": [0] * 4, "domain": [0, 1], **add, **rare},
        ),
        (
            "one-sided δ",
            "partitions, a threshold lower by one",
            partitions(threshold - 1),
            partitions(threshold),
            cities | add | rare,
        ),
        (
            "one-sided δ",
            "noise cut off one too early",
            truncated(most - 1),
            truncated(most),
            {"data": [0.5] * 6, "domain": (0, 1), **add, **rare},
        ),
        (
            "true count",
            "a count suppressed below 12, without samples",
            count_by_truth,
            count_by_noisy,
            {"domain": [0, 1], **counted, **add, **one},
        ),
        (
            "true count",
            "cities of fewer than 5 left out",
            cities_by_truth,
            cities_by_noisy,
            cities | add | one,
        ),
        (
            "exception",
            "raises on an outlier, ε = 10",
            raises_on_outlier,
            ignores_outlier,
            ANY | {"epsilon": 10.0},
        ),
        (
            "exception",
            "raises now and then on a large record",
            fails_now_and_then,
            never_fails,
            {"data": [0.2, 0.5, 0.4], "domain": (0, 1), **add, **one},
        ),
        ("file", "a missing age around the clip", age_around_the_clip, age_present, ages | one),
        (
            "file",
            "the exact number of missing ages",
            missing_exactly,
            missing_with_noise,
            ages | one,
        ),
        (
            "output",
            "JSON, half of the noise",
            document(0.5),
            document(1.0),
            {"data": [0.2, 0.5, 0.4], "domain": (0, 1), **add, **one},
        ),
        ("strength", "three bits, sensitivity 4 for 2", three_bits(2), three_bits(4), bits | one),
        (
            "strength",
            "sums of microbatches, clipped",
            microbatches(1 / MU),
            microbatches(2 / MU),
            gradients | of_mu,
        ),
    )
    return tuple(FieldProgram(*row) for row in rows)
