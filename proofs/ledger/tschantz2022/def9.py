"""Definition 9: bounded relative probability, as printed and repaired."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

from provado.proofs.causal.search import all_mechanisms
from provado.proofs.ledger import (
    Claim,
    Entry,
    Evidence,
    Formula,
    LedgerVerdict,
    Step,
    Twin,
    refute,
    show,
)
from provado.proofs.ledger.claim import Statement
from provado.proofs.ledger.fact import AtLeastZero, Equal, Fact, Fails, Recounted

from . import source
from ._arrows import Arrow, arrow_findings, arrow_lines, recount

_ARROW = Arrow("1", "9", "is equivalent to")
_ONE = ((1, 0, 0, 0),)
_FACTOR = Formula("e^(x)")
"""The factor of Definition 1, in ε = x."""


@dataclass(frozen=True)
class RelativeProbability(Claim):
    """ε-BRP bounds the largest RP̄ by ``bound``, in x = ε, and is differential privacy."""

    bound: Formula

    @property
    def formula(self) -> str:
        return f"max over P of RP̄(Y, X) ≤ {self.bound}, x = ε, for all X = D_i and Y = O is ε-DP"

    def statement(self) -> Statement | None:
        # With t = e^ε the bound e^ε is t.
        same = self.bound.value().as_data() == _FACTOR.value().as_data()
        return _ARROW.statement() if same else None

    def least(self) -> AtLeastZero:
        """Return the fact that a constant output, whose RP̄ is 1, meets the bound for all ε ≥ 0."""
        return AtLeastZero((*self.bound.value().as_data(), (-1, 0, 0, 0)), 0)

    def obligations(self) -> tuple[Fact, ...]:
        same = Equal(self.bound.value().as_data(), _FACTOR.value().as_data())
        return self.least(), same, *_ARROW.obligations()

    def counterexamples(self) -> tuple[Fact, ...]:
        return Fails(self.least().terms, "≥ 0", 0), _never_below_one()


@cache
def _least_maxima() -> tuple[tuple[object, Fraction], ...]:
    rows: list[tuple[object, Fraction]] = []
    for i, mechanism in enumerate(m for m in all_mechanisms() if m.n == 1):
        row = mechanism.table
        smallest = min(
            row[b][o] / row[a][o]
            for a, b in product(row, repeat=2)
            for o in range(len(mechanism.outputs))
            if row[a][o]
        )
        rows.append((i, Fraction(smallest)))
    return tuple(rows)


def _never_below_one() -> Recounted:
    """Return that RP̄ ≥ 1 for all mechanisms of the battery with one data point (1/RP̄ ≤ 1)."""
    scope = "1/RP̄(O, D_1), the battery's mechanisms of one data point"
    return Recounted("maximum", 1, len(_least_maxima()), scope)


CLAIM = RelativeProbability(Formula("e^(−1)"))
MEANT = RelativeProbability(_FACTOR)


def _gather(claim: RelativeProbability) -> Evidence:
    wrong, least = claim.counterexamples()
    within, same, *_ = MEANT.obligations()
    return Evidence(
        printed=(refute(wrong, 0), recount(_least_maxima(), _never_below_one())),
        corrected=(show(within), show(same), *arrow_findings(_ARROW)),
        correction="max over P of RP̄(Y, X) ≤ e^ε, the bound of equation (28).",
        kind="misprint",
        corrected_claim=MEANT,
        argument=(
            Step(
                "Let O be constant: the algorithm is differentially private with ε = 0, and RP̄ is "
                "1. The text at hand has the bound e^{-1}, in which ε does not occur; it fails at "
                "every ε, and no RP̄ is below 1 (kernel, both).",
                (wrong, least),
            ),
            "That it is a slip follows from (28), a few lines above, and from the sentence after "
            "it; whether of the paper or of its transcription is not decided here.",
            "RP̄ ≥ 1, as some y has positive probability under do(X = x₁), and then x₁ = x₂ gives "
            "1; a constant Y reaches 1, in one variable of one value. With e^ε: Proposition 5.",
            Step(
                "With e^ε the constant algorithm meets the bound for all ε ≥ 0 (kernel), and in "
                "general RP̄ ≤ e^ε for all P and i is Definition 8: an average on both sides.",
                (within, same),
            ),
            "A point mass has one term of weight 1, and gives Definition 1 back.",
            *arrow_lines(_ARROW),
        ),
    )


ENTRY = Entry(
    id="tschantz2022/def9",
    source=source("Definition 9"),
    printed=(
        "X has ε-BRP to Y iff the maximum over P of RP̄(Y, X) ≤ e^{-1}. Differential privacy is "
        "equivalent to requiring ε-BRP for all data points D_i."
    ),
    words="The text prints e^{-1} for e^ε. With e^ε: DP is ε-BRP of all D_i to O.",
    scope="every finite mechanism",
    claim=CLAIM,
    expected=LedgerVerdict.MISPRINT,
    gather=_gather,
    twin=Twin("The same constant algorithm as a counterexample to the bound e^ε.", MEANT),
    theorem_of=MEANT,
)
