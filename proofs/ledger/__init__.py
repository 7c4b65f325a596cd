"""The ledger: every numbered statement of the papers, with a verdict computed from evidence."""

from provado.proofs.ledger.claim import All, Bounded, Claim, LaplaceTail, Stretch, Unstated
from provado.proofs.ledger.decide import Decision, Refusal, decide
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict, Reading, Searched, Step
from provado.proofs.ledger.formula import Formula
from provado.proofs.ledger.show import show, show_claim
from provado.proofs.ledger.walk import ledger

__all__ = [
    "All",
    "Bounded",
    "Claim",
    "Decision",
    "Entry",
    "Evidence",
    "Formula",
    "LaplaceTail",
    "LedgerVerdict",
    "Reading",
    "Refusal",
    "Searched",
    "Step",
    "Stretch",
    "Twin",
    "Unstated",
    "decide",
    "ledger",
    "show",
    "show_claim",
]
