"""Bars of a trainer in few runs: planted slips of DP-SGD are found, the sound one not accused."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from benchmarks.validity_rate import Rate
from provado.audit import audit_one_run
from provado.mechanisms import Verdict
from provado.mechanisms.textbook.dp_sgd import SgdFlaw
from tests.audit.trainings import SLIPS, asked

MOST_RUNS = 30
TRIED = (1, 2, 3, 5, 10, 15, 20, 30)
"""Numbers of trainings, of which the least that certifies a slip is shown."""

ACCUSED = (4, 30)
"""Trainings in an audit of the sound one: with the usual noise, and with little. At a δ of 0.64
fewer than seven could accuse nobody, whatever they do."""


def _needed(slip: tuple[SgdFlaw, bool], seed: int) -> int | None:
    """Return the least number of trainings that certified a slip, of those tried."""
    mechanism, more = asked(*slip)
    for runs in TRIED:
        found = audit_one_run(mechanism, runs=runs, seed=seed, isolate=False, **more)
        if found.verdict is Verdict.VIOLATION:
            return runs
    return None


def _certified(slip: tuple[SgdFlaw, bool], seed: int) -> float:
    mechanism, more = asked(*slip)
    found = audit_one_run(mechanism, runs=MOST_RUNS, seed=seed, isolate=False, **more)
    return found.epsilon_lower if found.verdict is Verdict.VIOLATION else 0.0


def _accused(shuffling: bool, seed: int) -> bool:
    mechanism, more = asked(SgdFlaw.NONE, shuffling)
    found = audit_one_run(mechanism, runs=ACCUSED[shuffling], seed=seed, isolate=False, **more)
    return found.verdict is Verdict.VIOLATION


def bench_training(
    seeds: int, audits: int, pool: ProcessPoolExecutor
) -> Iterator[tuple[str, bool]]:
    """Yield the lines of the table of DP-SGD, each with whether its bar is met."""
    yield (
        (
            f"| DP-SGD, 200 canaries | claim | certified in {MOST_RUNS} runs (median) | of seeds | "
            "fewest runs (median) |"
        ),
        True,
    )
    yield "| --- | --- | --- | --- | --- |", True
    for slip in SLIPS:
        more = asked(*slip)[1]
        lower = list(pool.map(functools.partial(_certified, slip), range(seeds)))
        needed = [
            n or MOST_RUNS + 1 for n in pool.map(functools.partial(_needed, slip), range(seeds))
        ]
        hits = sum(one > 0 for one in lower)
        yield (
            (
                f"| {slip[0]} | ({more['epsilon']:.2f}, {more['delta']:.3g}) | "
                f"{np.median(lower):.2f} | {hits} of {seeds} | {np.median(needed):.0f} |"
            ),
            hits == seeds,
        )
    for shuffling in (False, True):
        more = asked(SgdFlaw.NONE, shuffling)[1]
        found = list(pool.map(functools.partial(_accused, shuffling), range(audits), chunksize=5))
        rate = Rate(sum(found), audits)
        yield (
            (
                f"| sound, {ACCUSED[shuffling]} runs an audit | ({more['epsilon']:.2f}, "
                f"{more['delta']:.3g}) | accused {sum(found)} of {audits} | | |"
            ),
            not rate.above,
        )
