"""Every kind of leak: how much of the true ε is certified, and whether a sound twin is accused.

``python -m benchmarks.leak_bars``; ``--only PATTERN`` for the rows whose name has it. Exits 1
where a bar is missed.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import time
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.leaks import DELTA, EVENT, LEAKS, ONE_SIDED, TRUE, one_sided
from provado.audit import audit
from provado.audit.bounds import BoundMethod, epsilon_lower
from provado.audit.bounds.counts import Counts
from provado.audit.events.features.feature import Column
from provado.audit.events.learners.piecewise import Raw
from provado.audit.events.rule import Rule
from provado.audit.events.threshold import Cut, Goal
from provado.audit.target.output_encoding import PatternBook, encode
from provado.audit.trials.experiment import plan_bets
from provado.mechanisms import Verdict

TRIALS, BAR, DELTA_BAR, CLAIM, SEEDS = 300_000, 0.6, 0.9, 0.5, 5


def bench_leaks(only: str, trials: int, seed: int) -> bool:
    """Print a row a kind; return whether every bar is met."""
    print(f"\nTrue ε {TRUE:.3f}, claim {CLAIM}, {trials:,} trials")
    print(f"{'leak':42s} {'certified':>9s} {'share':>6s} {'bar':>5s} {'twin':>7s} {'seconds':>8s}")
    fine = True
    for leak in LEAKS:
        if not re.search(only, leak.name):
            continue
        asked: dict[str, Any] = {"epsilon": CLAIM, "pair": (0, 1), "samples": trials, "seed": seed}
        started = time.perf_counter()
        found = audit(leak.mechanism(), **asked)
        spent = time.perf_counter() - started
        twin = audit(leak.mechanism(sound=True), **asked)
        share = found.epsilon_lower / TRUE
        met = share >= BAR and twin.verdict is not Verdict.VIOLATION
        fine &= met
        print(
            f"{leak.name:42s} {found.epsilon_lower:9.4f} {share:6.3f} {BAR:5.2f} "
            f"{twin.epsilon_lower:7.4f} {spent:8.2f}{'' if met else '  BAR MISSED'}"
            f"{f'  {found.reason[:80]}' if found.reason else ''}",
            flush=True,
        )
    return fine


def bench_delta(trials: int, seed: int) -> bool:
    """Print a row a form of output for a one-sided leak at δ > 0; return whether bars are met.

    Certified is the median of ``SEEDS`` seeds. The event's own bound: what its expected counts
    certify with bets planned for them.
    """
    right = round(trials / 2 * EVENT)
    counts = Counts(0, 0, trials // 2, 0, right, trials - trials // 2 - right)
    goal = Goal(trials, 0.05, DELTA, betting=True, claimed=1.0)
    own = epsilon_lower(counts, planned(counts, goal))
    fine = True
    print(f"\nP = {EVENT} against 0 at δ = {DELTA}, claim 1, {trials:,} trials")
    print(f"{'form':42s} {'certified':>9s} {'own':>8s} {'share':>6s} {'bar':>5s} {'twin':>7s}")
    for form in ONE_SIDED:
        asked: dict[str, Any] = {"pair": (0, 1), "samples": trials, "delta": DELTA, "epsilon": 1.0}
        seeds = range(seed, seed + SEEDS)
        found = [audit(one_sided(form), seed=one, **asked).epsilon_lower for one in seeds]
        twin = audit(one_sided(form, 0.9 * DELTA), seed=seed, **asked)
        certified = float(np.median(found))
        share = certified / own
        met = share >= DELTA_BAR and twin.verdict is not Verdict.VIOLATION
        fine &= met
        print(
            f"{form:42s} {certified:9.4f} {own:8.4f} {share:6.3f} {DELTA_BAR:5.2f} "
            f"{twin.epsilon_lower:7.4f}{'' if met else '  BAR MISSED'}",
            flush=True,
        )
    return fine


def planned(counts: Counts, goal: Goal) -> BoundMethod:
    """Return the bound that an exploration plans that saw such counts, all of them for D′."""
    guesses = np.repeat([-1, 0], [counts.correct, counts.trials - counts.correct])
    outputs = encode(guesses, len(guesses), PatternBook())
    cut = Cut(-0.5, math.inf, 0.0, 0.0, 0.0)
    bets, side = plan_bets(
        Rule(Raw(Column(0, 1)), cut), outputs.part(slice(0, 0)), outputs, goal, anytime=False
    )
    return BoundMethod(goal.alpha, goal.delta, bets, side=side, aimed=goal.claimed)


def main(arguments: list[str] | None = None) -> int:
    """Run the rows asked for; return 1 if a bar was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="rows whose name has this pattern")
    parser.add_argument("--trials", type=int, default=TRIALS)
    parser.add_argument("--seed", type=int, default=0)
    asked: Any = parser.parse_args(arguments)
    with threadpool_limits(1):
        fine = bench_delta(asked.trials, asked.seed) if not asked.only else True
        fine &= bench_leaks(asked.only, asked.trials, asked.seed)
    print("\nAll bars met." if fine else "\nA bar was missed.")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
