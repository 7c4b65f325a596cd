"""Small programs as texts, and claims about them, for the tests of this folder."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from typing import Any

from benchmarks.prove_mutants import compiled
from provado.proofs.programs.claim import AnswerRelation, ProgramClaim, claims_to_try
from provado.proofs.programs.read.parse import read_program
from provado.proofs.programs.read.polynomial import ratio
from provado.proofs.programs.read.symbolic_execution import enumerate_paths

_NUMBERS = count()


def function(text: str) -> Any:
    """Return the function of an indented text."""
    lines = text.strip("\n").splitlines()
    margin = len(lines[0]) - len(lines[0].lstrip())
    plain = "\n".join(line[margin:] for line in lines) + "\n"
    return compiled(plain, f"written {next(_NUMBERS)}")


def claim(of: Any, epsilon: str | None = None, neighbors: str = "all") -> ProgramClaim:
    """Return the claim about a function with open parameters."""
    program = read_program(of)
    claimed, _ = claims_to_try(of, program, epsilon)[0]
    return ProgramClaim.made(
        enumerate_paths(program), AnswerRelation(Fraction(1), neighbors), ratio(claimed)
    )  # type: ignore[arg-type]
