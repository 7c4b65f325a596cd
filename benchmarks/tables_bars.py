"""Private discovery at equal totals: noisy tables against every repaired method, seven networks.

``python -m benchmarks.tables_bars --write`` leaves benchmarks/results/discovery.md and .svg. Every
method has its own defaults and the whole (ε, δ), fixed before the data are looked at; PC, which is
not private, stands beside them. Exit 1 where a bar is missed. With ``--only METHOD`` that method
alone is run, and with ``--write`` its rows are put in place of what is there; no bar is looked at.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.measure import line
from provado.mechanisms.graph_discovery.methods.method import Method, methods, run_at_total
from provado.mechanisms.graph_discovery.methods.pc import pc
from provado.mechanisms.graph_discovery.search.cpdag import cpdag_of
from provado.reports.commands.reproduce.experiment import Curve, Figure, Panel
from provado.reports.commands.reproduce.pages import pictures
from provado.reports.commands.reproduce.sources.networks import NETWORKS, load_network, skeleton_f1
from tests.reports.reproduce.hamming import structural_hamming

RESULTS = Path(__file__).parent / "results"
TOTALS, DELTA, ROWS, FEW_ROWS, SEEDS = (0.1, 0.3, 1.0, 3.0, 10.0), 1e-6, 100_000, 10_000, 5
OURS, SCORED, PLAIN = "tables", "tables-score", "PC, not private"
SHARES = dict.fromkeys(("earthquake", "cancer", "survey", "asia"), 0.95)
"""Of PC's F1 at ε = 1."""
LEAST = {1.0: {"sachs": 0.85, "child": 0.8, "alarm": 0.5}, 3.0: {"child": 0.9, "alarm": 0.75}}
"""F1 by total."""
SECONDS, MEGABYTES = 30.0, 1024.0

Scores = dict[tuple[str, str, int, float], list[tuple[float, int]]]
"""F1 of the skeleton and SHD of the CPDAG, by method, network, rows and total; one a seed."""


@dataclass(frozen=True)
class Job:
    """One sample of a network, and the totals at which all methods get it."""

    network: str
    rows: int
    seed: int
    totals: tuple[float, ...]
    only: str | None = None


def private_methods() -> tuple[Method, ...]:
    """Return the methods for discrete columns whose cost is a guarantee."""
    return tuple(m for m in methods() if m.private and m.flaw is None and not m.numeric)


def work(job: Job) -> Scores:
    """Run PC once and every private method at every total."""
    network = load_network(job.network)
    data = network.sample(job.rows, np.random.default_rng([job.seed, job.rows]))
    true = cpdag_of(network.directed)
    found: Scores = {}

    def note(name: str, total: float, run: object) -> None:
        f1 = skeleton_f1(run.skeleton, network.skeleton)  # type: ignore[attr-defined]
        shd = structural_hamming(run.cpdag, true)  # type: ignore[attr-defined]
        found.setdefault((name, job.network, job.rows, total), []).append((f1, shd))

    plain = None if job.only else pc(data, alpha=0.01)
    for number, total in enumerate(job.totals):
        if plain is not None:
            note(PLAIN, total, plain)
        for place, method in enumerate(private_methods()):
            if job.only not in (None, method.name):
                continue
            rng = np.random.default_rng([job.seed, number, place])
            note(
                method.name,
                total,
                run_at_total(method, data, epsilon=total, delta=DELTA, rng=rng),
            )
    return found


def kept(job: Job, folder: Path | None) -> Scores:
    """Return what ``work`` does, from the folder where it was done before."""
    file = None if folder is None else folder / f"{job.network}-{job.rows}-{job.seed}.json"
    if file is not None and file.exists():
        return {
            tuple(key): [tuple(one) for one in each] for key, each in json.loads(file.read_text())
        }
    found = work(job)
    if file is not None:
        file.write_text(json.dumps([(key, each) for key, each in found.items()]))
    return found


def jobs(networks: tuple[str, ...], seeds: int, only: str | None = None) -> Iterator[Job]:
    """Yield what there is to do, the largest networks first."""
    by_size = sorted(networks, key=lambda name: -len(load_network(name).names))
    for name, seed in product(by_size, range(seeds)):
        yield Job(name, ROWS, seed, TOTALS, only)
        yield Job(name, FEW_ROWS, seed, (1.0,), only)


def medians(scores: Scores) -> dict[tuple[str, str, int, float], tuple[float, float]]:
    """Return the median F1 and the median SHD of each."""
    found = {}
    for key, each in scores.items():
        f1, shd = np.median(np.array(each, dtype=float), axis=0).tolist()
        found[key] = (f1, shd)
    return found


def bars(middle: Mapping[tuple[str, str, int, float], tuple[float, float]]) -> bool:
    """Print every bar; return whether all are met."""
    met, rivals = True, [m.name for m in private_methods() if m.name not in (OURS, SCORED)]
    for network, rows, total in sorted({key[1:] for key in middle}):
        ours = middle[OURS, network, rows, total][0]
        best = max(rivals, key=lambda name: middle[name, network, rows, total][0])
        what = f"{network}, {rows:,} rows, ε = {total:g}: F1 (bar: {best}, repaired)"
        met &= line(what, ours, middle[best, network, rows, total][0], "")
        if rows != ROWS:
            # Above the others, not level with them.
            met &= ours > middle[best, network, rows, total][0]
            continue
        if total == 1.0 and network in SHARES:
            plain = middle[PLAIN, network, rows, total][0]
            met &= line(f"{network}, ε = 1: share of PC's F1", ours / plain, SHARES[network], "")
        if network in LEAST.get(total, {}):
            met &= line(f"{network}, ε = {total:g}: F1", ours, LEAST[total][network], "")
    return met


def _measured(epsilon: float) -> tuple[float, float]:
    data = load_network("alarm").sample(ROWS, np.random.default_rng(0))
    method = next(m for m in private_methods() if m.name == OURS)
    started = time.perf_counter()
    run_at_total(method, data, epsilon=epsilon, delta=DELTA, rng=np.random.default_rng(1))
    took = time.perf_counter() - started
    return took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def time_and_memory() -> bool:
    """Print seconds and peak memory of a run on alarm, in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as one:
        took, memory = one.submit(_measured, 1.0).result()
    fine = line("alarm, ε = 1: seconds", took, SECONDS, "s", least=False)
    return line("alarm, ε = 1: peak memory", memory, MEGABYTES, "MB", least=False) and fine


def table(middle: Mapping[tuple[str, str, int, float], tuple[float, float]]) -> str:
    """Return the medians as Markdown."""
    names = [OURS, SCORED, *sorted({key[0] for key in middle} - {OURS, SCORED, PLAIN}), PLAIN]
    head = " | ".join(f"ε = {total:g}" for total in TOTALS)
    lines = [
        "# Private causal discovery at equal totals",
        "",
        f"Median over {SEEDS} samples of F1 of the skeleton / structural Hamming distance of the "
        f"CPDAG, δ = {DELTA:g}, {ROWS:,} rows; the last column with {FEW_ROWS:,} rows. Written by "
        "`python -m benchmarks.tables_bars --write`.",
        "",
        f"| network | method | {head} | ε = 1, {FEW_ROWS:,} rows |",
        "|---|---|" + "---|" * (len(TOTALS) + 1),
    ]
    places = [(ROWS, total) for total in TOTALS] + [(FEW_ROWS, 1.0)]
    for network in NETWORKS:
        for name in names:
            if (name, network, *places[0]) in middle:
                cells = [middle[name, network, *place] for place in places]
                shown = " | ".join(f"{f1:.2f} / {shd:g}" for f1, shd in cells)
                lines.append(f"| {network} | {name} | {shown} |")
    return "\n".join([*lines, "", "![F1 and SHD against ε](discovery.svg)", ""])


def written() -> dict[tuple[str, str, int, float], tuple[float, float]]:
    """Return the medians that were written before, to two decimals."""
    found = {}
    for row in (RESULTS / "discovery.md").read_text(encoding="utf-8").splitlines():
        network, *rest = (cell.strip() for cell in row.strip("|").split("|"))
        if network in NETWORKS:
            name, *cells = rest
            places = [(ROWS, total) for total in TOTALS] + [(FEW_ROWS, 1.0)]
            for place, cell in zip(places, cells, strict=True):
                f1, shd = map(float, cell.split("/"))
                found[name, network, *place] = (f1, shd)
    return found


def figure(middle: Mapping[tuple[str, str, int, float], tuple[float, float]]) -> Figure:
    """Return F1 and SHD against the total ε, a row a network."""
    names = [OURS, SCORED, *sorted({key[0] for key in middle} - {OURS, SCORED, PLAIN}), PLAIN]

    def panel(network: str, which: int) -> Panel:
        curves = tuple(
            Curve(
                name,
                TOTALS,
                tuple(middle[name, network, ROWS, total][which] for total in TOTALS),
                color=color,
                dashed=name == PLAIN,
            )
            for color, name in enumerate(names)
        )
        what = ("F1 of the skeleton", "SHD of the CPDAG")[which]
        return Panel(
            network, "total ε", what, curves, True, limits=(0, 1.03) if not which else None
        )

    panels = [panel(n, w) for n in NETWORKS for w in (0, 1) if (OURS, n, ROWS, 1.0) in middle]
    return Figure("discovery", "F1 and SHD against the total ε", tuple(panels))


def main() -> int:
    """Print the figures; exit 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", default=NETWORKS, help="all seven by default")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="go on from what is there")
    parser.add_argument("--write", action="store_true", help="into benchmarks/results")
    parser.add_argument("--only", metavar="METHOD", choices=[m.name for m in private_methods()])
    arguments = parser.parse_args()
    scores: Scores = {}
    with ProcessPoolExecutor(arguments.processes) as pool:
        asked = jobs(tuple(arguments.networks), arguments.seeds, arguments.only)
        for done in pool.map(partial(kept, folder=arguments.keep), asked):
            for key, each in done.items():
                scores.setdefault(key, []).extend(each)
    middle = medians(scores)
    if arguments.only:
        middle, fine = written() | middle, True
    else:
        fine = bars(middle) & time_and_memory()
    if arguments.write:
        (RESULTS / "discovery.md").write_text(table(middle), encoding="utf-8")
        svg, _ = pictures(figure(middle))
        (RESULTS / "discovery.svg").write_text(svg, encoding="utf-8")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
