"""Appendix B: Definition 10 does not imply Definition 1."""

from __future__ import annotations

from provado.proofs.causal.statements.appendix_b import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict, Step
from provado.proofs.ledger.show import show
from provado.proofs.ledger.tschantz2022._battery import Arrow, arrow_findings
from provado.proofs.ledger.tschantz2022._hidden import NoArrow, smallest_step
from provado.proofs.ledger.tschantz2022._terms import entry

CLAIM = NoArrow("10", "1", seen=2)
_BACK = Arrow("1", "10")


def _gather(claim: NoArrow) -> Evidence:
    printed, _ = claim.cases()
    return Evidence(
        printed=(*map(show, claim.obligations()), *arrow_findings(_BACK)),
        argument=(
            Step(
                "Equations (31) to (33), the population uniform on 0 and 1: all comparisons of "
                "Definition 10 have p = q = 1/2, and Pr[A(0) = 1] = 1/2 exceeds every multiple of "
                "Pr[A(2) = 1] = 0 (kernel).",
                claim.on(printed),
            ),
            smallest_step(claim),
            STATEMENT.argument,
            Step("The other way round it holds over part of the battery.", _BACK.recounts()),
        ),
    )


ENTRY = entry(
    STATEMENT,
    CLAIM,
    LedgerVerdict.ARGUED,
    _gather,
    (
        "The same with a population that has the value 2 as well.",
        NoArrow("10", "1", seen=3),
    ),
)
