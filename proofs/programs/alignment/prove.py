"""Proves a program's claim by alignment: search, then conditions shown to the kernel, one by one.

``proved`` rests on three files: ``parse`` and ``symbolic_execution`` say what the program does,
``conditions`` says what must hold, and the kernel checks each condition's certificate: the
multipliers of a linear consequence, which are found here. The conditions can also be written as
SMT-LIB 2.6, for solvers that share no line with us: all ``unsat``.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from provado.proofs import kernel

from ..claim import ProgramClaim
from ..read.ir import LOOK, QUESTION, UndecidedProgramError, WorkIsOverError, allowed, spend
from ..read.path import END, Alignment, Key, Prophecy
from ..read.polynomial import Atom, LinearForm, opposite
from . import search
from .conditions import ABSURD, Obligation, UnsoundAlignmentError, above_zero, budget, obligations
from .examples import SeenStates, examples, survives
from .search import assignments, prophecies


@dataclass(frozen=True)
class Proof:
    """A claim with its alignment; every condition of it was checked by the kernel.

    findings: of each condition the kernel's findings, one a goal, or one that the hypotheses
    contradict each other. budget: what is paid in all is at most ε; positive: scales are above 0.
    """

    claim: ProgramClaim
    alignment: Alignment
    findings: tuple[tuple[str, tuple[kernel.Checked, ...]], ...]
    budget: kernel.Checked
    positive: tuple[kernel.Checked, ...]


@dataclass(frozen=True)
class Failure:
    """No proof was found; ``reason`` says how far it came."""

    reason: str


class _Shown:
    """What was asked of the kernel already: the same question has the same answer."""

    def __init__(self) -> None:
        self.known: dict[tuple[tuple[Atom, ...], Atom], kernel.Checked | None] = {}

    def __call__(self, hypotheses: tuple[Atom, ...], goal: Atom) -> kernel.Checked | None:
        key = hypotheses, goal
        if key not in self.known:
            spend(QUESTION)
            self.known[key] = consequence(hypotheses, goal)
        return self.known[key]


def prove(claim: ProgramClaim, *, steps: int = 3_000_000, seed: int = 0) -> Proof | Failure:
    """Search a proof of the claim; ``steps``: of work; ``seed``: of the examples."""
    try:
        with allowed(steps):
            return _proof(claim, seed)
    except WorkIsOverError as error:
        return Failure(str(error))


def _proof(claim: ProgramClaim, seed: int) -> Proof | Failure:
    if claim.ways.inexact:
        return Failure(claim.ways.inexact)
    try:
        positive = tuple(map(kernel.check, above_zero(claim)))
    except (kernel.KernelRefusal, UndecidedProgramError) as error:
        return Failure(str(error))
    rng = np.random.default_rng(seed)
    reason = "no shifts of the noise were found that give both runs the same output within ε"
    tried = set[tuple[Prophecy | None, int]]()
    freedom = ((False, False), (True, False), (True, True))
    for (hidden, by_data), prophecy in itertools.product(freedom, prophecies(claim)):
        where = search.positions(claim, prophecy, hidden=hidden, by_data=by_data)
        number = len({*where.values()})
        if (prophecy, number) in tried:
            continue
        tried.add((prophecy, number))
        tests = examples(claim, prophecy, rng, 240)
        if not tests:
            return Failure("no examples could be drawn under what is assumed of parameters")
        found = assignments(claim, prophecy, tests, where, most=20000)
        for shifts in itertools.islice(found, 12):
            seen = SeenStates()
            for test in tests:
                spend(LOOK)
                survives(claim, prophecy, test, _by(shifts), seen)
            result = _with_shifts(claim, prophecy, shifts, seen)
            if not isinstance(result, Failure):
                alignment, conditions, paid = result
                return Proof(claim, alignment, conditions, paid, positive)
            reason = result.reason
    return Failure(reason)


def _by(shifts: dict[Key, LinearForm]) -> Callable[[int, str, int, int], LinearForm]:
    return lambda *key: shifts[key]


_Conditions = tuple[tuple[str, tuple[kernel.Checked, ...]], ...]
_Found = tuple[Alignment, _Conditions, kernel.Checked]


def _with_shifts(
    claim: ProgramClaim, prophecy: Prophecy | None, shifts: dict[Key, LinearForm], seen: SeenStates
) -> _Found | Failure:
    """Return a proof with these shifts: the largest set of guesses that holds itself up."""
    guesses = search.guesses(claim, seen)
    known = _Shown()
    try:
        while True:
            held = {state: search.tightest(atoms) for state, atoms in guesses.items()}
            alignment = Alignment(prophecy, shifts, held)
            dropped = _dropped(claim, alignment, known)
            if not dropped:
                break
            guesses = {
                state: tuple(a for a in atoms if (state, a) not in dropped)
                for state, atoms in guesses.items()
            }
        told = _shown(claim, alignment, known, lambda o: o.target is None)
        if isinstance(told, Failure):
            return told
        reason = Failure("what is paid is not seen to stay within ε")
        for bounds in search.bounds(claim, seen):
            try:
                paid = kernel.check(budget(claim, bounds))
            except (kernel.KernelRefusal, UndecidedProgramError):
                continue
            whole = replace(alignment, bounds=bounds)
            shown = _shown(claim, whole, known, lambda _: True)
            if not isinstance(shown, Failure):
                return whole, shown, paid
            reason = shown
        return reason
    except UnsoundAlignmentError as error:
        return Failure(str(error))


def _dropped(
    claim: ProgramClaim, alignment: Alignment, shown: _Shown
) -> set[tuple[tuple[int, str], Atom]]:
    """Return the guesses that do not follow from all of them one step before."""
    dropped: set[tuple[tuple[int, str], Atom]] = set()
    for obligation in obligations(claim, alignment):
        if obligation.target is None or obligation.target[0] == END:
            continue
        left = [
            (goal, name)
            for goal, name in zip(obligation.goals, obligation.names, strict=True)
            if (obligation.target, name) not in dropped
        ]
        if not left or shown(obligation.hypotheses, ABSURD) is not None:
            continue
        for goal, name in left:
            if shown(obligation.hypotheses, goal) is None:
                assert isinstance(name, Atom)
                dropped.add((obligation.target, name))
    return dropped


def _shown(
    claim: ProgramClaim, alignment: Alignment, shown: _Shown, which: Callable[[Obligation], bool]
) -> _Conditions | Failure:
    """Return the kernel's findings on every obligation, or the first that is not shown."""
    result = []
    for item in obligations(claim, alignment):
        if not which(item):
            continue
        absurd = shown(item.hypotheses, ABSURD)
        findings = [absurd] if absurd else [shown(item.hypotheses, g) for g in item.goals]
        kept = tuple(f for f in findings if f is not None)
        if len(kept) < len(findings):
            return Failure(f"not shown: {item.words}")
        result.append((item.words, kept))
    return tuple(result)


_STRICT = 1e-4
"""What a strict hypothesis is worth beyond a weak one while multipliers are sought."""
_MOST = 1e4
"""No multiplier above this is sought."""


def row(atom: Atom) -> kernel.Row:
    """Return an atom in the form that the kernel takes."""
    return atom.form.terms, atom.form.constant, atom.strict


def consequence(hypotheses: Sequence[Atom], goal: Atom) -> kernel.Checked | None:
    """Return the kernel's finding that the hypotheses imply the goal; ``None`` if none is found."""
    weights = _weights(hypotheses, goal)
    if weights is None:
        return None
    # Only those that are taken: what is left out is no part of the argument.
    kept = [(h, w) for h, w in zip(hypotheses, weights, strict=True) if w]
    evidence = kernel.LinearConsequence(
        tuple(row(h) for h, _ in kept), tuple(w for _, w in kept), row(goal)
    )
    try:
        return kernel.check(evidence)
    except kernel.KernelRefusal:
        return None


def _weights(hypotheses: Sequence[Atom], goal: Atom) -> list[Fraction] | None:
    direct = _direct(hypotheses, goal)
    if direct is not None:
        return direct
    # Here, so that programs are read without scipy.
    from scipy.optimize import linprog

    symbols = sorted({s for atom in (*hypotheses, goal) for s in atom.form.symbols()})
    at = {s: i for i, s in enumerate(symbols)}
    matrix = np.zeros((len(symbols), len(hypotheses)))
    for j, atom in enumerate(hypotheses):
        for s, c in atom.form.terms:
            matrix[at[s], j] = float(c)
    wanted = np.zeros(len(symbols))
    for s, c in goal.form.terms:
        wanted[at[s]] = float(c)
    costs = np.array([float(h.form.constant) - _STRICT * h.strict for h in hypotheses])
    if not hypotheses:
        return None
    options: dict[str, Any] = {"A_eq": matrix, "b_eq": wanted} if symbols else {}
    result = linprog(costs, bounds=(0, _MOST), method="highs", **options)
    if result.status != 0 or result.fun is None or result.fun > float(goal.form.constant) + 1e-7:
        return None
    return _rational(hypotheses, goal, result.x)


def _direct(hypotheses: Sequence[Atom], goal: Atom) -> list[Fraction] | None:
    """Return the multipliers where the goal is a constant, or one hypothesis but for a constant."""
    none = [Fraction(0)] * len(hypotheses)
    if goal == ABSURD:
        result = opposite(hypotheses)
        if result:
            for j in result:
                none[j] = 1 / abs(hypotheses[j].form.terms[0][1])
            return none
    if not goal.form.terms and goal.form.constant >= 0 and not goal.strict:
        return none
    for j, atom in enumerate(hypotheses):
        if atom.form.terms == goal.form.terms and goal.form.terms:
            rest = goal.form.constant - atom.form.constant
            if rest > 0 or (rest == 0 and (atom.strict or not goal.strict)):
                none[j] = Fraction(1)
                return none
    return None


def _rational(hypotheses: Sequence[Atom], goal: Atom, weights: Any) -> list[Fraction] | None:
    """Return exact multipliers near those of floating point, the simplest that add up."""
    for most in (5040, 10**6):
        near = [Fraction(w).limit_denominator(most) if w > 1e-9 else Fraction(0) for w in weights]
        if _adds_up(hypotheses, goal, near):
            return near
    return None


def _adds_up(hypotheses: Sequence[Atom], goal: Atom, weights: Sequence[Fraction]) -> bool:
    total: dict[str, Fraction] = {}
    for h, w in zip(hypotheses, weights, strict=True):
        for s, c in h.form.terms if w else ():
            total[s] = total.get(s, Fraction(0)) + w * c
    return {s: c for s, c in total.items() if c} == dict(goal.form.terms)


def smtlib(findings: _Conditions, budget: kernel.Checked | None = None) -> str:
    """Return the conditions as one script; a solver must answer ``unsat`` to every check-sat.

    Each asserts the hypotheses and the opposite of what follows from them. The last one is the
    budget of a proof: what is paid in all is not above ε. A pump has none; that p exceeds p′ is a
    question on sums of exponentials, for which SMT-LIB has no logic.
    """
    asked = [(words, _linear(finding.evidence)) for words, checks in findings for finding in checks]
    if budget is not None:
        asked.append(("the budget", _budget(budget.evidence)))
    lines = ["(set-logic QF_NRA)", "(set-info :status unsat)"]
    for words, asserted in asked:
        lines += [f"; {words}", "(push 1)", *asserted, "(check-sat)", "(pop 1)"]
    if budget is None:
        lines.append("; not asked: that p exceeds p′, which are sums of exponentials")
    return "\n".join([*lines, "(exit)", ""])


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
