"""The ledger: every numbered statement of the papers, with a verdict computed from evidence."""

from provado.proofs.ledger.claim import (
    All,
    Bounded,
    Claim,
    LaplaceTail,
    Private,
    Sensitivity,
    Setting,
    Stretch,
    Unstated,
)
from provado.proofs.ledger.decide import Decision, Refusal, decide
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict, Line, Reading, Searched, Step
from provado.proofs.ledger.formula import Formula, at_least_zero, equal
from provado.proofs.ledger.show import moves_more, named, not_private, refute, show, show_claim
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
    "Line",
    "Private",
    "Reading",
    "Refusal",
    "Searched",
    "Sensitivity",
    "Setting",
    "Step",
    "Stretch",
    "Twin",
    "Unstated",
    "at_least_zero",
    "decide",
    "equal",
    "ledger",
    "moves_more",
    "named",
    "not_private",
    "refute",
    "show",
    "show_claim",
]
