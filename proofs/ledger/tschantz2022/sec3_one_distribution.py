"""Section 3: one distribution instead of all for strong adversary differential privacy."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal

from provado.mechanisms.statement.errors import UsageError
from provado.proofs.causal.model import Population, uniform
from provado.proofs.causal.search import Case, by_size, first
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, show
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact, NotPrivate, Recounted

from . import source
from ._arrows import CONDITIONED, FOR_A_MECHANISM, conditioned, recount, stated
from ._witness import CHANCE, Compared, in_support, neighbors, table_words, told_apart, worst


def copies(case: Case) -> Population:
    """Return the population in which all have the same status, each value equally often."""
    m = case.mechanism
    return uniform([(value,) * m.n for value in m.domains[0]])


def everything(case: Case) -> Population:
    """Return the uniform population over all datasets."""
    return uniform(case.mechanism.datasets)


@cache
def unseen_pair() -> tuple[Case, Compared]:
    """Return the smallest case of copies with neighbors that differ and are not both seen."""

    def differ(case: Case) -> bool:
        with_copies = Case(case.mechanism, copies(case))
        return not any(True for _ in in_support(with_copies)) and any(
            c.left > c.right == 0 for c in neighbors(case)
        )

    found = first(by_size(most_points=2), differ).case
    if found is None:
        raise UsageError("search: no case of copies was found")
    return Case(found.mechanism, copies(found)), worst(neighbors(found))


@dataclass(frozen=True)
class OneDistribution(Claim):
    """Definition 10 under one population of positive marginals is ε-differential privacy.

    people: which population the case has: copies of one bit, or all datasets.
    """

    people: Literal["copies", "everything"] = "copies"
    epsilon: Fraction = Fraction(1)

    @property
    def formula(self) -> str:
        return (
            f"Definition 10 with ε = 0 under one population ({self.people}) is "
            f"({self.epsilon}, 0)-DP"
        )

    def population(self) -> Population:
        """Return the population."""
        case, _ = unseen_pair()
        return copies(case) if self.people == "copies" else everything(case)

    def unseen(self) -> Recounted:
        """Return that Definition 10 compares no pair: no two neighbors are in the support."""
        scope = f"1 where both of two neighbors have positive probability ({self.people})"
        return Recounted("sum", 0, len(seen_pairs(self.population())), scope)

    def counterexamples(self) -> tuple[Fact, ...]:
        return self.unseen(), NotPrivate(CHANCE, "replace-one", self.epsilon)


@dataclass(frozen=True)
class FullSupport(Claim):
    """Definition 10 under one population that gives every dataset a chance is Definition 1.

    least: each dataset's chance is above it; below 0 nothing is asked.
    """

    least: int = 0

    @property
    def formula(self) -> str:
        return (
            "Definition 10 under one population is equivalent to Definition 1, with the same ε, if "
            f"Pr[D = d] > {self.least} for all d"
        )

    def statement(self) -> Statement:
        support = f"(forall d, d \\in datasets (domains m) -> {self.least} < P d)"
        return stated(
            f"{FOR_A_MECHANISM} (P : seq V -> R) (t : R), well_formed m -> population m P -> "
            f"{support} -> (definition_10 t m P <-> definition_1 t m)"
        )

    def obligations(self) -> tuple[Fact, ...]:
        return (conditioned(),)


def seen_pairs(people: Population) -> tuple[tuple[object, int], ...]:
    """Return each pair of neighbors, with 1 where both have positive probability."""
    case, _ = unseen_pair()
    seen = {(c.d, c.d_prime) for c in in_support(Case(case.mechanism, people))}
    pairs = {(c.d, c.d_prime) for c in neighbors(case)}
    return tuple((repr(pair), int(pair in seen)) for pair in sorted(pairs))


def _gather(claim: OneDistribution) -> Evidence:
    case, apart = unseen_pair()
    unseen, fails = claim.counterexamples()
    event = f"O = {apart.output!r}"
    return Evidence(
        printed=(
            recount(seen_pairs(claim.population()), claim.unseen()),
            told_apart(apart, event, fails, case.mechanism.chance),
        ),
        corrected=(show(conditioned()),),
        correction="One distribution is enough if it gives every dataset positive probability.",
        kind="repair",
        corrected_claim=FullSupport(),
        argument=(
            Step(
                "Let two data points be copies of one fair bit: every value of every data point "
                "has probability 1/2, and no two neighbors have both positive probability "
                "(kernel). So Definition 10 holds with ε = 0 for every algorithm.",
                (unseen,),
            ),
            Step(
                f"Let A = {table_words(case)}. An output has probability 1 on a dataset and 0 on "
                "its neighbor, here shown for ε = 1 (kernel, replay); no other ε would do either.",
                (fails,),
            ),
            "Definition 10 compares the neighbors within the support. With one data point "
            "datasets and values are the same, and with one value nothing is compared, so two "
            "data points of two values are smallest.",
            "With every dataset of positive probability all neighbors are compared.",
            CONDITIONED,
        ),
    )


ENTRY = Entry(
    id="tschantz2022/sec3-one-distribution",
    source=source("Section 3, before Proposition 1; section 1.2"),
    printed=(
        "Alternately, one distribution that assigns non-zero probability to all possible input "
        "data points could have been used."
    ),
    words=(
        "One population is enough if it gives every dataset positive probability. That it gives "
        "every value of every data point one is not: copies of one status leave nothing to compare."
    ),
    scope="every finite mechanism",
    claim=OneDistribution(),
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin(
        "The uniform population over all datasets as one that compares nothing.",
        OneDistribution("everything"),
    ),
    theorem_of=FullSupport(),
)
