"""How often the arrows of ``provado discover`` are right: the seven networks, and graphs at random.

``python -m benchmarks.arrow_bars --write`` leaves benchmarks/results/arrows.md and the reliability
diagram arrows.svg beside the guide. Every case is a new sample and a new release by the
default method. Exit 1 where a bar is missed. ``--keep FOLDER`` keeps what is done, so that a run
can go on. ``--discounts SEEDS`` counts instead what the discounts of dense skeletons follow.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from unittest import mock

import numpy as np

from benchmarks.measure import line
from provado.mechanisms.graph_discovery.methods.tables import (
    SURE,
    FoundInTables,
    discover_from_tables,
)
from provado.mechanisms.graph_discovery.noisy_tables import directions
from provado.mechanisms.graph_discovery.noisy_tables.plan import plan_tables
from provado.mechanisms.graph_discovery.search.cpdag import Graph, cpdag_of
from provado.reports.commands.reproduce.experiment import Curve, Figure, Panel
from provado.reports.commands.reproduce.pages import pictures
from provado.reports.commands.reproduce.sources.networks import NETWORKS, Network, load_network
from tests.reports.reproduce.hamming import structural_hamming

RESULTS = Path(__file__).parent / "results"
GUIDE = Path(__file__).parents[1] / "docs" / "pages" / "how-to"
DELTA, ROWS, FEW_ROWS = 1e-6, 100_000, 10_000
RANDOM = tuple(f"random-{d}-{spread:g}" for d, spread in product((8, 12, 20), (0.5, 2.0)))
"""Graphs at random by their columns and the parameter of the Dirichlet distribution of tables."""

DENSE = tuple(f"dense-{d}-{spread:g}" for d, spread in product((8, 9, 10, 11), (0.5, 2.0)))
"""The same, with 3 parents a column where there are as many before it, most of the time."""

OTHERS = 100
"""Seed from which graphs are drawn that are not in the table."""

MOST_RANDOM = 2
"""Samples of each of these at most; they take longest."""

EDGES = np.array([0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0])
"""Of the bins of shares in the diagram; the last one holds 1."""


@dataclass(frozen=True)
class Case:
    """One release. network: of ``NETWORKS``, ``RANDOM`` or ``DENSE``."""

    network: str
    rows: int
    total: float
    seed: int


@dataclass(frozen=True)
class Seen:
    """What a case showed. shares: of each direction of a found edge, with whether it is right.

    compelled: directions of the true class whose edges were found.
    """

    shares: tuple[tuple[float, bool], ...]
    compelled: int
    distance: int

    def stated(self, least: float) -> tuple[int, int]:
        """Return how many directions have at least that share, and how many of them are right."""
        found = [right for share, right in self.shares if share >= least]
        return len(found), sum(found)


def network_of(case: Case) -> Network:
    """Return the case's network; at random there is one for each seed."""
    if case.network in NETWORKS:
        return load_network(case.network)
    kind, columns, spread = case.network.split("-")
    mean = 3.0 if kind == "dense" else 1.25
    return random_network(int(columns), float(spread), case.seed, mean)


def random_network(columns: int, spread: float, seed: int, mean: float = 1.25) -> Network:
    """Return a network with so many edges a column, at most 3 parents each, 2 to 4 levels.

    mean: of the Poisson distribution of the number of parents.
    """
    rng = np.random.default_rng([17, columns, seed])
    order, levels = rng.permutation(columns), rng.integers(2, 5, columns)
    parents: list[tuple[int, ...]] = [()] * columns
    for place, v in enumerate(order):
        several = min(place, 3, int(rng.poisson(mean)))
        parents[v] = tuple(rng.choice(order[:place], several, replace=False).tolist())
    tables = tuple(
        rng.dirichlet(np.full(levels[v], spread), size=tuple(levels[list(above)]))
        for v, above in enumerate(parents)
    )
    texts = tuple(tuple(map(str, range(k))) for k in levels)
    return Network(tuple(f"v{i}" for i in range(columns)), texts, tuple(parents), tables)


def cases(networks: Sequence[str], seeds: int) -> Iterator[Case]:
    """Yield every case; the largest network at fewer totals, graphs at random with fewer seeds."""
    for name in networks:
        totals = (1.0, 10.0) if name == "alarm" else (0.1, 0.3, 1.0, 10.0)
        places = [(ROWS, total) for total in totals] + [(FEW_ROWS, 1.0)]
        samples = seeds if name in NETWORKS else min(seeds, MOST_RANDOM)
        for (rows, total), seed in product(places, range(samples)):
            yield Case(name, rows, total, seed)


def discovered(case: Case) -> tuple[FoundInTables, Graph]:
    """Run the default method once; return what it found, and the true CPDAG."""
    network = network_of(case)
    data = network.sample(case.rows, np.random.default_rng([23, case.seed, case.rows]))
    plan = plan_tables(data.n, data.levels, epsilon=case.total, delta=DELTA)
    rng = np.random.default_rng([29, case.seed, case.rows, round(100 * case.total)])
    return discover_from_tables(data, plan=plan, rng=rng), cpdag_of(network.directed)


def work(case: Case) -> Seen:
    """Run the default method once."""
    found, true = discovered(case)
    compelled = true & ~true.T
    return Seen(
        tuple(
            (round(float(found.direction[x, y]), 4), bool(compelled[x, y]))
            for x, y in np.argwhere(found.direction > 0)
        ),
        int((compelled & found.skeleton).sum()),
        int(structural_hamming(found.cpdag, true)),
    )


def kept(case: Case, folder: Path | None) -> Seen:
    """Return what ``work`` does, from the folder where it was done before."""
    name = f"arrows-{case.network}-{case.rows}-{case.total:g}-{case.seed}.json"
    file = None if folder is None else folder / name
    if file is not None and file.exists():
        found = json.loads(file.read_text())
        return Seen(
            tuple((s, r) for s, r in found["shares"]), found["compelled"], found["distance"]
        )
    seen = work(case)
    if file is not None:
        file.write_text(json.dumps(asdict(seen)))
    return seen


def discounts(seeds: int) -> Iterator[str]:
    """Yield how many directions of at least ``SURE`` are right in dense skeletons, by their kind.

    The graphs are others than those of the table.
    """
    right: dict[str, list[bool]] = {}
    for name, seed in product(DENSE, range(OTHERS, OTHERS + seeds)):
        with mock.patch.object(directions, "DISCOUNTS", (1.0, 1.0)):
            found, true = discovered(Case(name, ROWS, 1.0, seed))
        if found.skeleton.sum() <= directions.DENSE * len(found.skeleton):
            continue
        supported = directions.supported(found.skeleton, found.direction)
        for x, y in np.argwhere(found.direction >= SURE):
            least = directions.ALMOST_SURE
            kind = f"other, {'from' if found.direction[x, y] >= least else 'below'} {least}"
            kind = "supported" if supported[x, y] else kind
            right.setdefault(kind, []).append(bool(true[x, y] and not true[y, x]))
    for kind, answers in sorted(right.items()):
        yield f"{kind}: {sum(answers)} of {len(answers)} right"


Groups = dict[tuple[str, int, float], list[Seen]]


def share(groups: Sequence[Seen], least: float) -> tuple[int, int, float]:
    """Return how many arrows are stated, how many are right, and their share, 1 of none."""
    stated, right = np.sum([seen.stated(least) for seen in groups], axis=0, dtype=int).tolist()
    return stated, right, right / stated if stated else 1.0


def bars(groups: Groups) -> bool:
    """Print every bar; return whether all are met."""
    fine = True
    known = {k: v for k, v in groups.items() if k[0] in NETWORKS and k[1:] == (ROWS, 1.0)}
    everything = [seen for group in known.values() for seen in group]
    if everything:
        fine &= line("networks, ε = 1: share of right arrows", share(everything, SURE)[2], 0.9, "")
        least = min(share(group, SURE)[2] for group in known.values())
        fine &= line("  the lowest on a network", least, 0.75, "")
        fine &= line("  of those with .9 or more", share(everything, 0.9)[2], 0.95, "")
        compelled = sum(seen.compelled for seen in everything)
        right = share(everything, SURE)[1]
        fine &= line("  share of compelled edges stated", right / max(compelled, 1), 0.5, "")
    for what, chosen in (
        ("graphs at random", [k for k in groups if k[0] in RANDOM]),
        ("dense graphs at random", [k for k in groups if k[0] in DENSE]),
        ("ε = .1 and .3", [k for k in groups if k[2] < 1]),
        (f"{FEW_ROWS:,} rows", [k for k in groups if k[1] == FEW_ROWS]),
    ):
        some = [seen for key in chosen for seen in groups[key]]
        if some:
            fine &= line(f"{what}: share of right arrows", share(some, SURE)[2], 0.85, "")
            fine &= line("  of those with .9 or more", share(some, 0.9)[2], 0.95, "")
    return fine


def reliability(seen: Sequence[Seen]) -> list[tuple[float, float, int]]:
    """Return of each bin the mean share, the share that is right, and how many there are."""
    shares, right = np.array([pair for one in seen for pair in one.shares]).reshape(-1, 2).T
    place = np.clip(np.searchsorted(EDGES, shares, side="right"), 1, len(EDGES) - 1)
    found = []
    for number in range(1, len(EDGES)):
        inside = place == number
        if inside.any():
            found.append((float(shares[inside].mean()), float(right[inside].mean()), inside.sum()))
    return found


def figure(groups: Groups) -> Figure:
    """Return the reliability diagram, of the networks and of graphs at random."""
    panels = []
    for what, names in (("the seven networks", NETWORKS), ("graphs at random", RANDOM)):
        seen = [one for key, group in groups.items() if key[0] in names for one in group]
        if seen:
            x, y, _ = zip(*reliability(seen), strict=True)
            ideal = Curve("as stated", (0.0, 1.0), (0.0, 1.0), dashed=True)
            curve = Curve("measured", x, y, color=1)
            panels.append(
                Panel(what, "share", "of these right", (curve, ideal), limits=(0.0, 1.03))
            )
    return Figure("arrows", "How often a direction is right, by its share", tuple(panels))


def table(groups: Groups, seeds: int) -> str:
    """Return the figures as Markdown."""
    lines = [
        "# How often arrows are right",
        "",
        f"`--method tables`, {seeds} samples of each, {min(seeds, MOST_RANDOM)} of graphs at "
        f"random, δ = 10⁻⁶; arrows from a share of {SURE:g} on, and from .9 on; *compelled*: "
        "directions of the true class whose edges were found. Written by `python -m "
        "benchmarks.arrow_bars --write`.",
        "",
        "| network | rows | ε | right of stated | of .9 or more | compelled | median distance |",
        "|---|---|---|---|---|---|---|",
    ]
    for (name, rows, total), group in groups.items():
        stated, right, _ = share(group, SURE)
        surer, sure, _ = share(group, 0.9)
        compelled = sum(seen.compelled for seen in group)
        distance = np.median([seen.distance for seen in group])
        lines.append(
            f"| {name} | {rows:,} | {total:g} | {right} of {stated} | {sure} of {surer} "
            f"| {compelled} | {distance:g} |"
        )
    lines += ["", "| share | directions | right |", "|---|---|---|"]
    everything = [seen for group in groups.values() for seen in group]
    lines += [f"| {x:.2f} | {count} | {y:.2f} |" for x, y, count in reliability(everything)]
    return "\n".join(
        [
            *lines,
            "",
            "![Share of right directions by stated share](../../docs/pages/how-to/arrows.svg)",
            "",
        ]
    )


def main() -> int:
    """Print the figures; exit 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "networks", nargs="*", default=(*NETWORKS, *RANDOM, *DENSE), help="all by default"
    )
    parser.add_argument("--seeds", type=int, default=5, help="samples of each")
    parser.add_argument("--keep", type=Path, help="folder where results of cases are kept")
    parser.add_argument("--write", action="store_true", help="write the table and the diagram")
    parser.add_argument("--discounts", type=int, metavar="SEEDS", help="count by kind instead")
    arguments = parser.parse_args()
    if arguments.discounts:
        print(*discounts(arguments.discounts), sep="\n")
        return 0
    groups: Groups = {}
    for case in cases(arguments.networks, arguments.seeds):
        seen = kept(case, arguments.keep)
        groups.setdefault((case.network, case.rows, case.total), []).append(seen)
    fine = bars(groups)
    if arguments.write:
        (RESULTS / "arrows.md").write_text(table(groups, arguments.seeds), encoding="utf-8")
        svg, _ = pictures(figure(groups))
        (GUIDE / "arrows.svg").write_text(svg, encoding="utf-8")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
