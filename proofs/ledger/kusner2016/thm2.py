"""Theorem 2: the chance that two scores keep their order under Laplace noise."""

from __future__ import annotations

from provado.proofs.ledger import (
    Entry,
    Evidence,
    Formula,
    LaplaceTail,
    LedgerVerdict,
    Reading,
    Step,
    Twin,
    show_claim,
)

from . import source

_WHERE = "1 − P(p_{X→Y} < p_{Y→X}) at x = γ/σ, of noise in units of σ"


def wrong_order(tail: str) -> LaplaceTail:
    """Return the claim that this is the chance of the wrong order."""
    return LaplaceTail((1, 1), Formula(tail), _WHERE)


CLAIM = wrong_order("(x + 2)/4·e^(−x)")


def _gather(claim: LaplaceTail) -> Evidence:
    return Evidence(
        printed=show_claim(claim),
        argument=(
            Reading("Let x = γ/σ, and let Z₁, Z₂ be independent Lap(0, 1)."),
            Reading(
                "The inference is wrong when the noise on s_{X→Y} minus that on s_{Y→X} is at "
                "least γ; divided by σ, and as Z₂ is symmetric, this is Z₁ + Z₂ ≥ x (by "
                "definition; equality has probability 0)."
            ),
            Step(
                "Pr[Z₁ + Z₂ > x] follows for all real x from the definition of the noise, and for "
                "x ≥ 0 it is the printed formula (kernel).",
                claim.obligations(),
            ),
        ),
    )


ENTRY = Entry(
    id="kusner2016/thm2",
    source=source("Theorem 2"),
    printed="P(p_{X→Y} < p_{Y→X}) = 1 − (γ + 2σ)/(4σ)·e^(−γ/σ), with γ = s_{Y→X} − s_{X→Y} > 0 "
    "and Laplace noise of scale σ = Δ/ε on each score.",
    words="If both scores get independent Laplace noise of scale σ, the smaller one stays smaller "
    "with this probability.",
    scope="All margins γ ≥ 0 and scales σ > 0.",
    claim=CLAIM,
    expected=LedgerVerdict.PROVED,
    gather=_gather,
    twin=Twin("The formula with γ + σ in place of γ + 2σ.", wrong_order("(x + 1)/4·e^(−x)")),
)
