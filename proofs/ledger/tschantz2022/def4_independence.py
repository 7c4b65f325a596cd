"""Definition 4's condition on the population: as printed, and as mutual independence."""

from __future__ import annotations

from dataclasses import dataclass

from provado.proofs.causal.definitions import mutually_independent as mutual
from provado.proofs.causal.definitions import pairwise_independent_given_the_rest as pairwise
from provado.proofs.causal.model import Population, uniform
from provado.proofs.causal.search import populations
from provado.proofs.kernel import Checked
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, refute, show
from provado.proofs.ledger.fact import Fact, Recounted

from . import source
from ._arrows import AVERAGED, averaged, recount
from ._witness import independent_in_planes, not_mutually_independent, plane_gaps


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
        return independent_in_planes(people), not_mutually_independent(people)


CLAIM = Independence(((0, 0, 0), (1, 1, 1)))


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


def _gather(claim: Independence) -> Evidence:
    planes, dependent = claim.counterexamples()
    found = recount(plane_gaps(claim.population()), independent_in_planes(claim.population()))
    return Evidence(
        printed=(found, refute(dependent, 0)),
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


ENTRY = Entry(
    id="tschantz2022/def4-independence",
    source=source("Definition 4; Table 1, row 4; Figure 2"),
    printed=(
        "For all i ≠ j, D_i is independent of D_j conditioned upon the other data points; Table 1 "
        'calls these populations "independent D_i".'
    ),
    words=(
        "As printed the condition is met by ⟨D, D, D⟩ and is weaker than mutual independence from "
        "three data points on; it agrees with it up to two, and on populations of full support."
    ),
    scope="populations over finitely many datasets",
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin(
        "A population of two constant data points and a fair one as the counterexample.",
        Independence(((0, 0, 0), (0, 0, 1))),
    ),
)
