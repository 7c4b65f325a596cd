"""Bars of trainings by Opacus and JAX Privacy: planted faults are found, sound ones are passed."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from benchmarks.validity_rate import Rate
from provado.mechanisms import Verdict
from tests.mechanisms.adapters.framework_trainings import (
    CASES,
    PLANTED,
    SOUND,
    TITLES,
    interpreter,
)


@functools.cache
def _folder(package: str) -> Path:
    """Return a folder; a process keeps an interpreter for each training in it."""
    return Path(tempfile.mkdtemp(prefix=f"{package}-"))


def _certified(package: str, name: str, seed: int) -> float:
    """Return the certified ε of an audit, 0 where it is no violation."""
    training = (PLANTED | SOUND)[name]
    found = training.audit(package, _folder(package), seed=seed, isolate=False)
    return found.epsilon_lower if found.verdict is Verdict.VIOLATION else 0.0


def bench_frameworks(
    seeds: int, audits: int, pool: ProcessPoolExecutor
) -> Iterator[tuple[str, bool]]:
    """Yield the lines of the table, each with whether its bar is met."""
    yield "| DP-SGD of a framework | training | claim | trainings | found |", True
    yield "| --- | --- | --- | --- | --- |", True
    for package, name in CASES:
        training = (PLANTED | SOUND)[name]
        claim = training.claim()
        cells = f"| {TITLES[package]} | {name} | ({claim['epsilon']:.2f}, {claim['delta']:.3g}) | "
        cells += f"{training.runs} | "
        if interpreter(package) is None:
            yield f"{cells}not installed: make bench-atlas ONLY={package} |", True
            continue
        ask = functools.partial(_certified, package, name)
        if name in SOUND:
            rate = Rate(sum(one > 0 for one in pool.map(ask, range(audits))), audits)
            yield f"{cells}sound, reported {rate.alarms} of {audits} |", not rate.above
            continue
        lower = list(pool.map(ask, range(seeds)))
        hits = sum(one > 0 for one in lower)
        yield (
            f"{cells}{hits} of {seeds}, ε ≥ {np.median(lower):.2f} (median) |",
            hits == seeds,
        )
