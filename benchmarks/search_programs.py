"""Forty programs for ``search_bars``: twenty with one planted bug each, twenty sound ones.

All claim ε = 1. What an audit is given is innocent data and a domain,
never a pair. Where a bug is published, ``source`` says where. Noise is textbook floating point, so
exact real arithmetic is meant, and no finding may rest on low-order bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from provado.mechanisms import BoundedAnswers

Rng = np.random.Generator
UNIT = [0.2, 0.35, 0.5, 0.8, 0.4, 0.6]
CITIES = ["rome", "oslo", "rome", "bonn", "rome", "oslo"]
LYU = "Lyu, Su, Li 2017, algorithm"


@dataclass(frozen=True)
class Program:
    """One program. given: the keywords of ``audit`` that say data, domain and relation."""

    name: str
    run: Callable[..., Any]
    broken: bool
    given: dict[str, Any]
    source: str = ""


def _numbers(data: Any) -> Any:
    return np.asarray(data, dtype=float)


def _clip(data: Any) -> Any:
    return np.clip(_numbers(data), 0, 1)


def sum_of(scale: float, low: float = 0.0, high: float = 1.0) -> Callable[..., Any]:
    def run(data: Any, size: int, rng: Rng) -> Any:
        return np.clip(_numbers(data), low, high).sum() + rng.laplace(0, scale, size)

    return run


def mean_private_scale(data: Any, size: int, rng: Rng) -> Any:
    """Calibrate the noise of the mean to the private number of records."""
    n = max(len(data), 1)
    return _clip(data).sum() / n + rng.laplace(0, 2 / n, size)


def mean_private_count(data: Any, size: int, rng: Rng) -> Any:
    """Divide a noisy sum by the exact number of records."""
    return (_clip(data).sum() + rng.laplace(0, 1, size)) / max(len(data), 1)


def mean_of_two(data: Any, size: int, rng: Rng) -> Any:
    """Divide a noisy sum by a noisy count, half of ε each."""
    count = np.maximum(len(data) + rng.laplace(0, 2, size), 1)
    return (_clip(data).sum() + rng.laplace(0, 2, size)) / count


def histogram(scale: float) -> Callable[..., Any]:
    def run(data: Any, size: int, rng: Rng) -> Any:
        counts = np.array([list(data).count(one) for one in ("rome", "oslo", "bonn")])
        return counts + rng.laplace(0, scale, (size, 3))

    return run


def keys_present(data: Any, rng: Rng) -> Any:
    """Count the cities that occur; which ones do is not hidden."""
    return {city: list(data).count(city) + rng.laplace(0, 1) for city in sorted(set(data))}


def keys_known(data: Any, rng: Rng) -> Any:
    return {c: list(data).count(c) + rng.laplace(0, 1) for c in ("bonn", "oslo", "rome")}


def gradient_per_batch(data: Any, size: int, rng: Rng) -> Any:
    """Clip the mean gradient of the batch, with the noise that clipping each one would need."""
    n = max(len(data), 1)
    return np.clip(_numbers(data).sum() / n, -1, 1) + rng.laplace(0, 2 / n, size)


def gradient_per_example(data: Any, size: int, rng: Rng) -> Any:
    n = max(len(data), 1)
    return np.clip(_numbers(data), -1, 1).sum() / n + rng.laplace(0, 2 / n, size)


def range_from_data(data: Any, size: int, rng: Rng) -> Any:
    """Take the range of the values, and with it the scale of the noise, from the data."""
    values = _numbers(data)
    span = max(float(np.ptp(values)), 1e-9) if len(values) else 1e-9
    return values.sum() + rng.laplace(0, span, size)


def _exponential(scores: Any, factor: float, size: int, rng: Rng) -> Any:
    weights = np.exp(factor * (scores - scores.max()))
    return rng.choice(len(scores), size, p=weights / weights.sum())


def commonest(factor: float) -> Callable[..., Any]:
    def run(data: Any, size: int, rng: Rng) -> Any:
        scores = np.array([list(data).count(one) for one in ("rome", "oslo", "bonn")], dtype=float)
        return _exponential(scores, factor, size, rng)

    return run


def response(truth: float) -> Callable[..., Any]:
    def run(data: Any, size: int, rng: Rng) -> Any:
        bits = np.asarray(data, dtype=int)
        told = rng.random((size, len(bits))) < truth
        return np.where(told, bits, 1 - bits)

    return run


def seeded_by_data(data: Any, size: int, rng: Rng) -> Any:
    """Seed one of its noises by the data, so that it is no noise."""
    own = np.random.default_rng(int(1000 * float(np.sum(_clip(data)))))
    return _clip(data).sum() + own.laplace(0, 1) + rng.laplace(0, 0.2, size)


def exact_when_small(data: Any, size: int, rng: Rng) -> Any:
    """Add no noise where there are fewer than three records."""
    noise = rng.laplace(0, 1, size) if len(data) >= 3 else np.zeros(size)
    return _clip(data).sum() + noise


def missing_passes(data: Any, size: int, rng: Rng) -> Any:
    """Let NaN get around the clipping."""
    return _clip(data).sum() + rng.laplace(0, 1, size)


def missing_dropped(data: Any, size: int, rng: Rng) -> Any:
    return np.nan_to_num(_clip(data), nan=0.0).sum() + rng.laplace(0, 1, size)


def noise_reused(data: Any, size: int, rng: Rng) -> Any:
    """Add one and the same noise to the sum and to the count."""
    noise = rng.laplace(0, 2, size)
    return np.column_stack([_clip(data).sum() + noise, len(data) + noise])


def noise_twice(data: Any, size: int, rng: Rng) -> Any:
    sums = _clip(data).sum() + rng.laplace(0, 2, size)
    return np.column_stack([sums, len(data) + rng.laplace(0, 2, size)])


def first_half(data: Any, size: int, rng: Rng) -> Any:
    """Take amplification by sampling for the first half of the records, which is no sample."""
    return _clip(data)[: (len(data) + 1) // 2].sum() + rng.laplace(0, 0.5, size)


def truncated_noise(data: Any, size: int, rng: Rng) -> Any:
    """Cut the noise off at five, so that some answers become impossible."""
    return _clip(data).sum() + np.clip(rng.laplace(0, 1, size), -5, 5)


def answer_clipped(data: Any, size: int, rng: Rng) -> Any:
    return np.clip(_clip(data).sum() + rng.laplace(0, 1, size), 0, 20)


def raises_on_outlier(data: Any, rng: Rng) -> Any:
    """Refuse a record outside of its range with an error."""
    if any(not 0 <= x <= 50 for x in data):
        raise ValueError("out of range")
    return float(_clip(data).sum() + rng.laplace(0, 1))


def ignores_outlier(data: Any, rng: Rng) -> Any:
    return float(_clip([x for x in data if 0 <= x <= 50]).sum() + rng.laplace(0, 1))


def noisy_max_value(data: Any, size: int, rng: Rng) -> Any:
    """Return the largest noisy answer, with the noise that its place would need."""
    return (_numbers(data)[None, :] + rng.laplace(0, 2, (size, len(data)))).max(axis=1)


def noisy_max_place(data: Any, size: int, rng: Rng) -> Any:
    return (_numbers(data)[None, :] + rng.laplace(0, 2, (size, len(data)))).argmax(axis=1)


def sparse(
    *, query: float, threshold: float, value: bool = False, stop: bool = True
) -> Callable[..., Any]:
    """Return above-threshold at T = 0.5: scales of the two noises; 0 is none."""

    def run(data: Any, size: int, rng: Rng) -> Any:
        answers = _numbers(data)
        limit = 0.5 + rng.laplace(0, threshold, (size, 1))
        noise = rng.laplace(0, query, (size, len(answers))) if query else 0.0
        noisy = np.broadcast_to(answers + noise, (size, len(answers)))
        above = noisy >= limit
        told = np.where(above, noisy, 0.0) if value else above.astype(float)
        if stop:
            after = np.cumsum(above, axis=1) - above > 0
            told = np.where(after, -1.0, told)
        return told

    return run


_REPLACE = {"relation": "replace-one"}
_GRADIENT = {
    "data": [0.3, -0.2, 0.1, 0.4, -0.5, 0.2, 0.1, 0.0],
    "domain": (-10, 10),
    "relation": "replace-one",
}
ADDED = {"data": UNIT, "domain": (0, 1), "relation": "add-or-remove-one"}
REPLACED = {"data": UNIT, "domain": (0, 1), "relation": "replace-one"}
ANY = {"data": UNIT, "domain": float, "relation": "add-or-remove-one"}
NAMES = {"data": CITIES, "domain": ["rome", "oslo", "bonn"], "relation": "add-or-remove-one"}
BITS = {"data": [0, 1, 1, 0], "domain": [0, 1], "relation": "replace-one"}
FIVE = {"data": [1.0] * 5, "domain": (0, 2), "relation": BoundedAnswers(1.0)}
TEN = {"data": [1.0] * 10, "domain": (0, 2), "relation": BoundedAnswers(1.0)}
GAPS = {"data": [0.2, 0.5, float("nan"), 0.7], "relation": "replace-one"}


def programs() -> tuple[Program, ...]:
    """Return the broken ones, then the sound ones."""
    truth = np.e / (1 + np.e)
    broken = [
        ("sum, clipped above only", sum_of(1, -np.inf, 1), ANY, ""),
        ("mean, scale by the private count", mean_private_scale, ADDED, "DP-Auditorium 2023"),
        ("mean, divided by the private count", mean_private_count, ADDED, "DP-Auditorium 2023"),
        ("count, noise of half the scale", sum_of(0.5), ADDED, "StatDP 2018"),
        ("histogram, replace-one taken for add", histogram(1), NAMES | _REPLACE, "NIST SP 800-226"),
        ("cities that occur as keys", keys_present, NAMES, "Re:cord-play 2026"),
        ("gradient clipped per batch", gradient_per_batch, _GRADIENT, "Nasr et al. 2023"),
        ("range taken from the data", range_from_data, ADDED, "diffprivlib, PrivacyLeakWarning"),
        ("exponential mechanism, factor 2", commonest(1.0), NAMES | _REPLACE, "StatDP 2018"),
        ("randomized response, truth .9", response(0.9), BITS, ""),
        ("noise seeded by the data", seeded_by_data, ADDED, ""),
        ("no noise for few records", exact_when_small, ADDED, ""),
        ("NaN around the clipping", missing_passes, GAPS, "Re:cord-play 2026"),
        ("one noise for two answers", noise_reused, ADDED, "Re:cord-play 2026"),
        ("first half taken for a sample", first_half, REPLACED, "Annamalai et al. 2024"),
        ("an exception on an outlier", raises_on_outlier, ANY, "Haeberlen et al. 2011"),
        ("noise cut off", truncated_noise, ADDED, ""),
        ("noisy max, the value", noisy_max_value, FIVE, "StatDP 2018"),
        ("sparse vector, noisy value", sparse(query=2, threshold=2, value=True), TEN, f"{LYU} 3"),
        ("sparse vector, no query noise", sparse(query=0, threshold=2), TEN, f"{LYU} 5"),
    ]
    sound = [
        ("sum, clipped", sum_of(1), ANY, ""),
        ("sum, clipped, replace-one", sum_of(1), REPLACED, ""),
        ("mean, sum and count", mean_of_two, ADDED, ""),
        ("sum, more noise than needed", sum_of(2), ADDED, ""),
        ("histogram, replace-one", histogram(2), NAMES | _REPLACE, ""),
        ("histogram, add-or-remove-one", histogram(1), NAMES, ""),
        ("known cities as keys", keys_known, NAMES, ""),
        ("gradient clipped per example", gradient_per_example, _GRADIENT, ""),
        ("exponential mechanism", commonest(0.5), NAMES | _REPLACE, ""),
        ("exponential mechanism, adding", commonest(0.5), NAMES, ""),
        ("randomized response", response(truth), BITS, ""),
        ("NaN dropped", missing_dropped, GAPS, ""),
        ("a noise for each answer", noise_twice, ADDED, ""),
        ("outliers left out", ignores_outlier, ANY, ""),
        ("answer clipped to its range", answer_clipped, ADDED, ""),
        ("noisy max, the place", noisy_max_place, FIVE, ""),
        ("sparse vector", sparse(query=4, threshold=2), TEN, ""),
        ("sparse vector, one query", sparse(query=4, threshold=2), TEN | {"data": [1.0]}, ""),
        ("output that ignores the data", _constant, ADDED, ""),
        ("sum of bits", sum_of(1), BITS, ""),
    ]
    return (
        *(Program(name, run, True, given, source) for name, run, given, source in broken),
        *(Program(name, run, False, given, source) for name, run, given, source in sound),
    )


def _constant(data: Any, size: int, rng: Rng) -> Any:  # noqa: ARG001
    return rng.laplace(0, 1, size)
