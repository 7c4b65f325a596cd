"""What the boosted trees of scikit-learn are worth: certified ε with them and without.

``python -m benchmarks.trees_bars``; some 20 minutes. Audits the fifteen rows of ``audit_bars``, the
flawed mechanisms of the tests, the forty programs of ``search_bars`` and four mechanisms in which
numbers interact, each twice with the same seed. Prints every pair of results that differs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.audit_rows import rows
from benchmarks.search_programs import programs
from provado.audit import AuditResult, audit
from provado.audit.events.learners import learn
from tests.audit.flawed_mechanisms import D_PRIME, FLAWED, D

PAIR = ([1, 1], [1, 0])
Rng = np.random.Generator


def _signs(data: Any, size: int, rng: Rng) -> Any:
    return np.where(rng.random(size) < (0.8 if sum(data) > 1 else 0.2), 1, -1)


def product_of_two(data: Any, *, size: int, rng: Rng) -> Any:
    """Release two numbers of which the sign of the product depends on the data."""
    x = rng.normal(size=(size, 2))
    x[:, 1] = np.abs(x[:, 1]) * np.sign(x[:, 0]) * _signs(data, size, rng)
    return np.round(x, 3)


def product_of_three(data: Any, *, size: int, rng: Rng) -> Any:
    """Release three numbers of which the sign of the product depends on the data."""
    x = rng.normal(size=(size, 3))
    x[:, 2] = np.abs(x[:, 2]) * np.sign(x[:, 0] * x[:, 1]) * _signs(data, size, rng)
    return np.round(x, 3)


def ring(data: Any, *, size: int, rng: Rng) -> Any:
    """Release a point whose distance from 0 depends on the data."""
    angle = rng.uniform(0, 2 * np.pi, size)
    radius = 1.5 - 0.5 * _signs(data, size, rng) + rng.normal(scale=0.2, size=size)
    return np.round(np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), 3)


def near_the_diagonal(data: Any, *, size: int, rng: Rng) -> Any:
    """Release three numbers of which the last is shifted where the first two are alike."""
    x, last = rng.laplace(size=(size, 2)), rng.laplace(size=size)
    last += 3.0 * (sum(data) > 1) * (np.abs(x[:, 0] - x[:, 1]) < 1)
    return np.round(np.column_stack([x, last]), 3)


def audits() -> Iterator[tuple[str, Callable[[], AuditResult]]]:
    """Yield names and audits."""
    for one in (product_of_two, product_of_three, ring, near_the_diagonal):
        given: dict[str, Any] = {"epsilon": 0.5, "pair": PAIR, "arithmetic": "ideal"}
        yield one.__name__, lambda run=one, g=given: audit(run, samples=30_000, **g)
    for row in rows():
        yield row.name, lambda m=row.mechanism: audit(m, samples=50_000, arithmetic="ideal")
    for name, flawed in FLAWED.items():
        call = flawed.call
        yield name, lambda c=call: audit(c, epsilon=1.0, pair=(D, D_PRIME), samples=20_000)
    for program in programs():
        given = {"epsilon": 1.0, "samples": 20_000, "arithmetic": "ideal", **program.given}
        yield program.name, lambda run=program.run, g=given: audit(run, **g)


def without_trees(*_: Any) -> Any:
    """Stand for the trees where scikit-learn is not installed."""
    raise ImportError("scikit-learn is left out")


def main() -> int:
    """Print what differs, and how many audits there were."""
    trees, differing, count = learn.classify, 0, 0
    for name, run in audits():
        found = []
        for classify in (trees, without_trees):
            learn.classify = classify
            result = run()
            found.append(f"ε ≥ {result.epsilon_lower:.4f}, {result.verdict}")
        learn.classify = trees
        count += 1
        if found[0] != found[1]:
            differing += 1
            print(f"{name}: {found[0]}; without trees {found[1]}", flush=True)
    print(f"{differing} of {count} audits differ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
