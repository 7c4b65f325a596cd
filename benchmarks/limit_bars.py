"""What the auditor reaches at its limits, against bars.

Run by ``make bench-limit``; ``python -m benchmarks.limit_bars histograms`` for one part;
``--write`` puts the tables into ``benchmarks/results/limit.md``. Exits 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.limit_discovery import bench_discovery
from benchmarks.limit_frameworks import bench_frameworks
from benchmarks.limit_growth import bench_growth
from benchmarks.limit_one_run import bench_histograms
from benchmarks.limit_one_side import bench_one_side
from benchmarks.limit_training import bench_training
from benchmarks.limit_workers import bench_batches, bench_dask, bench_memory, bench_workers
from benchmarks.resume_bars import bench_resume

TABLE = Path(__file__).parent / "results" / "limit.md"
PARTS = (
    "histograms",
    "training",
    "frameworks",
    "discovery",
    "workers",
    "batches",
    "memory",
    "dask",
    "resume",
    "one-side",
    "growth",
)
Lines = Iterator[tuple[str, bool]]


def parts(asked: argparse.Namespace, pool: ProcessPoolExecutor) -> dict[str, Callable[[], Lines]]:
    """Return every part by its name; each yields lines, and whether the bar in it is met."""
    return {
        "histograms": lambda: bench_histograms(asked.seeds, asked.rivals),
        "training": lambda: bench_training(asked.seeds, asked.audits, pool),
        "frameworks": lambda: bench_frameworks(asked.seeds // 4, asked.audits // 50, pool),
        "discovery": lambda: bench_discovery(asked.seeds, asked.audits // 5, pool),
        "workers": lambda: bench_workers(asked.trials, asked.repeat),
        "memory": lambda: bench_memory((10**7, 10**8, *([10**9] if asked.full else []))),
        "batches": lambda: bench_batches(10**8, asked.repeat),
        "dask": lambda: bench_dask(asked.trials, asked.repeat),
        "resume": lambda: bench_resume(asked.kills),
        "one-side": lambda: bench_one_side(asked.seeds),
        "growth": bench_growth,
    }


def main(arguments: list[str] | None = None) -> int:
    """Run the parts asked for; return 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="*", choices=[*PARTS, []])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument(
        "--audits",
        type=int,
        default=1000,
        help="of the sound trainer; a fifth of sound searches, a fiftieth of sound frameworks",
    )
    parser.add_argument("--trials", type=int, default=3000, help="timed with one worker and two")
    parser.add_argument("--repeat", type=int, default=3, help="of what is timed")
    parser.add_argument("--kills", type=int, default=40, help="of audits that are gone on with")
    parser.add_argument("--full", action="store_true", help="a thousand million trials, too")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rivals", type=Path, default=Path("build/rivals-validity"))
    parser.add_argument("--write", action="store_true", help="put the tables into results")
    asked = parser.parse_args(arguments)
    context, fine, written = multiprocessing.get_context("fork"), True, ["# At the limit"]
    with threadpool_limits(1), ProcessPoolExecutor(asked.jobs, context) as pool:
        every = parts(asked, pool)
        for name in asked.part or every:
            written.append("")
            for line, met in every[name]():
                print(line + ("" if met else "  BAR MISSED"), flush=True)
                written.append(line + ("" if met else " bar missed"))
                fine &= met
            print()
    if asked.write:
        TABLE.write_text("\n".join(written) + "\n", encoding="utf-8")
    print("All bars met." if fine else "A bar was missed.")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
