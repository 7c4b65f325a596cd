"""The permutation test: the sensitivity of √HSIC, and one ε for the decision."""

from provado.proofs import ledger

from . import source


def moves_at_most(bound: str) -> ledger.Bounded:
    """Return the claim that the root moves by at most a bound, by way of one column at a time."""
    derived = ledger.Stretch(ledger.Formula("2·(2/n)·(1 − 1/n)", "n"), 2)
    quantity = "the move of √(trace(KHLH))/n under any permutation"
    return ledger.Bounded(quantity, ledger.Formula(bound, "n"), (derived,), same=True)


ROOT_HSIC_CLAIM = moves_at_most("4·(n − 1)/n²")


@ledger.Entry(
    source=source("dpHSIC; the authors' package, sensitivity of dphsic"),
    printed="[Code:] the sensitivity is 4(n − 1)/n².",
    words="Replacing one of n records moves √HSIC, of the columns under any permutation, by at "
    "most 4(n − 1)/n².",
    scope="n ≥ 2, replace-one, fixed positive semi-definite kernels with values in [0, 1].",
    claim=ROOT_HSIC_CLAIM,
    twin=ledger.Twin(
        "Half of it, which one column's change alone may take.", moves_at_most("2·(n − 1)/n²")
    ),
)
def _root_hsic(claim: ledger.Bounded) -> ledger.Evidence:
    return ledger.Evidence(
        printed=ledger.show_claim(claim),
        argument=(
            ledger.Reading(
                "HSIC is the V-statistic trace(KHLH)/n² of n records, kernels positive "
                "semi-definite with values in [0, 1]; under a permutation, of pairs (x_π(i), y_i)."
            ),
            "Let φ, ψ be features of the kernels, ψ̄ the mean of ψ over the records. √HSIC is the "
            "norm of M = Σ φ(x_π(i)) ⊗ (ψ(y_i) − ψ̄)/n, whichever of the two is centred.",
            "A replaced record changes one x and one y, which stand in one row or in two. Take one "
            "column at a time. Changing one x changes M by (φ − φ′) ⊗ (ψ_j − ψ̄)/n, j its row.",
            "‖φ − φ′‖² = k(x, x) + k(x′, x′) − 2k(x, x′) ≤ 2, as k lies in [0, 1]; and ψ_j − ψ̄ is "
            "(1 − 1/n) times ψ_j less the mean of the other ψ, a mean of differences of norm at "
            "most √2. So the norm moves by at most (2/n)(1 − 1/n), likewise for y, with φ centred.",
            ledger.Step(f"Twice that is {claim.bound} for n ≥ 2 (kernel).", claim.obligations()),
            "Hardly less is enough for kernels that come near 0: of n pairs (a, b) let one hold "
            "another x and one another y, and let a replaced record give each of them both. The "
            "root moves by 4(n − 5/2)/n².",
        ),
        proof_remark="Kernels with negative values have ‖φ − φ′‖ up to 2: then the bound doubles.",
    )


# The privacy of the permutation test: one ε for its decision, whatever the number of scores.


def costs(factor: int) -> ledger.Bounded:
    """Return the claim that noise of scale factor·Δ/ε makes the decision ε-DP."""
    derived = ledger.Stretch(ledger.Formula(f"2·x/{factor}"), 0)
    quantity = f"the privacy loss of the decision, at noise of scale {factor}Δ/x"
    return ledger.Bounded(quantity, ledger.Formula("x"), (derived,), same=True)


@ledger.Entry(
    source=source("differentially private permutation test; the authors' package, noise of dphsic"),
    printed="[Code:] Laplace noise of scale 2Δ/ξ, ξ = ε + ln(1/(1 − δ)), on the score and on each "
    "permuted score; returned is whether the noisy p-value is at most α.",
    words="The decision of the permutation test with that noise is (ε, δ)-DP.",
    scope="Any score whose move under any permutation is at most Δ; the decision at one fixed α.",
    claim=costs(2),
    twin=ledger.Twin("Noise of scale Δ/ε, as for the score alone.", costs(1)),
)
def _decision(claim: ledger.Bounded) -> ledger.Evidence:
    return ledger.Evidence(
        printed=ledger.show_claim(claim),
        argument=(
            ledger.Reading(
                "x is ξ. Δ bounds the move of the score, and of the score under each permutation; "
                "the permutations are drawn whatever the data; released is whether p ≤ α."
            ),
            "p ≤ α says that at most k = ⌊α(B + 1)⌋ − 1 noisy permuted scores reach the noisy "
            "score: that it is above the (k + 1)-th largest of them.",
            "Hold permutations and the permuted scores' noise. An order statistic moves by no more "
            "than the numbers that it ranks, so the score less it moves by at most 2Δ. The score's "
            "own noise is independent of all that: a noisy comparison with 0.",
            ledger.Step(
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


ENTRIES = (_root_hsic, _decision)
