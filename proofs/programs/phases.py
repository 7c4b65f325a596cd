"""The phases of a cut and the cases of a step, which part the runs of a program. Trusted."""

from __future__ import annotations

from .alignment import (
    OUTCOME,
    Prophecy,
)
from .claim import Claim
from .linear import Atom, Linear, equal
from .ways import END, ENTRY, Way, Ways, is_whole

START, ALWAYS, BEFORE, AFTER = "start", "always", "before", "after"


BELOW, ABOVE = "lost below", "lost above"


LOST = (BELOW, ABOVE)


CASES = ("earlier", "now", "later")


class UnsoundAlignmentError(Exception):
    """The alignment is not one: a shift depends on what it may not; the message says which."""


def phases(prophecy: Prophecy | None, cut: int) -> tuple[str, ...]:
    """Return the phases of a cut; one of them holds whenever the first run is there.

    Before the first iteration ``start``; then, with a prophecy, by where its loop and its variable
    are beside the outcome.
    """
    if cut == ENTRY:
        return (ALWAYS,)
    if prophecy is None or cut != prophecy.loop:
        return (START, ALWAYS)
    return (START, BEFORE, AFTER, BELOW, ABOVE)


def guard_of(claim: Claim, prophecy: Prophecy | None, cut: int, phase: str) -> tuple[Atom, ...]:
    """Return what tells the phase; the numbers in it are whole."""
    if cut == ENTRY:
        return ()
    counter, one = Linear.symbol(claim.ways.heads[cut].counter), Linear.number(1)
    if phase == START:
        return equal(counter, Linear())
    begun = Atom(counter - one)
    if prophecy is None or phase == ALWAYS:
        return (begun,)
    outcome, variable = Linear.symbol(OUTCOME), Linear.symbol(prophecy.variable)
    if phase == BEFORE:
        return (begun, Atom(outcome - counter))
    past = (begun, Atom(counter - outcome - one))
    if phase == AFTER:
        return (*past, *equal(variable, outcome))
    apart = outcome - variable if phase == BELOW else variable - outcome
    return (*past, Atom(apart - one))


def cases(prophecy: Prophecy | None, cut: int) -> tuple[str, ...]:
    """Return the cases that a step from a cut is split into."""
    return ("",) if prophecy is None or cut != prophecy.loop else CASES


def case_atoms(prophecy: Prophecy | None, case: str) -> tuple[Atom, ...]:
    """Return what tells the case: whether the iteration is before, at or after the outcome."""
    if prophecy is None or not case:
        return ()
    position, outcome = Linear.symbol(prophecy.counter), Linear.symbol(OUTCOME)
    one = Linear.number(1)
    return {
        "earlier": (Atom(outcome - position - one),),
        "now": equal(position, outcome),
        "later": (Atom(position - outcome - one),),
    }[case]


def _tells_whole(ways: Ways, way: Way) -> bool:
    """Return whether a way tells just one number, which is whole whatever happens."""
    if len(way.told) != 1 or way.told[0][1] is None:
        return False
    form = way.told[0][1]
    whole = all(c.denominator == 1 and is_whole(ways.program, s) for s, c in form.terms)
    return whole and form.constant.denominator == 1


def check_prophecy(ways: Ways, prophecy: Prophecy) -> None:
    """Refuse a prophecy unless it is of the whole number that every run tells last, after its loop.

    The outcome is a whole number, so that phases and cases, which part whole numbers, are all.
    """
    whole = is_whole(ways.program, prophecy.variable) and prophecy.counter.startswith("iteration ")
    only = set(ways.of) == {ENTRY, prophecy.loop}
    named = only and ways.heads[prophecy.loop].counter == prophecy.counter
    lives = only and prophecy.variable in ways.variables[prophecy.loop]
    told = all(
        (_tells_whole(ways, way) and way.start != ENTRY) if way.end == END else not way.told
        for way in ways.all()
    )
    if not (whole and only and named and lives and told):
        raise UnsoundAlignmentError("no prophecy is possible of this program")
