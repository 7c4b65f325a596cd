"""The seven Bayesian networks of Priv-PC's Table 1, read from the BIF files that pgmpy ships.

Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph Discovery (2020),
Table 1; the networks are those of the bnlearn repository. pgmpy is not imported.
"""

from __future__ import annotations

import gzip
import importlib.util
import math
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.tables.coded import CodedTable

NETWORKS = ("earthquake", "cancer", "asia", "survey", "alarm", "sachs", "child")

_VARIABLE = re.compile(r"variable\s+(\S+)\s*\{\s*type\s+discrete\s*\[\s*\d+\s*\]\s*\{([^}]*)\}")
_TABLE = re.compile(r"probability\s*\(\s*([^|)\s]+)\s*(?:\|([^)]*))?\)\s*\{([^}]*)\}")
_ROW = re.compile(r"(?:\(([^)]*)\)|table)\s*([^;]*);")


@dataclass(frozen=True, eq=False)
class Network:
    """A Bayesian network on discrete variables.

    names: of the d variables. levels: of each, as text, in the file's order. parents: of each, as
    indices. tables: of each, the probabilities of its levels along the last axis, one axis before
    it for each parent, in the order of ``parents``.
    """

    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[NDArray[np.float64], ...]

    @property
    def skeleton(self) -> NDArray[np.bool_]:
        """Shape (d, d), symmetric: which pairs are adjacent."""
        directed = self.directed
        return directed | directed.T

    @property
    def directed(self) -> NDArray[np.bool_]:
        """Shape (d, d): whether i → j."""
        graph = np.zeros((len(self.names),) * 2, dtype=bool)
        for child, parents in enumerate(self.parents):
            graph[list(parents), child] = True
        return graph

    def sample(self, n: int, rng: np.random.Generator) -> CodedTable:
        """Return ``n`` independent rows, by forward sampling; levels are coded in their order."""
        codes = np.empty((len(self.names), n), dtype=np.uint8)
        for i in self._parents_first():
            levels = len(self.levels[i])
            bounds = np.cumsum(self.tables[i], axis=-1).reshape(-1, levels)
            row = np.zeros(n, dtype=np.int64)
            for parent in self.parents[i]:
                row = row * len(self.levels[parent]) + codes[parent]
            # The last bound is 1 up to rounding, and is left out so that no draw passes it.
            codes[i] = (rng.random(n)[:, None] >= bounds[row, :-1]).sum(axis=1)
        return CodedTable(self.names, tuple(map(len, self.levels)), codes, None, n)

    def _parents_first(self) -> list[int]:
        order: list[int] = []
        while len(order) < len(self.names):
            ready = [
                i
                for i, parents in enumerate(self.parents)
                if i not in order and set(parents) <= set(order)
            ]
            if not ready:
                raise UsageError("network: its parents form a cycle")
            order += ready
        return order


@cache
def load_network(name: str) -> Network:
    """Return a network that pgmpy ships by its name, such as one of ``NETWORKS``.

    Raises ``UsageError`` where pgmpy is not installed, has no such network, or the file is not as
    expected.
    """
    spec = importlib.util.find_spec("pgmpy")
    if spec is None or not spec.submodule_search_locations:
        raise UsageError("the networks are read from pgmpy's files: pip install --no-deps pgmpy")
    folder = Path(spec.submodule_search_locations[0]) / "utils" / "example_models"
    try:
        text = gzip.decompress((folder / f"{name}.bif.gz").read_bytes()).decode()
    except OSError as error:
        raise UsageError(f"network {name!r}: pgmpy ships no such file") from error
    return parse_bif(text)


def parse_bif(text: str) -> Network:
    """Return the network that a text in the BIF format describes.

    Raises ``UsageError`` where a variable has no table, a table names an unknown variable or level,
    leaves a row out, or holds a row that is not a probability distribution.
    """
    levels = {name: tuple(_split(body)) for name, body in _VARIABLE.findall(text)}
    if not levels:
        raise UsageError("network: the text names no variable")
    names = tuple(levels)
    found: dict[str, tuple[tuple[int, ...], NDArray[np.float64]]] = {}
    for child, above, body in _TABLE.findall(text):
        parents = _split(above)
        unknown = [v for v in (child, *parents) if v not in levels]
        if unknown:
            raise UsageError(f"network: the table of {child!r} names {unknown[0]!r}, no variable")
        found[child] = (
            tuple(names.index(p) for p in parents),
            _probabilities(child, [levels[p] for p in parents], len(levels[child]), body),
        )
    missing = [name for name in names if name not in found]
    if missing:
        raise UsageError(f"network: variable {missing[0]!r} has no table")
    parents_of, tables = zip(*(found[name] for name in names), strict=True)
    return Network(names, tuple(levels.values()), parents_of, tables)


def _probabilities(
    child: str, above: list[tuple[str, ...]], width: int, body: str
) -> NDArray[np.float64]:
    table = np.full((*map(len, above), width), math.nan)
    for at, numbers in _ROW.findall(body):
        try:
            place = tuple(
                known.index(level) for known, level in zip(above, _split(at), strict=True)
            )
            table[place] = [float(number) for number in _split(numbers)]
        except ValueError as error:
            raise UsageError(f"network: table of {child!r}, row ({at}): {error}") from error
    if not np.all(table >= 0) or np.any(abs(table.sum(axis=-1) - 1) > 1e-6):
        raise UsageError(f"network: table of {child!r}: each row must be there and sum to 1")
    return table


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
