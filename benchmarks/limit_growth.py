"""Time and memory of a search for the worst pair in data frames of more and more records."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

Lines = Iterator[tuple[str, bool]]

SIZES, SECONDS, LATE = (10**3, 10**4, 10**5, 2 * 10**5, 10**6), 30.0, 1.1
WIDE, WIDE_SECONDS, WIDE_MEMORY = (10**6, 10), 60.0, 2.5
MOST_RECORDS, MOST_MEGABYTES = 2 * 10**5, 600.0
"""Records and time of each search, and how much longer it may take; of a wide frame, how many times
its own memory all processes together may have; up to which size, how many megabytes."""

MECHANISM = """
import numpy as np


def mean(people, *, size, rng):
    n = max(len(people), 1)
    return people["c0"].clip(0, 10).sum() / n + rng.laplace(0, 10 / n, size)
"""


def processes(root: int) -> list[int]:
    """Return a process and all its descendants."""
    found, waiting = list[int](), [root]
    while waiting:
        found.append(waiting.pop())
        for children in Path(f"/proc/{found[-1]}/task").glob("*/children"):
            try:
                waiting += map(int, children.read_text().split())
            except OSError:
                continue
    return found


def megabytes(pid: int) -> float:
    """Return the memory of a process; what it shares with others counts in part."""
    try:
        words = Path(f"/proc/{pid}/smaps_rollup").read_text().split()
    except OSError:
        return 0.0
    return int(words[words.index("Pss:") + 1]) / 1024 if "Pss:" in words else 0.0


def searched(records: int, columns: int, seconds: float) -> tuple[float, float, float, int]:
    """Return wall time, the most memory, that of the data, and how many pairs were tried."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        values = np.random.default_rng(1).uniform(0, 10, (columns, records))
        frame = pd.DataFrame({f"c{j}": column for j, column in enumerate(values)})
        own = frame.memory_usage().sum() / 2**20
        frame.to_parquet(folder / "people.parquet")
        (folder / "mine.py").write_text(MECHANISM, encoding="utf-8")
        command = [sys.executable, "-m", "provado.reports", "audit", "mine.py:mean"]
        command += ["--epsilon", "1", "--data", "people.parquet", "--relation", "replace-one"]
        command += [*(x for j in range(columns) for x in ("--domain", f"c{j}=0:10"))]
        command += ["--seconds", f"{seconds:g}", "--seed", "0", "--out", "out"]
        started, most = time.monotonic(), 0.0
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as running:
            while running.poll() is None:
                most = max(most, sum(map(megabytes, processes(running.pid))))
                time.sleep(0.05)
        took = time.monotonic() - started
        run = json.loads((folder / "out" / "audit.json").read_text(encoding="utf-8"))
        return took, most, float(own), run["audits"][0]["search"]["pairs"]


def bench_growth() -> Lines:
    """Yield a row of a table for each size; time and memory have bars."""
    yield "| records | columns | time asked | wall time | memory | data alone | pairs tried |", True
    yield "|---|---|---|---|---|---|---|", True
    asked, least = [(n, 2, SECONDS) for n in SIZES], 0.0
    for records, columns, seconds in [*asked, (*WIDE, WIDE_SECONDS)]:
        took, most, own, pairs = searched(records, columns, seconds)
        met, least = took <= LATE * seconds, least or most
        if records <= MOST_RECORDS:
            met &= most <= MOST_MEGABYTES
        elif (records, columns) == WIDE:
            met &= most - least <= WIDE_MEMORY * own
        yield (
            f"| {records:,} | {columns} | {seconds:g} s | {took:.1f} s | {most:.0f} MB | "
            f"{own:.0f} MB | {pairs} |",
            met,
        )
    yield (
        f"\nA mean of a data frame under replace-one, from the command line; bars: {LATE:g} times "
        f"the time asked for; {MOST_MEGABYTES:g} MB in all processes up to {MOST_RECORDS:,} "
        f"records; beyond the memory of the first row, {WIDE_MEMORY:g} times the data of "
        f"{WIDE[0]:,} records of {WIDE[1]} columns",
        True,
    )
