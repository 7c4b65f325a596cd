"""Algorithm 2: what Priv-PC charges for a run."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from provado.mechanisms.graphs.catalogue.priv_pc_edge import PAIR
from provado.mechanisms.graphs.edges.priv_pc_edge import independence
from provado.proofs import kernel
from provado.proofs.ledger import (
    Claim,
    Entry,
    Evidence,
    LedgerVerdict,
    Step,
    Twin,
    not_private,
    show_claim,
)
from provado.proofs.ledger.fact import Fact, NotPrivate

from . import source
from ._sieve import SieveAndExamine, sieve_steps, two_noises

Records = tuple[tuple[int, int], ...]

_THRESHOLD, _EPSILON, _DELTA = Fraction(1, 5), 4, Fraction(1, 1000)
_EVENT = "the run ends without an answer and returns the complete graph, charged ε = 0"


def silent(records: Records) -> kernel.Sum:
    """Return the probability that a run on two vertices ends without an answer.

    m = n, t = 0, T = 1/5 on the score 1 − |τ-a| of sensitivity Δ = 4/n, ε = 4, so ε′ = 2: noise
    Lap(2Δ/ε′) on T and Lap(4Δ/ε′) on the score.
    """
    unit = Fraction(4, len(records)) / Fraction(_EPSILON, 2)
    return two_noises().at((independence(records) - _THRESHOLD) / unit).as_data()


@dataclass(frozen=True)
class Charge(Claim):
    """A run of k answers is charged advanced composition over k: nothing for a run of none.

    answers: of the run that is tried.
    """

    answers: int = 0
    delta: Fraction = _DELTA

    @property
    def formula(self) -> str:
        cost = self.answers * _EPSILON
        return f"a run of {self.answers} answers, ε = {_EPSILON}, is ({cost}, {self.delta})-DP"

    def counterexamples(self) -> tuple[Fact, ...]:
        cost = self.answers * _EPSILON
        name = "wang2020.algorithm2_privacy.silent"
        return (NotPrivate(name, "replace-one", cost, self.delta),)


CLAIM = Charge()
REPAIRED = SieveAndExamine()


def _gather(claim: Charge) -> Evidence:
    (free,) = claim.counterexamples()
    return Evidence(
        printed=(not_private(free, PAIR, _EVENT, silent),),
        corrected=show_claim(REPAIRED),
        corrected_claim=REPAIRED,
        correction="A run with k answers is charged k + 1 sieve-and-examines, the last sieve among "
        "them; for a cost known before the run, halt after c answers and charge c, by advanced "
        "composition over c.",
        kind="repair",
        argument=(
            "Let n = 10 records of two columns, D with both in the same order, D′ with the last "
            "record first in the second column. The score 1 − |τ-a| is 0 and 2/5 = Δ. Two vertices "
            "and order 0: one edge, one test.",
            Step(
                "If the sieve lets nothing pass, no answer is given; advanced composition over 0 "
                "answers is ε = 0, with δ = 1/1000 throughout the paper. The claim is then that "
                "this event is as likely, up to δ, under neighbors. Its probability moves by .164 "
                "(kernel), with m = n, where all readings of the noise agree. After the last "
                "answer of a longer run, too, a sieve may have let queries fall without being "
                "charged.",
                (free,),
            ),
            "Charged: the text pays 'for those whose output is above the threshold', and every "
            "failed examination costs ε too; the released code counts answers of the sieve.",
            "Repaired: with the subset and the threshold drawn anew after each answer of the "
            "sieve, each round, the last one too, is one sieve-and-examine.",
            *sieve_steps(REPAIRED),
            "The mechanism that runs exactly c rounds meets advanced composition over c, and the "
            "runs with c − 1 answers are events of it; halting after c answers keeps all runs "
            "within it. The number of answers depends on the data: a sum of charges over the run "
            "that happened is no privacy parameter of the algorithm.",
            "Not recovered: whether lines 14 and 15 stand inside the examination's branch. If so, "
            "a failed examination leaves threshold and subset in place, and what follows is no "
            "fresh sieve; the text ('then … are refreshed') and the released code refresh after "
            "each answer of the sieve.",
            "Not recovered either: n/m or √(n/m) in the noise. The first fits a sensitivity c/n, "
            "the second c/√n; c₁ → 9/2 holds for neither (thm3-conditional-kendall), so that the "
            "noise is too small in both.",
        ),
    )


ENTRY = Entry(
    id="wang2020/algorithm2-privacy",
    source=source("Algorithm 2, line 18, and section 3.1"),
    printed="Output G, compute the total privacy cost (ε_tot, δ_tot) with advanced composition. "
    "[Each sieve-and-examine is ε-DP; subset and threshold are refreshed after an answer.]",
    words="A run that gave k answers above the sieve's threshold cost what advanced composition "
    "gives for k mechanisms that are ε-DP.",
    scope="Replace-one; the charge of a run as the bound on what that run can tell. The pair has "
    "two vertices and m = n; the score's sensitivity is known.",
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin("The same event against ε = 4, what one sieve-and-examine costs.", Charge(answers=1)),
)
