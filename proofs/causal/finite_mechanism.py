"""A randomised algorithm as a finite table Pr[o | d], and its exact differential privacy.

Decides (ε, δ)-differential privacy of a finite table, exactly, by the kernel.

For a pair of datasets with the distributions p and q, the claim asks P(S) ≤ e^ε·Q(S) + δ of every
event S. At any one e^ε the worst event holds the outputs with the largest ratios p/q, so that the
smallest e^ε is the largest (P(S) − δ)/Q(S) over these events alone: a rational number, found
without logarithms. What remains is to compare it with e^ε for a rational ε.

Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy, Definition 2.4;
Tschantz, Sen and Datta (2022), Definition 5: replace-one neighbors are interventions on one data
point.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from provado.mechanisms.definitions.exactly_decidable import (
    ExactFinding,
    ExactTable,
    Positions,
    UndecidedError,
)
from provado.mechanisms.definitions.parameters import NotNeighborsError, UsageError
from provado.mechanisms.definitions.relation import short
from provado.proofs import kernel
from provado.proofs.algebra.certificates import log_enclosure

from .model import (
    Equation,
    Factor,
    Model,
    Number,
    Value,
    Values,
    assigned,
    attribute_names,
    exact_distribution,
    structural_model,
    tabulated,
)

Pair = tuple[Positions, Positions]
_Distribution = tuple[Fraction, ...]


def decide_table(
    table: ExactTable, epsilon: Fraction, delta: Fraction, only: Iterable[Pair] | None = None
) -> ExactFinding:
    """Decide whether a table is (ε, δ)-differentially private under replace-one.

    only: pairs of neighbors to which the claim is restricted, in both directions; then the verdict
        is ``verified`` at most. All neighbors are examined without it, and as a table holds all
        datasets that its mechanism has, the verdict may be ``proved``.

    The verdict is the kernel's. For ``proved``, ``Recount`` runs over the excess Σ max(0, p − t·q)
    of every ordered pair of neighbors at the smallest t, and ``Enclosure`` shows ln t ≤ ε. For
    ``refuted``, ``PrivacyCounterexample`` shows one pair and event. Raises ``UsageError`` for
    datasets that are not neighbors in the table, and ``UndecidedError`` where the kernel refuses.
    """
    if epsilon < 0 or not 0 <= delta < 1:
        raise UsageError(f"claim is ({epsilon}, {delta}): ε must be at least 0 and δ in [0, 1)")
    chosen = None if only is None else tuple(only)
    pairs = tuple(table.neighbors()) if chosen is None else _both_ways(table, chosen)
    if not pairs:
        raise UsageError("table: no two of its datasets are neighbors, so there is no claim on it")
    factor, d, d_prime, event = _worst(table, pairs, delta)
    chances = _chance(table.row(d), event), _chance(table.row(d_prime), event)
    try:
        checked = _check_holds(table, pairs, chosen is None, factor, epsilon, delta)
        if checked is None:
            evidence = kernel.PrivacyCounterexample(
                d=_values(table, d),
                d_prime=_values(table, d_prime),
                relation="replace-one",
                event=f"{{{', '.join(table.outputs[o] for o in event)}}}",
                probabilities=(((0, chances[0]),), ((0, chances[1]),)),
                epsilon=epsilon,
                delta=delta,
            )
            checked = (kernel.check(evidence, _event_chance(table, event)),)
    except kernel.KernelRefusal as refusal:
        raise UndecidedError(f"the kernel refuses: {refusal}") from refusal
    lower, upper = _logarithm(factor)
    return ExactFinding(
        verdict=checked[-1].verdict if chosen is None else checked[0].verdict,
        table=table,
        only=chosen,
        epsilon=epsilon,
        delta=delta,
        factor=factor,
        lower=lower,
        upper=upper,
        d=d,
        d_prime=d_prime,
        event=event,
        chances=chances,
        neighbors=len(pairs),
        statements=tuple(check.statement for check in checked),
        assumptions=tuple(dict.fromkeys(what for check in checked for what in check.assumptions)),
    )


def smallest_factor(
    p: _Distribution, q: _Distribution, delta: Fraction
) -> tuple[Factor, Positions]:
    """Return the smallest t with P(S) − t·Q(S) ≤ δ for all events S, and an event that needs it.

    t may lie below 1, or even 0; it is ``math.inf`` if outputs that only p has weigh more than δ.
    """
    seen = [o for o in range(len(p)) if p[o] or q[o]]
    seen.sort(key=lambda o: p[o] / q[o] if q[o] else math.inf, reverse=True)
    best: Factor = -math.inf
    event: Positions = ()
    mass = mass_prime = Fraction(0)
    for k, o in enumerate(seen, 1):
        mass, mass_prime = mass + p[o], mass_prime + q[o]
        if not mass_prime:
            if mass > delta:
                return math.inf, tuple(sorted(seen[:k]))
        elif (needed := (mass - delta) / mass_prime) > best:
            best, event = needed, tuple(sorted(seen[:k]))
    return best, event


def excess(p: _Distribution, q: _Distribution, factor: Fraction) -> Fraction:
    """Return Σ max(0, p − t·q): how far the worst event exceeds the factor t."""
    return sum((max(Fraction(0), a - factor * b) for a, b in zip(p, q, strict=True)), Fraction(0))


def _both_ways(table: ExactTable, only: tuple[Pair, ...]) -> tuple[Pair, ...]:
    pairs: dict[Pair, None] = {}
    for d, d_prime in only:
        if not (table.holds(d) and table.holds(d_prime)):
            raise UsageError(f"pair is {(d, d_prime)!r}: both must be datasets of the table")
        changed = sum(a != b for a, b in zip(d, d_prime, strict=True))
        if changed != 1:
            raise NotNeighborsError(
                f"pair: {table.words(d)} and {table.words(d_prime)} differ in {changed} data "
                "points; replace-one neighbors differ in exactly 1"
            )
        pairs |= {(d, d_prime): None, (d_prime, d): None}
    return tuple(pairs)


def _worst(
    table: ExactTable, pairs: tuple[Pair, ...], delta: Fraction
) -> tuple[Factor, Positions, Positions, Positions]:
    best: Factor = -math.inf
    at: tuple[Positions, Positions, Positions] = (*pairs[0], ())
    for d, d_prime in pairs:
        factor, event = smallest_factor(table.row(d), table.row(d_prime), delta)
        if factor > best:
            best, at = factor, (d, d_prime, event)
    return max(best, Fraction(1)), *at


def _check_holds(
    table: ExactTable,
    pairs: tuple[Pair, ...],
    whole: bool,
    factor: Factor,
    epsilon: Fraction,
    delta: Fraction,
) -> tuple[kernel.Checked, ...] | None:
    """Return the kernel's two findings that the claim holds, or ``None`` if e^ε is too small."""
    if not isinstance(factor, Fraction):
        return None
    # ln t ≤ this: a far larger ε would only make the kernel's numbers long.
    enough = Fraction(math.ceil(log_enclosure(factor)[1]) + 1)
    try:
        bound = kernel.check(
            kernel.Enclosure(((0, factor),), lower=0, upper=min(epsilon, enough), logarithm=True)
        )
    except kernel.KernelRefusal as refusal:
        if refusal.rule != "enclosure":
            raise
        return None
    rows = tuple((pair, excess(table.row(pair[0]), table.row(pair[1]), factor)) for pair in pairs)
    largest = max(value for _, value in rows)
    if largest > delta:
        raise kernel.KernelRefusal("excess", f"{largest} at {factor} exceeds {delta}")
    size, choices = len(table.rows), sum(len(domain) - 1 for domain in table.domains)
    recount = kernel.check(
        kernel.Recount(
            rows=rows,
            operation="maximum",
            claimed=largest,
            expected_rows=size * choices if whole else len(set(pairs)),
            scope=f"Σ max(0, Pr[o | D] − {factor}·Pr[o | D′]) for "
            f"{'all' if whole else 'the given'} ordered replace-one neighbors of the table",
        )
    )
    return recount, bound


def _chance(distribution: _Distribution, event: Positions) -> Fraction:
    return sum((distribution[o] for o in event), Fraction(0))


def _event_chance(
    table: ExactTable, event: Positions
) -> Callable[[tuple[int | str, ...]], Fraction]:
    rows = {_values(table, d): row for d, row in zip(table.datasets(), table.rows, strict=True)}

    def chance_in_table(d: tuple[int | str, ...]) -> Fraction:
        return _chance(rows[d], event)

    return chance_in_table


def _values(table: ExactTable, d: Positions) -> tuple[int | str, ...]:
    """Return a dataset for the kernel to show: whole numbers as such, else the values' texts."""
    texts = (domain[k] for k, domain in zip(d, table.domains, strict=True))
    return tuple(int(text) if text.isdecimal() and text.isascii() else text for text in texts)


def _logarithm(factor: Factor) -> tuple[float, float]:
    """Return floats that enclose ln t for t ≥ 1."""
    if not isinstance(factor, Fraction):
        return math.inf, math.inf
    if factor == 1:
        return 0.0, 0.0
    low, high = log_enclosure(factor)
    lower, upper = float(low), float(high)
    # Rounding to a float may have gone the wrong way.
    return (
        lower if lower <= low else math.nextafter(lower, -math.inf),
        upper if upper >= high else math.nextafter(upper, math.inf),
    )


# A randomised algorithm as a finite table: n data points, their values, Pr[o | d].


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
            row = exact_distribution(
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
        self, epsilon: Fraction, delta: Fraction, pairs: Sequence[tuple[Any, Any]] | None = None
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
