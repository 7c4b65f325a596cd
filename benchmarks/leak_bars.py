"""Every kind of leak: how much of the true ε is certified, and whether a sound twin is accused.

``python -m benchmarks.leak_bars``; ``--only PATTERN`` for the rows whose name has it. Exits 1
where a bar is missed.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from typing import Any

from threadpoolctl import threadpool_limits

from benchmarks.leaks import LEAKS, TRUE
from provado.audit import audit
from provado.mechanisms import Verdict

TRIALS, BAR, CLAIM = 300_000, 0.6, 0.5


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


def main(arguments: list[str] | None = None) -> int:
    """Run the rows asked for; return 1 if a bar was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="rows whose name has this pattern")
    parser.add_argument("--trials", type=int, default=TRIALS)
    parser.add_argument("--seed", type=int, default=0)
    asked: Any = parser.parse_args(arguments)
    with threadpool_limits(1):
        fine = bench_leaks(asked.only, asked.trials, asked.seed)
    print("\nAll bars met." if fine else "\nA bar was missed.")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
