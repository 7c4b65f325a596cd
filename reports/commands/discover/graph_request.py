"""What was asked of a graph search, and the budget that it may spend."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from provado.mechanisms.graph_discovery.methods.method import Method
from provado.mechanisms.graph_discovery.tables.coded import CodedTable
from provado.mechanisms.graph_discovery.tables.numeric import NumericTable

from .graph_bins import Edges
from .graph_data import Levels, Ranges
from .graph_runtime import Bounded


@dataclass(frozen=True)
class Allotment:
    """What may be spent, and how it is shared out: fixed before the search.

    epsilon, delta: in total. rounds: how many share it. round_epsilon: ε of each. Both are ``None``
    where a plan says what it is spent on.
    """

    epsilon: float
    delta: float
    rounds: int | None
    round_epsilon: float | None


@dataclass(frozen=True, eq=False)
class Asked:
    """What was asked. levels, ranges: of the columns, ``None`` where taken from the file.

    work: what the search may cost, and where it ends. edges: of numeric columns that were binned,
    where the bins begin.
    """

    method: Method
    parameters: Mapping[str, Any]
    table: CodedTable | NumericTable
    levels: Levels | None
    ranges: Ranges | None
    seeded: bool
    work: Bounded
    edges: Edges
