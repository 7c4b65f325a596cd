"""Equation (28): differential privacy bounds the maximum relative probabilities."""

from __future__ import annotations

from provado.proofs.causal.arrows import arrow, same
from provado.proofs.causal.statement import Finding, Statement, source


def evidence() -> tuple[Finding, ...]:
    """Compare the maximum over i and P of RP̄(O, D_i) with Definitions 1 and 8."""
    return arrow("1", "9"), same("8", "9", role="sharper")


def broken() -> Finding:
    """Bound the association under all populations instead."""
    return arrow("9", "3")


STATEMENT = Statement(
    id="tschantz2022/sec6-1-eq28",
    source=source("Equation (28)"),
    printed="max over P and i of RP̄(O, D_i) ≤ e^ε for an ε-differentially private algorithm.",
    words="The largest effect size of a data point on the output is the algorithm's smallest e^ε.",
    scope="every finite mechanism",
    argument="Definition 8 says this, instance by instance; Proposition 5.",
    evidence=evidence,
    broken=broken,
)
