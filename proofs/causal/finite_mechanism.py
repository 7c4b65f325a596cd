"""A randomised algorithm as a finite table: n data points, their values, Pr[o | d]."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from provado.mechanisms.statement.errors import UsageError
from provado.mechanisms.statement.exact_table import ExactTable, Positions
from provado.mechanisms.statement.exactly_decidable import ExactFinding
from provado.mechanisms.statement.intervention import short

from .decidable import decide_table
from .exact import Number, Value, Values, distribution
from .model import Equation, Model, assigned, structural_model, tabulated
from .population import attribute_names


@dataclass(frozen=True)
class FiniteMechanism:
    """An algorithm A on n data points; build one with ``finite_mechanism`` or ``from_table``.

    domains: the values of each data point. outputs: the values of O. table: for each dataset the
    probabilities of the outputs, in their order. A missing dataset, a float, or probabilities that
    do not add up to 1 exactly raise ``UsageError``.
    """

    domains: tuple[tuple[Value, ...], ...]
    outputs: tuple[Value, ...]
    table: Mapping[Values, tuple[Fraction, ...]]

    def __post_init__(self) -> None:
        for i, domain in enumerate(self.domains):
            if not domain or len(set(domain)) != len(domain):
                raise UsageError(
                    f"mechanism: data point {i + 1} has the values {domain!r}; "
                    "there must be at least one, each listed once"
                )
        if len(set(self.outputs)) != len(self.outputs):
            raise UsageError(f"mechanism: the outputs {self.outputs!r} are not distinct")
        expected = set(product(*self.domains))
        for d in [*(expected - set(self.table)), *(set(self.table) - expected)]:
            raise UsageError(f"mechanism: the table and the domains disagree about dataset {d!r}")
        checked = {}
        for d in product(*self.domains):
            if len(self.table[d]) != len(self.outputs):
                raise UsageError(
                    f"mechanism: dataset {d!r} has {len(self.table[d])} probabilities for "
                    f"{len(self.outputs)} outputs"
                )
            row = distribution(
                dict(zip(self.outputs, self.table[d], strict=True)), f"mechanism at {d!r}"
            )
            checked[d] = tuple(row.get(o, Fraction(0)) for o in self.outputs)
        object.__setattr__(self, "table", checked)

    @property
    def n(self) -> int:
        """The number of data points."""
        return len(self.domains)

    @property
    def datasets(self) -> tuple[Values, ...]:
        """All datasets."""
        return tuple(self.table)

    def chance(self, d: Values, o: Value) -> Fraction:
        """Return Pr_A[A(d) = o]."""
        return self.table[d][self.outputs.index(o)]

    def changes(self) -> Iterator[tuple[int, Values, Values]]:
        """Yield (i, d, d′) for each ordered pair of datasets that differ in data point i alone."""
        for d in self.table:
            for i, domain in enumerate(self.domains):
                for value in domain:
                    if value != d[i]:
                        yield i, d, replaced(d, i, value)

    @cached_property
    def model(self) -> Model:
        """The model M^A: attributes R_i in the background, D_i := R_i, D := ⟨D_1, …⟩, O := A(D).

        Source: Tschantz, Sen and Datta (2022), section 5.1 and appendix C.
        """
        names = attribute_names(self.n)
        points = data_point_names(self.n)
        equations = {
            point: assigned((name,), lambda value: value, values)
            for point, name, values in zip(points, names, self.domains, strict=True)
        }
        equations["D"] = assigned(points, lambda *d: d)
        equations["O"] = self.equation("D")
        return structural_model(dict(zip(names, self.domains, strict=True)), equations)

    @cached_property
    def exact_table(self) -> ExactTable:
        """The mechanism in texts and positions, as reports keep it and decide it again."""
        return ExactTable(
            tuple(_texts(domain) for domain in self.domains),
            _texts(self.outputs),
            tuple(self.table.values()),
        )

    def decide_exactly(
        self,
        epsilon: Fraction,
        delta: Fraction,
        pairs: Sequence[tuple[Any, Any]] | None = None,
    ) -> ExactFinding:
        """Decide (ε, δ)-differential privacy for all replace-one neighbors, or for ``pairs`` only.

        This is what ``provado.audit.audit`` asks of a finite mechanism. See ``decide_table``.
        """
        only = None if pairs is None else [(self._at(d), self._at(e)) for d, e in pairs]
        return decide_table(self.exact_table, epsilon, delta, only)

    def _at(self, d: Any) -> Positions:
        """Return the positions of a dataset's values."""
        try:
            values = tuple(d)
            known = values in self.table
        except TypeError:
            known = False
        if not known:
            raise UsageError(f"pair: {short(d)} is not a dataset of the table")
        return tuple(
            domain.index(value) for domain, value in zip(self.domains, values, strict=True)
        )

    def equation(self, *parents: str) -> Equation:
        """Return O := A(parents): one parent holds the whole dataset, n hold a point each."""
        rows = {
            (d if len(parents) == self.n and len(parents) != 1 else (d,)): dict(
                zip(self.outputs, row, strict=True)
            )
            for d, row in self.table.items()
        }
        equation = tabulated(parents, rows)
        return Equation(equation.parents, equation.distribution, self.outputs)


def _texts(values: Sequence[Value]) -> tuple[str, ...]:
    """Return distinct texts for distinct values."""
    texts = tuple(map(repr, values))
    if len(set(texts)) == len(texts):
        return texts
    return tuple(f"{text} (value {k})" for k, text in enumerate(texts))


def data_point_names(n: int) -> tuple[str, ...]:
    """Return ``D1`` to ``Dn``."""
    return tuple(f"D{i + 1}" for i in range(n))


def replaced(d: Values, i: int, value: Value) -> Values:
    """Return dataset d with data point i (from 0) replaced."""
    return (*d[:i], value, *d[i + 1 :])


def finite_mechanism(
    domains: Sequence[Sequence[Value]], algorithm: Callable[..., Mapping[Any, Number]]
) -> FiniteMechanism:
    """Return the mechanism whose output on d has the distribution ``algorithm(*d)``."""
    rows = {d: dict(algorithm(*d)) for d in product(*domains)}
    return from_table(rows, domains)


def from_table(
    rows: Mapping[Values, Mapping[Any, Number]], domains: Sequence[Sequence[Value]] | None = None
) -> FiniteMechanism:
    """Return the mechanism of a table ``{dataset: {output: probability}}``.

    Without ``domains`` the values of a data point are those that stand in the table, which must
    then hold all combinations of them.
    """
    if domains is None:
        if not rows:
            raise UsageError("mechanism: the table is empty")
        domains = [tuple(dict.fromkeys(column)) for column in zip(*rows, strict=True)]
    outputs = tuple(dict.fromkeys(o for row in rows.values() for o in row))
    return FiniteMechanism(
        tuple(tuple(domain) for domain in domains),
        outputs,
        {d: tuple(Fraction(0) + row.get(o, 0) for o in outputs) for d, row in rows.items()},
    )
