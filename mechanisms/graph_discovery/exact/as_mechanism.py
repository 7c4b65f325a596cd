"""Whole-graph discovery on few columns as a mechanism: records in, codes of CPDAGs out.

``priv_pc_runs`` and ``svt_pc_runs`` are the methods of ``priv_pc`` and ``svt_pc`` with the sieve on
all records (m = n, a subset size that the method allows). On fixed records the distribution of
the graph is known, and so is the exact ε of a pair. For EM-PC and PCD see ``em_pc_runs`` and
``pcd_runs``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from provado.mechanisms.definitions import UsageError
from provado.mechanisms.definitions.parameters import integers, natural, positive
from provado.mechanisms.graph_discovery.independence_tests.margin import Margin, ReleasedMargin
from provado.mechanisms.graph_discovery.methods.priv_pc import sieve_noise
from provado.mechanisms.graph_discovery.methods.rounds import Noise, questions
from provado.mechanisms.graph_discovery.search.search_tree import search_tree
from provado.mechanisms.graph_discovery.tables.coded import CodedTable

from .graph_distribution import Graphs, Runs, loss
from .run_of_rounds import RunOfRounds, point_mass

Method = Callable[[ArrayLike], Runs]
"""From records to the runs of a method on them."""


def draw_graphs(
    records: ArrayLike, *, method: Method, size: int, rng: np.random.Generator
) -> Graphs:
    """Return the graphs of ``size`` runs on ``records``, as codes (``graph_code``), shape (size,).

    method: such as ``priv_pc_runs`` with its keywords. Raises ``UsageError`` as the method does and
    for a size below 1.
    """
    return method(records).draw(size, rng)


def pair_epsilon(pair: tuple[ArrayLike, ArrayLike], method: Method) -> float:
    """Return the exact smallest ε of a pair of neighbors, from the distributions of the graph."""
    distribution, other = (method(records).distribution() for records in pair)
    return loss(distribution, other)


def priv_pc_runs(
    records: ArrayLike,
    *,
    margin: Margin,
    epsilon: float,
    max_order: int,
    rounds: int | None = None,
    levels: int = 2,
) -> RunOfRounds:
    """Return the runs of Algorithm 2 of Wang, Pang and Song (2020) on records of 2 or 3 columns.

    records: shape (n, d), whole numbers from 0 to ``levels`` − 1. margin: ``PrintedMargin``,
    ``ReleasedMargin`` or ``ProvedMargin``, which make it that version of ``priv_pc``, with
    subset = n. rounds: the most there may be; ``None`` sets no bound, as printed and released.

    Raises ``UsageError`` for arguments out of range.
    """
    table = coded_records(records, levels)
    noise = sieve_noise(positive(epsilon, "epsilon"), table.n, table.n)
    return _run_of_rounds(table, margin, noise, max_order, rounds)


def svt_pc_runs(
    records: ArrayLike,
    *,
    margin: Margin,
    epsilon: float,
    max_order: int,
    rounds: int | None = None,
    levels: int = 2,
) -> RunOfRounds:
    """Return the runs of SVT-PC: released for a ``ReleasedMargin``, otherwise repaired.

    Arguments and errors as of ``priv_pc_runs``.
    """
    scale = positive(epsilon, "epsilon")
    query = 8 if isinstance(margin, ReleasedMargin) else 4
    noise = Noise(2 / scale, query / scale, None)
    return _run_of_rounds(coded_records(records, levels), margin, noise, max_order, rounds)


def coded_records(records: ArrayLike, levels: int = 2) -> CodedTable:
    """Return records of shape (n, d), whole numbers from 0 to ``levels`` − 1, as a coded table.

    Raises ``UsageError`` for anything else.
    """
    table = integers(records, "records")
    if table.ndim != 2 or not table.size:
        raise UsageError(f"records has shape {table.shape}: it must be (n, d)")
    if natural(levels, "levels") < 2 or levels > 1 << 8:
        raise UsageError(f"levels is {levels!r}: it must be from 2 to 256")
    outside = table[(table < 0) | (table >= levels)]
    if outside.size:
        raise UsageError(f"records hold {int(outside[0])}: levels are 0 to {levels - 1}")
    n, d = table.shape
    codes = table.T.astype(np.uint8)
    return CodedTable(tuple(f"v{i}" for i in range(d)), (levels,) * d, codes, None, n)


def _run_of_rounds(
    table: CodedTable, margin: Margin, noise: Noise, max_order: int, rounds: int | None
) -> RunOfRounds:
    start = search_tree(len(table.names), max_order)
    asked = questions(table, margin, table.n)
    # The sieve looks at all records: there is no subset to draw.
    looks = asked.fresh(np.random.default_rng(0)), asked.whole
    sieve, whole = ({test: point_mass(ask(*test)) for test in start.tests()} for ask in looks)
    limit = None if rounds is None else natural(rounds, "rounds")
    return RunOfRounds(start, sieve, whole, noise, limit)
