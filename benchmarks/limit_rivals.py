"""jax-privacy's bounds from one run, in an environment that has it.

``PYTHONPATH=src python -m benchmarks.limit_rivals`` reads one JSON object from standard input:
``runs`` with ``scores``, ``heads`` (the coins) and ``delta``; ``guesses``, numbers of them;
``null``, how many runs of scores that say nothing. It prints, for each run, by method the lower
bound on ε at 95 %, and the bounds at so many guesses; and by method of how many runs that say
nothing it certifies something.
"""

from __future__ import annotations

import importlib
import json
import sys
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

RIVAL = "jax_privacy.auditing"
PURE = ("one run, all thresholds", "one run, split")
GAUSSIAN = ("one run f-DP, all thresholds", "one run f-DP, split")
"""The latter take for granted that the mechanism is of Gaussian DP."""


Run = tuple[NDArray[np.float64], NDArray[np.bool_]]
"""Scores and coins."""


def null_run(seed: int, interventions: int) -> Run:
    """Return scores that are independent of the coins: their ε is 0."""
    rng = np.random.default_rng([seed, 2])
    return rng.random(interventions), rng.random(interventions) < 0.5


def bounds(run: dict[str, Any]) -> dict[str, float]:
    """Return all bounds of one run."""
    rival, auditor, asked = _auditor(run)
    split = {"threshold_strategy": rival.Split(seed=0)}
    found = (
        auditor.epsilon_one_run(**asked),
        auditor.epsilon_one_run(**asked, **split),
        auditor.epsilon_one_run_fdp(**asked),
        auditor.epsilon_one_run_fdp(**asked, **split),
    )
    return dict(zip((*PURE, *GAUSSIAN), map(float, found), strict=True))


def at_guesses(run: dict[str, Any], guesses: int) -> dict[str, float]:
    """Return both bounds where the highest scores, so many, are said to be heads."""
    rival, auditor, asked = _auditor(run)
    threshold = float(np.sort(run["scores"])[-guesses])
    asked["threshold_strategy"] = rival.Explicit(threshold=threshold)
    right = int(np.count_nonzero(np.array(run["heads"]) & (np.array(run["scores"]) >= threshold)))
    return {
        "guesses": guesses,
        "right": right,
        "pure": float(auditor.epsilon_one_run(**asked)),
        "gaussian": float(auditor.epsilon_one_run_fdp(**asked)),
    }


def accusations(runs: int, interventions: int, delta: float) -> dict[str, int]:
    """Return by method of how many runs it certifies some ε above 0, where ε is 0."""
    found = dict.fromkeys(PURE, 0)
    for seed in range(runs):
        scores, heads = null_run(seed, interventions)
        rival, auditor, asked = _auditor({"scores": scores, "heads": heads, "delta": delta})
        split = {"threshold_strategy": rival.Split(seed=seed)}
        found[PURE[0]] += float(auditor.epsilon_one_run(**asked)) > 0
        found[PURE[1]] += float(auditor.epsilon_one_run(**asked, **split)) > 0
    return found


def _auditor(run: dict[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    rival = importlib.import_module(RIVAL)
    scores, heads = np.array(run["scores"]), np.array(run["heads"], dtype=bool)
    auditor = rival.CanaryScoreAuditor(scores[heads], scores[~heads])
    return rival, auditor, {"significance": 0.05, "delta": run["delta"]}


if __name__ == "__main__":
    given = json.load(sys.stdin)
    found = {
        "version": version("jax_privacy"),
        "bounds": [bounds(run) for run in given["runs"]],
        "same": [[at_guesses(run, n) for n in given["guesses"]] for run in given["runs"]],
        "null": accusations(**given["null"]),
    }
    print(json.dumps(found, ensure_ascii=False))
