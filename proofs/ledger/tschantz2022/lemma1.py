"""Lemma 1: setting all data points gives the algorithm's own probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from provado.proofs.causal.finite_mechanism import data_point_names
from provado.proofs.causal.model import distribution
from provado.proofs.causal.search import PEOPLE_SCOPE, all_cases
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact, Recounted

from . import source
from ._arrows import CASES_STEP, DISTRIBUTED, FOR_A_POPULATION, recount, stated


@dataclass(frozen=True)
class SetAll(Claim):
    """Pr[O = o | do(D = d)] = Pr[A(d) = o].

    left_alone: how many of the last data points are not set. difference: how far apart the two are.
    """

    left_alone: int = 0
    difference: int = 0

    @property
    def formula(self) -> str:
        set_points = "D = d" if not self.left_alone else f"all but {self.left_alone} D_i"
        apart = f", up to {self.difference}" if self.difference else ""
        return f"Pr[O = o | do({set_points})] = Pr[A(d) = o]{apart}, whatever the population"

    def statement(self) -> Statement | None:
        if self.left_alone or self.difference:
            return None
        return stated(
            f"{FOR_A_POPULATION} forall d o, d \\in datasets (domains m) -> o \\in outputs m -> "
            "effect m P (set_all m d) o = chance m d o"
        )

    def obligations(self) -> tuple[Fact, ...]:
        return (self.recounted(),)

    def recounted(self) -> Recounted:
        """Return the fact that both sides agree over part of the battery."""
        scope = f"|Pr[O = o | do(D = d)] − Pr[A(d) = o]|, every fourth of: {PEOPLE_SCOPE}"
        if self.left_alone:
            scope += f", the last {self.left_alone} left alone"
        rows = len(_differences(self.left_alone))
        return Recounted("maximum", self.difference, rows, scope)


@cache
def _differences(left_alone: int) -> tuple[tuple[object, Fraction], ...]:
    rows: list[tuple[object, Fraction]] = []
    for i, case in enumerate(all_cases()[::CASES_STEP]):
        m = case.mechanism
        for d in m.datasets:
            names = data_point_names(m.n)[: m.n - left_alone]
            law = distribution(m.model, case.people, ["O"], do=dict(zip(names, d, strict=False)))
            for o in m.outputs:
                gap = abs(law.get((o,), Fraction(0)) - m.chance(d, o))
                rows.append(((i, repr(d), repr(o)), gap))
    return tuple(rows)


def _gather(claim: SetAll) -> Evidence:
    same = claim.recounted()
    return Evidence(
        printed=(recount(_differences(claim.left_alone), same),),
        argument=(
            "In the sub-model no attribute is an ancestor of O; D is d, and O has the distribution "
            "A(d).",
            "(45) to (51) are the sub-model's equations, read off. (53) to (57): the summand does "
            "not depend on r, and Σ Pr_P[R = r] = 1.",
            DISTRIBUTED,
            Step(
                "Over part of the battery both sides were computed in the model itself (kernel).",
                (same,),
            ),
        ),
    )


ENTRY = Entry(
    id="tschantz2022/lemma1",
    source=source("Lemma 1, equation (44)"),
    printed="Pr[O = o | do(D_1 := d_1, …, D_n := d_n)] = Pr[A(d_1, …, d_n) = o].",
    words="As printed: the population drops out when all data points are set.",
    scope="every finite mechanism and every population",
    claim=SetAll(),
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("The last data point is left alone, over the same battery.", SetAll(left_alone=1)),
    theorem_of=SetAll(),
)
