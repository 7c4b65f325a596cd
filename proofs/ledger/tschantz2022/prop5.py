"""Proposition 5: Definitions 1 and 8 are equivalent."""

from __future__ import annotations

from provado.proofs.causal.bound import Smallest
from provado.proofs.causal.interventional import definition_7
from provado.proofs.causal.population import uniform
from provado.proofs.causal.search import Case
from provado.proofs.causal.statements.prop5 import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import equivalence
from provado.proofs.ledger.tschantz2022._steps import AVERAGED, averaged
from provado.proofs.ledger.tschantz2022._terms import besides, entry


def _gather() -> Evidence:
    return Evidence(
        printed=(averaged(),),
        argument=(
            STATEMENT.argument,
            AVERAGED,
            "A point mass has one term of weight 1, and the sum is that term.",
            *besides(*equivalence("1", "8")),
        ),
        proof_remark="In the text at hand (22) lacks the factor Pr_P[…] on its right side, as (15) "
        "and (16) do elsewhere; the step to (23) needs it.",
    )


def _twin() -> object:
    def uniform_only(case: Case) -> Smallest:
        return definition_7(case.mechanism, uniform(case.mechanism.datasets))

    return equivalence("1", ("Definition 8 for the uniform population only", uniform_only))


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.PROVED,
    _gather,
    ("Definition 8 for the uniform population only, over the same battery.", _twin),
)
