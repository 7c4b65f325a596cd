"""Numeric data from nonlinear causal models on given graphs.

Source: Zhang et al., Differentially Private Nonlinear Causal Discovery from Numerical Data (2023),
"Performance on Causal Discovery" and "Simulation on Conditional Independence Test".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.parameters import natural

Column = NDArray[np.float64]

FUNCTIONS: Mapping[str, Callable[[Column], Column]] = MappingProxyType(
    {"sin": np.sin, "cos": np.cos, "tanh": np.tanh, "square": np.square, "exp": np.exp}
)
"""The functions φ, each as likely as the others."""


@dataclass(frozen=True)
class Equation:
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

    equations: Mapping[str, Equation]

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
        strange = [one for one in above if one not in parents]
        if strange or len(set(above)) < len(above):
            raise UsageError(
                f"parents of {name!r} are {list(above)!r}: each must be a vertex, and stand once"
            )
    try:
        order = list(TopologicalSorter(parents).static_order())
    except CycleError as error:
        raise UsageError(f"parents has the cycle {error.args[1]!r}: it must have none") from error
    return NonlinearModel(MappingProxyType({name: _drawn(parents[name], rng) for name in order}))


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
    found = {
        name: shared + rng.uniform(0.5, 1.0) * rng.uniform(-0.5, 0.5, size) for name in ("x", "y")
    }
    return found | {f"z{i}": column for i, column in enumerate(z, 1)}


def _drawn(parents: Sequence[str], rng: np.random.Generator) -> Equation:
    weights = tuple(map(float, rng.uniform(0.5, 1.0, len(parents))))
    function = list(FUNCTIONS)[rng.integers(len(FUNCTIONS))]
    return Equation(tuple(parents), weights, function, float(rng.uniform(0.5, 1.0)))


def _standardised(column: Column) -> Column:
    centred: Column = column - column.mean()
    spread = float(column.std())
    return centred / spread if spread > 0 else centred
