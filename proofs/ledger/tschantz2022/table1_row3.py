"""Table 1, row 3: Bayesian₀ differential privacy → DP, and not back."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.causal.statements.table1_row3 import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import Arrow, arrow_lines
from provado.proofs.ledger.tschantz2022._hidden import (
    NoArrow,
    OneWay,
    one_way_findings,
    smallest_step,
)
from provado.proofs.ledger.tschantz2022._terms import entry


def strictly_stronger(factor: int) -> OneWay:
    """Return the claim; the converse fails where Definition 1 holds with ``factor``."""
    return OneWay(Arrow("3", "1"), NoArrow("1", "3", Fraction(factor)))


def _gather(claim: OneWay) -> Evidence:
    return Evidence(
        printed=one_way_findings(claim),
        argument=(
            STATEMENT.argument,
            "Definition 3 → DP: let the population have two neighbors, each half of the time, that "
            "differ in data point i. Given D_i = d_i the output has the law of that dataset.",
            *arrow_lines(claim.arrow),
            smallest_step(claim.back),
        ),
    )


ENTRY = entry(
    STATEMENT,
    strictly_stronger(2),
    LedgerVerdict.ARGUED,
    _gather,
    ("The same case against the converse for the factor 3.", strictly_stronger(3)),
)
