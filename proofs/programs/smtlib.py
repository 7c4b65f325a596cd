"""A proof's conditions as SMT-LIB 2.6, for solvers that share no line with us: all ``unsat``."""

from collections.abc import Iterator
from fractions import Fraction

from provado.proofs import kernel

from .prove import Proof


def smtlib(proof: Proof) -> str:
    """Return all conditions as one script; a solver must answer ``unsat`` to every check-sat.

    Each asserts the hypotheses and the opposite of what follows from them. The last one is the
    budget: what is paid in all is not above ε.
    """
    lines = ["(set-logic QF_NRA)", "(set-info :status unsat)"]
    for words, findings in proof.findings:
        for finding in findings:
            lines += [
                f"; {words}",
                "(push 1)",
                *_linear(finding.evidence),
                "(check-sat)",
                "(pop 1)",
            ]
    lines += ["; the budget", "(push 1)", *_budget(proof.budget.evidence), "(check-sat)", "(pop 1)"]
    return "\n".join([*lines, "(exit)", ""])


def checks(proof: Proof) -> int:
    """Return how many times the script asks."""
    return 1 + sum(len(findings) for _, findings in proof.findings)


def _linear(evidence: kernel.LinearConsequence) -> Iterator[str]:
    rows = (*evidence.hypotheses, evidence.goal)
    for name in sorted({name for terms, _, _ in rows for name, _ in terms}):
        yield f"(declare-const |{name}| Real)"
    for row in evidence.hypotheses:
        yield f"(assert {_atom(row)})"
    yield f"(assert (not {_atom(evidence.goal)}))"


def _atom(row: kernel.Row) -> str:
    terms, constant, strict = row
    parts = [f"(* {_number(c)} |{name}|)" for name, c in terms] + [_number(constant)]
    total = f"(+ {' '.join(parts)})" if len(parts) > 1 else parts[0]
    return f"({'>' if strict else '>='} {total} 0)"


def _number(value: kernel.Number) -> str:
    exact = Fraction(value)
    size = f"{abs(exact.numerator)}.0"
    if exact.denominator != 1:
        size = f"(/ {size} {exact.denominator}.0)"
    return f"(- {size})" if exact < 0 else size


def _budget(evidence: kernel.MultivariateSign) -> Iterator[str]:
    for i, low in enumerate(evidence.lower):
        yield f"(declare-const x{i} Real)"
        yield f"(assert (>= x{i} {_number(low)}))"
    terms = [
        " ".join(["(*", _number(c), *(f"x{i}" for i, k in enumerate(powers) for _ in range(k))])
        + ")"
        for c, powers in evidence.terms
    ]
    terms = [t.replace("(* ", "(* 1.0 ") for t in terms]
    yield f"(assert (< (+ 0.0 {' '.join(terms) or '0.0'}) 0.0))"
