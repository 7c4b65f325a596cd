"""PC against causal-learn's: the skeleton with χ², and the whole graph of ``--method pc``.

``python -m benchmarks.pc_bars``. The skeletons take the same rows, the same χ² test, whose degrees
of freedom count the levels that occur in a stratum, the same level, and the order-independent rule;
ours is timed with the orientation of the edges, causal-learn without it. The graphs are those of
``pc`` with its defaults and of causal-learn with G², level .01 and the max-p rule, on the seven
networks: structural Hamming distance to the true CPDAG, and processor time.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.measure import line, seconds
from provado.mechanisms.graph_discovery.methods.pc import Test, pc
from provado.mechanisms.graph_discovery.search.cpdag import cpdag_of
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.reports.commands.reproduce.sources.networks import NETWORKS as ALL_NETWORKS
from provado.reports.commands.reproduce.sources.networks import load_network
from tests.reports.reproduce.hamming import structural_hamming

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


def rival_cpdag(data: CodedTable, alpha: float) -> np.ndarray[Any, Any]:
    """Return the CPDAG that causal-learn finds with G² and the max-p rule."""
    search = importlib.import_module("causallearn.search.ConstraintBased.PC")
    rows = np.ascontiguousarray(data.codes.T).astype(np.int64)
    marks = search.pc(rows, alpha, "gsq", uc_rule=1, show_progress=False).G.graph
    return np.asarray((marks == -1) & (abs(marks.T) == 1))


def bench_graphs(samples: int = 5) -> bool:
    """Print the median distance of each graph to the true one, and the times."""
    print(f"\nPC's graph by G² at level .01, {ROWS:,} rows, {samples} samples: Hamming distance")
    if importlib.util.find_spec("causallearn") is None:
        print("causal-learn is not installed: nothing to compare with  BAR MISSED")
        return False
    fine, searches = True, (lambda data, alpha: pc(data, alpha=alpha).cpdag, rival_cpdag)
    for name in ALL_NETWORKS:
        network = load_network(name)
        true = cpdag_of(network.directed)
        apart, times = np.zeros((2, 2, samples))
        for seed in range(samples):
            data = network.sample(ROWS, np.random.default_rng([seed, ROWS]))
            for who, search in enumerate(searches):
                started = time.process_time()
                found = search(data, 0.01)
                times[who, seed] = time.process_time() - started
                apart[who, seed] = structural_hamming(found, true)
        (ours, theirs), (fast, slow) = np.median(apart, axis=1), np.median(times, axis=1)
        fine &= line(f"{name}: distance", ours, theirs + 1, "", least=False)
        fine &= line(f"{name}: seconds", fast, slow, "s", least=False)
    return fine


def main() -> int:
    """Print the figures; exit 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=7, help="runs of each quick call")
    arguments = parser.parse_args()
    with threadpool_limits(1):
        fine = bench_pc(arguments.repeat) & bench_graphs()
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
