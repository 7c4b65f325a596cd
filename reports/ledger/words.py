"""A decision in words, data first: the same parts on a page and on a terminal, and a table."""

import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from provado.proofs.kernel import Checked
from provado.proofs.ledger import Decision, LedgerVerdict, Reading
from provado.proofs.ledger.entry import Evidence, Finding, Line
from provado.proofs.ledger.theorem import TheoremStanding
from provado.reports.ledger.formal import COMMAND
from provado.reports.ledger.run import findings_behind, lacks, not_completed, unexpected
from provado.reports.text.formatting import clean, counted, text_table
from provado.reports.text.sentences import COLORS

PRINTED, AS_DATA = "Printed", "Claim, as data"
"""Titles of the parts about the corrected form."""

_CORRECTIONS = {
    "misprint": "As it should read",
    "repair": "Repaired",
    "sharpening": "Sharper",
    "reading": "As read here",
    None: "Beside it",
}


_KINDS = {
    **dict.fromkeys((LedgerVerdict.PROVED, LedgerVerdict.VERIFIED), "ok"),
    LedgerVerdict.ARGUED: "argued",
    **dict.fromkeys((LedgerVerdict.MISPRINT, LedgerVerdict.REFUTED), "bad"),
}


@dataclass(frozen=True)
class ArgumentPart:
    """A titled part of an argument: one text, or steps in order."""

    title: str
    text: str = ""
    steps: tuple[str, ...] = ()


def verdict_kind(verdict: LedgerVerdict) -> str:
    """Return how a verdict is shown: a style's name, or a color of ``words.COLORS``."""
    return _KINDS.get(verdict, "unknown")


def expectation(decision: Decision) -> str:
    """Return whether the verdict is the one on record."""
    if not_completed(decision):
        return "not completed"
    return "unexpected" if unexpected(decision) else "as expected"


@dataclass(frozen=True)
class Shortening:
    """Texts of more than ``longest`` characters lose their middle; ``whole`` is where it stands."""

    longest: int
    whole: str


def argument(decision: Decision, cut: Shortening | None = None) -> list[ArgumentPart]:
    """Return the whole argument: statement, claim, verdict, steps, findings, correction, twin.

    ``cut`` shortens facts, findings and refusals; ``None`` keeps everything.
    """
    entry, evidence = decision.entry, decision.evidence
    correction = corrected(decision)
    parts = [
        ArgumentPart("Source", entry.source.words()),
        ArgumentPart(PRINTED, entry.printed),
        ArgumentPart("In our words", entry.words),
        ArgumentPart("Scope", entry.scope),
        ArgumentPart(AS_DATA, entry.claim.formula),
        ArgumentPart("Verdict", verdict(decision)),
        ArgumentPart("Theorem of Coq", theorem(decision)),
        ArgumentPart("Facts", steps=_met(decision, cut)),
        ArgumentPart("The text lacks", lacks(entry.claim)),
        ArgumentPart("Argument", steps=tuple(_line(line, evidence) for line in evidence.argument)),
        ArgumentPart("Checked, as printed", steps=_findings(evidence.printed, cut)),
        ArgumentPart(correction, _correction(decision)),
        ArgumentPart(f"Checked, {correction.lower()}", steps=_findings(evidence.corrected, cut)),
        ArgumentPart("On the printed proof", evidence.proof_remark),
        ArgumentPart("Broken twin", _twin(decision, cut)),
    ]
    return [
        ArgumentPart(part.title, clean(part.text), tuple(map(clean, part.steps)))
        for part in parts
        if part.text or part.steps
    ]


def corrected(decision: Decision) -> str:
    """Return the title of the form shown beside the printed one."""
    return _CORRECTIONS[decision.evidence.kind]


def _line(line: Line, evidence: Evidence) -> str:
    if isinstance(line, str):
        return f"[prose] {line}"
    if isinstance(line, Reading):
        return f"[reading] {line.words}"
    printed, corrected = findings_behind(line, evidence)
    numbers = ", ".join([*(str(i + 1) for i in printed), *(f"c{i + 1}" for i in corrected)])
    return f"[checked: {numbers}] {line.words}"


def _met(decision: Decision, cut: Shortening | None) -> tuple[str, ...]:
    findings = decision.evidence.printed
    return tuple(
        f"{shortened(str(fact), cut)} [finding {findings.index(check) + 1}]"
        for fact, check in decision.judgement.met
    )


def _correction(decision: Decision) -> str:
    evidence, judged = decision.evidence, decision.correction
    if judged is None or evidence.corrected_claim is None:
        apart = " (In words: neither the verdict nor a theorem covers it.)"
        return evidence.correction and evidence.correction + apart
    reason = f" ({judged.reason})" if judged.reason else ""
    sentence = f"{decision.correction_verdict}{reason}: {evidence.corrected_claim.formula}"
    return f"{evidence.correction} The verdict on this as data: {sentence}."


def verdict(decision: Decision) -> str:
    """Return the verdict, the one on record if it differs, and why it is unknown if it is."""
    sentence = f"{decision.verdict}, {expectation(decision)}"
    if not decision.as_expected:
        sentence += f" (on record: {decision.expected})"
    return f"{sentence}: {decision.reason}" if decision.reason else sentence


def theorem(decision: Decision) -> str:
    """Return the theorem that an entry names: its statement, standing and assumptions."""
    formal = decision.formal
    if formal is None:
        return ""
    of = "the claim" if formal.theorem.of == decision.entry.claim else "the corrected form"
    sentence = f"{formal.theorem.name}, of {of}: {formal.theorem.statement.text}."
    if formal.standing is TheoremStanding.NOT_REPLAYED:
        return f"{sentence} Proved; not replayed here: {COMMAND} does."
    if formal.replay is None or formal.standing is TheoremStanding.REFUSED:
        return f"{sentence} Refused: {formal.reason}."
    assumed = ", ".join(formal.replay.assumptions) or "nothing: closed under the global context"
    checked = f"Checked by Coq {formal.replay.coq}, with the same statement"
    return f"{sentence} {checked}. Assumes {assumed}."


def finding(check: Finding, cut: Shortening | None = None) -> str:
    """Return one finding: the kernel's verdict, rule and statement, and what it rests on."""
    if not isinstance(check, Checked):
        return f"supported: {shortened(check.what, cut)} ({check.examined:,} cases examined)"
    sentence = f"{check.verdict} ({check.rule}): {shortened(check.statement, cut)}"
    if not check.assumptions:
        return sentence
    return f"{sentence}. Assumptions: {shortened('; '.join(check.assumptions), cut)}"


def shortened(text: str, cut: Shortening | None) -> str:
    """Take the middle out of a text that is too long, and say where the whole of it is."""
    if cut is None or len(text) <= cut.longest:
        return text
    head, gone = cut.longest * 2 // 3, len(text) - cut.longest
    more = f"{counted(gone, 'character')} more"
    return f"{text[:head]} […{more}: see {cut.whole}…] {text[head + gone :]}"


def closing(decisions: Sequence[Decision]) -> str:
    """Return the run in one line: how many of each verdict, how many unexpected."""
    count = Counter(decision.verdict for decision in decisions)
    sentence = ", ".join(f"{count[word]} {word}" for word in LedgerVerdict if count[word])
    surprises, open_ones = sum(map(unexpected, decisions)), sum(map(not_completed, decisions))
    end = f"{surprises} unexpected" if surprises else "nothing unexpected"
    if open_ones:
        end += f", {open_ones} not completed"
    return f"{statements(len(decisions))}: {sentence or 'no verdict'}; {end}."


def statements(number: int) -> str:
    """Return the number with its noun: ``1 statement``, ``2 statements``."""
    return counted(number, "statement")


def _findings(found: Sequence[Finding], cut: Shortening | None) -> tuple[str, ...]:
    return tuple(finding(check, cut) for check in found)


def _twin(decision: Decision, cut: Shortening | None) -> str:
    twin = decision.entry.twin
    if decision.twin is None:
        return f"{twin.words} It was NOT refused, so the check counts for nothing."
    rule = "" if decision.twin.words.startswith(decision.twin.rule) else f"{decision.twin.rule}: "
    return f"{twin.words} Refused: {rule}{shortened(decision.twin.words, cut)}"


CUT = Shortening(480, "--json")
"""What is longer holds whole datasets, which nobody reads off a terminal."""


def ledger_table(decisions: Sequence[Decision], *, color: bool = False, width: int = 0) -> str:
    """Return id, verdict, whether it was expected, and the statement; cut to ``width`` if above 0.

    The statement always keeps a few characters, whatever the width.
    """
    rows = [("statement", "verdict", "expected?", "in words")]
    for d in decisions:
        rows.append((clean(d.entry.id), str(d.verdict), expectation(d), clean(d.entry.words)))
    colors = [COLORS[verdict_kind(d.verdict)] for d in decisions] if color else []
    return text_table(rows, colors=colors, colored=1, width=width)


def argument_text(decision: Decision, width: int = 100) -> str:
    """Return the whole argument as paragraphs of at most ``width`` characters a line."""
    lines = [clean(decision.entry.id)]
    for part in argument(decision, CUT):
        lines.append(f"  {part.title}")
        if part.text:
            lines += _wrapped(part.text, width, "    ", "    ")
        for number, step in enumerate(part.steps, 1):
            lines += _wrapped(step, width, f"{number:>5}. ", " " * 7)
    return "\n".join(lines)


def _wrapped(text: str, width: int, first: str, then: str) -> list[str]:
    return textwrap.wrap(
        text, max(width, 40), initial_indent=first, subsequent_indent=then, break_on_hyphens=False
    )
