"""Theorem 1: bounded relative probability composes additively in sequence."""

from __future__ import annotations

from provado.proofs.causal.composition import SCOPE, composition, models_in_sequence
from provado.proofs.causal.statements.thm1_composition import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import largest_excess
from provado.proofs.ledger.tschantz2022._steps import MULTIPLIED, multiplied
from provado.proofs.ledger.tschantz2022._terms import besides, entry


def _gather() -> Evidence:
    models = map(composition, models_in_sequence())
    recount = largest_excess(
        ((effects.whole, effects.promised) for effects in models),
        f"1/e^(ε₁ + ε₂) less 1/e^ε of X to ⟨Y, Z⟩: {SCOPE}",
    )
    return Evidence(
        printed=(multiplied(),),
        argument=(
            STATEMENT.argument,
            MULTIPLIED,
            "Here a = Pr[Y = y | do(X = x)] and b = F_Z(z | x, y), with x′ in a′ and b′.",
            *besides(recount),
        ),
        proof_remark="The printed proof conditions on Y = y for y with Pr[Y = y] > 0 only; under "
        "do(X = x) other y may have positive probability. The factorisation above needs none.",
    )


def _twin() -> object:
    return multiplied(second=False)


ENTRY = entry(
    STATEMENT, LedgerVerdict.PROVED, _gather, ("The promise e^ε₁ without the factor e^ε₂.", _twin)
)
