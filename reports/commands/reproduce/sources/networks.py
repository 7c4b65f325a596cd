"""Bayesian networks from the BIF files that pgmpy ships, and data from nonlinear models on graphs.

The seven networks are those of Priv-PC's Table 1, from the bnlearn repository; pgmpy is not
imported. Source: Wang, Pang and Song, Towards Practical Differentially Private Causal Graph
Discovery (2020), Table 1. The nonlinear models are those of PCD. Source: Zhang et al.,
Differentially Private Nonlinear Causal Discovery from Numerical Data (2023), "Performance on Causal
Discovery" and "Simulation on Conditional Independence Test". The scores say how close a graph that
was found is to the true one: its skeleton, and its CPDAG.
"""

import gzip
import importlib.util
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.parameters import natural
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
    result: dict[str, tuple[tuple[int, ...], NDArray[np.float64]]] = {}
    for child, above, body in _TABLE.findall(text):
        parents = _split(above)
        unknown = [v for v in (child, *parents) if v not in levels]
        if unknown:
            raise UsageError(f"network: the table of {child!r} names {unknown[0]!r}, no variable")
        result[child] = (
            tuple(names.index(p) for p in parents),
            _probabilities(child, [levels[p] for p in parents], len(levels[child]), body),
        )
    missing = [name for name in names if name not in result]
    if missing:
        raise UsageError(f"network: variable {missing[0]!r} has no table")
    parents_of, tables = zip(*(result[name] for name in names), strict=True)
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


Column = NDArray[np.float64]

FUNCTIONS: Mapping[str, Callable[[Column], Column]] = MappingProxyType(
    {"sin": np.sin, "cos": np.cos, "tanh": np.tanh, "square": np.square, "exp": np.exp}
)
"""The functions φ, each as likely as the others."""


@dataclass(frozen=True)
class NonlinearEquation:
    """x = φ(Σ a_j·pa_j) + b·ε, ε uniform in (−1/2, 1/2).

    parents: names of the pa_j. weights: the a_j. function: a name in ``FUNCTIONS``. noise: b.
    """

    parents: tuple[str, ...]
    weights: tuple[float, ...]
    function: str
    noise: float


@dataclass(frozen=True, eq=False)
class NonlinearModel:
    """Equations by the variable's name, each after those of its parents."""

    equations: Mapping[str, NonlinearEquation]

    def sample(
        self, n: int, rng: np.random.Generator, *, standardised: bool = False
    ) -> dict[str, Column]:
        """Return ``n`` records as columns by name, parents before children.

        standardised: each column has its mean taken off and is divided by its standard deviation
            before its children see it, and as it is returned. The paper does not say so; as
            printed, squares and exponentials of one another exceed every float in deep graphs.

        Raises ``UsageError`` where a value is not finite.
        """
        size = natural(n, "n")
        columns: dict[str, Column] = {}
        for name, equation in self.equations.items():
            inside = np.zeros(size)
            with np.errstate(over="ignore", invalid="ignore"):
                for parent, weight in zip(equation.parents, equation.weights, strict=True):
                    inside += weight * columns[parent]
                column = FUNCTIONS[equation.function](inside)
            column = column + equation.noise * rng.uniform(-0.5, 0.5, size)
            if not np.isfinite(column).all():
                raise UsageError(
                    f"column {name!r} is too large for a float: draw another model, or sample with "
                    "standardised=True"
                )
            columns[name] = _standardised(column) if standardised else column
        return columns


def nonlinear_model(
    parents: Mapping[str, Sequence[str]], rng: np.random.Generator
) -> NonlinearModel:
    """Return a model drawn on a graph: a_j and b uniform in (1/2, 1), φ any of ``FUNCTIONS``.

    parents: the parents of each vertex, none for a root, where the sum is 0. Raises ``UsageError``
    for no vertex, parents that are repeated or no vertices, and cycles.
    """
    if not parents:
        raise UsageError("parents is empty: at least one vertex is needed")
    for name, above in parents.items():
        strange = [text for text in above if text not in parents]
        if strange or len(set(above)) < len(above):
            raise UsageError(
                f"parents of {name!r} are {list(above)!r}: each must be a vertex, and stand once"
            )
    try:
        order = list(TopologicalSorter(parents).static_order())
    except CycleError as error:
        raise UsageError(f"parents has the cycle {error.args[1]!r}: it must have none") from error
    return NonlinearModel(MappingProxyType({name: _drawn(parents[name], rng) for name in order}))


def numeric_sample(network: Network, n: int, rng: np.random.Generator) -> dict[str, Column]:
    """Return ``n`` records of a nonlinear model drawn on a network's graph, standardised."""
    names = network.names
    above = {name: [names[p] for p in network.parents[i]] for i, name in enumerate(names)}
    drawn = nonlinear_model(above, rng).sample(n, rng, standardised=True)
    return {name: drawn[name] for name in names}


def common_causes(n: int, rng: np.random.Generator, *, causes: int = 5) -> dict[str, Column]:
    """Return records of X ← Z → Y: x and y are sin(Σ z_i) and noise.

    causes: how many columns z1, z2, … there are, uniform in (−1/2, 1/2), as is the noise, which is
    multiplied by one coefficient for x and another for y, uniform in (1/2, 1). Given all z_i, x and
    y are independent; given all but one they are not.

    Source: "Simulation on Conditional Independence Test", where there are 5 causes. Raises
    ``UsageError`` unless both numbers are whole and at least 1.
    """
    size = natural(n, "n")
    z = rng.uniform(-0.5, 0.5, (natural(causes, "causes"), size))
    shared = np.sin(z.sum(axis=0))
    result = {
        name: shared + rng.uniform(0.5, 1.0) * rng.uniform(-0.5, 0.5, size) for name in ("x", "y")
    }
    return result | {f"z{i}": column for i, column in enumerate(z, 1)}


def _drawn(parents: Sequence[str], rng: np.random.Generator) -> NonlinearEquation:
    weights = tuple(map(float, rng.uniform(0.5, 1.0, len(parents))))
    function = list(FUNCTIONS)[rng.integers(len(FUNCTIONS))]
    return NonlinearEquation(tuple(parents), weights, function, float(rng.uniform(0.5, 1.0)))


def _standardised(column: Column) -> Column:
    centred: Column = column - column.mean()
    spread = float(column.std())
    return centred / spread if spread > 0 else centred


def skeleton_f1(found: ArrayLike, true: ArrayLike) -> float:
    """Return 2·precision·recall/(precision + recall) of the edges, whatever their direction.

    1 where both graphs are empty, 0 where they share no edge. Source: Wang, Pang and Song (2020),
    section 4.1, footnote 4, which leaves these cases open. Raises ``UsageError`` unless both are
    square and of one size.
    """
    both, ours, theirs = _edges(found, true)
    return 2 * both / (ours + theirs) if ours + theirs else 1.0


def precision_and_recall(found: ArrayLike, true: ArrayLike) -> tuple[float, float]:
    """Return the share of the found edges that are true, and of the true ones that were found.

    1 where there are none to take a share of. Source: Zhang et al. (2023), "Performance on Causal
    Discovery". Raises ``UsageError`` as ``skeleton_f1`` does.
    """
    both, ours, theirs = _edges(found, true)
    return both / ours if ours else 1.0, both / theirs if theirs else 1.0


def _edges(found: ArrayLike, true: ArrayLike) -> tuple[int, int, int]:
    """Return how many edges both graphs have, the first, and the second."""
    first, second = np.asarray(found, dtype=bool), np.asarray(true, dtype=bool)
    if first.shape != second.shape or first.shape != (len(first), len(first)):
        raise UsageError(
            f"found has shape {first.shape} and true {second.shape}: they must agree, and be square"
        )
    ours, theirs = np.triu(first | first.T), np.triu(second | second.T)
    return int((ours & theirs).sum()), int(ours.sum()), int(theirs.sum())
