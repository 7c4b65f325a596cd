"""Small cases in which one definition holds with a factor that another one needs more than."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

from provado.proofs.causal.associative import definition_3
from provado.proofs.causal.definitions import people_of
from provado.proofs.causal.finite_mechanism import FiniteMechanism, finite_mechanism
from provado.proofs.causal.population import uniform
from provado.proofs.causal.search import Case
from provado.proofs.kernel import Checked
from provado.proofs.ledger import Claim, Step, show
from provado.proofs.ledger.fact import Fact, Unshown
from provado.proofs.ledger.statement import Statement

from ._battery import Arrow, arrow_findings
from ._coq import no_arrow, stated
from ._witness import (
    Compared,
    beyond_every_factor,
    beyond_factors_to,
    bounded,
    given_one,
    in_support,
    neighbors,
    people_words,
    set_one,
    single,
    smallest_case,
    table_words,
    turning_case,
    worst,
)

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
        found = *[PARITY] * (self.strong == "7"), smallest(self.strong, self.weak)
        if not self.seen:
            return found
        mechanism = printed_example(_PRINTED[self.strong])
        people = uniform(list(product(range(self.seen), repeat=mechanism.n)))
        return Case(mechanism, people), *found

    def obligations(self) -> tuple[Fact, ...]:
        if self.strong not in _COMPARED or self.weak not in _COMPARED or self.strong == self.weak:
            return (Unshown(self.formula),)
        found = smallest(self.strong, self.weak).mechanism.domains
        if self.sizes != tuple(map(len, found)):
            return (Unshown(self.formula),)
        return tuple(dict.fromkeys(fact for case in self.cases() for fact in self.on(case)))

    def on(self, case: Case) -> tuple[Fact, ...]:
        """Return that the strong definition holds with the factor, and the weak one does not."""
        apart = worst(_COMPARED[self.weak](case))
        beyond = (
            beyond_factors_to(self.factor, apart) if apart.right else beyond_every_factor(apart)
        )
        return *bounded(_COMPARED[self.strong](case), self.factor), beyond


@cache
def smallest(strong: str, weak: str) -> Case:
    """Return the smallest case in which ``strong`` holds with a factor that ``weak`` exceeds."""
    if weak != "3":
        return smallest_case(strong, weak, people=(1, 2))
    # Definition 3 speaks of all populations: take the one that it turns on.
    mechanism = smallest_case(strong, weak).mechanism
    return turning_case(mechanism, definition_3(mechanism))


def smallest_step(claim: NoArrow) -> Step:
    """Return the line of an argument on the smallest case."""
    case = smallest(claim.strong, claim.weak)
    found = f"A = {table_words(case)} under {people_words(people_of(case))}"
    return Step(
        f"The smallest case: {found}. Definition {claim.strong} holds with e^ε = {claim.factor}, "
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
        found = [part.statement() for part in (*self.arrows, self.back)]
        texts = [f"({one.text})" for one in found if one is not None]
        return stated(" /\\ ".join(texts)) if len(texts) == len(found) else None

    def obligations(self) -> tuple[Fact, ...]:
        return tuple(f for part in (*self.arrows, self.back) for f in part.obligations())


def one_way_findings(claim: OneWay) -> tuple[Checked, ...]:
    """Return the findings of its obligations."""
    there = (found for arrow in claim.arrows for found in arrow_findings(arrow))
    return *there, *map(show, claim.back.obligations())
