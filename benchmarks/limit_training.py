"""Bars of a trainer in few runs: planted slips of DP-SGD are found, the sound one not reported."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from benchmarks.validity_rate import Rate
from provado.audit import audit_one_run
from provado.mechanisms import Verdict
from tests.audit.trainings import SETTINGS, SLIPS, SOUND, Slip, asked

MOST_RUNS = 30
TRIED = (1, 2, 3, 5, 10, 15, 20, 30)
"""Numbers of trainings, of which the least that certifies a slip is shown."""


def _needed(slip: Slip, seed: int) -> int | None:
    """Return the least number of trainings that certified a slip, of those tried."""
    mechanism, more = asked(slip)
    for runs in TRIED:
        found = audit_one_run(mechanism, runs=runs, seed=seed, isolate=False, **more)
        if found.verdict is Verdict.VIOLATION:
            return runs
    return None


def _certified(slip: Slip, seed: int) -> float:
    mechanism, more = asked(slip)
    found = audit_one_run(mechanism, runs=MOST_RUNS, seed=seed, isolate=False, **more)
    return found.epsilon_lower if found.verdict is Verdict.VIOLATION else 0.0


def _reported(sound: Slip, seed: int) -> bool:
    mechanism, more = asked(sound)
    runs = SETTINGS[sound.setting].runs
    found = audit_one_run(mechanism, runs=runs, seed=seed, isolate=False, **more)
    return found.verdict is Verdict.VIOLATION


def bench_training(
    seeds: int, audits: int, pool: ProcessPoolExecutor
) -> Iterator[tuple[str, bool]]:
    """Yield the lines of the table of DP-SGD, each with whether its bar is met."""
    yield (
        (
            "| DP-SGD, up to 200 canaries | setting | claim | "
            f"certified in {MOST_RUNS} runs (median) | of seeds | fewest runs (median) |"
        ),
        True,
    )
    yield "| --- | --- | --- | --- | --- | --- |", True
    for slip in SLIPS:
        lower = list(pool.map(functools.partial(_certified, slip), range(seeds)))
        needed = [
            n or MOST_RUNS + 1 for n in pool.map(functools.partial(_needed, slip), range(seeds))
        ]
        hits = sum(one > 0 for one in lower)
        yield (
            (
                f"| {_cells(slip)} | {np.median(lower):.2f} | {hits} of {seeds} | "
                f"{np.median(needed):.0f} |"
            ),
            hits == seeds,
        )
    for sound in SOUND:
        found = list(pool.map(functools.partial(_reported, sound), range(audits), chunksize=5))
        rate, runs = Rate(sum(found), audits), SETTINGS[sound.setting].runs
        yield (
            f"| {_cells(sound)} | reported {sum(found)} of {audits}, {runs} runs each | | |",
            not rate.above,
        )


def _cells(slip: Slip) -> str:
    claim = asked(slip)[1]
    return f"{slip.name} | {slip.setting} | ({claim['epsilon']:.2f}, {claim['delta']:.3g})"
