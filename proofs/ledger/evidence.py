"""What was found about a published statement, and the one verdict that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from provado.proofs.kernel import Checked


class LedgerVerdict(StrEnum):
    """What the ledger says of a statement.

    ``PROVED``: for all parameters in the stated scope. ``VERIFIED``: exhaustively, on the finite
    scope that the entry names. ``SUPPORTED``: searched and nothing found; not a proof.
    ``MISPRINT``: false as printed, and the corrected form is proved. ``REFUTED``: a counterexample
    that replays. ``INCOMPLETE``: the text lacks a definition that the statement needs.
    ``UNKNOWN``: the evidence could not be gathered, or was refused; the reason stands beside it.
    """

    PROVED = "proved"
    VERIFIED = "verified"
    SUPPORTED = "supported"
    MISPRINT = "misprint"
    REFUTED = "refuted"
    INCOMPLETE = "incomplete"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Searched:
    """A search for a counterexample that found none: never more than support.

    what: what was tried, with its numbers, in words.
    examined: how many cases.
    """

    what: str
    examined: int


Finding = Checked | Searched


@dataclass(frozen=True)
class Evidence:
    """All that was found about one statement.

    printed: findings about the statement as printed. A refutation among them decides.
    corrected: findings about the corrected, repaired or sharp form, if there is one.
    correction: that form in one sentence, with its formula. A ``misprint`` puts right what was
        evidently meant; a ``repair`` changes the statement; a ``sharpening`` improves a true one.
    lacks: what the text does not define and the statement needs.
    argument: how the findings make the verdict, one step a sentence, the data first. It holds the
        steps that no kernel rule covers, and says so.
    proof_remark: what is wrong with the printed proof, where it has one and it fails.
    """

    printed: tuple[Finding, ...] = ()
    corrected: tuple[Finding, ...] = ()
    correction: str = ""
    kind: Literal["misprint", "repair", "sharpening"] | None = None
    lacks: str = ""
    argument: tuple[str, ...] = ()
    proof_remark: str = ""

    @property
    def verdict(self) -> LedgerVerdict:
        """Return the verdict; nobody can write one beside the evidence.

        Incomplete if the text lacks something. Refuted if a finding about the printed form is a
        refutation; then a misprint if the correction is of that kind and wholly proved. Otherwise
        the weakest of the findings about the printed form; unknown if there are none.
        """
        if self.lacks:
            return LedgerVerdict.INCOMPLETE
        words = [_word(finding) for finding in self.printed]
        if LedgerVerdict.REFUTED in words:
            mended = [_word(finding) for finding in self.corrected]
            proved = bool(mended) and set(mended) == {LedgerVerdict.PROVED}
            if self.kind == "misprint" and proved:
                return LedgerVerdict.MISPRINT
            return LedgerVerdict.REFUTED
        return max(words, key=_WEAKER.index, default=LedgerVerdict.UNKNOWN)


_WEAKER = (LedgerVerdict.PROVED, LedgerVerdict.VERIFIED, LedgerVerdict.SUPPORTED)


def _word(finding: Finding) -> LedgerVerdict:
    if isinstance(finding, Checked):
        return LedgerVerdict(finding.verdict)
    return LedgerVerdict.SUPPORTED
