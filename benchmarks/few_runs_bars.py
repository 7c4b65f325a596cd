"""The bars of sequential audits: pairs of runs to a violation, false alarms, a slow model fit.

``python -m benchmarks.few_runs_bars``; ``--only pairs``, ``null`` or ``slow`` for one part, with
``--runs`` audits a row. A pair is one run on each of two datasets, that is two trials; exploration
is included. Exits 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import functools
import gc
import math
import multiprocessing
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.validity_rate import Rate
from provado.audit import audit
from provado.mechanisms import Verdict
from provado.mechanisms.textbook.laplace import laplace_on_grid
from provado.mechanisms.textbook.randomized_response import randomized_response

PAIRS = {
    ("NonDPLaplace1", 0.01): (95, "APT 86, sequential MMD 331, betting sketch 92"),
    ("NonDPLaplace1", 0.1): (135, "APT 114, sequential MMD 920, betting sketch 132"),
    ("NonDPGaussian1", 0.01): (math.inf, "APT 59, sequential MMD 264, betting sketch 70"),
    ("NonDPGaussian1", 0.1): (math.inf, "APT 68, sequential MMD 562, betting sketch 85"),
}
"""At most so many pairs of runs on average until a violation is certified, beside the rivals'."""

DELTA = 1e-5
"""Of the Gaussian rows, as in the paper that has them."""

SLOW_FIT, SLOW_BAR = 0.03, 15.0
"""Seconds a model fit takes, and in which its violation is certified from nothing."""


def mean_by_noisy_scale(data: list[float], rng: np.random.Generator, *, epsilon: float) -> float:
    """Return the mean with noise of scale 2/(n·ε) for the true n, which is private."""
    return float(np.mean(data) + rng.laplace(scale=2 / (len(data) * epsilon)))


def gaussian_by_noisy_scale(
    data: list[float], rng: np.random.Generator, *, epsilon: float
) -> float:
    """Do the same with Gaussian noise of the classic scale."""
    scale = 2 / (len(data) * epsilon) * math.sqrt(2 * math.log(1.25 / DELTA))
    return float(np.mean(data) + rng.normal(scale=scale))


def fit(data: float, rng: np.random.Generator) -> float:
    """Return a coefficient with noise for ε = 4, after the time of a model fit."""
    time.sleep(SLOW_FIT)
    return data + rng.laplace(scale=1 / 4)


def leaky_response(data: int, *, size: int, rng: np.random.Generator) -> Any:
    """Meet (1, 0.05)-DP exactly: with probability 0.05 tell the bit itself."""
    reports = randomized_response(data, epsilon=1.0, size=size, rng=rng)
    return np.where(rng.random(size) < 0.05, 10 + data, reports)


SOUND: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "Laplace, ε = 1": (functools.partial(laplace_on_grid, scale=1), {"epsilon": 1.0}),
    "Laplace, ε = 0.1": (
        functools.partial(laplace_on_grid, scale=10),
        {"epsilon": 0.1, "detectable": 0.4},
    ),
    "randomized response, ε = 1": (
        functools.partial(randomized_response, epsilon=1.0),
        {"epsilon": 1.0},
    ),
    "randomized response, (1, 0.05)": (leaky_response, {"epsilon": 1.0, "delta": 0.05}),
}
"""Mechanisms that meet their claims exactly, so that the whole level may be used."""


def pairs_needed(row: tuple[str, float], seed: int) -> float:
    """Return the pairs of runs until a violation was certified, or infinity."""
    name, epsilon = row
    gaussian = "Gaussian" in name
    mechanism = gaussian_by_noisy_scale if gaussian else mean_by_noisy_scale
    found = audit(
        functools.partial(mechanism, epsilon=epsilon),
        epsilon=epsilon,
        delta=DELTA if gaussian else 0.0,
        pair=([0.0], [0.0, 1.0]),
        samples="auto",
        seed=seed,
        name=name,
        isolate=False,
    )
    return found.counts.trials / 2 if found.verdict is Verdict.VIOLATION else math.inf


def false_alarm(name: str, seed: int) -> tuple[bool, int, str]:
    """Return whether a sound mechanism was accused, after how many trials, and what broke."""
    mechanism, claim = SOUND[name]
    found = audit(
        mechanism,
        pair=(0, 1),
        samples="auto",
        seed=seed,
        isolate=False,
        name=name,
        **{"detectable": 1.4, **claim},
    )
    return found.verdict is Verdict.VIOLATION, found.counts.trials, found.reason


def bench_pairs(runs: int, pool: ProcessPoolExecutor) -> bool:
    """Print the mean pairs of runs to a violation; return whether the bars are met."""
    fine = True
    for (name, epsilon), (bar, rivals) in PAIRS.items():
        one = functools.partial(pairs_needed, (name, epsilon))
        found = np.array(list(pool.map(one, range(runs), chunksize=5)))
        error = found.std() / math.sqrt(runs)
        met = found.mean() <= bar
        fine &= bool(met)
        print(
            f"{name}, ε = {epsilon:g}: {found.mean():.1f} pairs of runs ± {error:.1f} (median "
            f"{np.median(found):.0f}, {runs} audits; bar {bar:g}; {rivals})"
            + ("" if met else "  BAR MISSED"),
            flush=True,
        )
    return fine


def bench_null(runs: int, pool: ProcessPoolExecutor) -> bool:
    """Print the rates of false alarms; return whether none is above 5 %."""
    alarms, audits = 0, 0
    for name in SOUND:
        one = functools.partial(false_alarm, name)
        found = list(pool.map(one, range(runs), chunksize=5))
        wrong = sum(alarm for alarm, _, _ in found)
        reasons = [reason for _, _, reason in found if reason]
        alarms, audits = alarms + wrong, audits + runs
        rate = Rate(wrong, runs, len(reasons), tuple(sorted(set(reasons))))
        print(
            f"{name}: {wrong} of {runs} accused ({', '.join(rate.cells())}), "
            f"{np.mean([trials for _, trials, _ in found]):,.0f} trials on average, "
            f"{len(reasons)} unknown",
            flush=True,
        )
    print(f"in all {alarms} of {audits} accused (bar 5 %)", flush=True)
    return alarms <= 0.05 * audits


def bench_slow(runs: int) -> bool:
    """Print the wall time to a violation of a slow fit; return whether all are below the bar."""
    seconds = []
    for seed in range(runs):
        started = time.perf_counter()
        found = audit(fit, epsilon=1.0, pair=(0.0, 1.0), seconds=60, seed=seed)
        seconds.append(time.perf_counter() - started)
        if found.verdict is not Verdict.VIOLATION:
            seconds[-1] = math.inf
    print(
        f"fit of {1000 * SLOW_FIT:.0f} ms, true ε 4, claim 1: {np.median(seconds):.1f} s (median), "
        f"{max(seconds):.1f} s (longest of {runs}; bar {SLOW_BAR:g} s)"
    )
    return max(seconds) <= SLOW_BAR


def _settle() -> None:
    """Spare each audit the search of what was imported for the generators of a mechanism."""
    threadpool_limits(1)
    gc.collect()
    gc.freeze()


def main(arguments: list[str] | None = None) -> int:
    """Run all parts; return 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, help="audits a row (300, 500 and 5)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", choices=("pairs", "null", "slow"))
    asked = parser.parse_args(arguments)
    fine = True
    # Not a pool of multiprocessing: its processes may have no children.
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(asked.jobs, context, initializer=_settle) as pool:
        if asked.only in (None, "pairs"):
            fine &= bench_pairs(asked.runs or 300, pool)
        if asked.only in (None, "null"):
            fine &= bench_null(asked.runs or 500, pool)
    if asked.only in (None, "slow"):
        fine &= bench_slow(asked.runs or 5)
    print("All bars met." if fine else "A bar was missed.")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
