"""How the benchmarks measure and print: ratios of processor times, side by side."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np


def seconds(
    *calls: Callable[[], Any], repeat: int, clock: Callable[[], float] = time.process_time
) -> list[float]:
    """Return the median time of each call, of the processor by default; the calls take turns."""
    times = np.empty((repeat, len(calls)))
    for turn in range(repeat):
        for i, call in enumerate(calls):
            started = clock()
            call()
            times[turn, i] = clock() - started
    return [float(t) for t in np.median(times, axis=0)]


def line(what: str, figure: float, bar: float, unit: str = "×", *, least: bool = True) -> bool:
    """Print a figure beside its bar; return whether it is met. least: the bar is a lower one."""
    met = figure >= bar if least else figure <= bar
    side = "at least" if least else "at most"
    mark = "" if met else "  BAR MISSED"
    print(f"{what:66s} {figure:8.3g} {unit}  (bar: {side} {bar:g} {unit}){mark}", flush=True)
    return met
