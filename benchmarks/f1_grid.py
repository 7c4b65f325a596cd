"""F1 of the private methods against ε on the seven networks, beside PC without privacy.

Run as ``python -m benchmarks.f1_grid``; options take a part of it. Source: Wang, Pang and Song,
Towards Practical Differentially Private Causal Graph Discovery (2020), section 4 and Figure 1.

The 21 values of ε are those of one round, as in the released code: one sieve-and-examine, one
answer of the sparse vector, one node at one order of EM-PC. Figure 1 has what the rounds cost
together on its axis, by advanced composition at δ = .001, from 1 to 100; the plot shows both.
The total here is the smaller of the basic and the advanced one. A released method charges the
rounds that took place, and keeps no promise; a repaired one charges a number fixed beforehand.

Exit status 1 where at the largest ε the median F1 of Priv-PC is more than .02 below that of PC
with the same test on the same rows.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.f1_plot import Run, draw
from provado.mechanisms.graphs.methods.budget import Spent
from provado.mechanisms.graphs.methods.deletion_choice import counts_proved, counts_released
from provado.mechanisms.graphs.methods.deletion_utility import GreedyUtility, ProvedUtility
from provado.mechanisms.graphs.methods.em_pc import run_em
from provado.mechanisms.graphs.methods.pc import pc
from provado.mechanisms.graphs.methods.priv_pc import priv_pc_released, priv_pc_repaired
from provado.mechanisms.graphs.methods.private_search import PrivatelyDiscovered
from provado.mechanisms.graphs.methods.svt_pc import svt_pc_released, svt_pc_repaired
from provado.mechanisms.graphs.search.skeleton import largest_order
from provado.mechanisms.graphs.tables.coded import CodedTable
from provado.reports.reproduce.sources.networks import NETWORKS, load_network
from provado.reports.reproduce.sources.skeleton_f1 import skeleton_f1

ROWS, ALPHA, DELTA, SHORT = 100_000, 0.1, 1e-3, 0.02
EPSILONS = tuple(np.logspace(-2, 1.5, 21).tolist())
METHODS = (
    "Priv-PC released",
    "Priv-PC repaired",
    "SVT-PC released",
    "SVT-PC repaired",
    "EM-PC released",
    "EM-PC repaired",
)
EM_ORDERS = 5
"""The repaired EM-PC is charged a round for each node at each of so many orders."""


@dataclass(frozen=True)
class Task:
    """What one process does: all runs on the rows that a seed draws from a network."""

    network: str
    seed: int
    epsilons: tuple[float, ...]


def run_task(task: Task) -> tuple[float, list[Run]]:
    """Return the F1 of PC without privacy, and the runs."""
    with threadpool_limits(1):
        network = load_network(task.network)
        order = largest_order(ROWS, len(network.names))
        data = network.sample(ROWS, np.random.default_rng([task.seed, 0]))
        plain = pc(data, alpha=ALPHA, max_order=order, stable=False)
        runs = []
        for number, (method, find) in enumerate(_methods(data).items()):
            for epsilon in task.epsilons:
                # A stream for each run: another grid or another method moves none of the others.
                stream = [task.seed, 1 + number, round(1e6 * epsilon)]
                started = time.process_time()
                found = find(epsilon, np.random.default_rng(stream))
                took = time.process_time() - started
                f1 = skeleton_f1(found.skeleton, network.skeleton)
                total = _total(found.spent)
                runs.append(
                    Run(task.network, task.seed, method, epsilon, f1, total, found.tests, took)
                )
        return skeleton_f1(plain.skeleton, network.skeleton), runs


Find = Callable[[float, np.random.Generator], PrivatelyDiscovered]


def _methods(data: CodedTable) -> dict[str, Find]:
    d = len(data.names)
    edges, rounds = d * (d - 1) // 2, EM_ORDERS * d
    # What EM-PC computes from the rows is kept from one ε to the next.
    greedy, proved = GreedyUtility(data, alpha=ALPHA), ProvedUtility(data, alpha=ALPHA)
    finds: tuple[Find, ...] = (
        lambda e, rng: priv_pc_released(data, epsilon=e, rng=rng, alpha=ALPHA),
        lambda e, rng: priv_pc_repaired(data, epsilon=e, rng=rng, alpha=ALPHA, rounds=edges),
        lambda e, rng: svt_pc_released(data, epsilon=e, rng=rng, alpha=ALPHA),
        lambda e, rng: svt_pc_repaired(data, epsilon=e, rng=rng, alpha=ALPHA, rounds=edges),
        lambda e, rng: run_em(greedy, counts_released, epsilon=e, rng=rng),
        lambda e, rng: run_em(proved, counts_proved, epsilon=e, rng=rng, rounds=rounds),
    )
    return dict(zip(METHODS, finds, strict=True))


def _total(spent: Spent) -> float:
    return min(spent.basic()[0], spent.advanced(DELTA)[0])


def lines_of(runs: Sequence[Run], plain: Sequence[float]) -> Iterator[str]:
    """Yield the Markdown table of one network: median F1 and, in brackets, the median total ε."""
    yield f"PC without privacy: F1 {np.median(plain):.2f}"
    yield ""
    yield "| ε of a round | " + " | ".join(METHODS) + " |"
    yield "|---:|" + "---:|" * len(METHODS)
    for epsilon in sorted({run.epsilon for run in runs}):
        cells = []
        for method in METHODS:
            here = [r for r in runs if (r.method, r.epsilon) == (method, epsilon)]
            f1, total = np.median([(r.f1, r.total) for r in here], axis=0)
            cells.append(f"{f1:.2f} ({total:.2g})")
        yield f"| {epsilon:.3g} | " + " | ".join(cells) + " |"
    seconds = [sum(r.seconds for r in runs if r.method == m) / len(plain) for m in METHODS]
    yield "| seconds a seed | " + " | ".join(f"{s:.1f}" for s in seconds) + " |"


def shape_of(runs: Sequence[Run], plain: Sequence[float]) -> str:
    """Say in how many of the ε Priv-PC is level with or above each rival, as released."""
    epsilons = sorted({run.epsilon for run in runs})
    median = {
        (method, epsilon): float(
            np.median([r.f1 for r in runs if (r.method, r.epsilon) == (method, epsilon)])
        )
        for method in METHODS
        for epsilon in epsilons
    }
    ours, svt, em = (f"{name} released" for name in ("Priv-PC", "SVT-PC", "EM-PC"))
    level = {r: sum(median[ours, e] >= median[r, e] for e in epsilons) for r in (svt, em)}
    last = epsilons[-1]
    return (
        f"Of {len(epsilons)} values of ε, Priv-PC is level with or above SVT-PC at {level[svt]} "
        f"and EM-PC at {level[em]}. At the largest: Priv-PC {median[ours, last]:.2f}, SVT-PC "
        f"{median[svt, last]:.2f}, EM-PC {median[em, last]:.2f}, PC {np.median(plain):.2f}."
    )


def converges(network: str, runs: Sequence[Run], plain: Sequence[float]) -> bool:
    """Print whether Priv-PC reaches PC's F1, less .02, at the largest ε."""
    last = max(run.epsilon for run in runs)
    reached = [r.f1 for r in runs if (r.method, r.epsilon) == (METHODS[0], last)]
    median, bar = float(np.median(reached)), float(np.median(plain)) - SHORT
    mark = "" if median >= bar else "  BAR MISSED"
    print(f"{network:12s} Priv-PC at ε = {last:.3g}: F1 {median:.3f} (bar: {bar:.3f}){mark}")
    return median >= bar


def main() -> int:
    """Print the tables, write them and the plot; exit 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", nargs="+", choices=NETWORKS, default=list(NETWORKS))
    parser.add_argument("--seeds", type=int, default=5, help="how many, from 0 on")
    parser.add_argument("--epsilons", nargs="+", type=float, default=list(EPSILONS))
    parser.add_argument("--jobs", type=int, default=2, help="processes, of one thread each")
    parser.add_argument("--results", type=Path, default=Path(__file__).parent / "results")
    options = parser.parse_args()
    started = time.monotonic()
    # The longest first, so that no process is left with one at the end.
    by_size = sorted(options.networks, key=lambda n: -len(load_network(n).names))
    tasks = [Task(n, s, tuple(options.epsilons)) for n in by_size for s in range(options.seeds)]
    fork_free = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.jobs, mp_context=fork_free) as pool:
        done = list(zip(tasks, pool.map(run_task, tasks), strict=True))
    text, fine = [_HEAD.format(seeds=options.seeds)], True
    curves, levels = {}, {}
    for network in options.networks:
        plain = [f1 for task, (f1, _) in done if task.network == network]
        runs = [run for task, (_, some) in done if task.network == network for run in some]
        text += [f"## {network}", "", *lines_of(runs, plain), "", shape_of(runs, plain), ""]
        curves[network], levels[network] = runs, float(np.median(plain))
    print("\n".join(text))
    for network, runs in curves.items():
        plain = [f1 for task, (f1, _) in done if task.network == network]
        fine &= converges(network, runs, plain)
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / "f1_grid.md").write_text("\n".join(text), encoding="utf-8")
    draw(curves, levels, METHODS, options.results / "f1_grid.svg")
    print(f"{time.monotonic() - started:.0f} s")
    return 0 if fine else 1


_HEAD = """# F1 against ε

Median F1 of the skeleton over {seeds} seeds of 100,000 rows each, and in brackets the median total
ε charged at δ = .001, the smaller of basic and advanced composition. Made by
`python -m benchmarks.f1_grid`, which says what ε and the total mean.

![F1 against ε](f1_grid.svg)

The paper's Figure 1, in its section 4.2: Priv-PC reaches PC as ε grows and EM-PC does not; EM-PC is
better at small ε only; Priv-PC is better than SVT-PC in the middle. Below each table stands what is
found here for the same methods as released.
"""


if __name__ == "__main__":
    sys.exit(main())
