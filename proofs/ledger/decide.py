"""Gathers the evidence of an entry and of its twin, and reads off the verdict."""

from __future__ import annotations

from dataclasses import dataclass

from provado.proofs.kernel import Checked, KernelRefusal

from .claim import Unstated
from .entry import Entry
from .evidence import Evidence, LedgerVerdict
from .judge import Judgement, judge, judge_correction

MATCHING = "matching"
"""The rule by which a twin falls whose findings do not fit its claim."""

_PARTS = {
    "expression-sign": "scope integers denominator coefficients enclose split differentiate",
    "multivariate-sign": "scope",
    "add-laplace": "pieces",
    "integral": "limit",
    "change": "neighbors reference replay",
    "privacy": "neighbors reference replay probability",
}
"""Refusals by a part of a rule; ``sum-sign`` and ``exact-data`` may come out of each."""


@dataclass(frozen=True)
class Refusal:
    """How the broken twin fell: by a rule of the kernel or by ``matching``, and with what words."""

    rule: str
    words: str


@dataclass(frozen=True)
class Decision:
    """What became of an entry.

    evidence: what was found; empty where gathering it failed.
    judgement: what it makes of the claim. correction: what it makes of the corrected form; ``None``
        if there is none as data.
    failure: why the check counts for nothing; empty if it does.
    twin: how the broken twin was refused; ``None`` if it was not, which voids the check.
    """

    entry: Entry
    evidence: Evidence
    judgement: Judgement
    correction: Judgement | None = None
    failure: str = ""
    twin: Refusal | None = None

    @property
    def verdict(self) -> LedgerVerdict:
        """Return the evidence's verdict; unknown where it failed or the twin was accepted."""
        if self.failure or self.twin is None:
            return LedgerVerdict.UNKNOWN
        return self.judgement.verdict

    @property
    def reason(self) -> str:
        """Return why the verdict is unknown; empty otherwise."""
        return self.failure or self.judgement.reason

    @property
    def as_expected(self) -> bool:
        """Return whether the verdict is the one recorded with the entry."""
        return self.verdict is self.entry.expected


def failed(entry: Entry, reason: str) -> Decision:
    """Return the decision of an entry whose evidence could not be had."""
    return Decision(entry, Evidence(), Judgement(LedgerVerdict.UNKNOWN), failure=reason)


def decide(entry: Entry) -> Decision:
    """Gather the evidence of ``entry`` and of its twin. Never raises for what an entry does."""
    try:
        evidence = entry.gather(entry.claim)
        judgement, correction = judge(entry.claim, evidence), judge_correction(evidence)
    except Exception as error:
        return failed(entry, _words(error))
    try:
        twin = _twin(entry)
    except Exception as error:
        failure = f"the broken twin failed for another reason: {_words(error)}"
        return Decision(entry, evidence, judgement, correction, failure)
    deciding = correction if correction and isinstance(entry.claim, Unstated) else judgement
    failure = ""
    if twin is None:
        failure = f"the broken twin was accepted: {entry.twin.words}"
    elif deciding.met and not any(rule_allows(r, twin.rule) for r in used_rules(deciding)):
        failure = f"the broken twin fell by a rule that decides nothing here: {twin.words}"
    return Decision(entry, evidence, judgement, correction, failure, twin)


def used_rules(judgement: Judgement) -> tuple[str, ...]:
    """Return the rules of the findings that a verdict rests on, and the matching itself."""
    rules = [found.rule for _, found in judgement.met if isinstance(found, Checked)]
    return (*dict.fromkeys(rules), MATCHING)


def rule_allows(rule: str, refusal: str) -> bool:
    """Return whether a refusal's name belongs to a rule."""
    return refusal in (rule, "sum-sign", *_PARTS.get(rule, "").split())


def _twin(entry: Entry) -> Refusal | None:
    claim = entry.twin.claim
    try:
        found = judge(claim, entry.gather(claim))
    except KernelRefusal as error:
        return Refusal(error.rule, str(error))
    if found.verdict is LedgerVerdict.UNKNOWN:
        return Refusal(MATCHING, found.reason)
    return None


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
