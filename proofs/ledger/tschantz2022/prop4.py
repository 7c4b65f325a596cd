"""Proposition 4: Definition 1 implies Definition 7, but not the other way around."""

from __future__ import annotations

from provado.proofs.causal.statements.prop4 import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict, Step
from provado.proofs.ledger.tschantz2022._battery import Arrow, arrow_lines
from provado.proofs.ledger.tschantz2022._hidden import (
    NoArrow,
    OneWay,
    one_way_findings,
    smallest_step,
)
from provado.proofs.ledger.tschantz2022._terms import entry


def one_way(seen: int) -> OneWay:
    """Return the claim, with the printed example under a population of so many values."""
    return OneWay(Arrow("1", "7"), NoArrow("7", "1", seen=seen))


def _gather(claim: OneWay) -> Evidence:
    printed, _ = claim.back.cases()
    return Evidence(
        printed=one_way_findings(claim),
        argument=(
            STATEMENT.argument,
            *arrow_lines(claim.arrow),
            Step(
                "Equations (18) and (19), the population uniform on {0, 1}²: all probabilities of "
                "Definition 7 are 1/2, and those of the outputs at (2, 2) and (0, 2) differ by "
                "more than any factor (kernel).",
                claim.back.on(printed),
            ),
            smallest_step(claim.back),
        ),
        proof_remark="In the text at hand (15), (16) and (22) lack factors Pr_P[…] and e^ε; with "
        "the factors of (14) the steps are those above.",
    )


ENTRY = entry(
    STATEMENT,
    one_way(2),
    LedgerVerdict.ARGUED,
    _gather,
    ("The printed example under a population that has the value 2 as well.", one_way(3)),
)
