"""The dependence scores' bars: speed and memory of τ and HSIC, releases, accuracy of the ANM.

Run by ``make bench-scores``; ``python -m benchmarks.score_bars kendall hsic`` for some parts. Every
figure is a ratio of two times measured in turn in this run on one thread, a peak of a fresh
process, or a frequency beside its prediction.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats
from threadpoolctl import threadpool_limits

from benchmarks.accuracy_bars import bench_accuracy
from benchmarks.measure import line, seconds
from benchmarks.release_bars import bench_release
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic.hsic import hsic_blocked
from provado.mechanisms.scores.hsic.low_rank import centred_factor, hsic_of_factors
from tests.mechanisms.regression.matern import Matern
from tests.mechanisms.scores.score_variants import hsic_low_rank, tau_b

KERNEL = SquaredExponential(1.0)


_seconds = partial(seconds, clock=time.perf_counter)


def _columns(m: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    rng = np.random.default_rng(m)
    a = rng.normal(size=m)
    return a, 0.3 * a + rng.normal(size=m)


def bench_kendall(repeat: int) -> bool:
    """Print the time of τ-b against ``scipy.stats.kendalltau``, which also gives a p-value."""
    print(
        "\nKendall's τ-b, m = 100,000: our time over that of scipy's whole call, p-value included"
    )
    m = 100_000
    a, b = _columns(m)
    ours, theirs = _seconds(
        lambda: tau_b(a, b), lambda: stats.kendalltau(a, b).statistic, repeat=repeat
    )
    fine = line(
        f"both continuous ({1e3 * ours:.1f} ms, scipy {1e3 * theirs:.1f} ms)",
        ours / theirs,
        1,
        least=False,
    )
    for name, x, y in (
        ("5 levels against 5", np.floor(2 * a).clip(-2, 2), np.floor(2 * b).clip(-2, 2)),
        ("5 levels against continuous", np.floor(2 * a).clip(-2, 2), b),
        ("rounded to 0.01 against the same", a.round(2), b.round(2)),
    ):
        ours, theirs = _seconds(
            lambda x=x, y=y: tau_b(x, y),
            lambda x=x, y=y: stats.kendalltau(x, y).statistic,
            repeat=repeat,
        )
        print(
            f"{f'{name} ({1e3 * ours:.1f} ms, scipy {1e3 * theirs:.1f} ms)':58s} "
            f"{ours / theirs:10.3g} ×  (no bar)"
        )
    return fine


def _by_matrices(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> float:
    m = a.size
    K, L, H = KERNEL(a[:, None], a), KERNEL(b[:, None], b), np.eye(m) - 1 / m
    return float(np.trace(K @ H @ L @ H)) / (m - 1) ** 2


def bench_hsic(repeat: int) -> bool:
    """Print HSIC's times against trace(KHLH) by matrices, its errors, and the blocked peak."""
    m = 4000
    a, b = _columns(m)
    print(f"\nHSIC, squared exponential kernels of bandwidth 1, m = {m:,}")
    value = _by_matrices(a, b)
    (matrices,) = _seconds(lambda: _by_matrices(a, b), repeat=1)
    blocked, low = _seconds(
        lambda: hsic_blocked(a, b, KERNEL, KERNEL),
        lambda: hsic_low_rank(a, b, KERNEL, KERNEL),
        repeat=repeat,
    )
    found = hsic_low_rank(a, b, KERNEL, KERNEL)
    fine = line(
        f"blocked, {1e3 * blocked:.0f} ms, matrices over it", matrices / blocked, 20, least=True
    )
    fine &= line(
        f"low rank {found.rank}, {1e3 * low:.1f} ms, matrices over it",
        matrices / low,
        500,
        least=True,
    )
    fine &= line(
        "low rank, certified relative error", found.error / found.value, 1e-10, least=False, unit=""
    )
    fine &= line(
        "low rank, relative distance from the matrices",
        abs(found.value / value - 1),
        1e-10,
        least=False,
        unit="",
    )
    matern = Matern(2.5, 1.0)
    (rough,) = _seconds(lambda: hsic_blocked(a, b, matern, matern), repeat=1)
    print(
        f"{f'blocked, Matérn 5/2, {1e3 * rough:.0f} ms':58s} {matrices / rough:10.3g} ×  (no bar)"
    )
    for rows in (1000, 4000):
        first, second = (centred_factor(column[:rows], KERNEL) for column in (a, b))
        orders = [np.random.default_rng(seed).permutation(rows) for seed in range(100)]
        (hundred,) = _seconds(
            lambda f=first, s=second, o=orders: [hsic_of_factors(f, s.permuted(p)) for p in o],
            repeat=3,
        )
        print(f"{f'100 permutations, m = {rows:,}':58s} {1e3 * hundred:10.3g} ms  (no bar)")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        seconds, peak = pool.apply(_peak, (20_000,))
    fine &= line(
        f"blocked, m = 20,000, peak of the process ({seconds:.1f} s)",
        peak,
        500,
        least=False,
        unit="MB",
    )
    return fine


def _peak(m: int) -> tuple[float, float]:
    """Return seconds and the peak of this process in MB, from Linux's own account of it."""
    started = time.perf_counter()
    with threadpool_limits(1):
        hsic_blocked(*_columns(m), KERNEL, KERNEL)
    seconds = time.perf_counter() - started
    # Not getrusage: its peak is inherited from the parent, which has held whole matrices.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return seconds, int(peak.split()[1]) / 1024


PARTS: dict[str, Callable[[int], bool]] = {
    "kendall": bench_kendall,
    "hsic": bench_hsic,
    "release": lambda _: bench_release(),
    "accuracy": lambda _: bench_accuracy(),
}


def main(arguments: list[str] | None = None) -> int:
    """Run the parts asked for; return 1 if a bar was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="*", choices=[*PARTS, []], help="default: all")
    parser.add_argument("--repeat", type=int, default=9, help="times each call is timed")
    asked: Any = parser.parse_args(arguments)
    fine = True
    with threadpool_limits(1):
        for part in asked.part or PARTS:
            fine &= PARTS[part](asked.repeat)
    print("\nAll bars met." if fine else "\nA bar was missed.")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
