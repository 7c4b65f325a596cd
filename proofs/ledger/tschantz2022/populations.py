"""Definition 4 and section 3: conditions on the population, and one distribution for all."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal

from provado.mechanisms.definitions.parameters import UsageError
from provado.proofs.causal.definitions import mutually_independent as mutual
from provado.proofs.causal.definitions import pairwise_independent_given_the_rest as pairwise
from provado.proofs.causal.model import Population, uniform
from provado.proofs.causal.search import Case, by_size, populations
from provado.proofs.kernel import Checked
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, refute, show
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact, NotPrivate, Recounted
from provado.proofs.ledger.find_certificate import recount

from . import _witness as witness
from . import source
from ._arrows import AVERAGED, CONDITIONED, FOR_A_MECHANISM, averaged, conditioned, stated


@dataclass(frozen=True)
class Independence(Claim):
    """The printed condition says that the data points are mutually independent.

    people: the datasets of a population, equally likely, where it is tried.
    """

    people: tuple[tuple[int, ...], ...]

    @property
    def formula(self) -> str:
        tried = ", ".join(map(str, self.people))
        return f"D_i ⊥ D_j given the others, for all i ≠ j, says Π Pr[D_i]; tried on {tried}"

    def population(self) -> Population:
        """Return the population."""
        return uniform(list(self.people))

    def counterexamples(self) -> tuple[Fact, ...]:
        people = self.population()
        return witness.independent_in_planes(people), witness.not_mutually_independent(people)


def differ_up_to_two() -> Checked:
    """Return that up to two data points no small population meets one condition alone."""
    sizes = ((1, 2, 4), (1, 3, 3), (2, 2, 6), (2, 3, 3))
    rows = tuple(
        ((n, values, q, i), int(pairwise(people) != mutual(people)))
        for n, values, most in sizes
        for q in range(1, most + 1)
        for i, people in enumerate(populations(n, values, q))
    )
    scope = "1 where the conditions differ, over small populations of one or two data points"
    return recount(rows, Recounted("maximum", 0, len(rows), scope))


@Entry(
    source=source("Definition 4; Table 1, row 4; Figure 2"),
    printed="For all i ≠ j, D_i is independent of D_j conditioned upon the other data points; "
    'Table 1 calls these populations "independent D_i".',
    words="As printed the condition is met by ⟨D, D, D⟩ and is weaker than mutual independence "
    "from three data points on; it agrees with it up to two, and on populations of full support.",
    scope="populations over finitely many datasets",
    claim=Independence(((0, 0, 0), (1, 1, 1))),
    expected=LedgerVerdict.REFUTED,
    twin=Twin(
        "A population of two constant data points and a fair one as the counterexample.",
        Independence(((0, 0, 0), (0, 0, 1))),
    ),
)
def _def4_independence(claim: Independence) -> Evidence:
    planes, dependent = claim.counterexamples()
    check = recount(
        witness.plane_gaps(claim.population()), witness.independent_in_planes(claim.population())
    )
    return Evidence(
        printed=(check, refute(dependent, 0)),
        corrected=(show(averaged()), differ_up_to_two()),
        correction='For "D_i is independent of D_j conditioned upon the other data points" read '
        '"D_1, …, D_n are mutually independent": then Definition 4 is equivalent to DP.',
        kind="repair",
        argument=(
            Step(
                "Let D = ⟨R, R, R⟩ for a fair bit R. In each plane (one data point fixed) a single "
                "pair of values is left, so the printed condition holds (kernel).",
                (planes,),
            ),
            Step(
                "Pr[D = (0, 0, 0)] is 1/2 and the product of the marginals 1/8 (kernel): Table "
                '1\'s "independent D_i" is not what the condition says.',
                (dependent,),
            ),
            "Given the other data points, D_i and D_j are both constant under ⟨D, D, D⟩. The form "
            "of all populations that meet the condition is proved in "
            "provado.proofs.causal.definitions: products over boxes at mutual distance ≥ 3. Full "
            "support leaves one box, and with two data points no two points are at distance 3; "
            "with one data point both are empty.",
            "With mutual independence both sides of (9) average over one distribution of the other "
            "points (tschantz2022/table1-row4 recounts that equivalence).",
            AVERAGED,
        ),
    )


# Section 3: one distribution instead of all for strong adversary differential privacy.


def copies(case: Case) -> Population:
    """Return the population in which all have the same status, each value equally often."""
    m = case.mechanism
    return uniform([(value,) * m.n for value in m.domains[0]])


def everything(case: Case) -> Population:
    """Return the uniform population over all datasets."""
    return uniform(case.mechanism.datasets)


@cache
def unseen_pair() -> tuple[Case, witness.Compared]:
    """Return the smallest case of copies with neighbors that differ and are not both seen."""

    def differ(case: Case) -> bool:
        with_copies = Case(case.mechanism, copies(case))
        return not any(True for _ in witness.in_support(with_copies)) and any(
            c.left > c.right == 0 for c in witness.neighbors(case)
        )

    result = next(filter(differ, by_size(most_points=2)), None)
    if result is None:
        raise UsageError("search: no case of copies was found")
    return Case(result.mechanism, copies(result)), witness.worst(witness.neighbors(result))


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
        return self.unseen(), NotPrivate(witness.CHANCE, "replace-one", self.epsilon)


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
    seen = {(c.d, c.d_prime) for c in witness.in_support(Case(case.mechanism, people))}
    pairs = {(c.d, c.d_prime) for c in witness.neighbors(case)}
    return tuple((repr(pair), int(pair in seen)) for pair in sorted(pairs))


@Entry(
    source=source("Section 3, before Proposition 1; section 1.2"),
    printed="Alternately, one distribution that assigns non-zero probability to all possible input "
    "data points could have been used.",
    words="One population is enough if it gives every dataset positive probability. That it gives "
    "every value of every data point one is not: copies of one status leave nothing to compare.",
    scope="every finite mechanism",
    claim=OneDistribution(),
    expected=LedgerVerdict.REFUTED,
    twin=Twin(
        "The uniform population over all datasets as one that compares nothing.",
        OneDistribution("everything"),
    ),
    theorem_of=FullSupport(),
)
def _sec3_one_distribution(claim: OneDistribution) -> Evidence:
    case, apart = unseen_pair()
    unseen, fails = claim.counterexamples()
    event = f"O = {apart.output!r}"
    return Evidence(
        printed=(
            recount(seen_pairs(claim.population()), claim.unseen()),
            witness.told_apart(apart, event, fails, case.mechanism.chance),
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
                f"Let A = {witness.table_words(case)}. An output has probability 1 on a dataset "
                "and 0 on its neighbor, here shown for ε = 1 (kernel, replay); no other ε would do "
                "either.",
                (fails,),
            ),
            "Definition 10 compares the neighbors within the support. With one data point "
            "datasets and values are the same, and with one value nothing is compared, so two "
            "data points of two values are smallest.",
            "With every dataset of positive probability all neighbors are compared.",
            CONDITIONED,
        ),
    )


ENTRIES = (_def4_independence, _sec3_one_distribution)
