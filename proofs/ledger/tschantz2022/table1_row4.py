"""Table 1, row 4: Bayesian₀ differential privacy for independent data points ↔ DP."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.causal.statements.table1_row4 import STATEMENT
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict
from provado.proofs.ledger.tschantz2022._battery import equivalence, implication
from provado.proofs.ledger.tschantz2022._dependence import (
    case_words,
    copies_case,
    dp_without_definition_4,
    printed_condition,
)
from provado.proofs.ledger.tschantz2022._steps import AVERAGED, averaged
from provado.proofs.ledger.tschantz2022._terms import besides, entry


def _gather() -> Evidence:
    people = copies_case().people
    return Evidence(
        printed=(
            *dp_without_definition_4(),
            *((printed_condition(people),) if people is not None else ()),
        ),
        corrected=(averaged(),),
        correction='With "D_1, …, D_n are mutually independent" for the condition, Definition 4 '
        "and differential privacy are equivalent.",
        kind="repair",
        argument=(
            f"Let {case_words()}. It meets the printed condition: in each plane the weights are "
            "those of two independent variables (kernel).",
            "The algorithm satisfies Definition 1 with the factor t (kernel, every comparison), "
            "and t ≤ e^ε for the ε of the counterexample (kernel); given one data point two "
            "probabilities are further apart than e^ε (kernel, replay).",
            STATEMENT.argument,
            AVERAGED,
            "The arrow Definition 4 → DP holds for either reading: point masses meet both.",
            *besides(
                implication("4 as printed", "1"), *equivalence("4 with mutual independence", "1")
            ),
        ),
    )


def _twin() -> object:
    return dp_without_definition_4(Fraction(5, 4))


ENTRY = entry(
    STATEMENT,
    LedgerVerdict.REFUTED,
    _gather,
    ("The same counterexample for ε = 5/4, where e^ε is above the ratio.", _twin),
)
