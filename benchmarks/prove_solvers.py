"""Replays the conditions of proofs with other solvers: z3, cvc5, or the package cvc5."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from provado.proofs.programs.alignment.prove import smtlib
from provado.proofs.programs.decide import ProgramDecision

Solver = tuple[str, list[str]]
"""The name of a solver, and its command."""


def replayed(decision: ProgramDecision, solvers: list[Solver]) -> tuple[str, bool]:
    """Return what solvers say of the conditions of proofs and pumps, and whether they agree."""
    words, fine = [], True
    for name, command in solvers:
        agreed = asked = 0
        for script in scripts(decision):
            answer = subprocess.run(
                command, input=script, capture_output=True, text=True, check=False
            )
            agreed += answer.stdout.split().count("unsat")
            asked += script.count("(check-sat)")
        if asked:
            words.append(f"{name} {agreed} of {asked}")
        fine &= agreed == asked
    return ", ".join(words), fine


def scripts(decision: ProgramDecision) -> list[str]:
    """Return what a solver is asked of a decision: of its proofs, or of its pump."""
    pump = [] if decision.pump is None else [smtlib(decision.pump.findings)]
    return [*(smtlib(proof.findings, proof.budget) for proof in decision.proofs), *pump]


def solvers_of(path: str | None, python: str | None) -> list[Solver]:
    """Return the solvers there are, each with its name and its command."""
    found = [path] if path else [p for p in map(shutil.which, ("z3", "cvc5")) if p]
    result: list[Solver] = []
    for one in found:
        own = "cvc5" in one
        command = [one, *(["--incremental"] if own else []), "/dev/stdin"]
        result.append(("cvc5" if own else "z3", command))
    if python:
        result.append(("cvc5", [python, str(Path(__file__).with_name("replay_cvc5.py"))]))
    return result
