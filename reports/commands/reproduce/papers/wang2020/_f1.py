"""What follows from the F1 of each method on each network at each ε."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provado.reports.commands.reproduce.experiment import Answers
from provado.reports.commands.reproduce.findings import (
    Curve,
    Figure,
    Panel,
    Table,
    mean_and_deviation,
)

from ._runs import FAMILIES, released, repaired

TOTALS = (1.0, 100.0)
"""The span of the total ε in the paper's figure."""

PRIV, SVT, EM = map(released, FAMILIES)

FALLS = ("low", "right", "high")
"""How the number of deletions of a round falls."""


@dataclass(frozen=True, eq=False)
class Grid:
    """F1 and totals by network and method, each of shape (ε, runs).

    epsilons: of a round, rising. plain: F1 of PC by network and test, shape (runs,). limits: F1 of
    EM-PC with one thing changed, at the largest ε. numbers: by network, at each ε and run, how the
    number of deletions was drawn.
    """

    epsilons: tuple[float, ...]
    networks: tuple[str, ...]
    f1: Mapping[tuple[str, str], NDArray[np.float64]]
    totals: Mapping[tuple[str, str], NDArray[np.float64]]
    plain: Mapping[tuple[str, str], float]
    limits: Mapping[tuple[str, str], float]
    numbers: Mapping[str, Sequence[Sequence[Mapping[str, float]]]]

    @classmethod
    def of(cls, epsilons: tuple[float, ...], networks: tuple[str, ...], answers: Answers) -> Grid:
        """Return the results of all parts, whose keys are ``network/run/family``."""
        f1: dict[tuple[str, str], list[Any]] = {}
        totals: dict[tuple[str, str], list[Any]] = {}
        plain: dict[tuple[str, str], list[float]] = {}
        limits: dict[tuple[str, str], list[float]] = {}
        numbers: dict[str, list[Any]] = {}
        for key, answer in answers.items():
            network, _, family = key.split("/")
            if family == "PC":
                for test, value in answer.items():
                    plain.setdefault((network, test), []).append(value)
                continue
            for label in answer["f1"]:
                f1.setdefault((network, label), []).append(answer["f1"][label])
                totals.setdefault((network, label), []).append(answer["total"][label])
            for name, value in answer.get("limits", {}).items():
                limits.setdefault((network, name), []).append(value)
            if "numbers" in answer:
                numbers.setdefault(network, []).append(answer["numbers"])
        return cls(
            epsilons,
            networks,
            {key: np.array(runs, dtype=np.float64).T for key, runs in f1.items()},
            {key: np.array(runs, dtype=np.float64).T for key, runs in totals.items()},
            {key: float(np.mean(values)) for key, values in plain.items()},
            {key: float(np.mean(values)) for key, values in limits.items()},
            numbers,
        )

    def last(self, label: str) -> dict[str, float]:
        """Return the mean F1 of a method at the largest ε, by network."""
        return {n: float(self.f1[n, label][-1].mean()) for n in self.networks}

    def between(self, label: str, low: float, high: float) -> dict[str, float]:
        """Return the mean F1 over the ε of a round from ``low`` to ``high``, by network."""
        at = [low <= e <= high for e in self.epsilons]
        return {n: float(self.f1[n, label][at].mean()) for n in self.networks}

    def by_total(self, label: str) -> dict[str, float]:
        """Return the mean F1 over total ε from 1 to 100, evenly in its logarithm, by network."""
        low, high = np.log(TOTALS)
        asked = np.linspace(low, high, 41)
        found = {}
        for n in self.networks:
            x, y = np.log(self.totals[n, label].mean(axis=1)), self.f1[n, label].mean(axis=1)
            order = np.argsort(x, kind="stable")
            found[n] = float(np.interp(asked, x[order], y[order]).mean())
        return found

    def reached(self, label: str) -> dict[str, float]:
        """Return the least ε of a round from which on F1 stays within .05 of PC's; ∞ where none."""
        found = {}
        for n in self.networks:
            short = self.f1[n, label].mean(axis=1) < self.of_pc()[n] - 0.05
            first = int(np.flatnonzero(short)[-1]) + 1 if short.any() else 0
            found[n] = self.epsilons[first] if first < len(self.epsilons) else float("inf")
        return found

    def of_pc(self, test: str = "kendall") -> dict[str, float]:
        """Return the mean F1 of PC without privacy, by network."""
        return {n: self.plain[n, test] for n in self.networks}

    def limit(self, name: str) -> dict[str, float]:
        """Return the mean F1 at the largest ε of EM-PC with one thing changed, by network."""
        return {n: self.limits[n, name] for n in self.networks}


def figures(grid: Grid) -> tuple[Figure, ...]:
    """Return a figure a network: F1 against ε of a round, and against the total."""
    return tuple(_figure(grid, network) for network in grid.networks)


def _figure(grid: Grid, network: str) -> Figure:
    by_round, by_total = [], []
    for color, family in enumerate(FAMILIES):
        for dashed, label in enumerate((released(family), repaired(family))):
            mean, spread = zip(
                *(mean_and_deviation(row.tolist()) for row in grid.f1[network, label]), strict=True
            )
            look: dict[str, Any] = {"color": color, "dashed": bool(dashed)}
            by_round.append(Curve(label, grid.epsilons, mean, spread, **look))
            totals = grid.totals[network, label].mean(axis=1).tolist()
            shown = [(t, f) for t, f in zip(totals, mean, strict=True) if 0.3 <= t <= 300]
            if shown:
                x, y = zip(*sorted(shown), strict=True)
                by_total.append(Curve(label, x, y, **look))
    levels = (("PC without privacy", grid.plain[network, "kendall"]),)
    common: dict[str, Any] = {"log_x": True, "levels": levels, "limits": (-0.03, 1.03)}
    caption = (
        f"F1 of the skeleton on {network}: mean over runs, bands of one standard deviation to "
        "either side; left against ε of one round, right against the total charged."
    )
    panels = (
        Panel(network, "ε of a round", "F1", tuple(by_round), **common),
        Panel(network, "total ε charged, δ = .001", "F1", tuple(by_total), **common),
    )
    return Figure(network, caption, panels)


def tables(grid: Grid) -> tuple[Table, ...]:
    """Return F1 at the largest ε with parts of EM-PC exchanged, and how its numbers fall."""
    columns = {
        "PC, Kendall": grid.of_pc(),
        "Priv-PC": grid.last(PRIV),
        "EM-PC, Kendall, released number": grid.limit("kendall, released number"),
        "EM-PC, Kendall, any number": grid.limit("kendall, any number"),
        "PC, G": grid.of_pc("g"),
        "EM-PC, G, released number": grid.last(EM),
        "EM-PC, G, any number": grid.limit("g, any number"),
    }
    limits = Table(
        "parts_of_em_pc",
        f"F1 at ε = {grid.epsilons[-1]:.3g} a round, by the test (Kendall's τ, G) and by the "
        "sub-routine for the number of deletions: as released (which never takes the last edge of "
        "a node, and takes 1 off where a number is right), or any number up to all.",
        ("network", *columns),
        tuple((n, *(column[n] for column in columns.values())) for n in grid.networks),
    )
    rows = []
    for at, epsilon in enumerate(grid.epsilons):
        some = [run[at] for n in grid.networks for run in grid.numbers[n]]
        counts = {name: sum(one[name] for one in some) for name in some[0]}
        shares = [counts[name] / counts["rounds"] for name in (*FALLS, "all_pass")]
        rows.append((epsilon, *shares))
    numbers = Table(
        "numbers_of_em_pc",
        "How many edges the released EM-PC deletes in a round, beside how many pass as independent "
        "on the same rows: expected shares of all rounds, and the share of rounds in which all "
        "edges pass, which the released sub-routine cannot answer.",
        ("ε of a round", "too few", "right", "too many", "all pass"),
        tuple(rows),
    )
    return limits, numbers
