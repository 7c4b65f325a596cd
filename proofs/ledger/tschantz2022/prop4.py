"""Proposition 4: Definition 1 implies Definition 7, but not the other way around."""

from __future__ import annotations

from provado.proofs.ledger import Entry, Evidence, LedgerVerdict, Step, Twin
from provado.proofs.ledger.theorem import Theorem

from ._battery import Arrow, arrow_lines, theorem_name
from ._hidden import NoArrow, OneWay, one_way_findings, smallest_step
from ._terms import source


def one_way(seen: int) -> OneWay:
    """Return the claim, with the printed example under a population of so many values."""
    return OneWay((Arrow("1", "7"),), NoArrow("7", "1", seen=seen))


def gather(claim: OneWay) -> Evidence:
    """Return the evidence of both directions."""
    printed, whole, _ = claim.back.cases()
    return Evidence(
        printed=one_way_findings(claim),
        argument=(
            "Pr[O = o | do(D_i = d_i)] is an average of Pr[A(d) = o] over the other points, with "
            "weights that do not depend on d_i (Lemma 2): the bound holds for the averages.",
            *arrow_lines(*claim.arrows),
            Step(
                "Equations (18) and (19), the population uniform on {0, 1}²: all probabilities of "
                "Definition 7 are 1/2, and those of the outputs at (2, 2) and (0, 2) differ by "
                "more than any factor (kernel).",
                claim.back.on(printed),
            ),
            Step("The parity of two fair bits, at full support (kernel).", claim.back.on(whole)),
            smallest_step(claim.back),
        ),
        proof_remark="In the text at hand (15), (16) and (22) lack factors Pr_P[…] and e^ε; with "
        "the factors of (14) the steps are those above.",
    )


ENTRY = Entry(
    id="tschantz2022/prop4",
    source=source("Proposition 4, equations (13) to (19)"),
    printed="Definition 1 implies Definition 7, but not the other way around.",
    words=(
        "Differential privacy bounds the effect of one data point under any one population. The "
        "converse fails: with two data points of two values and a population of full support there "
        "may be no effect of one data point, and no ε with which there is differential privacy."
    ),
    scope="every finite mechanism and every population",
    claim=one_way(2),
    expected=LedgerVerdict.ARGUED,
    gather=gather,
    twin=Twin("The printed example under a population that has the value 2 as well.", one_way(3)),
    theorem=Theorem(theorem_name("tschantz2022/prop4"), one_way(2)),
)
