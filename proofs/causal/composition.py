"""Theorem 1: how the effects of X on Y, and on Z given Y, compose; with the exact excess."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.random import Generator

from provado.mechanisms.definitions.parameters import UsageError

from .definitions import definition_9
from .model import Equation, Factor, Model, structural_model

SCOPE = (
    "X, Y, Z of two values, Pr[Y | X] in {1/4, 1/2, 3/4} and Pr[Z | X, Y] in {1/3, 2/3}, all of "
    "them; and 60 random models of up to three values with a common cause of X and Y"
)
"""What ``models_in_sequence`` runs through."""


@dataclass(frozen=True)
class Composition:
    """The e^ε of Theorem 1 in one model.

    first: X to Y. second: X to Z in M[Y := y], for the worst y. whole: X to ⟨Y, Z⟩. last: X to Z
    alone.
    """

    first: Factor
    second: Factor
    whole: Factor
    last: Factor

    @property
    def promised(self) -> Factor:
        """What Theorem 1 promises for the whole: e^(ε₁ + ε₂)."""
        return self.first * self.second

    @property
    def excess(self) -> Factor:
        """How many times the promise is what the whole needs; 1 if both are infinite."""
        if self.whole == math.inf:
            return Fraction(1) if self.promised == math.inf else Fraction(0)
        return self.promised / self.whole


def composition(model: Model, x: str = "X", y: str = "Y", z: str = "Z") -> Composition:
    """Return the effects of Theorem 1 for X, Y and Z in sequence; ``UsageError`` if they are not.

    In sequence: X may affect Y and Z, Y may affect Z, and nothing back. Further parents of Z are
    allowed here, each set to all of its values in the second effect: the paper's remark after the
    proof, which is false (see ``provado.proofs.ledger.tschantz2022.composition``).
    """
    if y in model.ancestors([x]) or {z} & (model.ancestors([x]) | model.ancestors([y])):
        raise UsageError(f"model: {x}, {y} and {z} are not in sequence")
    if z not in model.nodes:
        raise UsageError(f"model: {z} is a background variable and has no causes")
    set_too = [parent for parent in model.nodes[z].parents if parent not in (x, y)]
    second: Factor = max(
        definition_9(model.do(setting), [x], [z]).factor
        for setting in _settings(model, [y, *set_too])
    )
    first = definition_9(model, [x], [y]).factor
    whole = definition_9(model, [x], [y, z]).factor
    return Composition(first, second, whole, definition_9(model, [x], [z]).factor)


def models_in_sequence(*, direct: bool = True) -> Iterator[Model]:
    """Yield models with X, Y, Z in sequence and no other parent of Z; always the same ones.

    direct: whether X is a parent of Z. Without it Z is post-processing of Y.
    """
    for y in product((Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)), repeat=2):
        for z in product((Fraction(1, 3), Fraction(2, 3)), repeat=4 if direct else 2):
            yield _binary(y, z)
    rng = np.random.default_rng(1)
    for _ in range(60):
        yield _random(rng, direct=direct)


def _binary(y: Sequence[Fraction], z: Sequence[Fraction]) -> Model:
    direct = len(z) == 4
    return structural_model(
        {"X": (0, 1)},
        {
            "Y": Equation(("X",), lambda a: {1: y[a], 0: 1 - y[a]}),
            "Z": Equation(
                ("X", "Y") if direct else ("Y",),
                lambda *v: {1: (p := z[2 * v[0] + v[1]] if direct else z[v[0]]), 0: 1 - p},
            ),
        },
    )


def _random(rng: Generator, *, direct: bool) -> Model:
    sizes = [int(k) for k in rng.integers(2, 4, 4)]
    zeros = bool(rng.integers(3) == 0)

    def equation(parents: tuple[str, ...], size: int) -> Equation:
        rows: dict[tuple[object, ...], dict[int, Fraction]] = {}

        def distribution(*values: object) -> dict[int, Fraction]:
            if values not in rows:
                weights = [int(w) for w in rng.integers(0 if zeros else 1, 6, size)]
                weights[0] += 1
                rows[values] = {v: Fraction(w, sum(weights)) for v, w in enumerate(weights)}
            return rows[values]

        return Equation(parents, distribution, tuple(range(size)))

    return structural_model(
        {"U": tuple(range(sizes[0]))},
        {
            "X": equation(("U",), sizes[1]),
            "Y": equation(("X", "U"), sizes[2]),
            "Z": equation(("X", "Y") if direct else ("Y",), sizes[3]),
        },
    )


def _settings(model: Model, names: Sequence[str]) -> Iterator[dict[str, object]]:
    for values in product(*(model.range_of(name) for name in names)):
        yield dict(zip(names, values, strict=True))
