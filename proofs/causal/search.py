"""Cases of small mechanisms: all of a size, the battery of the ledger, counterexamples.

Finding counterexamples, the smallest first, and shrinking those that are not.

Sizes are ordered by the number of data points, then of values, then of outputs, then by the
denominator of the probabilities. Finding is not believing: a search returns a case, and the code
that uses it evaluates the definitions on it anew.

The cases over which the statements about definitions are checked.

Exhaustive on small grids, where a relation between definitions could hide in no corner, and random
up to three data points, three values and three outputs.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product

import numpy as np
from numpy.random import Generator

from .finite_mechanism import FiniteMechanism
from .model import Population, Values, attribute_names, uniform


@dataclass(frozen=True)
class Case:
    """A mechanism, and a population over its data points where one is needed."""

    mechanism: FiniteMechanism
    people: Population | None = None

    @property
    def size(self) -> tuple[int, int, int, int]:
        """Data points, all their values together, outputs, largest denominator."""
        m = self.mechanism
        weights = () if self.people is None else self.people.weights.values()
        largest = max(p.denominator for p in chain(*m.table.values(), weights))
        return (m.n, sum(map(len, m.domains)), len(m.outputs), largest)


_MOST_DENOMINATOR = 24

Predicate = Callable[[Case], bool]


def rows_with_denominator(outputs: int, q: int) -> list[tuple[Fraction, ...]]:
    """Return all distributions of so many outputs whose probabilities are multiples of 1/q."""
    cuts = product(range(q + 1), repeat=outputs - 1)
    return [
        (*(Fraction(c, q) for c in row), Fraction(q - sum(row), q)) for row in cuts if sum(row) <= q
    ]


def mechanisms(
    n: int, values: int, outputs: int, q: int, *, symmetric: bool = False
) -> Iterator[FiniteMechanism]:
    """Yield all mechanisms of a size with probabilities in multiples of 1/q.

    symmetric: only those that do not depend on the order of the data points.
    """
    domain = tuple(range(values))
    datasets: list[Values] = list(product(domain, repeat=n))
    kinds = [_sorted(d) for d in datasets] if symmetric else datasets
    distinct: list[Values] = list(dict.fromkeys(kinds))
    for rows in product(rows_with_denominator(outputs, q), repeat=len(distinct)):
        distribution = dict(zip(distinct, rows, strict=True))
        table = {d: distribution[kind] for d, kind in zip(datasets, kinds, strict=True)}
        yield FiniteMechanism((domain,) * n, tuple(range(outputs)), table)


def _sorted(d: Values) -> Values:
    """Return the dataset with its values in one fixed order."""
    return tuple(sorted(d, key=repr))


def populations(n: int, values: int, q: int) -> Iterator[Population]:
    """Yield all populations of n data points with weights in multiples of 1/q."""
    datasets = list(product(range(values), repeat=n))
    for row in rows_with_denominator(len(datasets), q):
        yield Population(attribute_names(n), dict(zip(datasets, row, strict=True)))


def by_size(
    *,
    most_points: int,
    most_values: int = 2,
    denominators: Sequence[int] = (1, 2, 3, 4),
    people: Sequence[int] = (),
    symmetric_from: int = 3,
) -> Iterator[Case]:
    """Yield cases of two outputs from the smallest on.

    people: denominators of the populations that go with each mechanism; none for no population.
    symmetric_from: from so many data points on, only symmetric mechanisms.
    """
    for n, values in product(range(1, most_points + 1), range(1, most_values + 1)):
        for q in denominators:
            for mechanism in mechanisms(n, values, 2, q, symmetric=n >= symmetric_from):
                if not people:
                    yield Case(mechanism)
                for w in people:
                    yield from (Case(mechanism, crowd) for crowd in populations(n, values, w))


def shrink(case: Case, wanted: Predicate) -> Case:
    """Return a case that is still wanted and that no single step makes smaller.

    Steps: fix a data point, drop a value, merge two outputs, round all probabilities to a smaller
    denominator. The population, if any, is conditioned or marginalised along.
    """
    for smaller in _steps(case):
        if smaller.size < case.size and wanted(smaller):
            return shrink(smaller, wanted)
    return case


def _steps(case: Case) -> Iterator[Case]:
    m = case.mechanism
    for i, domain in enumerate(m.domains):
        for value in domain:
            yield from _without_point(case, i, value)
    for i, domain in enumerate(m.domains):
        yield from (_keeping(case, i, value) for value in domain if len(domain) > 1)
    if len(m.outputs) > 2:
        for a, b in combinations(range(len(m.outputs)), 2):
            table = {
                d: (row[a] + row[b], *(p for o, p in enumerate(row) if o not in (a, b)))
                for d, row in m.table.items()
            }
            yield Case(FiniteMechanism(m.domains, m.outputs[1:], table), case.people)
    for q in range(1, min(case.size[3], _MOST_DENOMINATOR + 1)):
        table = {d: _rounded(row, q) for d, row in m.table.items()}
        yield Case(FiniteMechanism(m.domains, m.outputs, table), case.people)
        if case.people is not None:
            shares = _rounded(tuple(case.people.weights.values()), q)
            crowd = dict(zip(case.people.weights, shares, strict=True))
            yield Case(m, Population(case.people.names, crowd))


def _without_point(case: Case, i: int, value: object) -> Iterator[Case]:
    m = case.mechanism
    if m.n == 1:
        return
    table = {d[:i] + d[i + 1 :]: row for d, row in m.table.items() if d[i] == value}
    smaller = FiniteMechanism(m.domains[:i] + m.domains[i + 1 :], m.outputs, table)
    if case.people is None:
        yield Case(smaller)
        return
    names = case.people.names
    marginal = case.people.marginal(names[:i] + names[i + 1 :])
    yield Case(smaller, Population(attribute_names(m.n - 1), marginal.weights))


def _keeping(case: Case, i: int, dropped: object) -> Case:
    """Drop a value of data point i; people who had it get another one."""
    m = case.mechanism
    kept = tuple(value for value in m.domains[i] if value != dropped)
    domains = (*m.domains[:i], kept, *m.domains[i + 1 :])
    smaller = FiniteMechanism(
        domains, m.outputs, {d: row for d, row in m.table.items() if d[i] != dropped}
    )
    if case.people is None:
        return Case(smaller)
    weights: dict[Values, Fraction] = {}
    for d, weight in case.people.weights.items():
        moved = d if d[i] != dropped else (*d[:i], kept[0], *d[i + 1 :])
        weights[moved] = weights.get(moved, Fraction(0)) + weight
    return Case(smaller, Population(case.people.names, weights))


def _rounded(row: tuple[Fraction, ...], q: int) -> tuple[Fraction, ...]:
    """Round cumulated probabilities to multiples of 1/q, so that the sum stays 1."""
    ends, total = [], Fraction(0)
    for p in row:
        total += p
        ends.append(Fraction(round(total * q), q))
    return tuple(b - a for a, b in zip([Fraction(0), *ends], ends, strict=False))


SCOPE = (
    "all mechanisms with two outputs and probabilities in multiples of 1/3 on one data point of "
    "two or three values, or in multiples of 1/4 on two data points of two values, or on three "
    "whose order is ignored; and 60 random ones on up to three data points, values and outputs"
)
"""What ``all_mechanisms`` runs through."""

PEOPLE_SCOPE = (
    f"{SCOPE}; each with two random correlated populations, one of them of full support, and one "
    "of copies of one status; on two data points of two values also with two of the ten "
    "populations with weights in multiples of 1/2, in turn"
)
"""What ``all_cases`` runs through."""


@cache
def all_mechanisms() -> tuple[FiniteMechanism, ...]:
    """Return the mechanisms of the battery, always the same ones."""
    small = (
        *mechanisms(1, 2, 2, 3),
        *mechanisms(1, 3, 2, 3),
        *mechanisms(2, 2, 2, 4),
        *mechanisms(3, 2, 2, 4, symmetric=True),
    )
    rng = np.random.default_rng(2022)
    return small + tuple(random_mechanism(rng) for _ in range(60))


@cache
def all_cases() -> tuple[Case, ...]:
    """Return the battery's mechanisms with populations, always the same ones."""
    return tuple(_cases())


def _cases() -> Iterator[Case]:
    rng = np.random.default_rng(1935)
    for i, mechanism in enumerate(all_mechanisms()):
        values = len(mechanism.domains[0])
        if (mechanism.n, values) == (2, 2):
            # In turn, as the grid of mechanisms times that of populations is large.
            yield from (Case(mechanism, p) for p in list(populations(2, 2, 2))[i % 5 :: 5])
        for sparse in (False, True):
            yield Case(mechanism, random_population(mechanism, rng, sparse=sparse))
        yield Case(mechanism, uniform([(value,) * mechanism.n for value in mechanism.domains[0]]))


def random_mechanism(rng: Generator) -> FiniteMechanism:
    """Return a random mechanism on up to three data points, three values and three outputs."""
    n, values, outputs = (int(k) for k in rng.integers(1, 4, 3))
    domains = (tuple(range(values)),) * n
    datasets: list[Values] = list(product(*domains))
    table = {d: _random_distribution(rng, outputs, low=1) for d in datasets}
    return FiniteMechanism(domains, tuple(range(outputs)), table)


def random_population(mechanism: FiniteMechanism, rng: Generator, *, sparse: bool) -> Population:
    """Return a random joint distribution; ``sparse`` leaves about half of the datasets out."""
    datasets: tuple[Values, ...] = mechanism.datasets
    distribution = _random_distribution(rng, len(datasets), low=-9 if sparse else 1)
    return Population(attribute_names(mechanism.n), dict(zip(datasets, distribution, strict=True)))


def _random_distribution(rng: Generator, size: int, *, low: int) -> tuple[Fraction, ...]:
    weights = [max(0, int(w)) for w in rng.integers(low, 10, size)]
    weights[int(rng.integers(size))] += 1
    return tuple(Fraction(w, sum(weights)) for w in weights)
