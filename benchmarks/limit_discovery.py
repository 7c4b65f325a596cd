"""Bars of private causal discovery in tens of runs: three flawed searches, and sound ones.

Each run finds a graph from one of two tables that differ in one record; an audit without a fixed
number of runs ends where it certifies. The pair is given; the event it finds by itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

from benchmarks.validity_rate import Rate
from provado.audit import audit
from provado.mechanisms import Verdict
from provado.mechanisms.graph_discovery.catalogue.graphs import Pair, Records, repeat, replace_first
from provado.mechanisms.graph_discovery.methods.em_pc import em_pc_released, em_pc_repaired
from provado.mechanisms.graph_discovery.methods.pc import pc
from provado.mechanisms.graph_discovery.methods.priv_pc import priv_pc_repaired
from provado.mechanisms.graph_discovery.methods.tables import discover_from_tables
from provado.mechanisms.graph_discovery.noisy_tables.plan import plan_tables
from provado.mechanisms.graph_discovery.tables.coded import CodedTable, code_columns

EPSILON, ROUNDS = 0.5, 3
CLAIM = EPSILON * ROUNDS
MOST_RUNS = 99
"""Tens of runs."""

Graph = tuple[tuple[int, ...], ...]
Search = Callable[[Records, np.random.Generator], Graph]


def coded(records: Records) -> CodedTable:
    """Return three columns of 0 and 1."""
    columns = np.array(records).T
    names = "abc"
    return code_columns(dict(zip(names, columns, strict=True)), levels=dict.fromkeys(names, (0, 1)))


def _graph(found: Any) -> Graph:
    return tuple(map(tuple, found.cpdag.astype(int).tolist()))


def released(records: Records, rng: np.random.Generator) -> Graph:
    """Run EM-PC as released: its utility, taken as 1-sensitive, moves by n − 1."""
    return _graph(em_pc_released(coded(records), epsilon=EPSILON, rng=rng, max_order=0))


def noiseless(records: Records, rng: np.random.Generator) -> Graph:
    """Run PC itself: the noise was forgotten."""
    del rng
    return _graph(pc(coded(records), alpha=0.05, max_order=0))


def same_seed(records: Records, rng: np.random.Generator) -> Graph:
    """Run the repaired Priv-PC with a generator that every run seeds alike."""
    del rng
    return repaired(records, np.random.default_rng(7))


def repaired(records: Records, rng: np.random.Generator) -> Graph:
    """Run Priv-PC as repaired."""
    data, search = coded(records), {"max_order": 0}
    return _graph(priv_pc_repaired(data, epsilon=EPSILON, rounds=ROUNDS, rng=rng, **search))


def repaired_em(records: Records, rng: np.random.Generator) -> Graph:
    """Run EM-PC as repaired."""
    data, search = coded(records), {"max_order": 0}
    return _graph(em_pc_repaired(data, epsilon=EPSILON, rounds=ROUNDS, rng=rng, **search))


def from_tables(records: Records, rng: np.random.Generator) -> Graph:
    """Find the graph from noisy tables of pairs."""
    data = coded(records)
    plan = plan_tables(data.levels, data.n, epsilon=CLAIM)
    return _graph(discover_from_tables(data, plan=plan, rng=rng, max_order=0))


def greedy(k: int = 400) -> Pair:
    """Return the catalogue's pair for EM-PC with more records."""
    records = repeat({(0, 1, 0): 1, (1, 0, 0): 1, (1, 1, 0): k, (1, 1, 1): k})
    return records, replace_first(records, (0, 1, 0), (0, 0, 0))


@functools.cache
def at_the_edge(search: Search, n: int = 400) -> Pair:
    """Return the first neighbors between which a search that draws nothing changes its answer.

    The first two columns go from independent to equal, one record at a time.
    """
    quarter = n // 4
    records = repeat(
        {(0, 0, 0): quarter, (0, 1, 1): quarter, (1, 0, 0): quarter, (1, 1, 1): quarter}
    )
    rng = np.random.default_rng(0)
    before = search(records, rng)
    for _ in range(quarter):
        for old, new in (((0, 1, 1), (0, 0, 1)), ((1, 0, 0), (1, 1, 0))):
            following = replace_first(records, old, new)
            if search(following, rng) != before:
                return records, following
            records = following
    raise AssertionError(f"{search.__name__} finds the same graph however the columns depend")


FLAWED: dict[str, tuple[Search, Callable[[], Pair]]] = {
    "EM-PC as released": (released, greedy),
    "PC without noise": (noiseless, functools.partial(at_the_edge, noiseless)),
    "Priv-PC, seeded alike in every run": (same_seed, functools.partial(at_the_edge, same_seed)),
}
SOUND: dict[str, tuple[Search, Callable[[], Pair]]] = {
    "EM-PC, repaired": (repaired_em, greedy),
    "Priv-PC, repaired": (repaired, functools.partial(at_the_edge, noiseless)),
    "noisy tables": (from_tables, functools.partial(at_the_edge, noiseless)),
}


def _found(name: str, seed: int) -> tuple[Verdict, int, float]:
    """Return the verdict, the runs that it took, and the certified ε."""
    search, pair = (FLAWED | SOUND)[name]
    result = audit(
        search,
        epsilon=CLAIM,
        pair=pair(),
        samples=f"auto:{MOST_RUNS}",
        seed=seed,
        name=name,
        isolate=False,
    )
    runs = result.pairs[0].counts.trials if result.pairs else 0
    return result.verdict, runs, result.epsilon_lower


def bench_discovery(
    seeds: int, audits: int, pool: ProcessPoolExecutor
) -> Iterator[tuple[str, bool]]:
    """Yield the lines of the table, each with whether its bar is met."""
    yield (
        f"| causal discovery, claim {CLAIM:g}, at most {MOST_RUNS} runs | certified | "
        "runs (median, most) | ε certified (median) |",
        True,
    )
    yield "| --- | --- | --- | --- |", True
    for name in FLAWED:
        found = list(pool.map(functools.partial(_found, name), range(seeds)))
        hits = [(runs, lower) for verdict, runs, lower in found if verdict is Verdict.VIOLATION]
        runs = [one for one, _ in hits] or [MOST_RUNS]
        lower = float(np.median([one for _, one in hits])) if hits else 0.0
        cells = f"{len(hits)} of {seeds} | {np.median(runs):.0f}, {max(runs)} | {lower:.2f}"
        yield f"| {name} | {cells} |", len(hits) == seeds
    for name in SOUND:
        found = list(pool.map(functools.partial(_found, name), range(audits), chunksize=5))
        rate = Rate(sum(verdict is Verdict.VIOLATION for verdict, _, _ in found), audits)
        yield f"| {name} (sound) | reported {rate.alarms} of {audits} | | |", not rate.above
