"""Section 7: statistical nondisclosure against 0-Bayesian₀ differential privacy."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from provado.proofs.causal.finite_mechanism import FiniteMechanism, finite_mechanism
from provado.proofs.causal.model import Population, uniform
from provado.proofs.causal.posterior import posterior
from provado.proofs.causal.search import Case
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, refute
from provado.proofs.ledger.fact import Fact, Fails, NotPrivate, Recounted

from . import source
from ._arrows import DISTRIBUTED, recount
from ._witness import CHANCE, given_one, single, told_apart, worst

IDENTITY = finite_mechanism([(0, 1)], lambda d: {d: 1, 1 - d: 0})
PARITY = finite_mechanism([(0, 1)] * 2, lambda a, b: {a ^ b: 1, 1 - (a ^ b): 0})
FAIR = uniform([(0,), (1,)])
BITS = uniform([(a, b) for a in (0, 1) for b in (0, 1)])


Rows = tuple[tuple[object, Fraction], ...]


def disclosed(mechanism: FiniteMechanism, people: Population) -> Rows:
    """Return |posterior − prior| over datasets, for each output that can occur."""
    rows: list[tuple[object, Fraction]] = []
    for o in mechanism.outputs:
        if any(mechanism.chance(d, o) for d in people.weights):
            after = posterior(mechanism, people, o).weights
            for d, weight in people.weights.items():
                rows.append((repr((d, o)), abs(after.get(d, Fraction(0)) - weight)))
    return tuple(rows)


def differences_given_one() -> Rows:
    """Return how far the distributions of the parity are apart given D_1 or D_2 alone."""
    compared = single(Case(PARITY, BITS), given_one)
    return tuple((i, abs(c.left - c.right)) for i, c in enumerate(compared))


@dataclass(frozen=True)
class Nondisclosure(Claim):
    """Nondisclosure is Definition 3 with an ε of 0.

    prior: the equally likely values of the one data point, under which O := D_1 is tried.
    """

    prior: tuple[tuple[int, ...], ...] = ((1,),)
    epsilon: int = 0

    @property
    def formula(self) -> str:
        tried = ", ".join(str(d[0]) for d in self.prior)
        return (
            f"nothing disclosed ⇔ Definition 3 with ε = {self.epsilon}; tried on O := D_1 with D_1 "
            f"in {{{tried}}}, and on the parity of two bits"
        )

    def undisclosed(self) -> Recounted:
        """Return the fact that the posterior is the prior."""
        rows = len(disclosed(IDENTITY, uniform(list(self.prior))))
        return Recounted("maximum", 0, rows, "|posterior − prior| over datasets and outputs")

    def counterexamples(self) -> tuple[Fact, ...]:
        joint = BITS.weights[(0, 0)] * PARITY.chance((0, 0), 0)
        output = sum((w * PARITY.chance(d, 0) for d, w in BITS.weights.items()), Fraction(0))
        terms = ((joint, 0, 0, 0), (-BITS.weights[(0, 0)] * output, 0, 0, 0))
        return (
            self.undisclosed(),
            NotPrivate(CHANCE, "replace-one", self.epsilon),
            EQUAL_GIVEN_ONE,
            # Pr[D = d, O = o] = Pr[D = d]·Pr[O = o] fails for the parity.
            Fails(terms, "= 0", 0, 0),
        )


EQUAL_GIVEN_ONE = Recounted(
    "maximum",
    0,
    len(differences_given_one()),
    "|Pr[O = o | D_i = d] − Pr[O = o | D_i = d′]| for the parity of two fair bits",
)
CLAIM = Nondisclosure()


def _gather(claim: Nondisclosure) -> Evidence:
    case = Case(IDENTITY, FAIR)
    undisclosed, apart, equal, dependent = claim.counterexamples()
    return Evidence(
        printed=(
            recount(disclosed(IDENTITY, uniform(list(claim.prior))), claim.undisclosed()),
            told_apart(
                worst(single(case, given_one)),
                "O = 0, given D_1 = d_1",
                apart,
                given_one(case, 0),
            ),
            recount(differences_given_one(), EQUAL_GIVEN_ONE),
            refute(dependent, 0),
        ),
        correction="Nondisclosure under a population implies Definition 3's comparison with ε = 0 "
        "under the same population, and is not implied by it.",
        kind="repair",
        argument=(
            Step(
                "Let one data point be 1 for sure and O := D_1. The posterior is the prior "
                "(kernel), so nothing is disclosed; under the fair population, which Definition 3 "
                "speaks of too, ε = 0 fails (kernel, replay).",
                (undisclosed, apart),
            ),
            Step(
                "Let O be the parity of two fair bits. Given one of them O is fair (kernel), but D "
                "and O are not independent (kernel).",
                (equal, dependent),
            ),
            "If D and O are independent so are D_i and O. The converse needs two data points, as "
            "with one D is D_1. A population at a single dataset discloses nothing, whatever the "
            "mechanism; one data point of two values shows that Definition 3 does not follow.",
            "If Pr[d, o] = Pr[d]·Pr[o] for all d, adding over the d with D_i = d_i gives "
            "Pr[d_i, o] = Pr[d_i]·Pr[o], the common factor being Pr[o].",
            DISTRIBUTED,
        ),
    )


ENTRY = Entry(
    id="tschantz2022/sec7-nondisclosure",
    source=source("Section 7, second paragraph"),
    printed=(
        "Statistical nondisclosure implies 0-Bayesian₀ differential privacy (Def. 3), since both "
        "are equivalent to independence of D and O where the background information is the true "
        "distribution."
    ),
    words=(
        "For one population, nondisclosure implies Definition 3's comparison under it, and no "
        "more: the comparison does not make D and O independent (O = D_1 ⊕ D_2), and Definition 3 "
        "speaks of all populations."
    ),
    scope="every finite mechanism and every population",
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin(
        "The fair population as one under which O := D_1 discloses nothing.",
        Nondisclosure(((0,), (1,))),
    ),
)
