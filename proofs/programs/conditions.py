"""Verification conditions of a proof by alignment. This file is trusted: what it says is enough.

Setting. Noise is one independent draw H[a] for each address a, a place of the program in an
iteration of its loop: its distribution depends on a and on public parameters alone, and a run looks
at an address at most once. Both runs, on neighbors q and q′, look at the same family. P tells
tags, each perhaps with a number; what the user sees is a function of that.

Theorem. Fix q, q′ and a sequence of tags (with a prophecy, also the whole number told last): o.
Let T add to H[a] the shift s[a], which may depend on o, on data, and on draws at addresses before a
in the order of the program, and is 0 where the run on q does not look. Say that for every H with
P(q, H) in o: P(q′, T H) tells the same tags and numbers; T H stays where the density is above 0;
and the density of H is at most e^ε times that of T H. Then Pr[P(q) ∈ S] ≤ e^ε·Pr[P(q′) ∈ S] for all
S. Proof. T is triangular: s[a] depends on earlier draws only, so that T is one-to-one and keeps
volume. For each o, {P(q) ∈ S, o} is mapped into {P(q′) ∈ S, o}, and ∫ f(H) ≤ e^ε·∫ f(T H) ≤
e^ε·Pr[P(q′) ∈ S, o]. Add up over o, of which there are countably many. (For whole-number noise T is
one-to-one on the whole numbers if shifts are whole.) The factor of a Laplace draw is at most
e^(|s|/b); that of an exponential one e^(s/b), where H + s ≥ 0.

What is generated. Runs go from cut to cut. Invariants in the phases of a cut are claimed to hold
for each H with P(q, H) in o; a condition for each pair of ways that the two runs may take shows
that they lead to the next cut. Phases at a cut are told apart by the first run's state and o, and
one of them always holds. ``lost`` phases, in which the first run can no longer tell o, need say
nothing of the second run; that the end contradicts o from there is a condition, too.

Shifts depend on nothing later. A shift is chosen by cut, case and way of the first run. Cut, state
and case depend on earlier draws and o. Ways that part before the draw depend on earlier draws.
Ways that part after it may have different shifts only if o tells them apart: neither's tags begin
with the other's (``_check_shifts``). A shift is a form in what has moved, which depends on earlier
draws, o and data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from .alignment import (
    OUTCOME,
    Alignment,
    moved,
    moved_so_far,
    paid,
)
from .claim import Claim
from .ir import LENGTH
from .linear import Atom, Linear, equal
from .phases import (
    LOST,
    UnsoundAlignmentError,
    case_atoms,
    cases,
    check_prophecy,
    guard_of,
    phases,
)
from .ways import END, ENTRY, Way

ABSURD = Atom(Linear(), strict=True)
"""0 > 0: its hypotheses contradict each other."""


@dataclass(frozen=True)
class Obligation:
    """The hypotheses imply each goal, over the reals; if they contradict each other, they do.

    target: the cut and the phase whose invariant the goals are; goals and ``names`` go together.
    """

    words: str
    hypotheses: tuple[Atom, ...]
    goals: tuple[Atom, ...]
    names: tuple[Atom | str, ...] = ()
    target: tuple[int, str] | None = None


# Phases and cases. ----------------------------------------------------------------------------


# Shifts. --------------------------------------------------------------------------------------


def _check_shifts(claim: Claim, alignment: Alignment) -> None:
    """Refuse shifts that depend on what comes later, or are not whole where noise is."""
    known = {moved(v) for names in claim.ways.variables.values() for v in names}
    known |= set(claim.ways.program.parameters)
    for start, ways in claim.ways.of.items():
        for case in cases(alignment.prophecy, start):
            for number, way in enumerate(ways):
                for draw in way.draws:
                    shift = alignment.shift_of(way, number, case, draw)
                    for symbol in shift.symbols():
                        if symbol not in known and not symbol.startswith("moved answer "):
                            raise UnsoundAlignmentError(f"a shift depends on {symbol}")
                    if draw.kind == "gaussian" and shift != Linear():
                        raise UnsoundAlignmentError("no shift of Gaussian noise has a bounded cost")
                    if draw.kind == "discrete_laplace" and not whole_shift(claim, shift):
                        raise UnsoundAlignmentError("whole noise has whole shifts")
                    for other_number, other in enumerate(ways[:number]):
                        twin = next((d for d in other.draws if d.site == draw.site), None)
                        if twin is None or not _same_so_far(way, draw.before, other, twin.before):
                            continue
                        if alignment.shift_of(other, other_number, case, twin) == shift:
                            continue
                        if told_alike(way.tags, other.tags):
                            raise UnsoundAlignmentError("a shift depends on a later branch")


def whole_shift(claim: Claim, shift: Linear) -> bool:
    """Return whether a shift is a whole number whatever happens.

    How far a variable has moved is the difference of its values in the two runs, which is whole
    where both are. So is the move of an answer where the program says that the data are whole: of
    these data alone it is claimed then.
    """
    program = claim.ways.program

    def whole(symbol: str) -> bool:
        name = symbol.removeprefix("moved ")
        if name.startswith("answer "):
            return program.whole_data
        return claim.ways.is_whole(name)

    parts = all(c.denominator == 1 and whole(symbol) for symbol, c in shift.terms)
    return parts and shift.constant.denominator == 1


def _same_so_far(way: Way, before: int, other: Way, other_before: int) -> bool:
    return way.decisions[:before] == other.decisions[:other_before]


def told_alike(tags: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether what is told leaves open which of two ways was taken."""
    short = min(len(tags), len(other))
    return tags[:short] == other[:short]


# Conditions. ----------------------------------------------------------------------------------


def obligations(claim: Claim, alignment: Alignment) -> Iterator[Obligation]:
    """Yield all that must be shown; raise ``UnsoundAlignmentError`` for what is no alignment."""
    if alignment.prophecy is not None:
        check_prophecy(claim.ways, alignment.prophecy)
    _check_shifts(claim, alignment)
    for start, ways in claim.ways.of.items():
        for phase in phases(alignment.prophecy, start):
            for number, way in enumerate(ways):
                if phase in LOST:
                    yield from _lost(claim, alignment, way, phase)
                    continue
                for case in cases(alignment.prophecy, start):
                    for other in ways:
                        if _both_possible(way, other):
                            yield from _pair(claim, alignment, phase, case, number, way, other)


def _both_possible(way: Way, other: Way) -> bool:
    """Return whether the two runs can take these ways: they share public decisions and coins."""
    mine, theirs = way.fixed, other.fixed
    return all(theirs.get(key, holds) == holds for key, holds in mine.items())


def _lost(claim: Claim, alignment: Alignment, way: Way, phase: str) -> Iterator[Obligation]:
    """Yield that a first run which can no longer tell the outcome never can."""
    prophecy = alignment.prophecy
    given = (
        *claim.assumed,
        *_facts(claim, way.start),
        *guard_of(claim, prophecy, way.start, phase),
    )
    given += (*alignment.invariants.get((way.start, phase), ()), *way.atoms)
    words = f"cut {way.start}, {phase}: {way.words()}"
    if way.end == END:
        value = way.told[-1][1]
        assert value is not None
        given = (*given, *equal(value, Linear.symbol(OUTCOME)))
        yield Obligation(f"{words}: the end", given, (ABSURD,))
        return
    after = dict(way.after).get
    for target in phases(prophecy, way.end):
        guard = tuple(a.replace(after) for a in guard_of(claim, prophecy, way.end, target))
        held = alignment.invariants.get((way.end, target), ())
        goals = tuple(a.replace(after) for a in held) if target in LOST else (ABSURD,)
        if goals:
            where = (way.end, target) if target in LOST else None
            yield Obligation(f"{words}: {target}", (*given, *guard), goals, held, where)


def _facts(claim: Claim, cut: int) -> tuple[Atom, ...]:
    """Return what holds at a cut by what its symbols mean."""
    if cut == ENTRY:
        return ()
    counter, length = Linear.symbol(claim.ways.heads[cut].counter), Linear.symbol(LENGTH)
    facts: tuple[Atom, ...] = (Atom(counter), Atom(length - counter))
    if claim.moves.kind == "one":
        so_far = Linear.symbol(moved_so_far(cut))
        facts += (Atom(so_far), Atom(Linear.number(claim.moves.width) - so_far))
    return facts


def _pair(
    claim: Claim,
    alignment: Alignment,
    phase: str,
    case: str,
    number: int,
    way: Way,
    other: Way,
) -> Iterator[Obligation]:
    """Yield what must hold if the first run takes ``way`` and the second ``other``."""
    prophecy, start = alignment.prophecy, way.start
    shifts = {d.symbol: alignment.shift_of(way, number, case, d) for d in way.draws}
    counter = None if start == ENTRY else claim.ways.heads[start].counter
    own = set(claim.ways.variables[start]) - {counter}

    def second(symbol: str) -> Linear | None:
        if symbol in own or symbol.startswith("answer "):
            return Linear.symbol(symbol) + Linear.symbol(moved(symbol))
        if symbol in shifts:
            return Linear.symbol(symbol) + shifts[symbol]
        return None

    given = [*claim.assumed, *_facts(claim, start), *guard_of(claim, prophecy, start, phase)]
    given += [*case_atoms(prophecy, case), *alignment.invariants.get((start, phase), ())]
    given += [*way.atoms, *(atom.replace(second) for atom in other.atoms)]
    answers = tuple(dict.fromkeys((*way.answers, *other.answers)))
    for answer in answers:
        move = Linear.symbol(moved(answer))
        given += [Atom(move - Linear.number(claim.moves.lower))]
        given += [Atom(Linear.number(claim.moves.upper) - move)]
    for one in {d.site: d for d in (*way.draws, *other.draws)}.values():
        if one.kind == "exponential":
            given.append(Atom(Linear.symbol(one.symbol)))
    goals: list[Atom] = []
    goals += [
        Atom(Linear.symbol(d.symbol) + shifts[d.symbol])
        for d in way.draws
        if d.kind == "exponential" and shifts[d.symbol] != Linear()
    ]
    same = way.end == other.end and way.tags == other.tags
    if same:
        for (_, mine), (_, theirs) in zip(way.told, other.told, strict=True):
            if mine is not None and theirs is not None:
                goals += equal(theirs.replace(second), mine)
    else:
        goals.append(ABSURD)
    if prophecy is not None and way.end == END:
        told = way.told[-1][1]
        assert told is not None
        given += equal(told, Linear.symbol(OUTCOME))
    words = f"cut {start}, {phase} {case}: {way.words()} | {other.words()}"
    for signs, steps in _signs(claim, way, shifts, answers):
        here = (*given, *signs)
        if goals:
            yield Obligation(f"{words}: the same is told", here, tuple(goals))
        if same and way.end == END:
            totals = tuple(
                Atom(bound - _paid(claim, start, j, way, steps))
                for j, bound in enumerate(alignment.bounds)
            )
            yield Obligation(f"{words}: what is paid", here, totals, target=(END, ""))
        elif same:
            after = _after(claim, way, other, second, steps)
            for target in phases(prophecy, way.end):
                held = alignment.invariants.get((way.end, target), ())
                if held:
                    guard = tuple(
                        a.replace(after) for a in guard_of(claim, prophecy, way.end, target)
                    )
                    reached = tuple(a.replace(after) for a in held)
                    where = (way.end, target)
                    yield Obligation(f"{words}: {target}", (*here, *guard), reached, held, where)


def _signs(
    claim: Claim, way: Way, shifts: Mapping[str, Linear], answers: tuple[str, ...]
) -> Iterator[tuple[tuple[Atom, ...], dict[str, Linear]]]:
    """Yield each way in which shifts and moves can be above or below 0, with their sizes.

    The sizes are |shift| by the symbol of the draw (the shift itself of an exponential one), and
    |move| of the loop's own answer. Together the signs are all that there are.
    """
    sized = {d.symbol: shifts[d.symbol] for d in way.draws if d.kind != "exponential"}
    own = f"answer {way.start}"
    if claim.moves.kind == "one" and own in answers:
        sized[own] = Linear.symbol(moved(own))
    # Forms that are multiples of each other are above or below 0 together.
    lines = {name: _direction(form) for name, form in sized.items() if form.terms}
    apart = list(dict.fromkeys(lines.values()))
    for signs in product((1, -1), repeat=len(apart)):
        of = dict(zip(apart, signs, strict=True))
        atoms = [Atom(line.times(Fraction(sign))) for line, sign in of.items()]
        steps = {n: Linear.number(abs(form.constant)) for n, form in sized.items()}
        for name, line in lines.items():
            first = sized[name].terms[0]
            size = abs(first[1] / line.coefficient(first[0]))
            steps[name] = line.times(of[line] * size)
        steps |= {d.symbol: shifts[d.symbol] for d in way.draws if d.kind == "exponential"}
        if own in steps:
            so_far = Linear.symbol(moved_so_far(way.start)) + steps[own]
            atoms.append(Atom(Linear.number(claim.moves.width) - so_far))
        yield tuple(atoms), steps


def _direction(form: Linear) -> Linear:
    """Return the multiple of a form whose first coefficient is 1; it has terms."""
    return form.times(1 / form.terms[0][1])


def _paid(claim: Claim, start: int, account: int, way: Way, steps: Mapping[str, Linear]) -> Linear:
    """Return what has been paid into an account at the end of the way."""
    total = Linear() if start == ENTRY else Linear.symbol(paid(account))
    for draw in way.draws:
        if claim.accounts.of[draw.site] == account:
            total += steps[draw.symbol].times(claim.accounts.weight[draw.site])
    return total


def _after(
    claim: Claim,
    way: Way,
    other: Way,
    second: Callable[[str], Linear | None],
    steps: Mapping[str, Linear],
) -> Callable[[str], Linear | None]:
    """Return what each symbol of the next cut is, in the symbols of the cut before."""
    known = dict(way.after)
    for name, form in other.after:
        if name in known:
            known[moved(name)] = form.replace(second) - known[name]
    for account in range(len(claim.accounts.units)):
        known[paid(account)] = _paid(claim, way.start, account, way, steps)
    if claim.moves.kind == "one":
        so_far = Linear()
        if way.end == way.start:
            own = steps.get(f"answer {way.start}", Linear())
            so_far = Linear.symbol(moved_so_far(way.end)) + own
        known[moved_so_far(way.end)] = so_far
    return known.get


# The budget. ----------------------------------------------------------------------------------
