"""Many workers: how much faster, how much memory, and how far a cluster is behind processes."""

from __future__ import annotations

import importlib.util
import mmap
import os
import resource
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.measure import seconds
from provado.audit import audit
from provado.audit.pipeline.explore import BLOCK

Lines = Iterator[tuple[str, bool]]

FASTER, HIGHEST, BEHIND, BESIDE = 1.7, 200.0, 1.10, 1.5
"""Two workers to one; megabytes of a worker; a Dask cluster to processes of one machine; an audit
of a mechanism that is called in batches to its own sampling."""

CALL = 0.01
"""Seconds that a mechanism takes."""

ASKED: dict[str, Any] = {"epsilon": 1.0, "pair": (0.0, 1.0), "explore": 64}


def waits(data: float, rng: np.random.Generator) -> float:
    """Answer after ten milliseconds in which it needs no processor."""
    time.sleep(CALL)
    return data + float(rng.laplace())


def works(data: float, rng: np.random.Generator) -> float:
    """Answer after ten milliseconds of work."""
    end = time.thread_time() + CALL
    while time.thread_time() < end:
        pass
    return data + float(rng.laplace())


def wall(call: Callable[[], Any]) -> float:
    """Return how long a call takes."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def bench_workers(trials: int, repeat: int) -> Lines:
    """Time one worker and two in turns, on a mechanism that waits and on one that works."""
    for mechanism, has_bar in ((waits, True), (works, False)):
        ratios = []
        for _ in range(repeat):
            asked = ASKED | {"samples": trials}
            one = wall(lambda: audit(mechanism, **asked, jobs=1))  # noqa: B023
            two = wall(lambda: audit(mechanism, **asked, jobs=2))  # noqa: B023
            ratios.append(one / two)
        ratio = float(np.median(ratios))
        bar = f"bar: {FASTER:g}" if has_bar else "no bar: it shares the processors with all else"
        yield (
            f"- two workers, a mechanism that {mechanism.__name__} {1000 * CALL:g} ms, {trials:,} "
            f"trials: {ratio:.2f} times as fast as one, median of {repeat} ({bar})",
            ratio >= FASTER or not has_bar,
        )


class Measured:
    """Laplace noise in batches; every process that draws notes the most memory it ever had."""

    def __init__(self) -> None:
        self._most = mmap.mmap(-1, 16 * 1024)

    def __call__(self, data: float, *, size: int, rng: np.random.Generator) -> Any:
        """Draw, and note."""
        place = 16 * (os.getpid() % 1024)
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self._most[place : place + 16] = struct.pack("qq", os.getpid(), used)
        return data + rng.laplace(size=size)

    def largest(self) -> float:
        """Return the most that any process had, in megabytes."""
        rows = struct.iter_unpack("qq", self._most[:])
        return max(used for _, used in rows) / 1024


def bench_memory(trials: tuple[int, ...]) -> Lines:
    """Yield the memory of a worker for more and more trials; it must not grow with them."""
    for number in trials:
        mechanism = Measured()
        took = wall(
            lambda: audit(mechanism, **ASKED | {"explore": 100_000}, samples=number, jobs=2)  # noqa: B023
        )
        most = mechanism.largest()
        yield (
            f"- {number:.0e} Laplace trials: {most:.0f} MB in the largest process that draws, "
            f"{took:.0f} s (bar: {HIGHEST:g} MB)",
            most <= HIGHEST,
        )


def noisy(data: float, *, size: int, rng: np.random.Generator) -> Any:
    """Add Laplace noise."""
    return data + rng.laplace(size=size)


def rounded(data: float, *, size: int, rng: np.random.Generator) -> Any:
    """Add Laplace noise, to three decimals."""
    return np.round(data + rng.laplace(size=size), 3)


def whole(data: float, *, size: int, rng: np.random.Generator) -> Any:
    """Add the difference of two geometric numbers."""
    return int(data) + rng.geometric(0.6, size) - rng.geometric(0.6, size)


def bench_batches(trials: int, repeat: int) -> Lines:
    """Yield the processor time of an audit in one process beside that of the same batches alone."""
    cases = (
        ("Laplace noise, exact real arithmetic meant", noisy, "ideal"),
        ("Laplace noise to three decimals", rounded, "floating"),
        ("whole noise", whole, "floating"),
        ("Laplace noise, and a second rule for its low-order bits", noisy, "floating"),
    )
    for name, mechanism, arithmetic in cases:

        def alone(mechanism: Callable[..., Any] = mechanism) -> None:
            rng = np.random.default_rng(0)
            for _ in range(trials // BLOCK):
                for data in ASKED["pair"]:
                    mechanism(data, size=BLOCK // 2, rng=rng)

        def audited(mechanism: Any = mechanism, arithmetic: str = arithmetic) -> None:
            given = ASKED | {"samples": trials, "explore": 100_000, "arithmetic": arithmetic}
            audit(mechanism, **given, isolate=False)

        own, whole_audit = seconds(alone, audited, repeat=repeat)
        yield (
            f"- {name}, {trials:.0e} trials in batches: {whole_audit / own:.2f} times its own "
            f"sampling of {own:.2f} s, median of {repeat} (bar: {BESIDE:g})",
            whole_audit <= BESIDE * own,
        )


def bench_dask(trials: int, repeat: int) -> Lines:
    """Time two workers of a Dask cluster on this machine beside two processes, in turns."""
    if importlib.util.find_spec("distributed") is None:
        yield "- a Dask cluster: not measured, the extra dask is not installed", True
        return
    from distributed import Client, LocalCluster

    asked, ratios = ASKED | {"samples": trials}, []
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
        client.get_executor(pure=False) as executor,
    ):
        # The first blocks find workers that have imported nothing.
        audit(waits, **ASKED, samples=200, executor=executor)
        for _ in range(repeat):
            there = wall(lambda: audit(waits, **asked, executor=executor))
            here = wall(lambda: audit(waits, **asked, jobs=2, isolate=False))
            ratios.append(there / here)
    ratio = float(np.median(ratios))
    yield (
        f"- two workers of a Dask cluster here, a mechanism that waits {1000 * CALL:g} ms, "
        f"{trials:,} trials: {ratio:.2f} times as long as two processes, median of {repeat} "
        f"(bar: {BEHIND:g})",
        ratio <= BEHIND,
    )
