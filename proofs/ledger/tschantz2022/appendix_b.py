"""Appendix B: Definition 10 does not imply Definition 1."""

from __future__ import annotations

from provado.proofs.ledger import Entry, Evidence, LedgerVerdict, Step, Twin, show

from . import source
from ._arrows import Arrow, arrow_findings
from ._witness import NoArrow, smallest_step

CLAIM = NoArrow("10", "1", sizes=(2,), seen=2)
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
            "A population at a single value compares nothing: Definition 10 holds with ε = 0.",
            Step("The other way round it holds over part of the battery.", _BACK.recounts()),
        ),
    )


ENTRY = Entry(
    id="tschantz2022/appendix-b",
    source=source("Appendix B, Definition 10"),
    printed="Definition 10 does not imply Definition 1. [By one data point of three values.]",
    words=(
        "Conditioning under one population leaves datasets of probability zero unchecked: with one "
        "data point of two values Definition 10 can hold with ε = 0, and Definition 1 with no ε."
    ),
    scope="finite mechanisms",
    claim=CLAIM,
    expected=LedgerVerdict.ARGUED,
    gather=_gather,
    twin=Twin(
        "The same with a population that has the value 2 as well.",
        NoArrow("10", "1", sizes=(2,), seen=3),
    ),
    theorem_of=CLAIM,
)
