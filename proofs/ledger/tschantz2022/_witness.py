"""Small cases that a statement turns on: every comparison from the table, told to the kernel.

The probabilities are computed here from the table and the weights, not by the definitions. A case
shows that one definition holds with a factor that another one needs more than (``NoArrow``), or
that copies of one status meet Definition 4's printed condition and are not independent.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import prod

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs import kernel
from provado.proofs.causal import definitions
from provado.proofs.causal.finite_mechanism import FiniteMechanism, finite_mechanism, replaced
from provado.proofs.causal.model import Population, Value, Values, uniform
from provado.proofs.causal.search import Case, by_size
from provado.proofs.kernel import Checked
from provado.proofs.ledger import Claim, Step, not_private, show
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import AtLeastZero, Fact, Fails, NotPrivate, Recounted, Unshown
from provado.proofs.ledger.find_certificate import recount

from ._arrows import Arrow, arrow_findings, no_arrow, stated


@dataclass(frozen=True)
class Compared:
    """Pr[O = output] under ``d`` and under ``d_prime``: two datasets, or values of a data point."""

    d: Values
    d_prime: Values
    output: Value
    left: Fraction
    right: Fraction


@cache
def smallest_case(
    strong: str, weak: str, most_points: int = 2, people: tuple[int, ...] = ()
) -> Case:
    """Return the first case, the smallest first, in which the strong definition is not enough."""
    (_, enough), (_, wanted) = definitions.named(strong), definitions.named(weak)

    def breaks(case: Case) -> bool:
        return wanted(case).factor > enough(case).factor

    result = next(filter(breaks, by_size(most_points=most_points, people=people)), None)
    if result is None:
        raise UsageError(f"search: Definition {strong} implies Definition {weak} on all cases")
    return result


def turning_case(mechanism: FiniteMechanism, answer: definitions.Smallest) -> Case:
    """Return the mechanism with the population that a definition's answer turns on."""
    if answer.at is None or answer.at.people is None:
        raise UsageError("search: the definition compares nothing in the case that was found")
    return Case(mechanism, answer.at.people)


def neighbors(case: Case) -> Iterator[Compared]:
    """Yield the comparisons of Definition 1."""
    m = case.mechanism
    for _, d, d_prime in m.changes():
        for o in m.outputs:
            yield Compared(d, d_prime, o, m.chance(d, o), m.chance(d_prime, o))


def in_support(case: Case) -> Iterator[Compared]:
    """Yield those of Definition 10: both datasets of positive probability."""
    weights = definitions.people_of(case).weights
    return (c for c in neighbors(case) if c.d in weights and c.d_prime in weights)


def set_one(case: Case, i: int) -> Callable[[Values, Value], Fraction]:
    """Return ((value,), o) ↦ Pr[O = o | do(D_i = value)], i from 0."""

    def chance_under_do(value: Values, o: Value) -> Fraction:
        parts = definitions.people_of(case).weights.items()
        m = case.mechanism
        return sum((w * m.chance(replaced(d, i, value[0]), o) for d, w in parts), Fraction(0))

    return chance_under_do


def given_one(case: Case, i: int) -> Callable[[Values, Value], Fraction]:
    """Return ((value,), o) ↦ Pr[O = o | D_i = value], i from 0."""

    def chance_given(value: Values, o: Value) -> Fraction:
        kept = [(d, w) for d, w in definitions.people_of(case).weights.items() if d[i] == value[0]]
        total = sum((w for _, w in kept), Fraction(0))
        return sum((w * case.mechanism.chance(d, o) for d, w in kept), Fraction(0)) / total

    return chance_given


def single(
    case: Case, distribution: Callable[[Case, int], Callable[[Values, Value], Fraction]]
) -> Iterator[Compared]:
    """Yield what is compared of a data point: Definition 7 or 3 as ``distribution`` says."""
    for i, domain in enumerate(case.mechanism.domains):
        chance = distribution(case, i)
        for value, other in permutations(domain, 2):
            for o in case.mechanism.outputs:
                left, right = chance((value,), o), chance((other,), o)
                yield Compared((value,), (other,), o, left, right)


def worst(compared: Iterator[Compared]) -> Compared:
    """Return the comparison of the largest ratio; one with p > 0 = q before all others."""
    return max(
        (c for c in compared if c.left), key=lambda c: (c.right == 0, c.right and c.left / c.right)
    )


def bounded(compared: Iterator[Compared], factor: Fraction) -> tuple[Fact, ...]:
    """Return x·q − p ≥ 0 for all x ≥ factor and all comparisons with p > 0, each pair once."""
    return tuple(
        AtLeastZero(((right, 0, 1, 0), (-left, 0, 0, 0)), factor)
        for left, right in dict.fromkeys((c.left, c.right) for c in compared)
        if left
    )


def constant_above(large: Fraction, small: Fraction, *, strict: bool = False) -> Fact:
    """Return large ≥ small, or > for ``strict``."""
    return AtLeastZero(((large, 0, 0, 0), (-small, 0, 0, 0)), 0, strict=strict)


def beyond(c: Compared, factor: Fraction | None = None) -> AtLeastZero:
    """Return p − x·q > 0 for all factors x from 1 to ``factor``, by default for all x ≥ 1.

    All x take q = 0.
    """
    return AtLeastZero(((c.left, 0, 0, 0), (-c.right, 0, 1, 0)), 1, factor, strict=True)


def table_words(case: Case) -> str:
    """Return the mechanism's table in words."""
    return str({d: tuple(map(str, row)) for d, row in case.mechanism.table.items()})


def people_words(people: Population) -> str:
    """Return the weights of a population in words."""
    return str({d: str(weight) for d, weight in people.weights.items()})


CHANCE = "tschantz2022._witness.told_apart.chance_of_the_output"


def told_apart(
    c: Compared, event: str, fact: Fact, chance: Callable[[Values, Value], Fraction]
) -> kernel.Checked:
    """Return the finding of a ``NotPrivate`` of ``CHANCE``; ``chance`` replays the comparison."""

    def chance_of_the_output(d: Values) -> Fraction:
        return chance(d, c.output)

    return not_private(fact, (c.d, c.d_prime), event, chance_of_the_output)


_COMPARED: Mapping[str, Callable[[Case], Iterator[Compared]]] = {
    "1": neighbors,
    "3": lambda case: single(case, given_one),
    "7": lambda case: single(case, set_one),
    "10": in_support,
}
"""What a definition compares on a case, recomputed from the table and the population."""
_PRINTED = {"7": 2, "10": 1}
"""The data points of the examples that the paper prints: (18) and (19), and (31) to (33)."""


def printed_example(points: int) -> FiniteMechanism:
    """Return the printed mechanism of so many data points: a fair coin unless all of them are 2."""
    half = Fraction(1, 2)
    return finite_mechanism(
        [(0, 1, 2)] * points, lambda *d: {0: 1, 1: 0} if set(d) == {2} else {0: half, 1: half}
    )


PARITY = Case(
    finite_mechanism([(0, 1)] * 2, lambda a, b: {0: Fraction(a != b), 1: Fraction(a == b)}),
    uniform(list(product((0, 1), repeat=2))),
)
"""Two bits, and whether they are the same: either bit alone, set, leaves a fair coin."""


@dataclass(frozen=True)
class NoArrow(Claim):
    """One definition does not imply another with the same ε.

    factor: e^ε with which the strong definition holds on the cases, and the weak one does not.
    sizes: how many values each data point has in the smallest case of a search, which shows it.
    seen: how many values of each data point the printed example's population has, all datasets of
    them equally likely; 0 if no example is printed. Definition 7 does not imply another under some
    population that gives every dataset positive probability.
    """

    strong: str
    weak: str
    factor: Fraction = Fraction(1)
    sizes: tuple[int, ...] = (2, 2)
    seen: int = 0

    @property
    def formula(self) -> str:
        weak = f"Definition {self.weak} with {'any' if self.factor == 1 else 'the same'} ε"
        case = f"data points of {self.sizes} values{', full support' * (self.strong == '7')}"
        return f"Definition {self.strong}, e^ε = {self.factor}, does not imply {weak}: {case}"

    def statement(self) -> Statement | None:
        if self.factor.denominator != 1:
            return None
        factor = "1" if self.factor == 1 else f"{self.factor}%:R"
        return stated(no_arrow(self.strong, self.weak, factor, self.sizes))

    def cases(self) -> tuple[Case, ...]:
        """Return the printed example and the one of full support, if any, and the smallest case."""
        cases = *[PARITY] * (self.strong == "7"), smallest(self.strong, self.weak)
        if not self.seen:
            return cases
        mechanism = printed_example(_PRINTED[self.strong])
        people = uniform(list(product(range(self.seen), repeat=mechanism.n)))
        return Case(mechanism, people), *cases

    def obligations(self) -> tuple[Fact, ...]:
        if self.strong not in _COMPARED or self.weak not in _COMPARED or self.strong == self.weak:
            return (Unshown(self.formula),)
        result = smallest(self.strong, self.weak).mechanism.domains
        if self.sizes != tuple(map(len, result)):
            return (Unshown(self.formula),)
        return tuple(dict.fromkeys(fact for case in self.cases() for fact in self.on(case)))

    def on(self, case: Case) -> tuple[Fact, ...]:
        """Return that the strong definition holds with the factor, and the weak one does not."""
        apart = worst(_COMPARED[self.weak](case))
        factor = self.factor if apart.right else None
        return *bounded(_COMPARED[self.strong](case), self.factor), beyond(apart, factor)


@cache
def smallest(strong: str, weak: str) -> Case:
    """Return the smallest case in which ``strong`` holds with a factor that ``weak`` exceeds."""
    if weak != "3":
        return smallest_case(strong, weak, people=(1, 2))
    # Definition 3 speaks of all populations: take the one that it turns on.
    mechanism = smallest_case(strong, weak).mechanism
    return turning_case(mechanism, definitions.definition_3(mechanism))


def smallest_step(claim: NoArrow) -> Step:
    """Return the line of an argument on the smallest case."""
    case = smallest(claim.strong, claim.weak)
    result = f"A = {table_words(case)} under {people_words(definitions.people_of(case))}"
    return Step(
        f"The smallest case: {result}. Definition {claim.strong} holds with e^ε = {claim.factor}, "
        f"and two probabilities of Definition {claim.weak} are further apart (kernel).",
        claim.on(case),
    )


@dataclass(frozen=True)
class OneWay(Claim):
    """Definitions imply others, and what does not follow."""

    arrows: tuple[Arrow, ...]
    back: NoArrow

    @property
    def formula(self) -> str:
        return "; ".join(part.formula for part in (*self.arrows, self.back))

    def statement(self) -> Statement | None:
        result = [part.statement() for part in (*self.arrows, self.back)]
        texts = [f"({statement.text})" for statement in result if statement is not None]
        return stated(" /\\ ".join(texts)) if len(texts) == len(result) else None

    def obligations(self) -> tuple[Fact, ...]:
        return tuple(f for part in (*self.arrows, self.back) for f in part.obligations())


def one_way_findings(claim: OneWay) -> tuple[Checked, ...]:
    """Return the findings of its obligations."""
    there = (finding for arrow in claim.arrows for finding in arrow_findings(arrow))
    return *there, *map(show, claim.back.obligations())


Rows = tuple[tuple[object, Fraction], ...]


def plane_gaps(people: Population) -> Rows:
    """Return |Pr[a, b]·total − Pr[a]·Pr[b]| in each plane, for D_i ⊥ D_j given the rest."""
    rows: list[tuple[object, Fraction]] = []
    for i, j in combinations(range(len(people.names)), 2):
        planes: dict[tuple[object, ...], dict[tuple[object, object], Fraction]] = {}
        for values, weight in people.weights.items():
            rest = tuple(v for k, v in enumerate(values) if k not in (i, j))
            planes.setdefault(rest, {})[values[i], values[j]] = weight
        for rest, plane in planes.items():
            total = sum(plane.values(), Fraction(0))
            for a in {a for a, _ in plane}:
                for b in {b for _, b in plane}:
                    fraction = sum((w for (x, _), w in plane.items() if x == a), Fraction(0))
                    other = sum((w for (_, y), w in plane.items() if y == b), Fraction(0))
                    gap = abs(plane.get((a, b), Fraction(0)) * total - fraction * other)
                    rows.append(((i, j, repr(rest), repr(a), repr(b)), gap))
    return tuple(rows)


def independent_in_planes(people: Population) -> Recounted:
    """Return the fact that all these gaps are 0."""
    scope = f"|Pr[a, b]·total − Pr[a]·Pr[b]| over all planes of {people_words(people)}"
    return Recounted("maximum", 0, len(plane_gaps(people)), scope)


def not_mutually_independent(people: Population) -> Fails:
    """Return that Pr[D = d] = Π Pr[D_i = d_i] fails at a dataset of the support."""
    d, weight = next(iter(people.weights.items()))
    product = prod(
        (people.marginal([n]).weights[(v,)] for n, v in zip(people.names, d, strict=True)),
        start=Fraction(1),
    )
    return Fails(((weight, 0, 0, 0), (-product, 0, 0, 0)), "= 0", 0, 0)


@cache
def copies_case() -> Case:
    """Return the smallest mechanism, with its population, against Definition 4 as printed."""
    mechanism = smallest_case("1", "4 as printed", most_points=3).mechanism
    return turning_case(mechanism, definitions.definition_4_printed(mechanism))


@dataclass(frozen=True)
class PrintedDefinition4(Claim):
    """Definition 1 with e^ε implies Definition 4 as printed with the same ε."""

    epsilon: Fraction

    @property
    def formula(self) -> str:
        return f"Definition 1 implies Definition 4 as printed, tried at ε = {self.epsilon}"

    def counterexamples(self) -> tuple[Fact, ...]:
        """Return: Definition 1 holds with t; t ≤ e^ε; the condition holds; e^ε fails."""
        case = copies_case()
        factor = definitions.definition_1(case.mechanism).factor
        if not isinstance(factor, Fraction):
            raise UsageError("search: Definition 1 holds with no factor in the case found")
        within = AtLeastZero(((1, self.epsilon, 0, 0), (-factor, 0, 0, 0)), 0)
        return (
            *bounded(neighbors(case), factor),
            within,
            independent_in_planes(definitions.people_of(case)),
            NotPrivate(CHANCE, "replace-one", self.epsilon),
        )


def findings(claim: PrintedDefinition4) -> tuple[kernel.Checked, ...]:
    """Return the findings of its counterexamples."""
    case, people = copies_case(), definitions.people_of(copies_case())
    *signs, _, fails = claim.counterexamples()
    apart: Compared = worst(single(case, given_one))
    event = f"O = {apart.output!r}, given D_1 = d_1"
    return (
        *map(show, signs),
        recount(plane_gaps(people), independent_in_planes(people)),
        told_apart(apart, event, fails, given_one(case, 0)),
    )


def case_words() -> str:
    """Return the case in words."""
    case = copies_case()
    return f"A = {table_words(case)} and the population {people_words(definitions.people_of(case))}"
