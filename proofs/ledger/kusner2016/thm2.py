"""Theorem 2: the chance that two scores keep their order under Laplace noise."""

from __future__ import annotations

from provado.proofs.exppoly.certificates import laplace_sum_tail
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.kusner2016._terms import X, constant, grow, same, source

_WRONG = (X + 2) * constant(1, 4) * grow(-1)
"""(γ + 2σ)/(4σ)·e^(−γ/σ) with x = γ/σ."""


def _gather() -> Evidence:
    tail, proof = laplace_sum_tail((1, 1))
    return Evidence(
        printed=(proof, same(_WRONG, tail.piece_at(0))),
        argument=(
            "Let x = γ/σ, and let Z₁, Z₂ be independent Lap(0, 1).",
            "The inference is wrong when the noise on s_{X→Y} minus that on s_{Y→X} is at least γ; "
            "divided by σ, and as Z₂ is symmetric, this is Z₁ + Z₂ ≥ x (by definition; equality "
            "has probability 0).",
            "Pr[Z₁ + Z₂ > x] follows for all real x from the densities (kernel, two convolutions).",
            "For x ≥ 0 it is (x + 2)/4·e^(−x), which is the printed formula (kernel, identity).",
        ),
    )


def _twin() -> object:
    tail, _ = laplace_sum_tail((1, 1))
    return same((X + 1) * constant(1, 4) * grow(-1), tail.piece_at(0))


ENTRY = Entry(
    id="kusner2016/thm2",
    source=source("Theorem 2"),
    printed="P(p_{X→Y} < p_{Y→X}) = 1 − (γ + 2σ)/(4σ)·e^(−γ/σ), with γ = s_{Y→X} − s_{X→Y} > 0 "
    "and Laplace noise of scale σ = Δ/ε on each score.",
    words="If both scores get independent Laplace noise of scale σ, the smaller one stays smaller "
    "with this probability.",
    scope="All margins γ ≥ 0 and scales σ > 0.",
    expected=LedgerVerdict.PROVED,
    gather=_gather,
    twin=Twin("The formula with γ + σ in place of γ + 2σ.", _twin),
)
