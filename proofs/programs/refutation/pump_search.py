"""Searches pumps: which ways to repeat, on which data, within which windows and cells.

Four patterns of Chadha, Sistla, Viswanathan and Bhusal (2023) say where to look: a variable that is
compared and assigned in a cycle, one that bounds from above in one iteration and from below in
another, a number with noise that is output in a cycle, and one that also bounds a cycle. None of
this is believed: ``pump`` says what must hold, and the kernel checks it.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from provado.proofs import kernel

from ..alignment.prove import consequence
from ..claim import ProgramClaim
from ..probability.output_probability import (
    Event,
    Interval,
    ParameterValues,
    Place,
    System,
    eliminate,
    followed,
)
from ..read.ir import LENGTH, UndecidedProgramError, WorkIsOverError, allowed, spend
from ..read.path import ENTRY, Path, draws_of
from ..read.polynomial import Atom, LinearForm
from . import pump as pumps
from .refute import claimed_epsilon, settings

_CHANCE = 100
"""Steps that an exact chance is counted as."""
_MOST_CELLS = 800
_SPREADS = (Fraction(4), Fraction(8))
"""How far windows lie out, in the largest scale."""
_SHARE = Fraction(1, 8)
"""Half the width of a window from both sides, in the width of the answers' moves."""


class _NotFoundError(Exception):
    """No pump comes of this."""


def pumped(claim: ProgramClaim, *, steps: int) -> pumps.PumpedCounterexample | None:
    """Return a pump that the kernel has checked, and the periods that exceed the claim."""
    if claim.moves.kind == "one" or LENGTH in claim.epsilon.parameters():
        return None
    with allowed(steps), suppress(WorkIsOverError, UndecidedProgramError, pumps.UnsoundPumpError):
        for setting in settings(claim, 1):
            pumps.outputs_of_a_way(setting)
            for pump in _pumps(claim, setting):
                with suppress(UndecidedProgramError, pumps.UnsoundPumpError, kernel.KernelRefusal):
                    counterexample = _checked(claim, setting, pump)
                    if counterexample is not None:
                        return counterexample
    return None


def _checked(
    claim: ProgramClaim, setting: ParameterValues, pump: pumps.Pump
) -> pumps.PumpedCounterexample | None:
    """Return the pump with the kernel's findings; ``None`` where a condition is not shown."""
    pumps.check_shape(setting, claim.moves, pump)
    findings = []
    for obligation in pumps.obligations(setting, pump):
        shown = tuple(consequence(obligation.hypotheses, goal) for goal in obligation.goals)
        if None in shown:
            return None
        findings.append((obligation.words, tuple(f for f in shown if f is not None)))
    epsilon = claimed_epsilon(claim, setting, Fraction(1), 1)
    start, p, factor, *cells = (
        sum(float(c) * math.exp(q) for q, c in chance) for chance in pumps.chances(setting, pump)
    )
    if min(start, p, max(cells)) <= 0:
        return None
    start, growth = math.log(start / factor), math.log(p / max(cells))
    periods = max(1, math.ceil((float(epsilon) - start) / growth + 1e-9))
    event = pumps.evidence(setting, claim.moves, pump, periods, epsilon)

    def exact_chances(_: object) -> tuple[kernel.Sum, ...]:
        return pumps.chances(setting, pump)

    finding = kernel.check(event, exact_chances)
    values = dict(setting.values) | ({setting.rate: Fraction(1)} if setting.rate else {})
    parameters = tuple((name, values[name]) for name in claim.ways.program.parameters)
    return pumps.PumpedCounterexample(pump, parameters, tuple(findings), finding, setting.rate)


# Which ways repeat. ---------------------------------------------------------------------------


def _pumps(claim: ProgramClaim, setting: ParameterValues) -> Iterator[pumps.Pump]:
    """Yield pumps whose windows and cells have been found, by the patterns."""
    loop, _ = pumps.outputs_of_a_way(setting)
    round_ = [n for n, way in enumerate(setting.ways.of[loop]) if way.end == loop]
    for count, length in ((0, 1), (0, 2), (1, 1), (1, 2)):
        for first in itertools.product(round_, repeat=count):
            for entry in range(len(setting.ways.of[ENTRY])):
                reached = _followed(setting, (entry, *first))
                for cycle in itertools.product(round_, repeat=length) if reached else ():
                    if reached and _is_hinted([setting.ways.of[loop][n] for n in cycle]):
                        yield from _of_cycle(claim, setting, reached, count, cycle)


def _is_hinted(cycle: Sequence[Path]) -> bool:
    """Return whether one of the four patterns may be in a cycle."""
    if any(form is not None for way in cycle for _, form in way.told):
        return True
    signs = set()
    for way in cycle:
        own = {d.symbol for d in way.draws}
        variables = {v for v, _ in way.after}
        for v, form in way.after:
            signs |= {(v, True), (v, False)} if own & set(form.symbols()) else set()
        for atom in way.atoms:
            if own & set(atom.form.symbols()):
                kept = {(s, c > 0) for s, c in atom.form.terms if s in variables}
                if not kept:
                    # Nothing but noise of its own decides here.
                    return True
                signs |= kept
    # Two signs of a variable: it is assigned here, or bounds from both sides.
    return len(signs) > len({s for s, _ in signs})


def _event(kinds: Sequence[str], numbers: Sequence[LinearForm], style: int = 0) -> Event:
    """Return an event: constants as they are, and each other number in a set of this style."""
    none = Fraction(0)
    sets: tuple[Interval | None, ...] = (None, (none, None), (None, none))
    return Event(
        tuple(kinds), tuple(sets[style] if f.terms else (f.constant, f.constant) for f in numbers)
    )


def _followed(
    setting: ParameterValues, numbers: Sequence[int]
) -> tuple[dict[str, LinearForm], Event] | None:
    """Return the variables after these ways from the start on answers 0, and what is output."""
    here: Place = ENTRY, 0, {}, System({}, (), ())
    for number in numbers:
        answers = (LinearForm(),) * (len(numbers) - 1)
        after = followed(setting, answers, None, setting.ways.of[here[0]][number], here)
        if after is None:
            return None
        here = after
    _, _, state, system = here
    return state, _event(system.kinds, system.numbers)


def _of_cycle(
    claim: ProgramClaim,
    setting: ParameterValues,
    reached: tuple[dict[str, LinearForm], Event],
    before: int,
    cycle: tuple[int, ...],
) -> Iterator[pumps.Pump]:
    state, begins = reached
    loop, _ = pumps.outputs_of_a_way(setting)
    counter = setting.ways.heads[loop].counter
    fixed = tuple((v, f.constant) for v, f in state.items() if not f.terms and v != counter)
    kept = {
        v for n in cycle for v, f in setting.ways.of[loop][n].after if f != LinearForm.symbol(v)
    }
    # A constant that the cycle changes is no part of the control state.
    again = {v for n in cycle for v, f in setting.ways.of[loop][n].after if f.terms and v in kept}
    fixed = tuple((v, c) for v, c in fixed if v not in again)
    zeros = ((Fraction(0),) * before,) * 2
    moves = sorted({claim.moves.lower, Fraction(0), claim.moves.upper})
    steps_of = sorted(itertools.product(moves, repeat=len(cycle)), key=lambda s: s.count(0))
    for style, steps in itertools.product((1, 2, 0), steps_of[:-1]):
        period = (Fraction(0),) * len(cycle), steps
        cells = pumps.PumpCell(())
        empty = pumps.Pump(
            loop, zeros, period, Fraction(0), begins, Event(()), fixed, cycle, (), (), (), cells
        )
        with suppress(pumps.UnsoundPumpError):
            _, system = pumps.along_ways(setting, empty, None)
            if bool(style) != any(f.terms for f in system.numbers):
                continue
            repeats = _event(system.kinds, system.numbers, style)
            for spread in _SPREADS:
                with suppress(_NotFoundError, pumps.UnsoundPumpError, UndecidedProgramError):
                    yield _filled(claim, setting, replace(empty, repeats=repeats), spread)


# Windows. -------------------------------------------------------------------------------------


def _filled(
    claim: ProgramClaim, setting: ParameterValues, pump: pumps.Pump, spread: Fraction
) -> pumps.Pump:
    """Return the pump with windows, draws and cells; raise ``_NotFoundError``."""
    scales = [setting.scale(d.scale) for d in draws_of(setting.ways).values()]
    far = spread * max(max(scales), claim.moves.width)
    after, system = pumps.period_on_q(setting, pump)
    signs: dict[str, set[int]] = {}
    for atom in system.atoms:
        for s, c in atom.form.terms:
            if s not in system.draws:
                signs.setdefault(s, set()).add(1 if c > 0 else -1)
    assigned = {v for v in signs if after[v] != LinearForm.symbol(v)}
    drift, windows = Fraction(0), []
    tail: pumps.Tail | None = None
    for v in assigned:
        if len(signs[v]) > 1:
            raise _NotFoundError
        drift = -2 * far * next(iter(signs[v]))
    for v, sides in signs.items():
        form = LinearForm.symbol(v)
        drifting = LinearForm.symbol(pumps.PERIOD).times(drift if v in assigned else Fraction(0))
        if len(sides) > 1:
            near = LinearForm.number(claim.moves.width * _SHARE)
            windows += [Atom(form + near), Atom(near - form)]
            continue
        side = Fraction(next(iter(sides)))
        if v not in assigned and side > 0 < drift:
            tail = pumps.Tail(v, far, Fraction(0), drift, (), Fraction(1))
            continue
        windows.append(Atom((form - drifting).times(side) - LinearForm.number(far)))
    pump = replace(pump, drift=drift, windows=tuple(windows), tail=tail)
    after, system = pumps.period_on_q(setting, pump)
    bounds = _bounds(pump.windows)
    if pump.tail is not None:
        bounds[pump.tail.variable] = (pump.tail.level + drift, None)
    later = {**after, pumps.PERIOD: LinearForm.symbol(pumps.PERIOD) + LinearForm.number(1)}
    goals = [*system.atoms, *(atom.replace(later.get) for atom in pump.windows)]
    asked = [_narrowed(atom, set(system.draws), bounds, -1) for atom in goals]
    if None in asked:
        raise _NotFoundError
    draws = tuple(dict.fromkeys(a for a in asked if a is not None and a.form.terms))
    pump = replace(pump, draws=draws)
    p = _chance([(system, draws)])
    pump = replace(pump, cells=_cells(setting, pump, p))
    return pump if tail is None else replace(pump, tail=_tail(setting, pump, tail, p))


_Bounds = dict[str, tuple[Fraction | None, Fraction | None]]
"""Between which two numbers each variable lies, apart from its drift."""


def _bounds(windows: Sequence[Atom]) -> _Bounds:
    result: _Bounds = {}
    for atom in windows:
        ((v, c),) = [(s, c) for s, c in atom.form.terms if s != pumps.PERIOD]
        low, high = result.get(v, (None, None))
        at = -atom.form.constant / c
        result[v] = (at, high) if c > 0 else (low, at)
    return result


def _narrowed(atom: Atom, draws: set[str], bounds: _Bounds, side: int) -> Atom | None:
    """Return what an atom asks of draws for all values of the rest (−1), or for some (1).

    ``None`` where that is impossible (−1), or nothing (1). What drifts with the data is compared
    with them, so that the drift cancels, or is on the side where it does no harm.
    """
    total, terms = atom.form.constant, {}
    for s, c in atom.form.terms:
        if s in draws:
            terms[s] = c
            continue
        if s in (pumps.PERIOD, pumps.PERIODS):
            continue
        low, high = bounds.get(s, (None, None))
        end = (high if c > 0 else low) if side > 0 else (low if c > 0 else high)
        if end is None:
            return None
        total += c * end
    result = Atom(LinearForm.of(terms, total), atom.strict)
    if not terms and (total < 0 or (total == 0 and atom.strict)):
        return None if side < 0 else result
    return result


def _tail(setting: ParameterValues, pump: pumps.Pump, tail: pumps.Tail, p: float) -> pumps.Tail:
    """Return the tail with a rate that its draws allow, and that still lets the loss grow."""
    every = [run for _, run in pumps.period_on_q_prime(setting, pump)]
    most = max(
        _chance([(r, d or ()) for r, d in zip(every, c.draws, strict=True)])
        for _, c in pump.leaves()
    )
    for atom in reversed(every[0].atoms):
        terms = dict(atom.form.terms)
        if terms.pop(tail.variable, 0) == 1 and -terms.pop(pumps.PERIOD, Fraction(0)) == tail.speed:
            draws = tuple(terms.items())
            break
    else:
        raise _NotFoundError
    scales = [setting.scale(d.scale) for d in draws_of(setting.ways).values()]
    loss = Fraction(math.log(p / most)) / (2 * tail.speed)
    theta = (1 / max(scales) - loss).limit_denominator(10**6)
    return replace(tail, start=-atom.form.constant, draws=draws, theta=theta)


# Cells. ---------------------------------------------------------------------------------------


def _chance(parts: Sequence[tuple[System, tuple[Atom, ...]]]) -> float:
    spend(_CHANCE)
    return sum(eliminate(system.densities(), atoms).near(Fraction(1)) for system, atoms in parts)


def _cells(setting: ParameterValues, pump: pumps.Pump, p: float) -> pumps.Cells:
    """Return cells in each of which a period is less likely on q′ than on q."""
    every = [run for _, run in pumps.period_on_q_prime(setting, pump)]
    names = sorted(
        {s for run in every for a in run.atoms for s in a.form.symbols()}
        - {s for run in every for s in run.draws}
        - {pumps.PERIOD, *([pump.tail.variable] if pump.tail else [])}
    )
    scales = [setting.scale(d.scale) for d in draws_of(setting.ways).values()]
    centre = {v: _middle(bounds) for v, bounds in _bounds(pump.windows).items()}
    here: _Bounds = {v: (centre.get(v, Fraction(0)),) * 2 for v in names}
    at_centre = _in_cell(every, here)[1]
    if not 0 < at_centre < p:
        raise _NotFoundError
    most, count = math.sqrt(p * at_centre), 0

    def split(bounds: _Bounds, cell: pumps.PumpCell, chance: float) -> pumps.Cells:
        nonlocal count
        if chance <= most:
            return cell
        count += 1
        point: _Bounds = {v: (_middle(bounds[v]),) * 2 for v in names}
        if not names or count > _MOST_CELLS or _in_cell(every, point)[1] > most:
            raise _NotFoundError
        halves = []
        for v in sorted(names, key=lambda name: -_width(*bounds[name])):
            low, high = bounds[v]
            at = _split_at(low, high, max(scales))
            two = [{**bounds, v: ends} for ends in ((low, at), (at, high))]
            halves.append((v, at, [(half, *_in_cell(every, half)) for half in two]))
        # The variable that narrows down most what the outputs imply; the widest one of several.
        v, at, (below, above) = min(halves, key=lambda item: sum(half[2] for half in item[2]))
        return pumps.CellSplit(v, at, split(*below), split(*above))

    everywhere: _Bounds = dict.fromkeys(names, (None, None))
    return split(everywhere, *_in_cell(every, everywhere))


def _middle(bounds: tuple[Fraction | None, Fraction | None]) -> Fraction:
    low, high = bounds
    if low is None or high is None:
        return (low if low is not None else high) or Fraction(0)
    return (low + high) / 2


def _width(low: Fraction | None, high: Fraction | None) -> float:
    return math.inf if low is None or high is None else float(high - low)


def _split_at(low: Fraction | None, high: Fraction | None, scale: Fraction) -> Fraction:
    if low is not None and high is not None:
        return (low + high) / 2
    if low is not None:
        return max(2 * low, low + scale)
    return Fraction(0) if high is None else min(2 * high, high - scale)


def _in_cell(every: Sequence[System], bounds: _Bounds) -> tuple[pumps.PumpCell, float]:
    """Return what the outputs imply of the draws in a cell, and how likely that is."""
    result: list[tuple[Atom, ...] | None] = []
    parts = []
    for run in every:
        wide = [_narrowed(a, set(run.draws), bounds, 1) for a in run.atoms]
        kept = tuple(dict.fromkeys(a for a in wide if a is not None))
        if any(not a.form.terms and a.form.constant < 0 for a in kept):
            result.append(None)
            continue
        draws = tuple(a for a in kept if a.form.terms)
        result.append(draws)
        parts.append((run, draws))
    return pumps.PumpCell(tuple(result)), _chance(parts)
