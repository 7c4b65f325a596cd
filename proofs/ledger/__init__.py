"""The ledger: every numbered statement of the papers, with a verdict computed from evidence."""

from provado.proofs.ledger.decide import Decision, decide
from provado.proofs.ledger.entry import Entry, Twin
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict, Searched
from provado.proofs.ledger.walk import ledger

__all__ = [
    "Decision",
    "Entry",
    "Evidence",
    "LedgerVerdict",
    "Searched",
    "Twin",
    "decide",
    "ledger",
]
