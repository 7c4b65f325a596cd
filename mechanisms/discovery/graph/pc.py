"""PC on discrete columns: skeleton, separating sets, CPDAG.

Source: Spirtes, Glymour and Scheines, Causation, Prediction, and Search (2000), section 5.4.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms.discovery.graph.coded import CodedTable, Tables
from provado.mechanisms.discovery.graph.contingency import chi_squared, stratified_tau
from provado.mechanisms.discovery.graph.cpdag import Graph, orient
from provado.mechanisms.discovery.graph.skeleton import Independent, find_skeleton
from provado.mechanisms.errors import UsageError
from provado.mechanisms.parameters import probability


class Test(Enum):
    """The test of conditional independence."""

    KENDALL = "kendall"
    CHI_SQUARED = "chi2"
    G = "g"


@dataclass(frozen=True, eq=False)
class Discovered:
    """What PC found.

    names: of the vertices. skeleton: shape (d, d), symmetric. cpdag: shape (d, d), see ``Graph``.
    separating: the separating set of each separated pair (i, j), i < j. tests: how many were done.
    """

    names: tuple[str, ...]
    skeleton: NDArray[np.bool_]
    cpdag: Graph
    separating: Mapping[tuple[int, int], tuple[int, ...]]
    tests: int


def pc(
    data: CodedTable,
    *,
    alpha: float,
    test: Test = Test.KENDALL,
    max_order: int | None = None,
    stable: bool = True,
) -> Discovered:
    """Return what PC finds with a test at level ``alpha``: independent where p ≥ alpha.

    For ``KENDALL``, p is that of the released code of Priv-PC: one-sided, at most 1/2, so that
    alpha must be below 1/2 to keep an edge. max_order, stable: see ``find_skeleton``.

    Not private. Raises ``UsageError`` for arguments out of range.
    """
    level, short = probability(alpha, "alpha"), data.collapsed()
    if not isinstance(test, Test):
        raise UsageError(f"test is {test!r}: it must be one of {', '.join(map(str, Test))}")
    p_value = _P_VALUES[test]

    def independent(x: int, y: int, given: tuple[int, ...]) -> bool:
        return p_value(short.tables(x, y, given)) >= level

    return discover(data.names, independent, max_order=max_order, stable=stable)


def discover(
    names: tuple[str, ...],
    independent: Independent,
    *,
    max_order: int | None = None,
    stable: bool = True,
) -> Discovered:
    """Return what PC finds by the answers of any test, such as an oracle's.

    Raises ``UsageError`` as ``find_skeleton`` does.
    """
    found = find_skeleton(len(names), independent, max_order=max_order, stable=stable)
    return Discovered(names, found.adjacency, orient(found), found.separating, found.tests)


_P_VALUES: Mapping[Test, Callable[[Tables], float]] = {
    Test.KENDALL: lambda tables: stratified_tau(tables).p_value,
    Test.CHI_SQUARED: lambda tables: chi_squared(tables).p_value,
    Test.G: lambda tables: chi_squared(tables, statistic="g").p_value,
}
