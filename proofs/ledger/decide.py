"""Gathers the evidence of an entry and of its twin, and reads off the verdict."""

from __future__ import annotations

from dataclasses import dataclass

from provado.proofs.kernel import KernelRefusal
from provado.proofs.ledger.entry import Entry
from provado.proofs.ledger.evidence import Evidence, LedgerVerdict


@dataclass(frozen=True)
class Decision:
    """What became of an entry.

    evidence: what was found; empty where gathering it failed.
    reason: why the verdict is unknown; empty otherwise.
    twin_refusal: with which words the kernel refused the broken twin; ``None`` if it did not, which
        voids the check.
    """

    entry: Entry
    evidence: Evidence
    reason: str
    twin_refusal: str | None

    @property
    def verdict(self) -> LedgerVerdict:
        """Return the evidence's verdict; unknown where it failed or the twin was accepted."""
        if self.reason or self.twin_refusal is None:
            return LedgerVerdict.UNKNOWN
        return self.evidence.verdict

    @property
    def as_expected(self) -> bool:
        """Return whether the verdict is the one recorded with the entry."""
        return self.verdict is self.entry.expected


def decide(entry: Entry) -> Decision:
    """Gather the evidence of ``entry`` and of its twin. Never raises for what an entry does."""
    evidence, reason = Evidence(), ""
    try:
        evidence = entry.gather()
    except Exception as error:
        reason = _words(error)
    refusal: str | None = None
    try:
        entry.twin.gather()
        reason = reason or f"the broken twin was accepted: {entry.twin.words}"
    except KernelRefusal as error:
        refusal = str(error)
    except Exception as error:
        reason = reason or f"the broken twin failed for another reason: {_words(error)}"
    return Decision(entry, evidence, reason, refusal)


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
