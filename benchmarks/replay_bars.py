"""Counterfactual replay: faults found, sound programs left alone, and what is not followed said so.

``python -m benchmarks.replay_bars``; ``--seeds N`` for more noise. Exits 1 where a bar is missed.
What a replay says is compared with an audit of the same pair: where it finds, a violation is
certified, with ``--audit`` (in exact arithmetic: low-order bits tell more than any of these).
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from typing import Any

from benchmarks.replay_programs import BROKEN, NOT_FOLLOWED, SOUND, Program
from provado.audit import replay
from provado.mechanisms import Verdict


def bench(programs: tuple[Program, ...], seeds: int, *, audits: bool) -> bool:
    """Print a row a program; return whether every bar is met."""
    fine = True
    for program in programs:
        started = time.perf_counter()
        found = [
            replay(program.run, pair=program.pair, seed=seed, **program.claim)
            for seed in range(seeds)
        ]
        spent = (time.perf_counter() - started) / seeds
        met = all(_right(program, one) for one in found)
        said = found[0].findings[0].words if found[0].findings else "nothing found"
        bound = ""
        if audits and program.kinds:
            result = found[0].findings[0].audit(samples=100_000, arithmetic="ideal")
            met &= result.verdict is Verdict.VIOLATION
            # What the noise adds up to is an upper bound, where it is finite.
            met &= result.epsilon_lower <= found[0].pairs[0].epsilon
            bound = f"  certified ε ≥ {result.epsilon_lower:.3f}"
        fine &= met
        mark = "" if met else "  BAR MISSED"
        print(f"{program.name:30s} {spent:6.2f} s  {said[:90]}{bound}{mark}", flush=True)
    return fine


def _right(program: Program, found: Any) -> bool:
    if any(program is one for one in NOT_FOLLOWED):
        return not found.completed and math.isnan(found.pairs[0].epsilon)
    if not program.kinds:
        return found.completed and not found.findings
    return any(one.kind in program.kinds and one.line == program.line for one in found.findings)


def main(arguments: list[str] | None = None) -> int:
    """Replay all programs; return 1 if a bar was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--audit", action="store_true")
    asked: Any = parser.parse_args(arguments)
    print("Programs with a fault: the kind and the line of it must be found.")
    fine = bench(BROKEN, asked.seeds, audits=asked.audit)
    print("\nSound programs: nothing must be found.")
    fine &= bench(SOUND, asked.seeds, audits=False)
    print("\nPrograms that cannot be followed: no total, and no all-clear.")
    fine &= bench(NOT_FOLLOWED, asked.seeds, audits=False)
    print("\nAll bars met." if fine else "\nA bar was missed.")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
