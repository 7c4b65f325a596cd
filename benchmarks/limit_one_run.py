"""Bars of one run with many interventions: a histogram beside jax-privacy, and slips of DP-SGD."""

from __future__ import annotations

import functools
import json
import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from scipy.stats import norm

from benchmarks.limit_rivals import GAUSSIAN, PURE
from benchmarks.validity_rate import Rate
from provado.audit import audit_one_run
from provado.audit.bounds import one_run_epsilon_lower, one_run_mu_lower
from provado.audit.one_run.canaries import guessed, right
from provado.mechanisms import Verdict
from provado.mechanisms.basic.dp_sgd import Flaw
from provado.mechanisms.basic.gaussian import analytic_sigma
from provado.mechanisms.statement.curve import GaussianDP, point_at
from tests.audit.trainings import SLIPS, asked

ROOT = Path(__file__).parent.parent

INTERVENTIONS, DELTA, ALPHA = 1000, 1e-5, 0.05
EPSILON, LEAST = 1.0, 0.6
"""Of the histograms, and what one run must certify of it (median)."""

MOST_RUNS = 30
TRIED = (1, 2, 3, 5, 10, 15, 20, 30)
"""Numbers of trainings, of which the least that certifies a slip is shown."""

ACCUSED = (4, 30)
"""Trainings in an audit of the sound one: with the usual noise, and with little. At a δ of 0.64
fewer than seven could accuse nobody, whatever they do."""


def one_run(kind: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return scores and coins of one run of a histogram with a cell for each canary."""
    rng = np.random.default_rng([seed, kind == "Gaussian"])
    coins = rng.random(INTERVENTIONS) < 0.5
    if kind == "Laplace":
        return coins + rng.laplace(scale=1 / EPSILON, size=INTERVENTIONS), coins
    return coins + analytic_sigma(EPSILON, DELTA) * rng.normal(size=INTERVENTIONS), coins


def ours(kind: str, scores: np.ndarray, coins: np.ndarray) -> dict[str, float]:
    """Return our bounds: of pure and approximate DP; where it is Gaussian, also of that."""
    guesses = INTERVENTIONS // 2
    hits = right(guessed(scores, guesses, None), coins)
    found = {
        "δ = 0": one_run_epsilon_lower(hits, guesses, INTERVENTIONS, 0.0, ALPHA),
        f"δ = {DELTA:g}": one_run_epsilon_lower(hits, guesses, INTERVENTIONS, DELTA, ALPHA),
    }
    if kind == "Gaussian":
        found["Gaussian"] = _epsilon_of(one_run_mu_lower(hits, guesses, INTERVENTIONS, ALPHA))
    return found


def _epsilon_of(mu: float) -> float:
    """Return the ε at the benchmark's δ of μ-Gaussian DP."""
    return point_at(GaussianDP(mu), DELTA)[0] if mu > 0 else 0.0


def best(scores: np.ndarray, coins: np.ndarray) -> float:
    """Return the bound of the best test there is, for one who knows all of the Gaussian histogram.

    The likelihood ratio of two normal distributions of the known σ orders runs by the difference of
    two means; no bound from the scores can be above this one's median and be valid for every μ.
    """
    per_sigma = scores / analytic_sigma(EPSILON, DELTA)
    spread = np.sqrt(1 / coins.sum() + 1 / (~coins).sum())
    mu = per_sigma[coins].mean() - per_sigma[~coins].mean() + norm.ppf(ALPHA) * spread
    return _epsilon_of(float(mu))


def bench_histograms(seeds: int, environment: Path) -> Iterator[tuple[str, bool]]:
    """Yield the lines of the table, each with whether its bar is met."""
    kinds = ("Laplace", "Gaussian")
    runs = [(kind, *one_run(kind, seed)) for kind in kinds for seed in range(seeds)]
    mine = [ours(*run) for run in runs]
    theirs, said = _rival(runs, environment)
    yield (
        f"| one run of a histogram, {INTERVENTIONS:,} coins | median | range | runs above ours |",
        True,
    )
    yield "| --- | --- | --- | --- |", True
    for part, kind in enumerate(kinds):
        here = slice(part * seeds, (part + 1) * seeds)
        found = {
            method: np.array([one[method] for one in mine[here]])
            for method in mine[here][0]
            # Of the Laplace histogram ε = 1 is true at δ = 0; of the Gaussian one nothing is.
            if (kind, method) != ("Gaussian", "δ = 0")
        }
        for method, bounds in found.items():
            bar = (kind, method) == ("Laplace", "δ = 0")
            note = f" (bar {LEAST:g})" if bar else ""
            met = not bar or float(np.median(bounds)) >= LEAST
            yield f"| {kind}, Provado, {method}{note} | {_cells(bounds)} | |", met
        if kind == "Gaussian":
            bounds = np.array([best(*run[1:]) for run in runs[here]])
            yield f"| Gaussian, limit: the best test, all else known | {_cells(bounds)} | |", True
        if theirs is None:
            continue
        for method in (*PURE, *(GAUSSIAN if kind == "Gaussian" else ())):
            bounds = np.array([one[method] for one in theirs[here]])
            against = found["Gaussian" if method in GAUSSIAN else f"δ = {DELTA:g}"]
            above = int(np.count_nonzero(bounds > against))
            met = float(np.median(against)) >= float(np.median(bounds))
            yield (
                (
                    f"| {kind}, jax-privacy, {method}, δ = {DELTA:g} | {_cells(bounds)} | "
                    f"{above} of {seeds} |"
                ),
                met,
            )
    yield f"\n{said}", True


def _cells(found: np.ndarray) -> str:
    return f"{np.median(found):.3f} | {found.min():.3f} to {found.max():.3f}"


def _rival(
    runs: list[tuple[str, np.ndarray, np.ndarray]], environment: Path
) -> tuple[list[dict[str, float]] | None, str]:
    python = environment / "bin" / "python"
    if not python.exists():
        return None, f"jax-privacy is not there: no environment {environment.name}."
    scores = [
        {"scores": scores.tolist(), "heads": coins.tolist(), "delta": DELTA}
        for _, scores, coins in runs
    ]
    done = subprocess.run(
        [str(python), "-m", "benchmarks.limit_rivals"],
        input=json.dumps(scores),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    if done.returncode:
        return None, f"jax-privacy failed: {done.stderr.splitlines()[-1]}"
    found = json.loads(done.stdout)
    return found["bounds"], f"jax-privacy {found['version']}, on the same scores."


def _needed(slip: tuple[Flaw, bool], seed: int) -> int | None:
    """Return the least number of trainings that certified a slip, of those tried."""
    mechanism, more = asked(*slip)
    for runs in TRIED:
        found = audit_one_run(mechanism, runs=runs, seed=seed, isolate=False, **more)
        if found.verdict is Verdict.VIOLATION:
            return runs
    return None


def _certified(slip: tuple[Flaw, bool], seed: int) -> float:
    mechanism, more = asked(*slip)
    found = audit_one_run(mechanism, runs=MOST_RUNS, seed=seed, isolate=False, **more)
    return found.epsilon_lower if found.verdict is Verdict.VIOLATION else 0.0


def _accused(shuffling: bool, seed: int) -> bool:
    mechanism, more = asked(Flaw.NONE, shuffling)
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
        more = asked(Flaw.NONE, shuffling)[1]
        found = list(pool.map(functools.partial(_accused, shuffling), range(audits), chunksize=5))
        rate = Rate(sum(found), audits)
        yield (
            (
                f"| sound, {ACCUSED[shuffling]} runs an audit | ({more['epsilon']:.2f}, "
                f"{more['delta']:.3g}) | accused {sum(found)} of {audits} | | |"
            ),
            not rate.above,
        )
