"""Proves a program's claim by alignment: search, then conditions shown to the kernel, one by one.

``proved`` rests on three files: ``parse`` and ``paths`` say what the program does, ``conditions``
says what must hold, and the kernel checks each condition's certificate.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from provado.proofs import kernel

from . import invariants
from .alignment import Alignment, Key
from .conditions import (
    ABSURD,
    END,
    Claim,
    Obligation,
    UnsoundAlignmentError,
    above_zero,
    budget,
    obligations,
)
from .farkas import consequence
from .linear import Atom, Linear
from .paths import UndecidedProgramError
from .search import Prophecy, assignments, prophecies
from .simulate import Seen, examples, survives


@dataclass(frozen=True)
class Proof:
    """A claim with its alignment; every condition of it was checked by the kernel.

    findings: of each condition the kernel's findings, one a goal, or one that the hypotheses
    contradict each other. budget: what is paid in all is at most ε; positive: scales are above 0.
    """

    claim: Claim
    alignment: Alignment
    findings: tuple[tuple[str, tuple[kernel.Checked, ...]], ...]
    budget: kernel.Checked
    positive: tuple[kernel.Checked, ...]


@dataclass(frozen=True)
class Failure:
    """No proof was found; ``reason`` says how far it came."""

    reason: str


Known = dict[tuple[tuple[Atom, ...], Atom], kernel.Checked | None]


def prove(claim: Claim, *, seconds: float = 30.0, seed: int = 0) -> Proof | Failure:
    """Search a proof of the claim for about so many ``seconds``; ``seed``: of the examples."""
    stop = time.monotonic() + seconds
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
            if time.monotonic() > stop:
                return Failure("time is over")
            seen = Seen()
            for one in tests:
                survives(claim, prophecy, one, _by(shifts), seen)
            result = _with_shifts(claim, prophecy, shifts, seen, stop)
            if not isinstance(result, Failure):
                alignment, conditions, paid = result
                return Proof(claim, alignment, conditions, paid, positive)
            reason = result.reason
            if time.monotonic() > stop:
                return Failure("time is over")
    return Failure(reason)


def _by(shifts: dict[Key, Linear]) -> Callable[[int, str, int, int], Linear]:
    return lambda *key: shifts[key]


_Found = tuple[Alignment, tuple[tuple[str, tuple[kernel.Checked, ...]], ...], kernel.Checked]


def _with_shifts(
    claim: Claim, prophecy: Prophecy | None, shifts: dict[Key, Linear], seen: Seen, stop: float
) -> _Found | Failure:
    """Return a proof with these shifts: the largest set of guesses that holds itself up."""
    alignment = Alignment(prophecy, shifts, invariants.guesses(claim, seen))
    known: dict[tuple[tuple[Atom, ...], Atom], tuple[kernel.Checked, frozenset[Atom]]] = {}
    try:
        while True:
            dropped = _dropped(claim, alignment, stop)
            if dropped is None:
                return Failure("time is over")
            if not dropped:
                break
            kept = {
                state: tuple(a for a in atoms if (state, a) not in dropped)
                for state, atoms in alignment.invariants.items()
            }
            alignment = replace(alignment, invariants=kept)
        del known
        told = _shown(claim, replace(alignment, bounds=()), lambda o: o.target is None)
        if isinstance(told, Failure):
            return told
        reason = Failure("what is paid is not seen to stay within ε")
        for bounds in invariants.bounds(claim, seen):
            try:
                paid = kernel.check(budget(claim, bounds))
            except (kernel.KernelRefusal, UndecidedProgramError):
                continue
            whole = replace(alignment, bounds=bounds)
            shown = _shown(claim, whole, lambda _: True)
            if not isinstance(shown, Failure):
                return whole, shown, paid
            reason = shown
        return reason
    except UnsoundAlignmentError as error:
        return Failure(str(error))


def _dropped(
    claim: Claim, alignment: Alignment, stop: float
) -> set[tuple[tuple[int, str], Atom]] | None:
    """Return the guesses that do not follow from all of them one step before."""
    dropped: set[tuple[tuple[int, str], Atom]] = set()
    for one in obligations(claim, alignment):
        if one.target is None or one.target[0] == END:
            continue
        if time.monotonic() > stop:
            return None
        left = [
            (goal, name)
            for goal, name in zip(one.goals, one.names, strict=True)
            if (one.target, name) not in dropped
        ]
        if not left or consequence(one.hypotheses, ABSURD) is not None:
            continue
        for goal, name in left:
            if consequence(one.hypotheses, goal) is None:
                assert isinstance(name, Atom)
                dropped.add((one.target, name))
    return dropped


def _shown(
    claim: Claim, alignment: Alignment, which: Callable[[Obligation], bool]
) -> tuple[tuple[str, tuple[kernel.Checked, ...]], ...] | Failure:
    """Return the kernel's findings on every obligation, or the first that is not shown."""
    shown = []
    for one in obligations(claim, alignment):
        if not which(one):
            continue
        absurd = consequence(one.hypotheses, ABSURD)
        findings = [absurd] if absurd else [consequence(one.hypotheses, g) for g in one.goals]
        kept = tuple(f for f in findings if f is not None)
        if len(kept) < len(findings):
            return Failure(f"not shown: {one.words}")
        shown.append((one.words, kept))
    return tuple(shown)
