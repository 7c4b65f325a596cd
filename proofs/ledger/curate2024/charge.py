"""What the released code charges for a run: the tests in or above its band, no others."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from provado.mechanisms.graphs.catalogue.priv_pc_edge import PAIR
from provado.mechanisms.graphs.edges.priv_pc_edge import independence
from provado.proofs import kernel
from provado.proofs.algebra.exppoly.certificates import laplace_sum_tail
from provado.proofs.ledger import Claim, Entry, Evidence, LedgerVerdict, Step, Twin, not_private
from provado.proofs.ledger.fact import Fact, NotPrivate

from . import source

Records = tuple[tuple[int, int], ...]

_LEVEL, _BAND, _EPSILON = Fraction(1, 5), Fraction(1, 50), 4
_DELTA = Fraction(1, 10**12)
_EVENT = "the one test lies below the band, the edge stays and nothing is charged"


def below_the_band(records: Records) -> kernel.Sum:
    """Return the probability that a run on two vertices charges nothing.

    The score 1 − |τ-a|, of sensitivity Δ = 4/n, stands for the p-value: noise Lap(Δ/ε), ε = 4, a
    band of 1/50 on either side of T = 1/5.
    """
    unit = Fraction(4, len(records)) / _EPSILON
    tail, _ = laplace_sum_tail((1,))
    return tail.at(-(_LEVEL - _BAND - independence(records)) / unit).as_data()


@dataclass(frozen=True)
class Charge(Claim):
    """A run of k charged tests costs Σε² + √(2·ln(1/δ)·Σε²) at δ: nothing for a run of none.

    charged: of the run that is tried; for one test its ε, which is less.
    """

    charged: int = 0

    @property
    def formula(self) -> str:
        cost = self.charged * _EPSILON
        return f"a run that charges {self.charged} tests, ε = {_EPSILON}, is ({cost}, {_DELTA})-DP"

    def counterexamples(self) -> tuple[Fact, ...]:
        name = "curate2024.charge.below_the_band"
        return (NotPrivate(name, "replace-one", self.charged * _EPSILON, _DELTA),)


CLAIM = Charge()


def _gather(claim: Charge) -> Evidence:
    (free,) = claim.counterexamples()
    return Evidence(
        printed=(not_private(free, PAIR, _EVENT, below_the_band),),
        correction="Each test that is asked is charged its ε before it is answered. The ε of the "
        "next may depend on the answers before, and on nothing else of the data: what is left of "
        "a total fixed beforehand then bounds what is to come.",
        kind="repair",
        argument=(
            "By the released code: a count goes up where the noisy p-value is in the band around "
            "the threshold or above it, and what is left for later orders, and the total in the "
            "end, are computed from that count. A test below the band is not counted.",
            "Only the charge is tried: in place of the p-value stands a score whose sensitivity is "
            "known, 1 − |τ-a| with Δ = 4/n, so that the noise is right.",
            Step(
                "Let n = 10 records have both columns in the same order, and under D′ the last one "
                "first in the second column: the score is 0 and 2/5 = Δ. Two vertices: one test. "
                "That it is below the band has probability 1 − e^(−9/5)/2 and e^(−11/5)/2, .86 "
                "apart (kernel, replayed). The run is charged ε = 0, at δ = 1e-12.",
                (free,),
            ),
            "All tests of a run, charged or not, are independent draws: a run of many uncharged "
            "tests tells without bound.",
            "Repaired: a margin of sensitivity 1 with Laplace noise of scale 1/ε is ε-DP, whatever "
            "it answers (Dwork and Roth, Theorem 3.6).",
            "Pure budgets may be chosen by the answers before as long as they add up to what was "
            "fixed (Rogers et al. 2016).",
        ),
        proof_remark="The formula for k tests, Σε² + √(2·ln(1/δ)·Σε²), is large enough where it is "
        "applied to all tests and their number is fixed: advanced composition has "
        "Σε·(e^ε − 1)/(e^ε + 1) ≤ Σε²/2 in place of Σε².",
    )


ENTRY = Entry(
    id="curate2024/charge",
    source=source("the authors' released code, count and leakage"),
    printed="[Code:] the count of tests goes up where the noisy p-value is in the band or above "
    "it; the leakage is Σε² + √(2·ln(1/δ)·Σε²) over the counted tests, δ = 1e-12.",
    words="A run costs what advanced composition gives for the tests that it charges.",
    scope="Replace-one; the charge of a run as the bound on what that run can tell. The pair has "
    "two vertices; the score's sensitivity is known.",
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin("The same event against ε = 4, what the test costs.", Charge(charged=1)),
)
