"""Gathers the evidence of an entry and of its twin, and holds it against their claims.

The verdict follows from the findings that fit, and from nothing else.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from provado.proofs.kernel import Checked, KernelRefusal

from .claim import Claim, Unstated, whole
from .entry import Entry, Evidence, Finding, LedgerVerdict, Line, Step
from .fact import Fact, fact_of, vacuous
from .theorem import CoqReplay, Formal, TheoremStanding, judge_theorem

_WEAKER = (
    LedgerVerdict.PROVED,
    LedgerVerdict.VERIFIED,
    LedgerVerdict.ARGUED,
    LedgerVerdict.SUPPORTED,
)


@dataclass(frozen=True)
class Judgement:
    """What findings make of a claim.

    met: the facts that decide the verdict, each with the finding that states it. reason: why it
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
    missing = _missing(
        [fact for facts in steps for fact in facts],
        _stated([*evidence.printed, *evidence.corrected]),
    )
    if missing:
        return _unknown(missing)
    judgement = _judge_form(claim, evidence.printed, evidence.argument)
    if judgement.verdict is LedgerVerdict.REFUTED and evidence.kind == "misprint":
        meant = judge_correction(evidence)
        if meant is not None and meant.verdict in _WEAKER[:3]:
            return Judgement(LedgerVerdict.MISPRINT, judgement.met)
    return judgement


def judge_correction(evidence: Evidence) -> Judgement | None:
    """Return what the findings make of the corrected form; ``None`` if it is not given as data."""
    if evidence.corrected_claim is None:
        return None
    return _judge_form(evidence.corrected_claim, evidence.corrected, evidence.argument)


def _judge_form(claim: Claim, findings: Sequence[Finding], argument: Sequence[Line]) -> Judgement:
    """Return what the findings make of one form of a statement, printed or corrected."""
    against, needed, stated = claim.counterexamples(), claim.obligations(), _stated(findings)
    if against and not _missing(against, stated):
        return Judgement(LedgerVerdict.REFUTED, tuple((fact, stated[fact]) for fact in against))
    if not needed:
        return _unknown(_missing(against, stated))
    if missing := _missing(needed, stated):
        return _unknown(missing)
    prose = any(isinstance(line, str) for line in argument)
    words = [_word(stated[fact]) for fact in needed]
    words.append(LedgerVerdict.ARGUED if prose or not whole(claim) else LedgerVerdict.PROVED)
    met = tuple((fact, stated[fact]) for fact in needed)
    return Judgement(max(words, key=_WEAKER.index), met)


def fact_behind(finding: Finding) -> Fact:
    """Return what a finding states."""
    return fact_of(finding) if isinstance(finding, Checked) else finding.fact


def _stated(findings: Sequence[Finding]) -> dict[Fact, Finding]:
    """Return each fact that a finding states, with a checked finding rather than a searched one.

    Facts that say nothing are left out.
    """
    ordered = sorted(findings, key=lambda finding: isinstance(finding, Checked))
    by_fact = {fact_behind(finding): finding for finding in ordered}
    return {fact: finding for fact, finding in by_fact.items() if not vacuous(fact)}


def _missing(facts: Sequence[Fact], stated: dict[Fact, Finding]) -> list[Fact]:
    return [fact for fact in facts if fact not in stated]


def _unknown(missing: Sequence[Fact]) -> Judgement:
    sentence = "; ".join(str(fact) for fact in missing[:3])
    more = f" (and {len(missing) - 3} more)" if len(missing) > 3 else ""
    reason = f"no finding shows: {sentence}{more}" if missing else "nothing would show this claim"
    return Judgement(LedgerVerdict.UNKNOWN, (), reason)


def _word(finding: Finding) -> LedgerVerdict:
    if isinstance(finding, Checked):
        return LedgerVerdict(finding.verdict)
    return LedgerVerdict.SUPPORTED


MATCHING = "matching"
"""The rule by which a twin falls whose findings do not fit its claim."""

_WITH_A_THEOREM = (LedgerVerdict.ARGUED, LedgerVerdict.VERIFIED)

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
    formal: the entry's theorem of Coq with its standing; ``None`` if it names none.
    """

    entry: Entry
    evidence: Evidence
    judgement: Judgement
    correction: Judgement | None = None
    failure: str = ""
    twin: Refusal | None = None
    formal: Formal | None = None

    @property
    def verdict(self) -> LedgerVerdict:
        """Return the evidence's verdict; unknown where it failed or the twin was accepted.

        ``argued`` becomes ``proved`` by a theorem that Coq has checked here, and unknown by one
        that was refused.
        """
        if self.failure or self.twin is None or self._refused:
            return LedgerVerdict.UNKNOWN
        if self._checked(self.entry.claim):
            return raised(self.judgement.verdict)
        return self.judgement.verdict

    @property
    def correction_verdict(self) -> LedgerVerdict | None:
        """Return what the findings, and a theorem about it, make of the corrected form."""
        if self.correction is None:
            return None
        if self._checked(self.evidence.corrected_claim):
            return raised(self.correction.verdict)
        return self.correction.verdict

    @property
    def reason(self) -> str:
        """Return why the verdict is unknown; empty otherwise."""
        return self.failure or self._refused or self.judgement.reason

    @property
    def expected(self) -> LedgerVerdict:
        """Return the verdict on record: where a theorem was checked here, ``proved`` it is."""
        if self._checked(self.entry.claim):
            return raised(self.entry.expected)
        return self.entry.expected

    @property
    def as_expected(self) -> bool:
        """Return whether the verdict is the one on record."""
        return self.verdict is self.expected

    @property
    def _refused(self) -> str:
        formal = self.formal
        if formal is None or formal.standing is not TheoremStanding.REFUSED:
            return ""
        return f"the theorem {formal.theorem.name} was refused: {formal.reason}"

    def _checked(self, claim: Claim | None) -> bool:
        formal = self.formal
        return (
            claim is not None
            and formal is not None
            and formal.standing is TheoremStanding.CHECKED
            and formal.theorem.of == claim
        )


def raised(verdict: LedgerVerdict) -> LedgerVerdict:
    """Return the verdict with a checked theorem of the claim: no prose is left to trust."""
    return LedgerVerdict.PROVED if verdict in _WITH_A_THEOREM else verdict


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


def with_theorem(decision: Decision, replay: CoqReplay | None) -> Decision:
    """Return the decision with the standing of the entry's theorem, as a replay makes it.

    A theorem about another claim is refused.
    """
    entry = decision.entry
    if entry.theorem is None:
        return decision
    formal = judge_theorem(entry.theorem, replay)
    if entry.theorem.of not in (entry.claim, decision.evidence.corrected_claim):
        words = "it states neither the claim nor the corrected form"
        formal = Formal(entry.theorem, TheoremStanding.REFUSED, replay, words)
    return dataclasses.replace(decision, formal=formal)


def used_rules(judgement: Judgement) -> tuple[str, ...]:
    """Return the rules of the findings that decide a verdict, and the matching itself."""
    rules = [check.rule for _, check in judgement.met if isinstance(check, Checked)]
    return (*dict.fromkeys(rules), MATCHING)


def rule_allows(rule: str, refusal: str) -> bool:
    """Return whether a refusal's name belongs to a rule."""
    return refusal in (rule, "sum-sign", *_PARTS.get(rule, "").split())


def _twin(entry: Entry) -> Refusal | None:
    claim = entry.twin.claim
    try:
        judgement = judge(claim, entry.gather(claim))
    except KernelRefusal as error:
        return Refusal(error.rule, str(error))
    if judgement.verdict is LedgerVerdict.UNKNOWN:
        return Refusal(MATCHING, judgement.reason)
    return None


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
