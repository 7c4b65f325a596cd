"""The betting wealth is a supermartingale under the claim."""

from __future__ import annotations

from dataclasses import dataclass

from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, show_claim
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import Fact
from provado.proofs.ledger.formula import Multivariate, variables

from . import source
from ._terms import stated


@dataclass(frozen=True)
class Betting(Claim):
    """The mean growth of the wealth is at most 1; a right guess wins ``win``, less δ."""

    win: int = 1

    @property
    def formula(self) -> str:
        return (
            f"E[(1+λ({self.win}−δ))^C (1−λ(e^ε+δ))^W (1−λδ)^A] ≤ 1 after any number of trials, "
            "from any history, λ and the rule chosen from it"
        )

    def statement(self) -> Statement | None:
        if self.win != 1:
            return None
        return stated(
            "forall (R : realFieldType) (t delta : R) (stake : seq outcome -> R) "
            "(p : seq outcome -> outcome -> R), (forall history, allowed t delta (p history)) -> "
            "(forall history, 0 <= stake history) -> "
            "(forall history o, 0 <= factor t delta (stake history) o) -> "
            "forall history n, 0 <= mean_growth t delta stake p history n <= 1"
        )

    def obligations(self) -> tuple[Fact, ...]:
        """Return 1 − E[factor] ≥ 0 for δ = u + c − t·w and a = 1 − c − w; variables c, w, t, u, λ.

        c, w and a are the chances of the three outcomes.
        """
        c, w, t, u, stake = variables(5)
        one = Multivariate(((1, (0,) * 5),))
        delta = u + c - t * w
        mean = (
            c * (one + stake * (self.win * one - delta))
            + w * (one - stake * (t + delta))
            + (one - c - w) * (one - stake * delta)
        )
        return ((one - mean).nonnegative(),)


def _gather(claim: Betting) -> Evidence:
    return Evidence(
        printed=show_claim(claim),
        argument=(
            "By audit/guess a trial has c − t·w ≤ δ, given all before it: mechanism, neighbors and "
            "rule are fixed before the trial is drawn.",
            Step(
                "With u = δ − (c − t·w) ≥ 0 the mean factor of one trial is 1 − λ·u ≤ 1 (kernel).",
                claim.obligations(),
            ),
            "By induction over the trials: the wealth after a trial, times what the rest makes of "
            "it, is at most the wealth in the mean, as no factor is below 0.",
        ),
    )


ENTRY = Entry(
    id="audit/betting",
    source=source("audit/bounds/betting.py"),
    printed=(
        "(1 + λ(1−δ))^C (1 − λ(e^ε+δ))^W (1 − λδ)^A is a nonnegative supermartingale that "
        "starts at 1."
    ),
    words=(
        "If Pr[right] − e^ε·Pr[wrong] ≤ δ in each trial given the outcomes before it, the wealth "
        "does not grow in the mean over further trials; stakes may be chosen from those outcomes."
    ),
    scope="finitely many trials; stakes λ ≥ 0 at which no factor is below 0",
    claim=Betting(),
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("A right guess wins 2.", Betting(2)),
    theorem_of=Betting(),
)
