"""The ten definitions, each with its exact smallest e^ε on a finite mechanism.

Definitions 1 to 4 and 10: differential privacy, and its readings by conditioning.

Source of all: Tschantz, Sen and Datta (2022), sections 3 and appendix B. A definition over all
populations is decided on finitely many of them, each of which is put through the printed
comparison; why these are enough stands with each.

The condition of Definition 4, as printed and as mutual independence.

The printed condition asks that D_i be independent of D_j given *all other* data points, for each
pair. For two data points that is independence. From three on it is weaker than it looks: if the
others determine D_i, nothing is asked of it. So ⟨D, D, D⟩, one person's status three times, meets
the printed condition.

What it does allow. Let S be the support. The printed condition says that the part of S in each
plane (all but two coordinates fixed) is a rectangle on which the weights have rank one.

Claim. The printed condition holds if and only if S is a disjoint union of boxes A_1 × … × A_n, any
two of which are at Hamming distance at least 3, with the population a product within each box.

Proof. Join points of S at distance 1. A rectangle is connected, so each plane meets one component
at most, and two components are at distance ≥ 3. Let C be a component, x in C, and a = y_i for some
y in C. Of two neighbouring moves on the path from x to y, one changing coordinate j ≠ i and the
next coordinate i, the order can be turned round: start, middle and end lie in one plane, and its
rectangle holds the fourth corner. Moving all changes of coordinate i to the front shows that x
with x_i := a is in C. So C is a box. On it the logarithm of the weights has no interaction between
any two coordinates, hence is a sum of functions of single coordinates. The converse is read off:
a plane meets one box at most, in a rectangle of rank one. ∎

Definitions 5 to 8: differential privacy by causal intervention, computed in the model M^A.

Source of all: Tschantz, Sen and Datta (2022), section 5. Over all populations, point masses are
enough: Pr_P[O = o | do(…)] = Σ_r P(r)·Pr[O = o | do(…)] with all attributes at r (their equation
(43)), so Σ P(r)·a_r ≤ t·Σ P(r)·b_r for all P if and only if a_r ≤ t·b_r for all r.

Effect sizes: relative probability, its maximum, Definition 9, and effects of groups.

Source: Tschantz, Sen and Datta (2022), section 6. A set of variables may stand for X or Y; it is
given as a sequence of names. Ratios of the form 0/0 ask nothing and are left out of maxima.

Over all populations, point masses on the background variables that can matter are enough: both
probabilities are linear in the population, and Σ P(r)·a_r ≤ t·Σ P(r)·b_r for all P if and only if
a_r ≤ t·b_r for all r.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs.algebra.exp_poly import exact

from .finite_mechanism import FiniteMechanism, data_point_names
from .model import (
    Factor,
    Model,
    Number,
    Population,
    Value,
    Values,
    attribute_names,
    distribution,
    point_mass,
    probability,
    ratio,
)
from .search import Case


@dataclass(frozen=True)
class Comparison:
    """One instance of Pr[O = o when d] ≤ e^ε·Pr[O = o when d′].

    where: what is conditioned on or set, for example ``"D1"`` or ``"D1, D2"``.
    d, d_prime: its two values. output: o. left, right: the two probabilities.
    people: the population, where the definition has one.
    """

    where: str
    d: Value
    d_prime: Value
    output: Value
    left: Fraction
    right: Fraction
    people: Population | None = None

    @property
    def factor(self) -> Factor | None:
        """The smallest e^ε for which this instance holds; ``None`` if it asks nothing."""
        return ratio(self.left, self.right)

    def words(self) -> str:
        """Return the instance as a sentence."""
        crowd = "" if self.people is None else f" under {dict(self.people.weights)!r}"
        return (
            f"{self.where} = {self.d!r} gives {self.output!r} with probability {self.left}, "
            f"{self.d_prime!r} with {self.right}{crowd}"
        )


@dataclass(frozen=True)
class Smallest:
    """The smallest e^ε ≥ 1 for which a definition holds, and the comparison that needs it.

    factor: a ``Fraction``, or ``math.inf`` if no ε will do. It is a supremum over all instances,
    and here always reached. at: where; ``None`` if no instance asks anything, when ε = 0 holds.
    """

    factor: Factor
    at: Comparison | None

    def within(self, factor: Number) -> bool:
        """Return whether the definition holds with this rational e^ε."""
        return self.factor <= exact(factor, "factor")


def smallest(comparisons: Iterable[Comparison]) -> Smallest:
    """Return the smallest e^ε that all comparisons allow, with the first that needs it.

    Each definition runs over ordered pairs, so that 1 is the least that any real instance needs.
    """
    best, at = Fraction(0), None
    for each in comparisons:
        p, q = each.left, each.right
        # p > best·q on whole numbers: quicker than dividing fractions that are not the largest.
        if p.numerator * q.denominator * best.denominator > (
            best.numerator * q.numerator * p.denominator
        ):
            at = each
            if not q:
                return Smallest(math.inf, at)
            best = p / q
    return Smallest(max(best, Fraction(1)), at)


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

    By the claim in this module's text these are mixtures of products over boxes at distances ≥ 3.
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
        for (value, own), (other, its) in permutations(distributions.items(), 2):
            for o, left, right in zip(mechanism.outputs, own, its, strict=True):
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


def mutually_independent(people: Population) -> bool:
    """Return whether the variables are mutually independent: what Definition 4 needs."""
    marginals = [people.marginal([name]).weights for name in people.names]
    if len(people.weights) != prod(len(marginal) for marginal in marginals):
        return False
    return all(
        weight
        == prod(
            (marginal[(value,)] for marginal, value in zip(marginals, values, strict=True)),
            start=Fraction(1),
        )
        for values, weight in people.weights.items()
    )


def pairwise_independent_given_the_rest(people: Population) -> bool:
    """Return whether D_i ⊥ D_j given all other data points, for all i ≠ j: Definition 4 as printed.

    Given other values of positive probability; there is nothing to check for the rest.
    """
    for i, j in combinations(range(len(people.names)), 2):
        planes: dict[Values, dict[Values, Fraction]] = {}
        for values, weight in people.weights.items():
            rest = tuple(value for k, value in enumerate(values) if k not in (i, j))
            planes.setdefault(rest, {})[values[i], values[j]] = weight
        if not all(map(_rank_one, planes.values())):
            return False
    return True


def _rank_one(plane: dict[Values, Fraction]) -> bool:
    """Return whether the weights of pairs (a, b) are those of two independent variables."""
    if len(plane) == 1:
        return True
    rows: dict[object, Fraction] = {}
    columns: dict[object, Fraction] = {}
    for (a, b), weight in plane.items():
        rows[a] = rows.get(a, Fraction(0)) + weight
        columns[b] = columns.get(b, Fraction(0)) + weight
    total = sum(rows.values(), Fraction(0))
    return all(
        plane.get((a, b), Fraction(0)) * total == rows[a] * columns[b]
        for a, b in product(rows, columns)
    )


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
        for value, other in permutations(domain, 2):
            for o in mechanism.outputs:
                left, right = (distributions[v].get((o,), _ZERO) for v in (value, other))
                yield Comparison(f"do({point})", value, other, o, left, right, people)


def _named(mechanism: FiniteMechanism, people: Population) -> Population:
    """Return the population over R1 to Rn, or raise ``UsageError`` unless it fits."""
    if len(people.names) != mechanism.n:
        raise UsageError(
            f"population over {people.names!r}: the mechanism has {mechanism.n} data points"
        )
    return Population(attribute_names(mechanism.n), _fitting(mechanism, people).weights)


def relative_probability(
    model: Model,
    people: Population | None,
    event: Mapping[str, Value],
    do: Mapping[str, Value],
    do_prime: Mapping[str, Value],
) -> Factor:
    """Return RP(ρ, φ, ψ) = Pr[ρ | do(φ)] / Pr[ρ | do(ψ)], equation (26); ``math.inf`` for p/0.

    Raises ``UsageError`` for 0/0, which (26) leaves without a value.
    """
    left = probability(model, people, event, do=do)
    right = probability(model, people, event, do=do_prime)
    value = ratio(left, right)
    if value is None:
        raise UsageError(f"relative probability of {dict(event)!r}: both probabilities are 0")
    return value


def definition_9(model: Model, x: Sequence[str], y: Sequence[str]) -> Smallest:
    """Return the smallest e^ε with which X has ε-bounded relative probability to Y.

    The text of Definition 9 prints the bound as e^{-1}, which no model meets, as X = x₁ = x₂ gives
    1; it is read as e^ε. With several names in ``x`` all of them are set at once: the joint effect.
    Decided on point masses, as the text of this module says.
    """
    if not x:
        raise UsageError("x is empty: an effect needs a cause")
    anywhere = model.do({name: model.range_of(name)[0] for name in x})
    return smallest(
        each for people in extreme_populations(anywhere, y) for each in _effect(model, people, y, x)
    )


def joint_effect(model: Model, group: Sequence[str], y: Sequence[str]) -> Smallest:
    """Return the smallest e^ε of setting all of the group at once (section 6.3, group privacy)."""
    return definition_9(model, group, y)


def total_effect(model: Model, group: Sequence[str], y: Sequence[str]) -> Factor:
    """Return the product of the group's single effects: their ε added (section 6.3).

    The text says to "add the relative probabilities"; its example adds their logarithms.
    """
    factors = [definition_9(model, [name], y).factor for name in group]
    if math.inf in factors:
        return math.inf
    return math.prod(
        (factor for factor in factors if isinstance(factor, Fraction)), start=Fraction(1)
    )


def _effect(
    model: Model, people: Population | None, y: Sequence[str], x: Sequence[str]
) -> Iterator[Comparison]:
    distributions = {
        values: distribution(model, people, y, do=dict(zip(x, values, strict=True)))
        for values in product(*(model.range_of(name) for name in x))
    }
    where = f"do({', '.join(x)})"
    for values, other in permutations(distributions, 2):
        left, right = distributions[values], distributions[other]
        for o in dict.fromkeys((*left, *right)):
            yield Comparison(
                where, values, other, o, left.get(o, _ZERO), right.get(o, _ZERO), people
            )


def extreme_populations(model: Model, y: Sequence[str]) -> Iterator[Population | None]:
    """Yield the point masses on the background variables that can affect Y in this model."""
    relevant = model.ancestors(y)
    names = [name for name in model.background if name in relevant]
    for values in product(*(model.ranges[name] for name in names)):
        yield point_mass(values, names) if names else None


# The ten definitions by name, as functions of one case (a mechanism, perhaps a population).

Decide = Callable[[Case], Smallest]
"""The smallest e^ε with which a definition holds on a case."""


def definition_9_for_data_points(mechanism: FiniteMechanism) -> Smallest:
    """Return the smallest e^ε with which each data point has ε-BRP to the output in M^A.

    Source: section 6.1, "equivalent to requiring ε-BRP for all data points D_i", and (28).
    """
    needed: list[Comparison] = []
    for name in data_point_names(mechanism.n):
        answer = definition_9(mechanism.model, [name], ["O"])
        needed += [] if answer.at is None else [answer.at]
    return smallest(needed)


def people_of(case: Case) -> Population:
    """Return the case's population; a case without one raises ``UsageError``."""
    if case.people is None:
        raise UsageError("case: this definition speaks of a given population, and there is none")
    return case.people


def any_two_datasets(mechanism: FiniteMechanism) -> Smallest:
    """Return the smallest e^ε with which Definition 1 holds for any two datasets as neighbors."""
    compared = product(permutations(mechanism.datasets, 2), mechanism.outputs)
    chance = mechanism.chance
    return smallest(Comparison("D", d, e, o, chance(d, o), chance(e, o)) for (d, e), o in compared)


DECIDE: Mapping[str, Decide] = {
    "1": lambda case: definition_1(case.mechanism),
    "1 for any two datasets": lambda case: any_two_datasets(case.mechanism),
    "2": lambda case: definition_2(case.mechanism),
    "3": lambda case: definition_3(case.mechanism),
    "4 as printed": lambda case: definition_4_printed(case.mechanism),
    "4 with mutual independence": lambda case: definition_4_mutual(case.mechanism),
    "5": lambda case: definition_5(case.mechanism),
    "6": lambda case: definition_6(case.mechanism, people_of(case)),
    "7": lambda case: definition_7(case.mechanism, people_of(case)),
    "8": lambda case: definition_8(case.mechanism),
    "9": lambda case: definition_9_for_data_points(case.mechanism),
    "10": lambda case: definition_10(case.mechanism, people_of(case)),
    "3 for one population": lambda case: bayesian_for(case.mechanism, people_of(case)),
}
"""What each definition answers on a case. Definition 9 is asked of all data points."""


def named(key: str) -> tuple[str, Decide]:
    """Return the definition as a pair of its full name and its function."""
    return f"Definition {key}", DECIDE[key]
