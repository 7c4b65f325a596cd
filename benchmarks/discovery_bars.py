"""Discovery against its bars: conditional τ, Priv-PC end to end, PC by χ², RCIT's p-value.

Run by ``make bench-discovery``; ``python -m benchmarks.discovery_bars kendall`` for a part. Every
figure is a ratio of two processor times measured in turn in this run on one thread. The yardstick
computes τ by ``scipy.stats.kendalltau``, one stratum after another, on the same rows.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy import stats
from threadpoolctl import threadpool_limits

from benchmarks.measure import line, seconds
from benchmarks.pc_bars import bench_graphs, bench_pc
from benchmarks.rcit_bars import bench_rcit
from provado.mechanisms import PureDP
from provado.mechanisms.graph_discovery.methods.priv_pc import (
    priv_pc_released,
    priv_pc_repaired,
    sieve_noise,
)
from provado.mechanisms.graph_discovery.methods.rounds import Ask, Questions, run_rounds
from provado.mechanisms.graph_discovery.search.skeleton import largest_order
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.mechanisms.graph_discovery.tables.contingency import stratified_tau
from provado.mechanisms.noise.sieve import optimal_share
from provado.mechanisms.scores.conditional_ranks import p_value_sensitivity_released
from provado.reports.commands.reproduce.sources.networks import load_network, skeleton_f1

ROWS = 100_000
ALPHA, TWEAK = 0.1, 0.02


def _strata(codes: np.ndarray[Any, Any], given: Sequence[int]) -> Iterator[np.ndarray[Any, Any]]:
    if not given:
        yield np.arange(codes.shape[1])
        return
    code = np.zeros(codes.shape[1], dtype=np.int64)
    for column in given:
        code = code * (int(codes[column].max()) + 1) + codes[column]
    order = np.argsort(code, kind="stable")
    yield from np.split(order, np.flatnonzero(np.diff(code[order])) + 1)


def scipy_z(codes: np.ndarray[Any, Any], x: int, y: int, given: Sequence[int]) -> float:
    """Return Σwτ/√Σw, with τ-a from scipy's τ-b in each stratum that the released code counts."""
    top = bottom = 0.0
    for rows in _strata(codes, given):
        n, a, b = rows.size, codes[x, rows], codes[y, rows]
        if n < 3 or (a == a[0]).all() or (b == b[0]).all():
            continue
        pairs = n * (n - 1) // 2
        tied = [int((c * (c - 1) // 2).sum()) for c in (np.bincount(a), np.bincount(b))]
        scale = math.sqrt(pairs - tied[0]) * math.sqrt(pairs - tied[1]) / pairs
        weight = 9 * n * (n - 1) / (4 * n + 10)
        top += weight * scale * float(stats.kendalltau(a, b).statistic)
        bottom += weight
    return top / math.sqrt(bottom) if bottom else 0.0


def bench_kendall(repeat: int) -> bool:
    """Print the time of the stratified z-score against scipy's, and how far they are apart."""
    print(
        f"\nConditional Kendall's τ of two discrete columns, {ROWS:,} rows: scipy's time over ours"
    )
    fine, rng = True, np.random.default_rng(0)
    for levels in ((2, 2), (3, 4), (2, 2, 2), (3, 3, 3), (4, 4, 3, 3), (3, 3, 3, 3, 3)):
        hidden = rng.random(ROWS)
        codes = np.array(
            [((0.3 * hidden + 0.7 * rng.random(ROWS)) * k).astype(np.uint8) for k in levels]
        )
        data = CodedTable(tuple(map(str, range(len(levels)))), levels, codes, None, ROWS)
        given = tuple(range(2, len(levels)))

        def ours(data: CodedTable = data, given: Sequence[int] = given) -> float:
            return stratified_tau(data.tables(0, 1, given)).z

        def theirs(codes: np.ndarray[Any, Any] = codes, given: Sequence[int] = given) -> float:
            return scipy_z(codes, 0, 1, given)

        apart = abs(ours() - theirs()) / max(1.0, abs(theirs()))
        fast, slow = seconds(ours, theirs, repeat=repeat)
        what = f"levels {levels} ({1e3 * fast:.2f} ms, scipy {1e3 * slow:.1f} ms)"
        fine &= line(what, slow / fast, 20)
        if not apart < 1e-12:
            print(f"  apart by {apart:.1e} in relative terms: at most 1e-12  BAR MISSED")
            fine = False
    return fine


def _scipy_questions(data: CodedTable, m: int) -> Questions:
    """Return the margins of the released code, from rows by scipy."""

    def on(codes: np.ndarray[Any, Any], level: float, unit: float) -> Ask:
        def ask(x: int, y: int, given: tuple[int, ...]) -> float:
            z = scipy_z(codes, x, y, given)
            return (math.erfc(abs(z) / math.sqrt(2)) / 2 - level) / unit

        return ask

    unit = p_value_sensitivity_released(data.n)
    return Questions(
        on(data.codes, ALPHA, unit),
        lambda rng: on(data.subset(m, rng).codes, ALPHA - TWEAK, unit * math.sqrt(data.n / m)),
    )


def bench_priv_pc(repeat: int) -> bool:
    """Print the time of Priv-PC at ε = 1 against the same search with scipy's τ."""
    print(f"\nPriv-PC as released, ε = 1 a round, {ROWS:,} rows: with scipy's τ over ours")
    fine, m = True, int(optimal_share(1.0) * ROWS)
    for name, bar, times in (("asia", 15, repeat), ("child", 15, 1), ("sachs", 15, 1)):
        net = load_network(name)
        data = net.sample(ROWS, np.random.default_rng(0))

        def ours(data: CodedTable = data) -> Any:
            return priv_pc_released(data, epsilon=1.0, rng=np.random.default_rng(1))

        def theirs(data: CodedTable = data) -> Any:
            return run_rounds(
                data.names,
                _scipy_questions(data, m),
                sieve_noise(1.0, ROWS, m),
                (PureDP(1.0),),
                None,
                epsilon=1.0,
                rng=np.random.default_rng(1),
                max_order=largest_order(ROWS, len(data.names)),
            )

        fast, slow = seconds(ours, theirs, repeat=times)
        found, yardstick = ours(), theirs() if times > 1 else None
        f1 = skeleton_f1(found.skeleton, net.skeleton)
        what = f"{name}: {found.tests} tests, F1 {f1:.2f} ({fast:.3f} s, scipy {slow:.1f} s)"
        fine &= line(what, slow / fast, bar)
        if yardstick is not None:
            print(f"  the yardstick: {yardstick.tests} tests")
    net = load_network("alarm")
    data = net.sample(ROWS, np.random.default_rng(0))
    for name, method in (
        ("released", priv_pc_released),
        ("repaired", partial(priv_pc_repaired, rounds=666)),
    ):
        started = time.process_time()
        run = method(data, epsilon=1.0, rng=np.random.default_rng(1))
        took = time.process_time() - started
        f1 = skeleton_f1(run.skeleton, net.skeleton)
        print(f"alarm, {name}: {took:.1f} s, {run.tests} tests, F1 {f1:.2f}")
    return fine


PARTS: dict[str, Callable[[int], bool]] = {
    "kendall": bench_kendall,
    "priv_pc": bench_priv_pc,
    "pc": bench_pc,
    "graphs": lambda _: bench_graphs(),
    "rcit": bench_rcit,
}


def main() -> int:
    """Print the figures; exit 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all by default")
    parser.add_argument("--repeat", type=int, default=7, help="runs of each call")
    arguments = parser.parse_args()
    with threadpool_limits(1):
        fine = [PARTS[part](arguments.repeat) for part in arguments.parts or PARTS]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
