"""What was found about a published statement, and the argument that goes with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from provado.proofs.kernel import Checked

from .claim import Claim
from .fact import Fact


class LedgerVerdict(StrEnum):
    """What the ledger says of a statement.

    ``PROVED``: for all parameters in the stated scope, checked by machine from definitions: what
    was checked is the claim itself. ``VERIFIED``: exhaustively, on the finite scope that the entry
    names. ``ARGUED``: by a written argument whose marked steps the kernel checked; the steps
    between them are prose that a reader must check. ``SUPPORTED``: searched and nothing found; not
    a proof. ``MISPRINT``: false as printed, by a counterexample, and the form that was evidently
    meant is proved or argued; which of the two stands beside it. ``REFUTED``: a counterexample that
    replays. ``INCOMPLETE``: the text lacks what it takes to state the claim. ``UNKNOWN``: the
    evidence could not be gathered, was refused, or does not fit the claim; the reason stands beside
    it.

    Of the first four the weakest part decides, and they are ordered by what is left to trust:
    nothing; that the table is the one of the scope; the prose; that a search would have found it.
    """

    PROVED = "proved"
    VERIFIED = "verified"
    ARGUED = "argued"
    SUPPORTED = "supported"
    MISPRINT = "misprint"
    REFUTED = "refuted"
    INCOMPLETE = "incomplete"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Searched:
    """A search for a counterexample that found none: never more than support.

    what: what was tried, with its numbers, in words. examined: how many cases. fact: what it
    supports.
    """

    what: str
    examined: int
    fact: Fact


Finding = Checked | Searched


@dataclass(frozen=True)
class Reading:
    """A line that says how the printed words are read as the claim's data: definitions, units."""

    words: str


@dataclass(frozen=True)
class Step:
    """A line of an argument that rests on facts; each must be met by a finding."""

    words: str
    facts: tuple[Fact, ...]


Line = str | Reading | Step
"""A line of an argument. A plain ``str`` is prose: a reader must check it."""


@dataclass(frozen=True)
class Evidence:
    """All that was found about one statement.

    printed: findings about the statement as printed.
    corrected: findings about the corrected, repaired or sharp form, if there is one.
    correction: that form in one sentence, with its formula. A ``misprint`` puts right what was
        evidently meant; a ``repair`` changes the statement; a ``sharpening`` improves a true one; a
        ``reading`` is what holds of one reading of a text that is lost in part.
    corrected_claim: that form as data; without it nothing is said of its verdict.
    argument: how the findings make the verdict, one step a line, the data first.
    proof_remark: what is wrong with the printed proof, where it has one and it fails.
    """

    printed: tuple[Finding, ...] = ()
    corrected: tuple[Finding, ...] = ()
    correction: str = ""
    kind: Literal["misprint", "repair", "sharpening", "reading"] | None = None
    corrected_claim: Claim | None = None
    argument: tuple[Line, ...] = ()
    proof_remark: str = ""
