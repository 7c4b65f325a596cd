"""Table 1, row 4: Bayesian₀ differential privacy for independent data points ↔ DP."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.ledger import Entry, Evidence, LedgerVerdict, Step, Twin
from provado.proofs.ledger.theorem import Theorem

from ._battery import Arrow, arrow_findings, arrow_lines, theorem_name
from ._dependence import PrintedDefinition4, case_words, findings
from ._terms import source

CLAIM = PrintedDefinition4(Fraction(3, 4))
REPAIRED = Arrow("4 with mutual independence", "1", "is equivalent to")
_BACK = Arrow("4 as printed", "1")


def _gather(claim: PrintedDefinition4) -> Evidence:
    *signs, within, planes, fails = claim.counterexamples()
    return Evidence(
        printed=findings(claim),
        corrected=(*arrow_findings(REPAIRED), *arrow_findings(_BACK)),
        correction='With "D_1, …, D_n are mutually independent" for the condition, Definition 4 '
        "and differential privacy are equivalent.",
        kind="repair",
        corrected_claim=REPAIRED,
        argument=(
            Step(
                f"Let {case_words()}. It meets the printed condition: in each plane the weights "
                "are those of two independent variables (kernel).",
                (planes,),
            ),
            Step(
                "The algorithm satisfies Definition 1 with the factor t (kernel, every "
                "comparison), and t ≤ e^ε for the ε of the counterexample (kernel); given one data "
                "point two probabilities are further apart than e^ε (kernel, replay).",
                (*signs, within, fails),
            ),
            "Mutual independence: both sides average over the same distribution of the other "
            "points, so the bound passes to the averages; point masses give it back. As printed: "
            "for two data points the condition is mutual independence and for one it is empty "
            "while Definition 3 is DP, and with one value nothing is compared, so no "
            "counterexample is smaller than three data points of two values. In general the "
            "printed condition compares datasets at distance 1 or at least 3.",
            *arrow_lines(REPAIRED),
            "The arrow Definition 4 → DP holds for either reading: point masses meet both.",
            Step("It was recounted for the printed one too (kernel).", _BACK.recounts()),
        ),
    )


ENTRY = Entry(
    id="tschantz2022/table1-row4",
    source=source("Table 1, row 4; Definition 4"),
    printed=(
        "Definition 4 ↔ DP, where for i ≠ j D_i is independent of D_j conditioned upon the other "
        "data points."
    ),
    words=(
        "With mutually independent data points the two are equivalent. With the condition as "
        "printed DP does not imply Definition 4 with three data points: three copies of one "
        "status meet the condition."
    ),
    scope="every finite mechanism",
    claim=CLAIM,
    expected=LedgerVerdict.REFUTED,
    gather=_gather,
    twin=Twin(
        "The same counterexample for ε = 5/4, where e^ε is above the ratio.",
        PrintedDefinition4(Fraction(5, 4)),
    ),
    theorem=Theorem(theorem_name("tschantz2022/table1-row4"), REPAIRED),
)
