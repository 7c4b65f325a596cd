"""One run of ``provado verify``: entries chosen by their ids, each decided in its own process.

The run as data of JSON's types has the form ``provado-verify/4``. The kernel's data stand in it
without loss: what is read back is what the kernel checked. A
``Fraction`` is the string ``"p/q"``, also where q is 1; a whole number is a JSON number, or a
string of digits where other readers would round it. Text that reads like either is
``{"text": …}``. A certificate, counterexample or argument is an object whose ``kind`` is its name
in the kernel, a tuple an array.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import partial
from typing import Any, Final

from provado.audit.workers import Broken
from provado.mechanisms import UsageError
from provado.proofs import kernel, ledger
from provado.proofs.kernel import Checked
from provado.proofs.ledger.decide import Judgement, fact_behind, failed, with_theorem
from provado.proofs.ledger.entry import Finding, Line
from provado.proofs.ledger.theorem import CoqReplay
from provado.reports.documents import schema
from provado.reports.documents.exit_status import exit_status_of
from provado.reports.tasks.resources import run_in_processes
from provado.reports.text.formatting import require_matches

TIME_LIMIT = 600.0
"""Seconds after which an entry counts as hanging; the whole ledger has 90."""


@dataclass(frozen=True)
class Verification:
    """A run, complete: ``versions`` holds Python's and each relevant package's, by name."""

    provado: str
    versions: dict[str, str]
    decisions: tuple[ledger.Decision, ...]

    @property
    def exit_status(self) -> int:
        """0 as recorded, 1 a verdict differs, 3 an entry was not decided, or there is none."""
        lacking = not self.decisions or any(map(not_completed, self.decisions))
        return exit_status_of(surprising=any(map(unexpected, self.decisions)), incomplete=lacking)


def unexpected(decision: ledger.Decision) -> bool:
    """Return whether a verdict was reached that differs from the one on record."""
    return not decision.as_expected and decision.verdict is not ledger.LedgerVerdict.UNKNOWN


def not_completed(decision: ledger.Decision) -> bool:
    """Return whether no verdict was reached although there is one on record."""
    return not decision.as_expected and decision.verdict is ledger.LedgerVerdict.UNKNOWN


def decide_all(
    entries: Sequence[ledger.Entry],
    processes: int,
    *,
    time_limit: float = TIME_LIMIT,
    replays: Mapping[str, CoqReplay] | None = None,
) -> tuple[ledger.Decision, ...]:
    """Decide every entry, at most ``processes`` at a time; return them in the order of entries.

    An entry that raises, hangs for ``time_limit`` seconds or takes its process down is ``unknown``
    with the reason. replays: what Coq makes of the entries' theorems, by name; without it they are
    not replayed here.
    """
    outcomes = run_in_processes(
        [partial(_work, entry) for entry in entries], processes=processes, time_limit=time_limit
    )
    decisions = (
        failed(entry, outcome.reason)
        if isinstance(outcome, Broken)
        else ledger.Decision(entry, *outcome)
        for entry, outcome in zip(entries, outcomes, strict=True)
    )
    known = replays or {}
    return tuple(
        with_theorem(d, known.get(d.entry.theorem.name) if d.entry.theorem else None)
        for d in decisions
    )


_Sent = tuple[ledger.Evidence, Judgement, Judgement | None, str, ledger.Refusal | None]


def _work(entry: ledger.Entry) -> _Sent:
    # The entry itself holds functions, which cannot be sent back.
    d = ledger.decide(entry)
    return d.evidence, d.judgement, d.correction, d.failure, d.twin


def choose(entries: Sequence[ledger.Entry], patterns: Sequence[str]) -> tuple[ledger.Entry, ...]:
    """Return the entries whose id matches any of the globs, in the order of ``entries``.

    No glob means all. Raises ``UsageError`` for a glob that matches nothing, with the nearest id
    or glob that does.
    """
    ids = [entry.id for entry in entries]
    papers = sorted({f"{id_.split('/')[0]}/*" for id_ in ids})
    globs = {pattern: pattern for pattern in patterns}
    require_matches(globs, ids, papers, "no statement of the ledger has this id")
    if not patterns:
        return tuple(entries)
    return tuple(e for e in entries if any(fnmatchcase(e.id, pattern) for pattern in patterns))


def lacks(claim: ledger.Claim) -> str:
    """Return what the text lacks to state a claim; empty if nothing."""
    return claim.lacks if isinstance(claim, ledger.Unstated) else ""


def findings_behind(line: Line, evidence: ledger.Evidence) -> tuple[list[int], list[int]]:
    """Return the places of a line's findings among the printed and the corrected."""
    facts = line.facts if isinstance(line, ledger.Step) else ()

    def behind(findings: Sequence[Finding]) -> list[int]:
        return [i for i, finding in enumerate(findings) if fact_behind(finding) in facts]

    return behind(evidence.printed), behind(evidence.corrected)


def verification_to_json(done: Verification) -> dict[str, Any]:
    """Return the document that ``verify.json`` holds."""
    verdicts = [decision.verdict for decision in done.decisions]
    return {
        "schema": schema.VERIFY,
        "provado": done.provado,
        "versions": dict(done.versions),
        "exit_status": done.exit_status,
        "counts": {str(word): verdicts.count(word) for word in ledger.LedgerVerdict},
        "unexpected": sum(map(unexpected, done.decisions)),
        "not_completed": sum(map(not_completed, done.decisions)),
        "statements": [_statement(decision) for decision in done.decisions],
    }


def _statement(decision: ledger.Decision) -> dict[str, Any]:
    entry, evidence = decision.entry, decision.evidence
    return {
        "id": entry.id,
        "source": {"work": entry.source.work, "place": entry.source.place},
        "printed": entry.printed,
        "words": entry.words,
        "scope": entry.scope,
        "claim": {
            "kind": type(entry.claim).__name__,
            "formula": entry.claim.formula,
            "lacks": lacks(entry.claim),
        },
        "facts": [
            {"fact": str(fact), "finding": evidence.printed.index(check)}
            for fact, check in decision.judgement.met
        ],
        "verdict": str(decision.verdict),
        "expected": str(decision.expected),
        "as_expected": decision.as_expected,
        "reason": decision.reason,
        "argument": [_line(line, evidence) for line in evidence.argument],
        "findings": [_finding(check) for check in evidence.printed],
        "correction": {
            "kind": evidence.kind,
            "words": evidence.correction,
            "formula": "" if evidence.corrected_claim is None else evidence.corrected_claim.formula,
            "verdict": schema.plain(decision.correction_verdict),
            "findings": [_finding(check) for check in evidence.corrected],
        },
        "theorem": _theorem(decision),
        "proof_remark": evidence.proof_remark,
        "negative_control": {
            "words": entry.twin.words,
            "formula": entry.twin.claim.formula,
            "rule": None if decision.twin is None else decision.twin.rule,
            "refusal": None if decision.twin is None else decision.twin.words,
        },
    }


def _theorem(decision: ledger.Decision) -> dict[str, Any] | None:
    formal = decision.formal
    if formal is None:
        return None
    replay = formal.replay
    return {
        "name": formal.theorem.name,
        "of": "claim" if formal.theorem.of == decision.entry.claim else "correction",
        "statement": formal.theorem.statement.text,
        "status": str(formal.standing),
        "reason": formal.reason,
        "printed": "" if replay is None else replay.said,
        "assumptions": [] if replay is None else list(replay.assumptions),
        "definitions": {} if replay is None else dict(replay.definitions),
        "coq": "" if replay is None else replay.coq,
    }


def _line(line: Line, evidence: ledger.Evidence) -> dict[str, Any]:
    printed, corrected = findings_behind(line, evidence)
    kind = {ledger.Step: "checked", ledger.Reading: "reading"}.get(type(line), "prose")
    words = line if isinstance(line, str) else line.words
    return {"kind": kind, "words": words, "findings": printed, "correction_findings": corrected}


def _finding(check: Finding) -> dict[str, Any]:
    if not isinstance(check, Checked):
        return {"verdict": "supported", "what": check.what, "examined": int(check.examined)}
    return {
        "verdict": check.verdict,
        "rule": check.rule,
        "statement": check.statement,
        "assumptions": list(check.assumptions),
        "evidence": to_exact(check.evidence),
    }


MOST_JSON: Final = 2**53 - 1
"""Whole numbers beyond this are rounded by readers that keep numbers as floats."""

_NUMBER = re.compile(r"-?[0-9]+(/[0-9]+)?")
_KINDS: Final[dict[str, Any]] = {
    name: kind
    for name, kind in vars(kernel).items()
    if isinstance(kind, type) and is_dataclass(kind) and kind is not kernel.Checked
}


def to_exact(value: Any) -> Any:
    """Return the kernel's data in JSON's types; ``UsageError`` for what the kernel never takes."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, int):
        return int(value) if abs(value) <= MOST_JSON else str(value)
    if isinstance(value, str):
        return {"text": value} if _NUMBER.fullmatch(value) else value
    if isinstance(value, tuple):
        return [to_exact(part) for part in value]
    if type(value).__name__ in _KINDS and is_dataclass(value):
        parts = {field.name: to_exact(getattr(value, field.name)) for field in fields(value)}
        return {"kind": type(value).__name__, **parts}
    raise UsageError(f"evidence: {value!r} is no exact data; the kernel takes none such")
