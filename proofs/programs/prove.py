"""Proves a program's claim by alignment: search, then conditions shown to the kernel, one by one.

``proved`` rests on three files: ``parse`` and ``paths`` say what the program does, ``conditions``
says what must hold, and the kernel checks each condition's certificate.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from provado.proofs import kernel

from . import invariants
from .alignment import Alignment, Key, Prophecy
from .claim import ProgramClaim
from .conditions import ABSURD, Obligation, UnsoundAlignmentError, above_zero, budget, obligations
from .examples import SeenStates, examples, survives
from .farkas import consequence
from .ir import UndecidedProgramError
from .path import END
from .polynomial import Atom, LinearForm
from .search import assignments, prophecies
from .step_budget import LOOK, QUESTION, WorkIsOverError, allowed, spend


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
    reason = "no shifts of the noise were found with which both runs tell the same within ε"
    for prophecy in prophecies(claim):
        tests = examples(claim, prophecy, rng, 240)
        if not tests:
            return Failure("no examples could be drawn under what is assumed of parameters")
        found = assignments(claim, prophecy, tests, most=20000)
        for shifts in itertools.islice(found, 12):
            seen = SeenStates()
            for one in tests:
                spend(LOOK)
                survives(claim, prophecy, one, _by(shifts), seen)
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
    guesses = invariants.guesses(claim, seen)
    known = _Shown()
    try:
        while True:
            held = {state: invariants.tightest(atoms) for state, atoms in guesses.items()}
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
        for bounds in invariants.bounds(claim, seen):
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
    for one in obligations(claim, alignment):
        if one.target is None or one.target[0] == END:
            continue
        left = [
            (goal, name)
            for goal, name in zip(one.goals, one.names, strict=True)
            if (one.target, name) not in dropped
        ]
        if not left or shown(one.hypotheses, ABSURD) is not None:
            continue
        for goal, name in left:
            if shown(one.hypotheses, goal) is None:
                assert isinstance(name, Atom)
                dropped.add((one.target, name))
    return dropped


def _shown(
    claim: ProgramClaim, alignment: Alignment, shown: _Shown, which: Callable[[Obligation], bool]
) -> _Conditions | Failure:
    """Return the kernel's findings on every obligation, or the first that is not shown."""
    result = []
    for one in obligations(claim, alignment):
        if not which(one):
            continue
        absurd = shown(one.hypotheses, ABSURD)
        findings = [absurd] if absurd else [shown(one.hypotheses, g) for g in one.goals]
        kept = tuple(f for f in findings if f is not None)
        if len(kept) < len(findings):
            return Failure(f"not shown: {one.words}")
        result.append((one.words, kept))
    return tuple(result)
