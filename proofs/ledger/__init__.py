"""The ledger: every numbered statement of the papers, with a verdict computed from evidence."""

from .claim import (
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
from .decide import Decision, Refusal, decide
from .entry import Entry, Evidence, LedgerVerdict, Line, Reading, Searched, Step, Twin, ledger
from .find_certificate import moves_more, named, not_private, refute, show, show_claim
from .formula import Formula, at_least_zero, equal

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
