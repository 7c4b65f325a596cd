"""Table 1, row 3: Bayesian₀ differential privacy → DP, and not back."""

from __future__ import annotations

from fractions import Fraction

from provado.proofs.ledger import Entry, Evidence, LedgerVerdict, Twin
from provado.proofs.ledger.theorem import Theorem

from ._battery import Arrow, arrow_lines, theorem_name
from ._hidden import NoArrow, OneWay, one_way_findings, smallest_step
from ._terms import source


def strictly_stronger(factor: int) -> OneWay:
    """Return the claim; the converse fails where Definition 1 holds with ``factor``."""
    ratios = Arrow("3", "1 for any two datasets", "is equivalent to")
    return OneWay((Arrow("3", "1"), ratios), NoArrow("1", "3", Fraction(factor)))


def _gather(claim: OneWay) -> Evidence:
    return Evidence(
        printed=one_way_findings(claim),
        argument=(
            "Definition 3 is decided by all pairs of datasets, Definition 1 by those that differ "
            "in one point.",
            "Definition 3 → DP: let the population have two neighbors, each half of the time, that "
            "differ in data point i. Given D_i = d_i the output has the distribution of that "
            "dataset.",
            *arrow_lines(*claim.arrows),
            smallest_step(claim.back),
        ),
    )


ENTRY = Entry(
    id="tschantz2022/table1-row3",
    source=source("Table 1, row 3; section 3"),
    printed="Definition 3 → DP (strictly stronger).",
    words=(
        "Conditioning on one data point, for all populations, is differential privacy with any two "
        "datasets in the place of neighbors. So it implies differential privacy; the converse "
        "fails: two bits can have differential privacy with e^ε = 2 and not this."
    ),
    scope="every finite mechanism",
    claim=strictly_stronger(2),
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin("The same case against the converse for the factor 3.", strictly_stronger(3)),
    theorem=Theorem(theorem_name("tschantz2022/table1-row3"), strictly_stronger(2)),
)
