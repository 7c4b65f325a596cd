"""The picture of ``f1_grid``: for each network, F1 against a round's ε and against the total."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

TOTALS = (1.0, 100.0)
"""The span of the total ε in Figure 1 of the paper."""


@dataclass(frozen=True)
class Run:
    """One run of a method: its F1, the total ε charged, tests done, processor seconds."""

    network: str
    seed: int
    method: str
    epsilon: float
    f1: float
    total: float
    tests: int
    seconds: float


def draw(
    runs: Mapping[str, Sequence[Run]],
    plain: Mapping[str, float],
    methods: Sequence[str],
    to: Path,
) -> None:
    """Write the plot as SVG. runs, plain: by network; plain is PC's F1 without privacy.

    Lines are medians over the seeds; bands, for the released methods, go from the least to the
    largest. The right-hand panels have the median total on their axis, cut to the span of the
    paper's Figure 1.
    """
    # Text stays text, and no date or random identifier makes two pictures of one run differ.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "f1_grid", "font.size": 8}):
        figure = Figure(figsize=(9, 2.1 * len(runs) + 0.6), layout="constrained")
        panels = figure.subplots(len(runs), 2, sharey=True, squeeze=False)
        for row, (network, points) in zip(panels, runs.items(), strict=True):
            for number, method in enumerate(methods):
                epsilons, totals, f1 = _curve(points, method)
                look = {
                    "color": f"C{number // 2}",
                    "linestyle": "-" if number % 2 == 0 else "--",
                    "linewidth": 1,
                    "label": method,
                }
                low, middle, high = f1.min(axis=1), np.median(f1, axis=1), f1.max(axis=1)
                if number % 2 == 0:
                    row[0].fill_between(epsilons, low, high, color=look["color"], alpha=0.1, lw=0)
                row[0].plot(epsilons, middle, **look)
                row[1].plot(totals, middle, **look)
            for panel in row:
                panel.axhline(plain[network], color="black", lw=0.8, ls=":", label="PC")
                panel.set(xscale="log", ylim=(-0.03, 1.03))
                panel.minorticks_off()
                panel.grid(alpha=0.3)
            row[0].set_ylabel(f"{network}: F1")
            row[1].set_xlim(*TOTALS)
        panels[-1, 0].set_xlabel("ε of one round")
        panels[-1, 1].set_xlabel("total ε charged, δ = .001")
        handles, labels = panels[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False)
        figure.savefig(to, format="svg", metadata={"Date": None})


def _curve(
    points: Sequence[Run], method: str
) -> tuple[list[float], list[float], np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """Return the ε, the median totals, and F1 of shape (ε, seeds)."""
    own = [p for p in points if p.method == method]
    epsilons = sorted({p.epsilon for p in own})
    at = [[p for p in own if p.epsilon == epsilon] for epsilon in epsilons]
    totals = [float(np.median([p.total for p in some])) for some in at]
    return epsilons, totals, np.array([[p.f1 for p in some] for some in at])
