"""Finds the multipliers of linear consequences; the kernel believes them or not."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from provado.proofs import kernel

from .polynomial import Atom

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
    import numpy as np
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
    found = linprog(costs, bounds=(0, _MOST), method="highs", **options)
    if found.status != 0 or found.fun is None or found.fun > float(goal.form.constant) + 1e-7:
        return None
    return _rational(hypotheses, goal, found.x)


def _direct(hypotheses: Sequence[Atom], goal: Atom) -> list[Fraction] | None:
    """Return the multipliers where the goal is a constant, or one hypothesis but for a constant."""
    none = [Fraction(0)] * len(hypotheses)
    if not goal.form.terms:
        found = _opposite(hypotheses, goal)
        if found:
            for j in found:
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


def _opposite(hypotheses: Sequence[Atom], goal: Atom) -> tuple[int, int] | None:
    """Return two hypotheses that bound one form from both sides, so that it has no value left."""
    if goal.form.constant or not goal.strict:
        return None
    least: dict[tuple[tuple[str, Fraction], ...], tuple[Fraction, bool, int]] = {}
    for j, atom in enumerate(hypotheses):
        if not atom.form.terms:
            continue
        size = abs(atom.form.terms[0][1])
        terms = tuple((s, c / size) for s, c in atom.form.terms)
        constant = atom.form.constant / size
        other = least.get(tuple((s, -c) for s, c in terms))
        if other is not None:
            total = other[0] + constant
            if total < 0 or (total == 0 and (other[1] or atom.strict)):
                return other[2], j
        mine = least.get(terms)
        if mine is None or constant < mine[0] or (constant == mine[0] and atom.strict):
            least[terms] = constant, atom.strict, j
    return None


def _rational(hypotheses: Sequence[Atom], goal: Atom, weights: Any) -> list[Fraction] | None:
    """Return exact multipliers near those of floating point: rounded, else solved for."""
    near = [Fraction(w).limit_denominator(5040) if w > 1e-9 else Fraction(0) for w in weights]
    if _adds_up(hypotheses, goal, near):
        return near
    taken = [j for j, w in enumerate(weights) if w > 1e-9]
    solved = _solve([hypotheses[j] for j in taken], goal)
    if solved is None:
        return None
    exact = [Fraction(0)] * len(hypotheses)
    for j, w in zip(taken, solved, strict=True):
        exact[j] = w
    return exact if _adds_up(hypotheses, goal, exact) else None


def _adds_up(hypotheses: Sequence[Atom], goal: Atom, weights: Sequence[Fraction]) -> bool:
    total: dict[str, Fraction] = {}
    for h, w in zip(hypotheses, weights, strict=True):
        for s, c in h.form.terms if w else ():
            total[s] = total.get(s, Fraction(0)) + w * c
    return {s: c for s, c in total.items() if c} == dict(goal.form.terms)


def _solve(hypotheses: Sequence[Atom], goal: Atom) -> list[Fraction] | None:
    """Solve Σ w·terms = the goal's terms for w by elimination; free ones are 0."""
    symbols = sorted({s for atom in (*hypotheses, goal) for s in atom.form.symbols()})
    rows = [
        [h.form.coefficient(s) for h in hypotheses] + [goal.form.coefficient(s)] for s in symbols
    ]
    pivots: list[tuple[int, int]] = []
    for column in range(len(hypotheses)):
        start = len(pivots)
        at = next((i for i in range(start, len(rows)) if rows[i][column]), None)
        if at is None:
            continue
        rows[start], rows[at] = rows[at], rows[start]
        rows[start] = [v / rows[start][column] for v in rows[start]]
        for i, other in enumerate(rows):
            if i != start and other[column]:
                rows[i] = [v - other[column] * w for v, w in zip(other, rows[start], strict=True)]
        pivots.append((start, column))
    if any(r[-1] for r in rows[len(pivots) :]):
        return None
    result = [Fraction(0)] * len(hypotheses)
    for i, column in pivots:
        result[column] = rows[i][-1]
    return result if min(result, default=Fraction(0)) >= 0 else None
