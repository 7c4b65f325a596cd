"""jax-privacy's bounds from one run, in an environment that has it.

``PYTHONPATH=src python -m benchmarks.limit_rivals`` reads one JSON list from standard input, of
runs with ``scores``, ``heads`` (the coins) and ``delta``, and prints as many objects: by method the
lower bound on ε at 95 %.
"""

from __future__ import annotations

import importlib
import json
import sys
from importlib.metadata import version
from typing import Any

import numpy as np

RIVAL = "jax_privacy.auditing"
PURE = ("one run, all thresholds", "one run, split")
GAUSSIAN = ("one run f-DP, all thresholds", "one run f-DP, split")
"""The latter take for granted that the mechanism is of Gaussian DP."""


def bounds(run: dict[str, Any]) -> dict[str, float]:
    """Return all bounds of one run."""
    rival = importlib.import_module(RIVAL)
    scores, heads = np.array(run["scores"]), np.array(run["heads"], dtype=bool)
    auditor = rival.CanaryScoreAuditor(scores[heads], scores[~heads])
    asked = {"significance": 0.05, "delta": run["delta"]}
    split = {"threshold_strategy": rival.Split(seed=0)}
    found = (
        auditor.epsilon_one_run(**asked),
        auditor.epsilon_one_run(**asked, **split),
        auditor.epsilon_one_run_fdp(**asked),
        auditor.epsilon_one_run_fdp(**asked, **split),
    )
    return dict(zip((*PURE, *GAUSSIAN), map(float, found), strict=True))


if __name__ == "__main__":
    runs = json.load(sys.stdin)
    found = {"version": version("jax_privacy"), "bounds": [bounds(run) for run in runs]}
    print(json.dumps(found, ensure_ascii=False))
