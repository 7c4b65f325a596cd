"""Definitions 1 to 4 and 10: differential privacy, and its readings by conditioning.

Source of all: Tschantz, Sen and Datta (2022), sections 3 and appendix B. A definition over all
populations is decided on finitely many of them, each of which is put through the printed
comparison; why these are enough stands with each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from provado.mechanisms.statement.errors import UsageError

from .bound import Comparison, Smallest, smallest
from .exact import Value, Values
from .finite_mechanism import FiniteMechanism
from .independence import mutually_independent, pairwise_independent_given_the_rest
from .population import Population, attribute_names


def definition_1(mechanism: FiniteMechanism) -> Smallest:
    """Differential privacy: Pr[A(d) = o] ≤ e^ε·Pr[A(d′) = o] where d, d′ differ in one point."""
    return smallest(
        Comparison(f"D{i + 1}", d, d_prime, o, left, right)
        for i, d, d_prime in mechanism.changes()
        for o, left, right in _rows(mechanism, d, d_prime)
    )


def definition_2(mechanism: FiniteMechanism) -> Smallest:
    """Strong adversary differential privacy, for all populations.

    Conditioned on a whole dataset, the output does not depend on the population; the population
    only says which pairs are compared, namely those with both in its support. So all populations
    together compare what the populations on two datasets each compare, and these are tried.
    """
    return _over(_pairs(mechanism), lambda people: _strong(mechanism, people))


def definition_3(mechanism: FiniteMechanism) -> Smallest:
    """Bayesian₀ differential privacy, for all populations.

    Pr[O = o | D_i = d_i] is an average of Pr[A(d) = o] over the datasets d with that d_i, and
    Pr[O = o | D_i = d_i′] one over those with d_i′; the two averages weigh disjoint sets of
    datasets, so that each can be moved to its extreme, a single dataset, on its own. The
    population on those two datasets reaches both. So the populations on two datasets decide.
    """
    return _over(_pairs(mechanism), lambda people: _bayesian(mechanism, people))


def definition_4_mutual(mechanism: FiniteMechanism) -> Smallest:
    """Bayesian₀ differential privacy, for all populations of mutually independent data points.

    With independence both sides average over the same distribution q of the other points:
    Σ q(x)·p(o | d_i, x) ≤ t·Σ q(x)·p(o | d_i′, x) holds for all q if it holds for each x. A point
    mass at x is mutually independent. So the two-dataset populations that are mutually
    independent decide: those on two datasets that differ in one point.
    """
    independent = filter(mutually_independent, _pairs(mechanism))
    return _over(independent, lambda people: _bayesian(mechanism, people))


def definition_4_printed(mechanism: FiniteMechanism) -> Smallest:
    """Bayesian₀ differential privacy, for all populations that meet the condition as printed.

    By the claim in ``independence`` these are mixtures of products over boxes at distances ≥ 3.
    Pr[O = o | D_i = d_i] is an average over the boxes that hold d_i, and so at most its value in
    one box B; Pr[O = o | D_i = d_i′] is at least its value in one box B′. If B = B′, both average
    over the same distribution of the other points, and some x in B gives a ratio as large, of two
    datasets that differ in one point. If B ≠ B′, a dataset in B and one in B′ give a ratio as
    large; they differ in three points or more. In both cases the population on these two datasets
    meets the printed condition. So the two-dataset populations that do, decide.
    """
    allowed = filter(pairwise_independent_given_the_rest, _pairs(mechanism))
    return _over(allowed, lambda people: _bayesian(mechanism, people))


def definition_10(mechanism: FiniteMechanism, people: Population) -> Smallest:
    """Strong adversary differential privacy for one population: decided as printed."""
    return smallest(_strong(mechanism, _fitting(mechanism, people)))


def bayesian_for(mechanism: FiniteMechanism, people: Population) -> Smallest:
    """Return the smallest e^ε of Definition 3's comparison under this one population."""
    return smallest(_bayesian(mechanism, _fitting(mechanism, people)))


def _over(
    crowd: Iterator[Population], compare: Callable[[Population], Iterator[Comparison]]
) -> Smallest:
    return smallest(each for people in crowd for each in compare(people))


def _pairs(mechanism: FiniteMechanism) -> Iterator[Population]:
    """Yield, for each two datasets, the population that has each half of the time."""
    names, half = attribute_names(mechanism.n), Fraction(1, 2)
    for d, d_prime in combinations(mechanism.datasets, 2):
        yield Population(names, {d: half, d_prime: half})


def _rows(
    mechanism: FiniteMechanism, d: Values, d_prime: Values
) -> Iterator[tuple[Value, Fraction, Fraction]]:
    return zip(mechanism.outputs, mechanism.table[d], mechanism.table[d_prime], strict=True)


def _strong(mechanism: FiniteMechanism, people: Population) -> Iterator[Comparison]:
    """Compare the datasets of the support at distance 1, conditioned on all data points."""
    for d, d_prime in combinations(people.weights, 2):
        if sum(a != b for a, b in zip(d, d_prime, strict=True)) == 1:
            for one, other in ((d, d_prime), (d_prime, d)):
                for o, left, right in _rows(mechanism, one, other):
                    yield Comparison("D", one, other, o, left, right, people)


def _bayesian(mechanism: FiniteMechanism, people: Population) -> Iterator[Comparison]:
    """Compare the values of one data point, conditioned on it alone."""
    for i in range(mechanism.n):
        distributions = _given_one(mechanism, people, i)
        for value, distribution in distributions.items():
            for other, other_distribution in distributions.items():
                if value != other:
                    for o, left, right in zip(
                        mechanism.outputs, distribution, other_distribution, strict=True
                    ):
                        yield Comparison(f"D{i + 1}", value, other, o, left, right, people)


def _given_one(
    mechanism: FiniteMechanism, people: Population, i: int
) -> dict[Value, Sequence[Fraction]]:
    """Return Pr[O = o | D_i = value] for each value of positive probability, in output order."""
    seen: dict[Value, list[Values]] = {}
    for d in people.weights:
        seen.setdefault(d[i], []).append(d)
    return {value: _average(mechanism, people, group) for value, group in seen.items()}


def _average(
    mechanism: FiniteMechanism, people: Population, group: list[Values]
) -> Sequence[Fraction]:
    if len(group) == 1:
        return mechanism.table[group[0]]
    shares = [people.weights[d] for d in group]
    total = sum(shares, Fraction(0))
    columns = zip(*(mechanism.table[d] for d in group), strict=True)
    return [
        sum((w * p for w, p in zip(shares, column, strict=True)), Fraction(0)) / total
        for column in columns
    ]


def _fitting(mechanism: FiniteMechanism, people: Population) -> Population:
    """Return the population, or raise ``UsageError`` unless it is one over the data points."""
    for d in people.weights:
        if d not in mechanism.table:
            raise UsageError(f"population: {d!r} is not a dataset of this mechanism")
    return people
