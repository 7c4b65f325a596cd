"""Holds findings against a claim. The verdict follows from what fits, and from nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provado.proofs.kernel import Checked

from .claim import Claim, Unstated, whole
from .evidence import Evidence, Finding, LedgerVerdict, Step
from .fact import Fact, fact_of, vacuous

_WEAKER = (
    LedgerVerdict.PROVED,
    LedgerVerdict.VERIFIED,
    LedgerVerdict.ARGUED,
    LedgerVerdict.SUPPORTED,
)


@dataclass(frozen=True)
class Judgement:
    """What findings make of a claim.

    met: the facts that the verdict rests on, each with the finding that states it. reason: why it
    is unknown, else empty. Only ``judge`` should make one.
    """

    verdict: LedgerVerdict
    met: tuple[tuple[Fact, Finding], ...] = ()
    reason: str = ""


def judge(claim: Claim, evidence: Evidence) -> Judgement:
    """Return what the findings make of the claim as printed.

    ``refuted`` if findings state all of its counterexamples; then ``misprint`` if the form that was
    evidently meant is shown. Else, if findings state all of its obligations, the weakest of: their
    verdicts, and ``argued`` unless the obligations are the whole claim and no line of the argument
    is prose. ``unknown`` if a fact is missing, one that a step of the argument names among them.
    """
    if isinstance(claim, Unstated):
        return Judgement(LedgerVerdict.INCOMPLETE)
    steps = [line.facts for line in evidence.argument if isinstance(line, Step)]
    lemmas = [fact for facts in steps for fact in facts]
    missing = _missing(lemmas, [*evidence.printed, *evidence.corrected])
    if missing:
        return _unknown(missing)
    prose = any(isinstance(line, str) for line in evidence.argument)
    found = _held(claim, evidence.printed, prose=prose)
    if found.verdict is LedgerVerdict.REFUTED and evidence.kind == "misprint":
        meant = judge_correction(evidence)
        if meant is not None and meant.verdict in _WEAKER[:3]:
            return Judgement(LedgerVerdict.MISPRINT, found.met)
    return found


def judge_correction(evidence: Evidence) -> Judgement | None:
    """Return what the findings make of the corrected form; ``None`` if it is not given as data."""
    if evidence.corrected_claim is None:
        return None
    prose = any(isinstance(line, str) for line in evidence.argument)
    return _held(evidence.corrected_claim, evidence.corrected, prose=prose)


def _held(claim: Claim, findings: Sequence[Finding], *, prose: bool) -> Judgement:
    against, needed = claim.counterexamples(), claim.obligations()
    if against and not _missing(against, findings):
        return Judgement(LedgerVerdict.REFUTED, _met(against, findings))
    if not needed or (missing := _missing(needed, findings)):
        return _unknown(_missing(against, findings) if not needed else missing)
    met = _met(needed, findings)
    words = [_word(finding) for _, finding in met]
    words.append(LedgerVerdict.ARGUED if prose or not whole(claim) else LedgerVerdict.PROVED)
    return Judgement(max(words, key=_WEAKER.index), met)


def fact_behind(finding: Finding) -> Fact:
    """Return what a finding states."""
    return fact_of(finding) if isinstance(finding, Checked) else finding.fact


def _met(facts: Sequence[Fact], findings: Sequence[Finding]) -> tuple[tuple[Fact, Finding], ...]:
    """Return each fact that a finding states with that finding, a checked one before a searched."""
    ordered = sorted(findings, key=lambda finding: isinstance(finding, Checked))
    by_fact = {fact_behind(finding): finding for finding in ordered}
    return tuple((fact, by_fact[fact]) for fact in facts if _stated(fact, by_fact))


def _missing(facts: Sequence[Fact], findings: Sequence[Finding]) -> list[Fact]:
    by_fact = {fact_behind(finding): finding for finding in findings}
    return [fact for fact in facts if not _stated(fact, by_fact)]


def _stated(fact: Fact, by_fact: dict[Fact, Finding]) -> bool:
    return not vacuous(fact) and fact in by_fact


def _unknown(missing: Sequence[Fact]) -> Judgement:
    said = "; ".join(str(fact) for fact in missing[:3])
    more = f" (and {len(missing) - 3} more)" if len(missing) > 3 else ""
    reason = f"no finding shows: {said}{more}" if missing else "nothing would show this claim"
    return Judgement(LedgerVerdict.UNKNOWN, (), reason)


def _word(finding: Finding) -> LedgerVerdict:
    if isinstance(finding, Checked):
        return LedgerVerdict(finding.verdict)
    return LedgerVerdict.SUPPORTED
