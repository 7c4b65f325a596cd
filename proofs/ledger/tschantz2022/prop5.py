"""Proposition 5: Definitions 1 and 8 are equivalent."""

from __future__ import annotations

from provado.proofs.causal.statements.prop5 import STATEMENT
from provado.proofs.ledger.evidence import LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import Arrow, arrow_evidence
from provado.proofs.ledger.tschantz2022._terms import entry

_GATHER = arrow_evidence(
    (
        STATEMENT.argument,
        "A point mass has one term of weight 1, and the sum is that term.",
    ),
    proof_remark="In the text at hand (22) lacks the factor Pr_P[…] on its right side, as (15) "
    "and (16) do elsewhere; the step to (23) needs it.",
)


ENTRY = entry(
    STATEMENT,
    Arrow("1", "8", "is equivalent to"),
    LedgerVerdict.ARGUED,
    _GATHER,
    (
        "Definition 7, one population, in place of Definition 8.",
        Arrow("1", "7", "is equivalent to"),
    ),
)
