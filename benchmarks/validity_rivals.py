"""The same sound mechanisms through jax-privacy's auditor, in an environment that has it.

``PYTHONPATH=src python -m benchmarks.validity_rivals RUNS`` prints one JSON object: for
each method and mechanism, how many of the lower bounds at 95 % exceeded the claim. Each audit gets
``SCORES`` scores, about half of them from each of two neighbors; the higher one speaks for the
second.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np

from benchmarks import validity_mechanisms as sound

SCORES = 500

RIVAL = "jax_privacy.auditing"
DELTA = 1e-5
"""The δ of methods that need one, where the claim has none: what is ε-DP is (ε, δ)-DP, too."""

Scores = Callable[[int, np.random.Generator, int], Any]
Bound = Callable[[Any, float], float]


class Sound(NamedTuple):
    """Scores of n runs on one of two neighbors, the claim, and whether it is of Gaussian DP."""

    scores: Scores
    epsilon: float = 1.0
    delta: float = 0.0
    gaussian: bool = False


MECHANISMS = {
    "Laplace": Sound(lambda x, rng, n: sound.laplace(float(x), size=n, rng=rng)),
    "randomized response": Sound(lambda x, rng, n: sound.response(x, size=n, rng=rng)),
    "Gaussian at its exact (ε, δ)": Sound(
        lambda x, rng, n: sound.exact_gaussian(float(x), size=n, rng=rng),
        delta=sound.DELTA,
        gaussian=True,
    ),
    "heavy ties": Sound(lambda x, rng, n: sound.heavy_ties(float(x), size=n, rng=rng)),
    # The score of who knows the mechanism: is the value odd?
    "20,000 values": Sound(lambda x, rng, n: sound.many_values(x, size=n, rng=rng) % 2),
    "output that ignores the data": Sound(
        lambda x, rng, n: sound.ignoring(x, size=n, rng=rng), epsilon=1e-6, gaussian=True
    ),
}
"""By the names of the same audits in ``validity_cases``."""


class Method(NamedTuple):
    """A lower bound on ε at 95 %, from an auditor with its scores and a δ.

    gaussian: whether it takes for granted that the mechanism is of Gaussian DP.
    """

    bound: Bound
    gaussian: bool = False


def methods() -> dict[str, Method]:
    """Return jax-privacy's lower bounds."""
    Split = importlib.import_module(RIVAL).Split

    return {
        "Clopper–Pearson, Bonferroni": Method(
            lambda one, delta: one.epsilon_clopper_pearson(0.05, delta)
        ),
        "Clopper–Pearson, split": Method(
            lambda one, delta: one.epsilon_clopper_pearson(
                0.05, delta, threshold_strategy=Split(seed=0)
            )
        ),
        "one run, split": Method(
            lambda one, delta: one.epsilon_one_run(
                0.05, delta or DELTA, threshold_strategy=Split(seed=0)
            )
        ),
        "one run f-DP, split": Method(
            lambda one, delta: one.epsilon_one_run_fdp(
                0.05, delta or DELTA, threshold_strategy=Split(seed=0)
            ),
            gaussian=True,
        ),
        "from GDP": Method(
            lambda one, delta: one.epsilon_from_gdp(0.05, delta or DELTA), gaussian=True
        ),
    }


def count_alarms(runs: int) -> dict[str, dict[str, int]]:
    """Return, by method and mechanism, how often the lower bound exceeded the claim."""
    CanaryScoreAuditor = importlib.import_module(RIVAL).CanaryScoreAuditor
    alarms: dict[str, dict[str, int]] = {method: {} for method in methods()}
    for number, (name, one) in enumerate(MECHANISMS.items()):
        fitting = {
            method: each.bound
            for method, each in methods().items()
            if one.gaussian or not each.gaussian
        }
        for run in range(runs):
            rng = np.random.default_rng([number, run])
            inside = int(rng.binomial(SCORES, 0.5))
            held_in, held_out = one.scores(1, rng, inside), one.scores(0, rng, SCORES - inside)
            auditor = CanaryScoreAuditor(held_in, held_out)
            for method, bound in fitting.items():
                row = alarms[method]
                row[name] = row.get(name, 0) + int(bound(auditor, one.delta) > one.epsilon)
        print(f"jax-privacy: {name}", file=sys.stderr, flush=True)
    return alarms


if __name__ == "__main__":
    count = int(sys.argv[1])
    found = {"version": version("jax_privacy"), "runs": count, "alarms": count_alarms(count)}
    print(json.dumps(found, ensure_ascii=False))
