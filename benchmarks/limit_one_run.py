"""Bars of one run with many interventions: a histogram, beside jax-privacy on the same scores."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import norm

from benchmarks.limit_rivals import GAUSSIAN, PURE, null_run
from benchmarks.validity_rate import Rate
from provado.audit.bounds.one_run import one_run_chance, one_run_epsilon_lower, one_run_mu_lower
from provado.audit.experiments.one_run.draws import guessed, right
from provado.mechanisms.definitions.curve import GaussianDP, point_at
from provado.mechanisms.textbook.gaussian import analytic_sigma

ROOT = Path(__file__).parent.parent

INTERVENTIONS, DELTA, ALPHA = 1000, 1e-5, 0.05
EPSILON, LEAST = 1.0, 0.6
"""Of the histograms, and what one run must certify of it (median)."""

GUESSES = (500, 250, 100, 50, 20)
"""Of one run, for bounds on the same guesses."""

SOLVED = 1e-6
"""To so much jax-privacy solves for its ε."""

NULL_RUNS, NULL_INTERVENTIONS, NULL_DELTA = 3000, 10_000, 1e-9
"""Whose scores say nothing of the coins; at a δ that costs no bound anything."""

Run = tuple[str, np.ndarray, np.ndarray]
"""Kind of histogram, scores and coins."""

Lines = Iterator[tuple[str, bool]]
"""Lines of the table, each with whether its bar is met."""


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


def bench_histograms(seeds: int, environment: Path) -> Lines:
    """Yield the lines of the tables."""
    kinds = ("Laplace", "Gaussian")
    runs = [(kind, *one_run(kind, seed)) for kind in kinds for seed in range(seeds)]
    mine = [ours(*run) for run in runs]
    theirs, said = _rival(runs, environment)
    rival = None if theirs is None else theirs["bounds"]
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
        if rival is None:
            continue
        for method in (*PURE, *(GAUSSIAN if kind == "Gaussian" else ())):
            bounds = np.array([one[method] for one in rival[here]])
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
    if theirs is not None:
        yield from _same_guesses(runs, theirs["same"])
        yield from _of_nothing(theirs["null"])


def _same_guesses(runs: list[Run], theirs: list[list[dict[str, float]]]) -> Lines:
    """Yield how often our bound on the same guesses is below theirs, which should be never."""
    below, compared = {"pure": 0, "gaussian": 0}, {"pure": 0, "gaussian": 0}
    for (kind, *_), every in zip(runs, theirs, strict=True):
        for one in every:
            counted = (int(one["right"]), int(one["guesses"]), INTERVENTIONS)
            mine = {"pure": one_run_epsilon_lower(*counted, DELTA, ALPHA)}
            if kind == "Gaussian":
                mine["gaussian"] = _epsilon_of(one_run_mu_lower(*counted, ALPHA))
            for name, bound in mine.items():
                compared[name] += 1
                below[name] += bound < one[name] - SOLVED
    numbers = ", ".join(map(str, GUESSES))
    yield f"\nOn the same guesses, heads for the {numbers} highest scores of each run:\n", True
    for name, said in (("pure", "one run"), ("gaussian", "one run f-DP, Gaussian")):
        text = f"below jax-privacy's in {below[name]} of {compared[name]}"
        yield f"- Provado's bound, {said}: {text} (bar: 0)", not below[name]


def _of_nothing(theirs: dict[str, int]) -> Lines:
    """Yield how often each bound certifies something where the scores say nothing of the coins."""
    guesses, mine = NULL_INTERVENTIONS // 2, 0
    for seed in range(NULL_RUNS):
        scores, coins = null_run(seed, NULL_INTERVENTIONS)
        hits = right(guessed(scores, guesses, None), coins)
        mine += one_run_chance(hits, guesses, NULL_INTERVENTIONS, 0.0, NULL_DELTA) <= ALPHA
    said = f"{NULL_RUNS:,} runs of {NULL_INTERVENTIONS:,} coins, scores that say nothing of them"
    yield f"\n| {said} | certified ε > 0 | 99 % |", True
    yield "| --- | --- | --- |", True
    rate = Rate(mine, NULL_RUNS)
    yield f"| Provado (bar 5 %) | {' | '.join(rate.cells()[1:])} |", not rate.above
    for method, alarms in theirs.items():
        cells = Rate(alarms, NULL_RUNS).cells()[1:]
        yield f"| jax-privacy, {method} | {' | '.join(cells)} |", True


def _cells(found: np.ndarray) -> str:
    return f"{np.median(found):.3f} | {found.min():.3f} to {found.max():.3f}"


def _rival(runs: list[Run], environment: Path) -> tuple[dict[str, Any] | None, str]:
    python = environment / "bin" / "python"
    if not python.exists():
        return None, f"jax-privacy is not there: no environment {environment.name}."
    given = {
        "runs": [
            {"scores": scores.tolist(), "heads": coins.tolist(), "delta": DELTA}
            for _, scores, coins in runs
        ],
        "guesses": GUESSES,
        "null": {
            "runs": NULL_RUNS,
            "interventions": NULL_INTERVENTIONS,
            "delta": NULL_DELTA,
        },
    }
    done = subprocess.run(
        [str(python), "-m", "benchmarks.limit_rivals"],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    if done.returncode:
        return None, f"jax-privacy failed: {done.stderr.splitlines()[-1]}"
    found = json.loads(done.stdout)
    return found, f"jax-privacy {found['version']}, on the same scores."
