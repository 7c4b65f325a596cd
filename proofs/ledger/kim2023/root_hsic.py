"""The sensitivity of √HSIC, of the columns as they are and under any permutation."""

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


def moves_at_most(bound: str) -> Bounded:
    """Return the claim that the root moves by at most a bound, by way of one column at a time."""
    derived = Stretch(Formula("2·(2/n)·(1 − 1/n)", "n"), 2)
    quantity = "the move of √(trace(KHLH))/n under any permutation"
    return Bounded(quantity, Formula(bound, "n"), (derived,), same=True)


CLAIM = moves_at_most("4·(n − 1)/n²")


def _gather(claim: Bounded) -> Evidence:
    return Evidence(
        printed=show_claim(claim),
        argument=(
            Reading(
                "HSIC is the V-statistic trace(KHLH)/n² of n records, kernels positive "
                "semi-definite with values in [0, 1]; under a permutation, of pairs "
                "(x_π(i), y_i)."
            ),
            "Let φ, ψ be features of the kernels, ψ̄ the mean of ψ over the records. √HSIC is the "
            "norm of M = Σ φ(x_π(i)) ⊗ (ψ(y_i) − ψ̄)/n, whichever of the two is centred.",
            "A replaced record changes one x and one y, which stand in one row or in two. Take one "
            "column at a time. Changing one x changes M by (φ − φ′) ⊗ (ψ_j − ψ̄)/n, j its row.",
            "‖φ − φ′‖² = k(x, x) + k(x′, x′) − 2k(x, x′) ≤ 2, as k lies in [0, 1]; and ψ_j − ψ̄ is "
            "(1 − 1/n) times ψ_j less the mean of the other ψ, a mean of differences of norm at "
            "most √2. So the norm moves by at most (2/n)(1 − 1/n), likewise for y, with φ centred.",
            Step(f"Twice that is {claim.bound} for n ≥ 2 (kernel).", claim.obligations()),
            "Hardly less is enough for kernels that come near 0: of n pairs (a, b) let one hold "
            "another x and one another y, and let a replaced record give each of them both. The "
            "root moves by 4(n − 5/2)/n².",
        ),
        proof_remark="Kernels with negative values have ‖φ − φ′‖ up to 2: then the bound doubles.",
    )


ENTRY = Entry(
    id="kim2023/root-hsic",
    source=source("dpHSIC; the authors' package, sensitivity of dphsic"),
    printed="[Code:] the sensitivity is 4(n − 1)/n².",
    words="Replacing one of n records moves √HSIC, of the columns under any permutation, by at "
    "most 4(n − 1)/n².",
    scope="n ≥ 2, replace-one, fixed positive semi-definite kernels with values in [0, 1].",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin(
        "Half of it, which one column's change alone may take.", moves_at_most("2·(n − 1)/n²")
    ),
)
