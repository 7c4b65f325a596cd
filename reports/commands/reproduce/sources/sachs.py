"""The flow-cytometry data of Sachs et al., read from the files that cdt ships.

Source: Sachs et al., Causal Protein-Signaling Networks Derived from Multiparameter Single-Cell Data
(2005). cdt is not imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms import UsageError
from provado.reports.targets.dataset import numbers, text_lines

from .pairs import cdt_folder

DATA, GRAPH = "cyto_full_data.csv", "cyto_full_target.csv"


@dataclass(frozen=True, eq=False)
class Cells:
    """Measurements of 11 proteins in single cells, and which act on which.

    columns: by the protein's name, each of one length, in their own units. directed: shape
    (11, 11), whether i → j, in the order of the columns.
    """

    columns: Mapping[str, NDArray[np.float64]]
    directed: NDArray[np.bool_]

    @property
    def skeleton(self) -> NDArray[np.bool_]:
        """Shape (11, 11), symmetric: which pairs are adjacent."""
        return self.directed | self.directed.T


@cache
def sachs_cells() -> Cells:
    """Return 7,466 cells and the graph of 18 arcs that is usually taken as true.

    Raises ``UsageError`` where cdt is not installed or its files are not as expected.
    """
    data, graph = cdt_folder() / DATA, cdt_folder() / GRAPH
    (_, head), *lines = text_lines(data, str(data))
    names = tuple(head.split(","))
    rows = []
    for number, line in lines:
        values = numbers(line.split(","))
        if values is None or len(values) != len(names) or not np.all(np.isfinite(values)):
            raise UsageError(f"{data}: line {number} must hold {len(names)} finite numbers")
        rows.append(values)
    directed = np.zeros((len(names),) * 2, dtype=bool)
    for number, line in text_lines(graph, str(graph))[1:]:
        ends = [end.strip('" ') for end in line.split(",")]
        if len(ends) != 2 or not set(ends) <= set(names):
            raise UsageError(f"{graph}: line {number} must name two columns of {DATA}")
        directed[names.index(ends[0]), names.index(ends[1])] = True
    directed.setflags(write=False)
    table = np.array(rows, dtype=np.float64).T
    return Cells(dict(zip(names, table, strict=True)), directed)
