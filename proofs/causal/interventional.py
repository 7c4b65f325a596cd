"""Definitions 5 to 8: differential privacy by causal intervention, computed in the model M^A.

Source of all: Tschantz, Sen and Datta (2022), section 5. Over all populations, point masses are
enough: Pr_P[O = o | do(…)] = Σ_r P(r)·Pr[O = o | do(…)] with all attributes at r (their equation
(43)), so Σ P(r)·a_r ≤ t·Σ P(r)·b_r for all P if and only if a_r ≤ t·b_r for all r.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from provado.mechanisms.statement.errors import UsageError

from .bound import Comparison, Smallest, smallest
from .exact import Value
from .finite_mechanism import FiniteMechanism, data_point_names
from .population import Population, attribute_names, point_mass
from .probability import distribution

_ZERO = Fraction(0)


def definition_5(mechanism: FiniteMechanism) -> Smallest:
    """Intervention on the whole database, for all populations: each point mass is tried.

    Where no attribute can affect the output of the sub-model, the point masses give one answer
    and one of them is tried. That is read off the graph of the sub-model.
    """
    return smallest(
        each for people in _points(mechanism, whole=True) for each in _whole(mechanism, people)
    )


def definition_6(mechanism: FiniteMechanism, people: Population) -> Smallest:
    """Intervention on the whole database, for the given population: decided as printed."""
    return smallest(_whole(mechanism, _named(mechanism, people)))


def definition_7(mechanism: FiniteMechanism, people: Population) -> Smallest:
    """Intervention on one data point, for the given population: decided as printed."""
    return smallest(_single(mechanism, _named(mechanism, people)))


def definition_8(mechanism: FiniteMechanism) -> Smallest:
    """Intervention on one data point, for all populations: each point mass is tried."""
    return smallest(
        each for people in _points(mechanism, whole=False) for each in _single(mechanism, people)
    )


def _points(mechanism: FiniteMechanism, *, whole: bool) -> Iterator[Population]:
    names = attribute_names(mechanism.n)
    for d in mechanism.datasets:
        yield point_mass(d, names)
        if whole and not mechanism.model.do(_setting(d)).ancestors(["O"]) & set(names):
            return


def _setting(d: tuple[Value, ...]) -> dict[str, Value]:
    return dict(zip(data_point_names(len(d)), d, strict=True))


def _whole(mechanism: FiniteMechanism, people: Population) -> Iterator[Comparison]:
    distributions = {
        d: distribution(mechanism.model, people, ["O"], do=_setting(d)) for d in mechanism.datasets
    }
    for _, d, d_prime in mechanism.changes():
        for o in mechanism.outputs:
            left, right = distributions[d].get((o,), _ZERO), distributions[d_prime].get((o,), _ZERO)
            yield Comparison("do(D)", d, d_prime, o, left, right, people)


def _single(mechanism: FiniteMechanism, people: Population) -> Iterator[Comparison]:
    for point, domain in zip(data_point_names(mechanism.n), mechanism.domains, strict=True):
        distributions = {
            value: distribution(mechanism.model, people, ["O"], do={point: value})
            for value in domain
        }
        for value in domain:
            for other in domain:
                if value == other:
                    continue
                for o in mechanism.outputs:
                    left, right = (
                        distributions[value].get((o,), _ZERO),
                        distributions[other].get((o,), _ZERO),
                    )
                    yield Comparison(f"do({point})", value, other, o, left, right, people)


def _named(mechanism: FiniteMechanism, people: Population) -> Population:
    """Return the population over R1 to Rn, or raise ``UsageError`` unless it fits."""
    if len(people.names) != mechanism.n:
        raise UsageError(
            f"population over {people.names!r}: the mechanism has {mechanism.n} data points"
        )
    for d in people.weights:
        if d not in mechanism.table:
            raise UsageError(f"population: {d!r} is not a dataset of this mechanism")
    return Population(attribute_names(mechanism.n), people.weights)
