"""Table 1, rows 2 to 8: each definition beside differential privacy."""

from fractions import Fraction

from provado.proofs.ledger import Entry, Evidence, LedgerVerdict, Step, Twin

from . import _witness as witness
from . import source
from ._arrows import Arrow, arrow_entry, arrow_findings, arrow_lines
from .propositions import one_way, one_way_evidence


def strictly_stronger(factor: int) -> witness.OneWay:
    """Return the claim of row 3; the converse fails where Definition 1 holds with ``factor``."""
    ratios = Arrow("3", "1 for any two datasets", "is equivalent to")
    return witness.OneWay((Arrow("3", "1"), ratios), witness.NoArrow("1", "3", Fraction(factor)))


def _row_3(claim: witness.OneWay) -> Evidence:
    return Evidence(
        printed=witness.one_way_findings(claim),
        argument=(
            "Definition 3 is decided by all pairs of datasets, Definition 1 by those that differ "
            "in one point.",
            "Definition 3 → DP: let the population have two neighbors, each half of the time, that "
            "differ in data point i. Given D_i = d_i the output has the distribution of that "
            "dataset.",
            *arrow_lines(*claim.arrows),
            witness.smallest_step(claim.back),
        ),
    )


_ROW_4 = witness.PrintedDefinition4(Fraction(3, 4))
REPAIRED = Arrow("4 with mutual independence", "1", "is equivalent to")
_BACK = Arrow("4 as printed", "1")


def _row_4(claim: witness.PrintedDefinition4) -> Evidence:
    *signs, within, planes, fails = claim.counterexamples()
    return Evidence(
        printed=witness.findings(claim),
        corrected=(*arrow_findings(REPAIRED), *arrow_findings(_BACK)),
        correction='With "D_1, …, D_n are mutually independent" for the condition, Definition 4 '
        "and differential privacy are equivalent.",
        kind="repair",
        corrected_claim=REPAIRED,
        argument=(
            Step(
                f"Let {witness.case_words()}. It meets the printed condition: in each plane the "
                "weights are those of two independent variables (kernel).",
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


ENTRIES = (
    arrow_entry(
        id="tschantz2022/table1-row2",
        place="Table 1, row 2",
        printed="Definition 2 ↔ DP.",
        words="Conditioning on all data points, for all populations, is differential privacy.",
        scope="every finite mechanism",
        claim=Arrow("2", "1", "is equivalent to"),
        argument=("Proposition 1.",),
        twin=Twin("Definition 10, one population, for Definition 2.", Arrow("10", "1")),
    ),
    arrow_entry(
        id="tschantz2022/table1-row3",
        place="Table 1, row 3; section 3",
        printed="Definition 3 → DP (strictly stronger).",
        words="Conditioning on one data point, for all populations, is differential privacy with "
        "any two datasets in the place of neighbors. So it implies differential privacy; the "
        "converse fails: two bits can have differential privacy with e^ε = 2 and not this.",
        scope="every finite mechanism",
        claim=strictly_stronger(2),
        gather=_row_3,
        twin=Twin("The same case against the converse for the factor 3.", strictly_stronger(3)),
    ),
    Entry(
        id="tschantz2022/table1-row4",
        source=source("Table 1, row 4; Definition 4"),
        printed="Definition 4 ↔ DP, where for i ≠ j D_i is independent of D_j conditioned upon the "
        "other data points.",
        words="With mutually independent data points the two are equivalent. With the condition as "
        "printed DP does not imply Definition 4 with three data points: three copies of one "
        "status meet the condition.",
        scope="every finite mechanism",
        claim=_ROW_4,
        expected=LedgerVerdict.REFUTED,
        gather=_row_4,
        twin=Twin(
            "The same counterexample for ε = 5/4, where e^ε is above the ratio.",
            witness.PrintedDefinition4(Fraction(5, 4)),
        ),
        theorem_of=REPAIRED,
    ),
    arrow_entry(
        id="tschantz2022/table1-row5",
        place="Table 1, row 5",
        printed="Definition 5 ↔ DP.",
        words="Setting all data points, for all populations, is differential privacy.",
        scope="every finite mechanism",
        claim=Arrow("5", "1", "is equivalent to"),
        argument=("Proposition 2.",),
        twin=Twin(
            "Definition 7 (one data point, one population) as if it gave Definition 5.",
            Arrow("7", "1"),
        ),
    ),
    arrow_entry(
        id="tschantz2022/table1-row6",
        place="Table 1, row 6",
        printed="Definition 6 ↔ DP.",
        words="Setting all data points, for a given population, is differential privacy.",
        scope="every finite mechanism and every population",
        claim=Arrow("6", "1", "is equivalent to"),
        argument=("Proposition 3.",),
        twin=Twin(
            "Definition 10 for Definition 6: conditioning for intervening.", Arrow("10", "1")
        ),
    ),
    arrow_entry(
        id="tschantz2022/table1-row7",
        place="Table 1, row 7",
        printed="Definition 7 ← DP (strictly weaker).",
        words="DP bounds a data point's effect under any one population; the converse fails.",
        scope="every finite mechanism and every population",
        claim=one_way(2),
        gather=one_way_evidence,
        twin=Twin("The arrow turned round.", witness.OneWay((Arrow("7", "1"),), one_way(2).back)),
    ),
    arrow_entry(
        id="tschantz2022/table1-row8",
        place="Table 1, row 8",
        printed="Definition 8 ↔ DP.",
        words="Setting one data point, for all populations, is differential privacy.",
        scope="every finite mechanism",
        claim=Arrow("8", "1", "is equivalent to"),
        argument=("Proposition 5.",),
        twin=Twin("Definition 3 for Definition 8: conditioning for intervening.", Arrow("8", "3")),
    ),
)
