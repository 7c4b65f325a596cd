"""PC's skeleton with the χ² test against causal-learn's: processor time and edges.

``python -m benchmarks.pc_bars``. Both take the same rows, the same χ² test, whose degrees of
freedom count the levels that occur in a stratum, the same level, and the order-independent rule.
Ours is timed with the orientation of the edges, causal-learn without it.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.measure import line, seconds
from provado.mechanisms.graphs.methods.pc import Test, pc
from provado.mechanisms.graphs.tables.coded import CodedTable
from provado.reports.reproduce.sources.networks import load_network

ROWS = 100_000
ALPHA = 0.05
NETWORKS = ("asia", "child", "alarm")
BAR = 20


def rival_skeleton(data: CodedTable, alpha: float) -> np.ndarray[Any, Any]:
    """Return the adjacency that causal-learn's order-independent search finds with χ²."""
    # By name: a rival need not be installed.
    tests = importlib.import_module("causallearn.utils.cit")
    search = importlib.import_module("causallearn.utils.PCUtils.SkeletonDiscovery")
    rows = np.ascontiguousarray(data.codes.T).astype(np.int64)
    test = tests.CIT(rows, "chisq")
    found = search.skeleton_discovery(rows, alpha, test, stable=True, show_progress=False)
    return np.asarray(found.G.graph != 0)


def bench_pc(repeat: int) -> bool:
    """Print causal-learn's time over ours, and whether the edges are the same."""
    print(f"\nPC's skeleton by χ² at level {ALPHA}, {ROWS:,} rows: causal-learn's time over ours")
    if importlib.util.find_spec("causallearn") is None:
        print("causal-learn is not installed: nothing to compare with  BAR MISSED")
        return False
    fine = True
    for name in NETWORKS:
        data = load_network(name).sample(ROWS, np.random.default_rng(0))
        kept: dict[str, Any] = {}

        def ours(data: CodedTable = data, kept: dict[str, Any] = kept) -> None:
            kept["ours"] = pc(data, alpha=ALPHA, test=Test.CHI_SQUARED)

        def theirs(data: CodedTable = data, kept: dict[str, Any] = kept) -> None:
            kept["theirs"] = rival_skeleton(data, ALPHA)

        # Only on the smallest network is causal-learn quick enough to be timed as often.
        before = seconds(ours, repeat=repeat)[0]
        slow = seconds(theirs, repeat=repeat if name == "asia" else 1)[0]
        fast = (before + seconds(ours, repeat=repeat)[0]) / 2
        found = kept["ours"]
        what = f"{name}: {found.tests} tests ({fast:.3f} s, causal-learn {slow:.2f} s)"
        fine &= line(what, slow / fast, BAR)
        for i, j in np.argwhere(np.triu(found.skeleton != kept["theirs"])):
            where = "ours" if found.skeleton[i, j] else "causal-learn's"
            print(f"  {data.names[i]} – {data.names[j]} only in {where}  BAR MISSED")
            fine = False
        print(f"  edges: {int(found.skeleton.sum()) // 2}", flush=True)
    return fine


def main() -> int:
    """Print the figures; exit 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=7, help="runs of each quick call")
    arguments = parser.parse_args()
    with threadpool_limits(1):
        fine = bench_pc(arguments.repeat)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
