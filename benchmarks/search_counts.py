"""Programs for ``search_bars`` that fail at one count of equal records, each with its fix.

All claim ε = 1. What an audit is given is data of ordinary size and a domain, never a pair.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.search_programs import Program
from provado.mechanisms import AddOrRemoveOne, ReplaceOne

Rng = np.random.Generator


def ones(data: Any) -> int:
    return int(np.count_nonzero(np.asarray(data, dtype=float) == 1))


def suppressed(least: int, *, fixed: bool) -> Callable[..., Any]:
    """Return a noisy count that is left out below a number: of the noisy count, or the true one."""

    def run(data: Any, size: int, rng: Rng) -> Any:
        true = ones(data)
        noisy = true + rng.laplace(0, 1.05, size)
        shown = noisy if fixed else np.full(size, true)
        return np.where(shown < least, np.nan, noisy)

    return run


def rounded(unit: int, *, fixed: bool) -> Callable[..., Any]:
    """Return a noisy count of whole units, rounded after the noise or before it."""

    def run(data: Any, size: int, rng: Rng) -> Any:
        true = ones(data) if fixed else unit * ((ones(data) + unit // 2) // unit)
        noisy = true + rng.laplace(0, 1.05, size)
        return unit * np.round(noisy / unit)

    return run


def standardized(*, fixed: bool) -> Callable[..., Any]:
    """Return a noisy sum of values between 0 and 1; fails where all of many records are equal."""

    def run(data: Any, size: int, rng: Rng) -> Any:
        values = np.clip(np.asarray(data, dtype=float), 0, 1)
        released = values.sum() + rng.laplace(0, 1.05, size)
        # The product of as many likelihoods as there are records underflows.
        likelihood = 0.05 ** (len(values) if np.ptp(values) == 0 else 1) if len(values) else 1.0
        return released if fixed or likelihood > 0 else np.full(size, np.nan)

    return run


def beside(
    exact: Callable[[float], Any], form: Callable[[Any, Any], Any], *, fixed: bool
) -> Callable[..., Any]:
    """Return a noisy count and, beside it, what is read off the true count, or off the noisy one.

    form: makes outputs of many of both.
    """

    def run(data: Any, size: int, rng: Rng) -> Any:
        true = ones(data)
        noisy = (true + rng.laplace(0, 1.05, size)).tolist()
        return form(noisy, [exact(x) for x in (noisy if fixed else [true] * size)])

    return run


def tuples(noisy: Any, exact: Any) -> Any:
    return [*zip(noisy, exact, strict=True)]


def dictionaries(noisy: Any, exact: Any) -> Any:
    return [{"n": x, "at": y} for x, y in tuples(noisy, exact)]


def documents(noisy: Any, exact: Any) -> Any:
    return [json.dumps(one) for one in dictionaries(noisy, exact)]


def array(noisy: Any, exact: Any) -> Any:
    return np.array([noisy, exact], dtype=float).T


def count_programs() -> tuple[Program, ...]:
    """Return each program before and after its fix."""
    rng = np.random.default_rng(5)
    bits, few = rng.integers(0, 2, 300).tolist(), rng.integers(0, 2, 40).tolist()
    numbers = rng.uniform(0, 1, 300).tolist()
    given: dict[str, Any] = {"domain": [0, 1], "relation": ReplaceOne()}
    rows: tuple[tuple[str, Callable[..., Callable[..., Any]], dict[str, Any]], ...] = (
        ("26 equal records", partial(suppressed, 26), given | {"data": few}),
        ("suppressed below 12", partial(suppressed, 12), given | {"data": few}),
        ("suppressed below 201", partial(suppressed, 201), given | {"data": bits}),
        (
            "suppressed below 37, records come and go",
            partial(suppressed, 37),
            given | {"data": few, "relation": AddOrRemoveOne()},
        ),
        (
            "suppressed below 12, five records come and go",
            partial(suppressed, 12),
            given | {"data": few[:5], "relation": AddOrRemoveOne()},
        ),
        ("rounded to 50 before the noise", partial(rounded, 50), given | {"data": bits}),
        (
            "300 equal records, one replaced",
            standardized,
            {"data": numbers, "domain": (0, 1), "relation": ReplaceOne()},
        ),
        *(
            (f"{what} beside a noisy count, {name}", partial(beside, exact, form), given | more)
            for what, exact, name, form, more in (
                ("a flag at 173", lambda x: round(x) == 173, "tuple", tuples, {"data": bits}),
                (
                    "a flag at 17",
                    lambda x: round(x) == 17,
                    "dictionary, records come and go",
                    dictionaries,
                    {"data": few, "relation": AddOrRemoveOne()},
                ),
                (
                    "a flag at 211",
                    lambda x: round(x) == 211,
                    "array",
                    array,
                    {"data": np.array(bits)},
                ),
                (
                    "a flag at 88",
                    lambda x: round(x) == 88,
                    "array, of a data frame",
                    array,
                    {"data": pd.DataFrame({"sick": bits}), "domain": {"sick": [0, 1]}},
                ),
                (
                    "fewer than 23 are none",
                    lambda x: None if x < 23 else "some",
                    "tuple",
                    tuples,
                    {"data": few},
                ),
                (
                    "fewer than 17 are few",
                    lambda x: x < 17,
                    "JSON",
                    documents,
                    {"data": few, "relation": AddOrRemoveOne()},
                ),
                (
                    "a count rounded to 50",
                    lambda x: 50 * round(x / 50),
                    "dictionary",
                    dictionaries,
                    {"data": bits},
                ),
            )
        ),
    )
    return tuple(
        Program(name if broken else f"{name}: fixed", make(fixed=not broken), broken, more)
        for name, make, more in rows
        for broken in (True, False)
    )
