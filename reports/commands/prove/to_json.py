"""A decision about a program as data of JSON's types, in the form ``provado-prove/1``."""

from __future__ import annotations

from typing import Any

from provado.proofs.programs.decide import ProgramDecision
from provado.proofs.programs.finite_data import FiniteCounterexample, FiniteProof, Quotient
from provado.proofs.programs.prove import Proof
from provado.proofs.programs.refute import Counterexample
from provado.reports.documents import schema
from provado.reports.documents.versions import provado_version
from provado.reports.text.program import RESTS_ON, loss, shifts


def decision_to_json(decision: ProgramDecision, exit_status: int) -> dict[str, Any]:
    """Return the document that ``provado prove --json`` prints."""
    found = decision.counterexample
    return {
        "schema": schema.PROVE,
        "provado": provado_version(),
        "exit_status": exit_status,
        "program": decision.name,
        "source": decision.program.text,
        "first_line": decision.program.first,
        "claim": decision.claim,
        "neighbors": decision.relation,
        "verdict": str(decision.verdict),
        "scope": decision.scope,
        "reason": decision.reason,
        "seconds": round(decision.seconds, 3),
        "rests_on": list(RESTS_ON) if decision.proofs else [],
        "proofs": [_proof(proof) for proof in decision.proofs],
        "counterexample": None if found is None else _counterexample(found),
        "finite": None if decision.finite is None else _finite(decision.finite),
    }


def _finite(found: FiniteProof | FiniteCounterexample) -> dict[str, Any]:
    name = found.rate or ""
    shown = found.findings + found.above if isinstance(found, FiniteProof) else (found.finding,)
    beyond = [] if isinstance(found, FiniteProof) else [found.quotient]
    return {
        "exact_epsilon": [_quotient(one, name) for one in found.worst],
        "beyond": [_quotient(one, name) for one in beyond],
        "at": None if isinstance(found, FiniteProof) else str(found.at),
        "findings": [finding.statement for finding in shown],
    }


def _quotient(one: Quotient, name: str) -> dict[str, Any]:
    return {
        "formula": one.words(name),
        "d": [str(v) for v in one.d],
        "d_prime": [str(v) for v in one.d_prime],
        "event": one.event.words(),
    }


def _proof(proof: Proof) -> dict[str, Any]:
    alignment = proof.alignment
    return {
        "neighbors": proof.claim.moves.words(),
        "shifts": shifts(proof),
        "invariants": [
            {"cut": cut, "phase": phase, "facts": [atom.words() for atom in atoms]}
            for (cut, phase), atoms in alignment.invariants.items()
        ],
        "paid": [
            {"at_most": bound.words(), "times": unit.words()}
            for bound, unit in zip(alignment.bounds, proof.claim.accounts.units, strict=True)
        ],
        "budget": proof.budget.statement,
        "conditions": [
            {"condition": words, "findings": [finding.statement for finding in findings]}
            for words, findings in proof.findings
        ],
    }


def _counterexample(found: Counterexample) -> dict[str, Any]:
    return {
        "parameters": {name: str(value) for name, value in found.parameters},
        "d": [str(v) for v in found.d],
        "d_prime": [str(v) for v in found.d_prime],
        "event": found.event.words(),
        "chances": [repr(p) for p in found.chances],
        "claimed": str(found.epsilon),
        "loss": schema.number(loss(found)),
        "finding": found.finding.statement,
        "rests_on": list(found.finding.rests_on),
    }
