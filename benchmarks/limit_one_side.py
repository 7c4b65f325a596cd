"""Trials that an event of one dataset needs where δ > 0, beside the exact binomial test of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from benchmarks.leak_bars import planned
from provado.audit import audit
from provado.audit.bounds.counts import Counts
from provado.audit.bounds.method import refutes
from provado.audit.events.threshold import Goal
from provado.mechanisms import Verdict

CLAIMED, ALPHA, POWER = 1.0, 0.05, 0.9
DELTAS, TIMES = (1e-3, 1e-5), (1.05, 1.2, 2.0)
MOST, LONGEST, FOUND = 1.3, 10**7, 0.7
"""Times as many trials as the binomial test, at most; audits of more trials are not run; the least
share of those with the trials of the bar that must find the violation (nine of ten should)."""

Lines = Iterator[tuple[str, bool]]


def event(chance: float) -> Callable[..., NDArray[np.int8]]:
    """Return a mechanism whose output is 1 with this chance if the data are 1, else 0."""

    def mechanism(data: int, *, size: int, rng: np.random.Generator) -> NDArray[np.int8]:
        return (rng.random(size) < (chance if data else 0.0)).astype(np.int8)

    return mechanism


def binomial_trials(delta: float, times: float) -> int:
    """Return how many trials of a fair coin the exact test of the event needs, to 0.5 %."""

    def power(trials: int) -> float:
        least = binom.isf(ALPHA, trials, delta / 2) + 1
        return float(binom.sf(least - 1, trials, times * delta / 2))

    return _fewest(power, round(4 / delta))


def audit_trials(delta: float, times: float, start: int) -> int:
    """Return how many trials an audit needs whose exploration found the event, to 0.5 %."""
    explored = 10**6
    seen = round(explored * times * delta / 2)
    exploration = Counts(0, 0, explored // 2, 0, seen, explored // 2 - seen)

    def power(trials: int) -> float:
        goal = Goal(trials, ALPHA, delta, betting=True, claimed=CLAIMED)
        method, low, high = planned(exploration, goal), 0, trials
        while high - low > 1:
            middle = (low + high) // 2
            counts = Counts(0, 0, 0, 0, middle, trials - middle)
            low, high = (low, middle) if refutes(counts, method, CLAIMED) else (middle, high)
        return float(binom.sf(high - 1, trials, times * delta / 2))

    return _fewest(power, start)


def _fewest(power: Callable[[int], float], start: int) -> int:
    """Return the fewest trials, of rising numbers, that have the power."""
    trials = start
    while power(trials) < POWER:
        trials = round(1.005 * trials) + 1
    return trials


def bench_one_side(seeds: int) -> Lines:
    """Yield the table: trials of either, their ratio, and audits with the trials of the bar."""
    yield "| δ | event | exact binomial test | audit | times as many (bar 1.3) | found |", True
    yield "| --- | --- | --- | --- | --- | --- |", True
    for delta in DELTAS:
        for times in TIMES:
            least = binomial_trials(delta, times)
            needed = audit_trials(delta, times, round(0.95 * least))
            trials, found, shown = round(MOST * least), seeds, "–"
            if trials <= LONGEST:
                asked: dict[str, Any] = {"epsilon": CLAIMED, "delta": delta, "pair": (0, 1)}
                verdicts = [
                    audit(event(times * delta), samples=trials, seed=seed, **asked).verdict
                    for seed in range(seeds)
                ]
                found = verdicts.count(Verdict.VIOLATION)
                shown = f"{found} of {seeds}"
            met = needed <= MOST * least and found >= FOUND * seeds
            yield (
                (
                    f"| {delta:g} | {times:g} δ | {least:,} | {needed:,} | {needed / least:.2f} | "
                    f"{shown} |"
                ),
                met,
            )
    yield "", True
    yield (
        (
            f"Trials for a chance of {POWER:.0%} to certify a violation of (1, δ) at 95 %, where "
            "only one dataset gives the event; found: audits of 1.3 times the trials of the "
            "binomial test, which explore with at most 1,000,000 outputs."
        ),
        True,
    )
