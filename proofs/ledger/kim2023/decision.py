"""The privacy of the permutation test: one ε for its decision, whatever the number of scores."""

from __future__ import annotations

from provado.proofs.ledger import (
    Bounded,
    Entry,
    Evidence,
    Formula,
    LedgerVerdict,
    Reading,
    Step,
    Stretch,
    Twin,
    show_claim,
)

from . import source


def costs(factor: int) -> Bounded:
    """Return the claim that noise of scale factor·Δ/ε makes the decision ε-DP."""
    derived = Stretch(Formula(f"2·x/{factor}"), 0)
    quantity = f"the privacy loss of the decision, at noise of scale {factor}Δ/x"
    return Bounded(quantity, Formula("x"), (derived,), same=True)


CLAIM = costs(2)


def _gather(claim: Bounded) -> Evidence:
    return Evidence(
        printed=show_claim(claim),
        argument=(
            Reading(
                "x is ξ. Δ bounds the move of the score, and of the score under each permutation; "
                "the permutations are drawn whatever the data; released is whether p ≤ α."
            ),
            "p ≤ α says that at most k = ⌊α(B + 1)⌋ − 1 noisy permuted scores reach the noisy "
            "score: that it is above the (k + 1)-th largest of them.",
            "Hold permutations and the permuted scores' noise. An order statistic moves by no more "
            "than the numbers that it ranks, so the score less it moves by at most 2Δ. The score's "
            "own noise is independent of all that: a noisy comparison with 0.",
            Step(
                "Laplace noise of that scale on a number that moves by 2Δ costs at most ξ (Dwork "
                "and Roth, Theorem 3.6, and kernel).",
                claim.obligations(),
            ),
            "ξ-DP with ξ = ε + ln(1/(1 − δ)) is (ε, δ)-DP: P(S) − e^ε·Q(S) ≤ P(S)·(1 − e^(ε − ξ)) "
            "≤ δ.",
            "For p itself, which is not one comparison, the argument does not hold: given scores "
            "of sensitivity Δ, its law may move by more than ε.",
        ),
    )


ENTRY = Entry(
    id="kim2023/decision",
    source=source("differentially private permutation test; the authors' package, noise of dphsic"),
    printed="[Code:] Laplace noise of scale 2Δ/ξ, ξ = ε + ln(1/(1 − δ)), on the score and on each "
    "permuted score; returned is whether the noisy p-value is at most α.",
    words="The decision of the permutation test with that noise is (ε, δ)-DP.",
    scope="Any score whose move under any permutation is at most Δ; the decision at one fixed α.",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("Noise of scale Δ/ε, as for the score alone.", costs(1)),
)
