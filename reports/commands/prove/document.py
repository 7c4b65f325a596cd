"""A decision as it is reported: in JSON (provado-prove, provado-release), and in SARIF 2.1.0."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from provado.audit.result import AuditResult
from provado.proofs.kernel import Checked
from provado.proofs.programs.alignment.prove import Failure, Proof
from provado.proofs.programs.claim import ProgramVerdict
from provado.proofs.programs.decide import ProgramDecision
from provado.proofs.programs.probability import finite_data
from provado.proofs.programs.probability.finite_delta import ExactDelta
from provado.proofs.programs.refutation.pump import PumpedCounterexample
from provado.proofs.programs.refutation.refute import Counterexample
from provado.proofs.programs.repair import Repair
from provado.proofs.releases.decide import ReleaseDecision
from provado.proofs.releases.noise_costs import ProvedCost
from provado.proofs.sensitivity.change.formula import formula_words
from provado.reports.documents import schema
from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED, SURPRISE
from provado.reports.documents.origin import provado_version
from provado.reports.documents.sarif import location, log, result, rule
from provado.reports.text import release
from provado.reports.text.formatting import clean
from provado.reports.text.program import INTEGRALS_REST_ON, RESTS_ON, ends, loss, shifts, words


@dataclass(frozen=True)
class Decided:
    """A decision about one program.

    name: as it is reported. expected: the verdict that was stated beforehand, ``proved`` where none
    was. location: ``file:line`` of the function, empty where that is not known. asked: the
    arguments of ``provado prove`` that repeat it. repair: what was proved in its place, where that
    was asked for; repaired: the decision about the file with the changed source. audit: of the
    answers that refute it, where that was asked for.
    """

    name: str
    decision: ProgramDecision | ReleaseDecision
    expected: ProgramVerdict = ProgramVerdict.PROVED
    location: str = ""
    asked: tuple[str, ...] = ()
    repair: Repair | Failure | None = None
    repaired: Decided | None = None
    audit: AuditResult | None = None

    @property
    def exit_status(self) -> int:
        """0 as expected, 1 another verdict, 3 undecided."""
        verdict = self.decision.verdict
        if verdict is ProgramVerdict.UNDECIDED:
            return NOT_COMPLETED
        return AS_EXPECTED if verdict is self.expected else SURPRISE

    @property
    def again(self) -> str:
        """The command that repeats it."""
        return shlex.join(["provado", "prove", *self.asked])


def decided_to_json(decided: Decided) -> dict[str, Any]:
    """Return the document that ``provado prove --json`` prints."""
    decision = decided.decision
    if isinstance(decision, ReleaseDecision):
        return _release(decision, decided.exit_status) | _repair(decided)
    counterexample, runs = decision.counterexample, decision.agreement
    return {
        "schema": schema.PROVE,
        "provado": provado_version(),
        "exit_status": decided.exit_status,
        "program": decision.name,
        "source": decision.program.text,
        "first_line": decision.program.first,
        "claim": decision.claim,
        "neighbors": decision.relation,
        "verdict": str(decision.verdict),
        "scope": decision.scope,
        "reason": decision.reason,
        "seconds": round(decision.seconds, 3),
        "assumptions": assumptions(decision),
        "runs": runs and {"agreed": runs.runs, "paths_taken": runs.taken, "paths": runs.paths},
        "proofs": [_proof(proof) for proof in decision.proofs],
        "counterexample": None if counterexample is None else _counterexample(counterexample),
        "pump": None if decision.pump is None else _pump(decision.pump),
        "finite": None if decision.finite is None else _finite(decision.finite),
        "delta": None if decision.exact_delta is None else _delta(decision.exact_delta),
        **_repair(decided),
        **_audit(decided.audit),
    }


def assumptions(decision: ProgramDecision) -> list[str]:
    """Return what the verdict takes for granted, beside real numbers where it is exact."""
    if decision.exact_delta is not None:
        return list(INTEGRALS_REST_ON)
    return list(RESTS_ON) if decision.proofs else []


def _sides(value: Any) -> dict[str, list[str]]:
    return {"d": list(map(str, value.d)), "d_prime": list(map(str, value.d_prime))}


def _conditions(findings: Iterable[tuple[str, Iterable[Checked]]]) -> list[dict[str, Any]]:
    return [{"condition": words, "findings": [f.statement for f in of]} for words, of in findings]


def _delta(exact_delta: ExactDelta) -> dict[str, Any]:
    low, high = ends(exact_delta)
    return {
        "claimed": str(exact_delta.claimed),
        "at_least": low,
        "at_most": high,
        **_sides(exact_delta),
        "events": [event.words() for event in exact_delta.events],
        "pairs": exact_delta.pairs,
        "outputs": exact_delta.outputs,
        "integrals": exact_delta.integrals,
    }


def _repair(decision: Decided) -> dict[str, Any]:
    """Return the entry of a document on the repair that was asked for; nothing where none was."""
    if decision.repair is None:
        return {}
    repair = decision.repair if isinstance(decision.repair, Repair) else None
    again = decision.repaired
    return {
        "repair": {
            "multiple": None if repair is None else repair.factor,
            "changes": [
                {"line": line, "before": before, "after": after}
                for line, before, after in (() if repair is None else repair.changes)
            ],
            "reason": decision.repair.reason if isinstance(decision.repair, Failure) else "",
            "file": None if again is None else again.name.rpartition(":")[0],
            "verdict": None if again is None else str(again.decision.verdict),
        }
    }


def _audit(audit_result: AuditResult | None) -> dict[str, Any]:
    if audit_result is None:
        return {}
    sizes = [pair.counts.trials for pair in audit_result.pairs]
    return {
        "audit": {
            "verdict": str(audit_result.verdict),
            "reason": audit_result.reason,
            "claimed": audit_result.epsilon,
            "epsilon_lower": audit_result.epsilon_lower,
            "confidence": audit_result.confidence,
            "trials": sizes,
        }
    }


def _release(decision: ReleaseDecision, exit_status: int) -> dict[str, Any]:
    refutation = decision.counterexample
    proved = decision.verdict is ProgramVerdict.PROVED
    return {
        "schema": schema.RELEASE,
        "provado": provado_version(),
        "exit_status": exit_status,
        "function": decision.name,
        "source": decision.text,
        "first_line": decision.first,
        "claim": decision.claimed,
        "neighbors": decision.relation,
        "verdict": str(decision.verdict),
        "scope": release.scope(decision),
        "reason": decision.reason,
        "seconds": round(decision.seconds, 3),
        "assumptions": list(release.ASSUMPTIONS) if proved else [],
        "ways": [[_cost(cost) for cost in way] for way in decision.ways],
        "counterexample": refutation
        and {
            "d": schema.plain(refutation.d),
            "d_prime": schema.plain(refutation.d_prime),
            "loss": schema.number(refutation.loss),
            "lines": list(refutation.lines),
            "finding": refutation.finding.statement if refutation.finding else "",
        },
    }


def _cost(cost: ProvedCost) -> dict[str, Any]:
    return {
        "release": cost.group.name,
        "measure": "epsilon" if cost.group.pure else "mu",
        "at_most": formula_words(cost.cost),
        "numbers": len(cost.group.values),
        "cases": sum(len(bound.cases) for bound in cost.bounds),
        "findings": [finding.statement for bound in cost.bounds for finding in bound.findings],
    }


def words_of(decision: ProgramDecision | ReleaseDecision) -> str:
    """Return the decision as the command line prints it."""
    return release.words(decision) if isinstance(decision, ReleaseDecision) else words(decision)


def _finite(proof: finite_data.FiniteProof | finite_data.FiniteCounterexample) -> dict[str, Any]:
    name = proof.rate or ""
    shown = (
        proof.findings + proof.above
        if isinstance(proof, finite_data.FiniteProof)
        else (proof.finding,)
    )
    beyond = [] if isinstance(proof, finite_data.FiniteProof) else [proof.quotient]
    return {
        "exact_epsilon": [_quotient(quotient, name) for quotient in proof.worst],
        "beyond": [_quotient(quotient, name) for quotient in beyond],
        "at": None if isinstance(proof, finite_data.FiniteProof) else str(proof.at),
        "findings": [finding.statement for finding in shown],
    }


def _quotient(quotient: finite_data.Quotient, name: str) -> dict[str, Any]:
    return {"formula": quotient.words(name), **_sides(quotient), "event": quotient.event.words()}


def _proof(proof: Proof) -> dict[str, Any]:
    alignment = proof.alignment
    return {
        "neighbors": proof.claim.moves.words(),
        "shifts": shifts(proof),
        "invariants": [
            {"cut": cut, "phase": phase, "facts": [atom.words() for atom in atoms]}
            for (cut, phase), atoms in alignment.invariants.items()
        ],
        "costs": [
            {"at_most": bound.words(), "times": unit.words()}
            for bound, unit in zip(alignment.bounds, proof.claim.accounts.units, strict=True)
        ],
        "budget": proof.budget.statement,
        "conditions": _conditions(proof.findings),
    }


def _counterexample(counterexample: Counterexample) -> dict[str, Any]:
    return {
        "parameters": {name: str(value) for name, value in counterexample.parameters},
        **_sides(counterexample),
        "event": counterexample.event.words(),
        "chances": [repr(p) for p in counterexample.chances],
        "claimed": str(counterexample.epsilon),
        "loss": schema.number(loss(counterexample)),
        "finding": counterexample.finding.statement,
        "assumptions": list(counterexample.finding.assumptions),
    }


def _pump(counterexample: PumpedCounterexample) -> dict[str, Any]:
    pump, shown = counterexample.pump, counterexample.finding
    return {
        "multiple_of": counterexample.multiple_of,
        "parameters": {name: str(value) for name, value in counterexample.parameters},
        "before": [[str(v) for v in side] for side in pump.before],
        "period": [[str(v) for v in side] for side in pump.period],
        "drift": str(pump.drift),
        "begins": pump.begins.words(),
        "repeats": pump.repeats.words(),
        "periods": counterexample.periods,
        "claimed": str(shown.evidence.epsilon),
        "windows": [atom.words() for atom in pump.windows],
        "draws": [atom.words() for atom in pump.draws],
        "cells": [[atom.words() for atom in where] for where, _ in pump.leaves()],
        "conditions": _conditions(counterexample.findings),
        "finding": shown.statement,
        "assumptions": list(shown.assumptions),
    }


_RULES = [
    rule(f"prove-{verdict}", level, f"{text}.")
    for verdict, level, text in (
        (ProgramVerdict.REFUTED, "error", "Claims that exact probabilities refute"),
        (ProgramVerdict.UNDECIDED, "note", "Claims that are neither proved nor refuted"),
        (ProgramVerdict.PROVED, "error", "Claims that are proved where a refutation was expected"),
    )
]


def decisions_to_sarif(decisions: Sequence[Decided], status: int) -> str:
    """Return a log: a refuted claim is an error, an undecided one a note, a proved one nothing.

    What was expected to be refuted, and is, gives no result; what is proved against expectation
    gives one.
    """
    results, told = [], []
    for item in decisions:
        verdict = item.decision.verdict
        if item.exit_status == AS_EXPECTED:
            told.append(("note", f"{clean(item.name)}: as expected, {verdict}"))
            continue
        text = [
            *map(clean, words_of(item.decision).splitlines()),
            clean(f"Reproduce: {item.again}"),
        ]
        parts = (verdict, item.name)
        made = result(_RULES, f"prove-{verdict}", "\n".join(text), "prove/v1", parts, item.location)
        results.append({**made, "locations": [location(clean(item.name), item.location)]})
    return log(
        _RULES,
        results,
        told,
        provado=provado_version(),
        status=status,
        completed=all(
            decision.decision.verdict is not ProgramVerdict.UNDECIDED for decision in decisions
        ),
    )
