"""A verification as data of JSON's types, in the form ``provado-verify/3``."""

from __future__ import annotations

from typing import Any

from provado.proofs.kernel import Checked
from provado.proofs.ledger import Decision, LedgerVerdict, Reading, Step
from provado.proofs.ledger.entry import Evidence, Finding, Line
from provado.reports.documents import schema

from .exact import to_exact
from .run import Verification, not_completed, unexpected
from .words import findings_behind, lacks


def verification_to_json(done: Verification) -> dict[str, Any]:
    """Return the document that ``verify.json`` holds."""
    verdicts = [decision.verdict for decision in done.decisions]
    return {
        "schema": schema.VERIFY,
        "provado": done.provado,
        "versions": dict(done.versions),
        "exit_status": done.exit_status,
        "counts": {str(word): verdicts.count(word) for word in LedgerVerdict},
        "unexpected": sum(map(unexpected, done.decisions)),
        "not_completed": sum(map(not_completed, done.decisions)),
        "statements": [_statement(decision) for decision in done.decisions],
    }


def _statement(decision: Decision) -> dict[str, Any]:
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
        "rests_on": [
            {"fact": str(fact), "finding": evidence.printed.index(found)}
            for fact, found in decision.judgement.met
        ],
        "verdict": str(decision.verdict),
        "expected": str(decision.expected),
        "as_expected": decision.as_expected,
        "reason": decision.reason,
        "argument": [_line(line, evidence) for line in evidence.argument],
        "findings": [_finding(found) for found in evidence.printed],
        "correction": {
            "kind": evidence.kind,
            "words": evidence.correction,
            "formula": "" if evidence.corrected_claim is None else evidence.corrected_claim.formula,
            "verdict": _word(decision.correction_verdict),
            "findings": [_finding(found) for found in evidence.corrected],
        },
        "theorem": _theorem(decision),
        "proof_remark": evidence.proof_remark,
        "twin": {
            "words": entry.twin.words,
            "formula": entry.twin.claim.formula,
            "rule": None if decision.twin is None else decision.twin.rule,
            "refusal": None if decision.twin is None else decision.twin.words,
        },
    }


def _word(verdict: LedgerVerdict | None) -> str | None:
    return None if verdict is None else str(verdict)


def _theorem(decision: Decision) -> dict[str, Any] | None:
    formal = decision.formal
    if formal is None:
        return None
    replay = formal.replay
    return {
        "name": formal.theorem.name,
        "of": "claim" if formal.theorem.of == decision.entry.claim else "correction",
        "statement": formal.theorem.statement.text,
        "standing": str(formal.standing),
        "reason": formal.reason,
        "said": "" if replay is None else replay.said,
        "assumptions": [] if replay is None else list(replay.assumptions),
        "definitions": {} if replay is None else dict(replay.definitions),
        "coq": "" if replay is None else replay.coq,
    }


def _line(line: Line, evidence: Evidence) -> dict[str, Any]:
    printed, corrected = findings_behind(line, evidence)
    kind = {Step: "checked", Reading: "reading"}.get(type(line), "prose")
    words = line if isinstance(line, str) else line.words
    return {"kind": kind, "words": words, "findings": printed, "correction_findings": corrected}


def _finding(found: Finding) -> dict[str, Any]:
    if not isinstance(found, Checked):
        return {"verdict": "supported", "what": found.what, "examined": int(found.examined)}
    return {
        "verdict": found.verdict,
        "rule": found.rule,
        "statement": found.statement,
        "rests_on": list(found.rests_on),
        "evidence": to_exact(found.evidence),
    }
