"""Pumps: an event that repeats, and whose loss grows with each period. This file is trusted.

A pump shows that no ε is enough. Its event E_m is that the output begins with ``begins`` and then m
times with ``repeats``. The data of a period are the same in each but for a drift.

On q. ``windows`` speak of the variables at the head of the loop. From there, draws of a period's
own that fulfil ``draws`` make the run take ``ways``, output what the event says and come back to
the windows one period later. These draws are fresh, so that Pr[E_m | q] ≥ start·p^m.

On q′. Every way round the loop outputs as many things as any other, and a way out of it outputs
something else than the event says, or too little: in E_m the run stays in the loop, and each period
outputs what the event says. ``fixed`` and ``holds`` are then true at the head of each period, and
the variables lie in one of the ``cells``, whose splits leave no gap. In each cell the outputs imply
conditions on draws of the period's own, whose chance is at most p′ whatever came before. So
Pr[E_m | q′] ≤ p′^m.

A tail. Where the data rise by ``speed`` a period, a variable v that the loop keeps may have to be
above them: v is a constant plus one Laplace draw z of scale b. On q let v be above level + speed·m,
which has the chance Pr[v ≥ level]·e^(−m·speed/b) and concerns no other draw. On q′ the outputs of
the last period imply v + Σ γ·(its own draws) ≥ from + speed·(m − 1), which is independent of what
the periods before it imply; by Markov's inequality, its chance is at most e^(θ·(constant − from −
speed·(m − 1)))·Π 1/(1 − θ²γ²b²), over these draws and z, for any θ with θ·γ·b < 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.algebra import ExpSum

from ..alignment.conditions import ABSURD, Obligation
from ..claim import AnswerRelation
from ..probability import output_probability as exact
from ..read.ir import LENGTH
from ..read.path import ENTRY, Path, draws_of
from ..read.polynomial import Atom, LinearForm
from ..read.symbolic_execution import parameter_atoms

PERIOD, PERIODS = "the period", "the number of periods"
Data = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
"""Answers on q and on q′."""


class UnsoundPumpError(Exception):
    """The pump is not one; the message says why."""


@dataclass(frozen=True)
class PumpCell:
    """Conditions on a period's own draws, for each run that outputs what the event says.

    ``None`` for a run that is not possible in this cell.
    """

    draws: tuple[tuple[Atom, ...] | None, ...]


@dataclass(frozen=True)
class CellSplit:
    """The variable is at most ``at`` in ``below``, and at least that in ``above``."""

    variable: str
    at: Fraction
    below: Cells
    above: Cells


Cells = PumpCell | CellSplit


@dataclass(frozen=True)
class Tail:
    """What a variable must be above, as the module says; ``draws``: γ of a period's own draws."""

    variable: str
    level: Fraction
    start: Fraction
    speed: Fraction
    draws: tuple[tuple[str, Fraction], ...]
    theta: Fraction


@dataclass(frozen=True)
class Pump:
    """An event that repeats, with all that shows its chances; see the module.

    ways: the numbers of the ways that a period takes on q.
    """

    loop: int
    before: Data
    period: Data
    drift: Fraction
    begins: exact.Event
    repeats: exact.Event
    fixed: tuple[tuple[str, Fraction], ...]
    ways: tuple[int, ...]
    windows: tuple[Atom, ...]
    draws: tuple[Atom, ...]
    holds: tuple[Atom, ...]
    cells: Cells
    tail: Tail | None = None

    def data(self, periods: int) -> Data:
        """Return the data of so many periods."""
        return tuple(  # type: ignore[return-value]
            (*before, *(v + self.drift * k for k in range(periods) for v in period))
            for before, period in zip(self.before, self.period, strict=True)
        )

    def leaves(self) -> list[tuple[tuple[Atom, ...], PumpCell]]:
        """Return each cell with where it is."""
        return list(_leaves(self.cells, ()))


def _leaves(cells: Cells, where: tuple[Atom, ...]) -> Iterator[tuple[tuple[Atom, ...], PumpCell]]:
    if isinstance(cells, PumpCell):
        yield where, cells
        return
    above = LinearForm.symbol(cells.variable) - LinearForm.number(cells.at)
    yield from _leaves(cells.below, (*where, Atom(-above)))
    yield from _leaves(cells.above, (*where, Atom(above)))


# The shape of the program. --------------------------------------------------------------------


def outputs_of_a_way(setting: exact.ParameterValues) -> tuple[int, int]:
    """Return the loop, and how many outputs each way round it has.

    Raises ``UnsoundPumpError`` unless each period is like any other: there is one loop, whose ways
    output as many things, and no way depends on the iteration, on the number of queries, on an
    answer of another iteration, or on anything but answers and continuous noise. There may be any
    number of queries, whatever the parameters are.
    """
    ways = setting.ways
    assumed = [atom.form.coefficient(LENGTH) for atom in parameter_atoms(ways.program)]
    if ways.program.scalar or min(assumed) < 0:
        raise UnsoundPumpError("the number of queries is bounded")
    loops = [cut for cut in ways.of if cut != ENTRY]
    if len(loops) != 1:
        raise UnsoundPumpError("the program has not just one loop")
    loop, every = loops[0], list(ways.all())
    round_ = [way for way in ways.of[loop] if way.end == loop]
    counts = {len(way.told) for way in round_}
    if any(way.end != loop for way in ways.of[ENTRY]) or len(counts) != 1 or 0 in counts:
        raise UnsoundPumpError("the outputs do not tell the iteration")
    if len({len(way.told) for way in ways.of[ENTRY]}) != 1 or any(way.fixed for way in every):
        raise UnsoundPumpError("public comparisons or coins decide the way")
    if any(a != f"answer {loop}" for way in every for a in way.answers):
        raise UnsoundPumpError("an answer is read outside of its iteration")
    if any(d.kind not in ("laplace", "exponential") for way in every for d in way.draws):
        raise UnsoundPumpError("the noise is not continuous")
    counter = ways.heads[loop].counter
    for way in every:
        forms = [atom.form for atom in way.atoms[_head(way, loop) :]]
        forms += [form for v, form in way.after if v != counter]
        forms += [form for _, form in way.told if form is not None]
        if any({counter, LENGTH} & set(form.symbols()) for form in forms):
            raise UnsoundPumpError("a way depends on the iteration")
        own = {d.symbol for d in way.draws}
        if any(form is not None and own.isdisjoint(form.symbols()) for _, form in way.told):
            raise UnsoundPumpError("a number without noise of its own is released")
    return loop, counts.pop()


def _head(way: Path, loop: int) -> int:
    """Return how many atoms of a way say whether there is one more answer."""
    return 0 if way.start != loop else 2 if _is_last(way) else 1


def _is_last(way: Path) -> bool:
    """Return whether a way leaves the loop as there is no more answer."""
    return way.atoms[0].form.coefficient(LENGTH) < 0


_Run = tuple[dict[str, LinearForm], exact.System]
"""What the variables are at the head of the loop, and the run."""


def runs(
    setting: exact.ParameterValues,
    cut: int,
    state: dict[str, LinearForm],
    answers: Sequence[LinearForm],
    event: exact.Event,
) -> list[_Run]:
    """Return all runs over these answers whose outputs are the event's, up to the loop's head.

    Raises ``UnsoundPumpError`` where a run may leave the loop and output what the event says.
    """
    loop, outputs = outputs_of_a_way(setting)
    todo = [(cut, 0, state, exact.System({}, (), ()))]
    result = []
    while todo:
        at, iteration, variables, system = here = todo.pop()
        if at == loop and iteration == len(answers):
            result.append((variables, system))
            continue
        for way in setting.ways.of[at]:
            if way.end != loop:
                if not _is_last(way) and _may_output(way, event, len(system.kinds), outputs):
                    raise UnsoundPumpError("a run may leave the loop with these outputs")
                continue
            place = exact.followed(setting, tuple(answers), event, way, here)
            if place is not None and place[3].kinds == event.kinds[: len(place[3].kinds)]:
                todo.append(place)
    return result


def _may_output(way: Path, event: exact.Event, at: int, count: int) -> bool:
    """Return whether the first ``count`` outputs of a way may be those of the event from ``at``."""
    if len(way.told) < count:
        return False
    sets: list[exact.Interval | None] = []
    numbers = iter(event.numbers)
    for kind in event.kinds:
        sets.append(next(numbers) if kind == exact.NUMBER else None)
    for (tag, form), kind, item in zip(
        way.told[:count], event.kinds[at : at + count], sets[at : at + count], strict=True
    ):
        own, value = exact.shown(tag, None, lambda _: None)
        if (exact.NUMBER if form is not None else own) != kind:
            return False
        if form is None and value is not None and item != (value.constant, value.constant):
            return False
    return True


# What must hold. ------------------------------------------------------------------------------


def _symbols(setting: exact.ParameterValues, pump: Pump) -> dict[str, LinearForm]:
    """Return the variables at the head of a period."""
    counter = setting.ways.heads[pump.loop].counter
    state = {v: LinearForm.symbol(v) for v in setting.ways.variables[pump.loop]}
    return {**state, **{v: LinearForm.number(c) for v, c in pump.fixed}, counter: LinearForm()}


def _answers(pump: Pump, side: int) -> list[LinearForm]:
    drift = LinearForm.symbol(PERIOD).times(pump.drift)
    return [LinearForm.number(v) + drift for v in pump.period[side]]


def along_ways(setting: exact.ParameterValues, pump: Pump, event: exact.Event | None) -> _Run:
    """Return the run of a period on q by its ways, with these outputs if any are given."""
    here: exact.Place = pump.loop, 0, _symbols(setting, pump), exact.System({}, (), ())
    for number in pump.ways:
        way = setting.ways.of[pump.loop][number]
        place = exact.followed(setting, tuple(_answers(pump, 0)), event, way, here)
        if place is None or way.end != pump.loop:
            raise UnsoundPumpError("the ways of a period are not possible")
        here = place
    _, at, state, system = here
    if at != len(pump.period[0]):
        raise UnsoundPumpError("the ways of a period read more or fewer answers")
    return state, system


def period_on_q(setting: exact.ParameterValues, pump: Pump) -> _Run:
    """Return the run of a period on q."""
    state, system = along_ways(setting, pump, pump.repeats)
    if system.kinds != pump.repeats.kinds:
        raise UnsoundPumpError("the ways of a period output something else")
    return state, system


def period_on_q_prime(setting: exact.ParameterValues, pump: Pump) -> list[_Run]:
    """Return the runs of a period on q′ that output what the event says."""
    state, answers = _symbols(setting, pump), _answers(pump, 1)
    return runs(setting, pump.loop, state, answers, pump.repeats)


def _before(setting: exact.ParameterValues, pump: Pump, side: int) -> list[_Run]:
    answers = [LinearForm.number(v) for v in pump.before[side]]
    return runs(setting, ENTRY, {}, answers, pump.begins)


def _is_fixed(pump: Pump, variables: dict[str, LinearForm]) -> bool:
    return all(not variables[v].terms and variables[v].constant == value for v, value in pump.fixed)


def check_shape(setting: exact.ParameterValues, moves: AnswerRelation, pump: Pump) -> None:
    """Raise ``UnsoundPumpError`` for data that are not neighbors, or an event of another length."""
    loop, outputs = outputs_of_a_way(setting)
    for d, d_prime in (pump.before, pump.period):
        steps = [b - a for a, b in zip(d, d_prime, strict=True)]
        if moves.kind == "one" or any(not moves.lower <= s <= moves.upper for s in steps):
            raise UnsoundPumpError("the data are not neighbors")
    if setting.ways.program.whole_data and any(
        v.denominator != 1 for v in (*sum(pump.before, ()), *sum(pump.period, ()), pump.drift)
    ):
        raise UnsoundPumpError("the data are not whole numbers")
    first = len(setting.ways.of[ENTRY][0].told) + outputs * len(pump.before[0])
    sizes = len(pump.begins.kinds), len(pump.repeats.kinds)
    if pump.loop != loop or sizes != (first, outputs * len(pump.period[0])) or not pump.period[0]:
        raise UnsoundPumpError("the event does not have one output for each that a way has")
    head = {*setting.ways.variables[loop], PERIOD} - {setting.ways.heads[loop].counter}
    atoms = {*pump.windows, *pump.holds, *(atom for where, _ in pump.leaves() for atom in where)}
    if any(set(atom.form.symbols()) - head for atom in atoms):
        raise UnsoundPumpError("windows, or cells, speak of more than the head of the loop")


def obligations(setting: exact.ParameterValues, pump: Pump) -> Iterator[Obligation]:
    """Yield all that must be shown; raise ``UnsoundPumpError`` for what is no pump."""
    one, period = LinearForm.number(1), LinearForm.symbol(PERIOD)
    later = (Atom(period),)
    after, system = period_on_q(setting, pump)
    if not _is_fixed(pump, after) or any(
        set(atom.form.symbols()) - set(system.draws) for atom in pump.draws
    ):
        raise UnsoundPumpError("a period on q does not come back, or asks of other draws")
    atoms = (*pump.windows, *pump.draws, *later, *_above(pump))
    goals = (*system.atoms, *(_next(atom, after, period + one) for atom in pump.windows))
    yield Obligation("on q, a period outputs this and comes back to the windows", atoms, goals)
    for variables, run in _before(setting, pump, 1):
        if not _is_fixed(pump, variables):
            raise UnsoundPumpError("what is fixed is not so at the start")
        goals = tuple(atom.replace(variables.get) for atom in pump.holds)
        yield Obligation("on q′, the first outputs imply what holds", run.atoms, goals)
    every = period_on_q_prime(setting, pump)
    for number, (variables, run) in enumerate(every):
        if not _is_fixed(pump, variables):
            raise UnsoundPumpError("what is fixed changes")
        atoms = (*pump.holds, *later, *run.atoms)
        goals = tuple(_next(atom, variables, period + one) for atom in pump.holds)
        if pump.tail is not None:
            goals = (*goals, _tail_goal(pump.tail))
        yield Obligation(f"on q′, a period by way {number} keeps what holds", atoms, goals)
    for at, (where, cell) in enumerate(pump.leaves()):
        if len(cell.draws) != len(every):
            raise UnsoundPumpError("a cell leaves out a run")
        for number, ((_, run), draws) in enumerate(zip(every, cell.draws, strict=True)):
            if any(set(atom.form.symbols()) - set(run.draws) for atom in draws or ()):
                raise UnsoundPumpError("a cell asks of other draws")
            words = f"on q′ in cell {at}, by way {number}: what the outputs imply of the draws"
            goals = (ABSURD,) if draws is None else draws
            yield Obligation(words, (*pump.holds, *where, *later, *run.atoms), goals)


def _next(atom: Atom, after: dict[str, LinearForm], period: LinearForm) -> Atom:
    return atom.replace(lambda s: period if s == PERIOD else after.get(s))


def _above(pump: Pump) -> tuple[Atom, ...]:
    """Return what is known on q of the number of periods, and of the variable with a tail."""
    if pump.tail is None:
        return ()
    last, tail = LinearForm.symbol(PERIODS), pump.tail
    level = LinearForm.number(tail.level) + last.times(tail.speed)
    more = last - LinearForm.symbol(PERIOD) - LinearForm.number(1)
    return Atom(more), Atom(LinearForm.symbol(tail.variable) - level)


def _tail_goal(tail: Tail) -> Atom:
    drawn = LinearForm.of(dict(tail.draws), -tail.start)
    return Atom(
        LinearForm.symbol(tail.variable) + drawn - LinearForm.symbol(PERIOD).times(tail.speed)
    )


# Chances. -------------------------------------------------------------------------------------


def _total(parts: Sequence[tuple[exact.System, tuple[Atom, ...]]]) -> ExpSum:
    total = ExpSum()
    for system, atoms in parts:
        plain = [atom for atom in atoms if not atom.form.terms]
        if all(c.form.constant > 0 or (c.form.constant == 0 and not c.strict) for c in plain):
            kept = [atom for atom in atoms if atom.form.terms]
            total = total + exact.eliminate(system.densities(), kept).sum_at(Fraction(1))
    return total


def chances(setting: exact.ParameterValues, pump: Pump) -> tuple[kernel.Sum, ...]:
    """Return start, p, a factor and p′ of each cell, at 1 for the parameter that stays open.

    Pr[E_m | q] ≥ start·p^m and Pr[E_m | q′] ≤ factor·(the largest p′)^m.
    """
    tail = pump.tail
    starts = []
    for variables, system in _before(setting, pump, 0):
        first = [_next(atom, variables, LinearForm()) for atom in pump.windows]
        if tail is not None:
            level = LinearForm.number(tail.level)
            first.append(Atom(variables[tail.variable] - level))
        if _is_fixed(pump, variables):
            starts.append((system, (*system.atoms, *first)))
    start, factor = _total(starts), ExpSum([(0, 1)])
    p = _total([(period_on_q(setting, pump)[1], pump.draws)])
    every = period_on_q_prime(setting, pump)
    cells = [
        _total([(run, d) for (_, run), d in zip(every, cell.draws, strict=True) if d is not None])
        for _, cell in pump.leaves()
    ]
    if tail is not None:
        scale, factor = _tail_factor(setting, pump, tail, starts)
        fall = ExpSum([(-tail.theta * tail.speed, 1)])
        low = max(kernel.sum_enclosure(cell.as_data())[0] for cell in cells)
        factor = factor * ExpSum([(0, 1 / low)])
        p, cells = p * ExpSum([(-tail.speed / scale, 1)]), [cell * fall for cell in cells]
    return tuple(sums.as_data() for sums in (start, p, factor, *cells))


def _tail_factor(
    setting: exact.ParameterValues,
    pump: Pump,
    tail: Tail,
    starts: Sequence[tuple[exact.System, tuple[Atom, ...]]],
) -> tuple[Fraction, ExpSum]:
    """Return the scale of a tail's draw, and the factor on q′; raise ``UnsoundPumpError``."""
    every = period_on_q_prime(setting, pump)
    kept = [*every, period_on_q(setting, pump)]
    forms = {v[tail.variable] for side in (0, 1) for v, _ in _before(setting, pump, side)}
    if len(forms) != 1 or any(
        v[tail.variable] != LinearForm.symbol(tail.variable) for v, _ in kept
    ):
        raise UnsoundPumpError("a variable with a tail changes")
    ((terms, constant),) = {(form.terms, form.constant) for form in forms}
    if len(terms) != 1 or terms[0][1] != 1 or tail.level < constant or tail.speed <= 0:
        raise UnsoundPumpError("a tail is not that of one draw")
    drawn = terms[0][0]
    for _, atoms in starts:
        if sum(bool(atom.form.coefficient(drawn)) for atom in atoms) != 1:
            raise UnsoundPumpError("the draw with a tail is compared with something else")
    sites = {d.site: d for d in draws_of(setting.ways).values()}
    factor = ExpSum([(tail.theta * (constant - tail.start + tail.speed), 1)])
    for symbol, gamma in ((drawn, Fraction(1)), *tail.draws):
        draw = sites[int(symbol.split()[1])]
        own = symbol == drawn or all(symbol in run.draws for _, run in every)
        rest = 1 - (tail.theta * gamma * setting.scale(draw.scale)) ** 2
        if draw.kind != "laplace" or not own or rest <= 0 or tail.theta <= 0:
            raise UnsoundPumpError("a tail has no such bound")
        factor = factor * ExpSum([(0, 1 / rest)])
    return setting.scale(sites[int(drawn.split()[1])].scale), factor


@dataclass(frozen=True)
class PumpedCounterexample:
    """A pump whose conditions the kernel has checked, and the finding that refutes every ε.

    parameters: their values. findings: of each condition. periods: how many exceed the claim.
    """

    pump: Pump
    parameters: tuple[tuple[str, Fraction], ...]
    findings: tuple[tuple[str, tuple[kernel.Checked, ...]], ...]
    finding: kernel.Checked
    multiple_of: str | None

    @property
    def periods(self) -> int:
        """Return the smallest number of periods that was found to exceed the claim."""
        return self.finding.evidence.periods  # type: ignore[no-any-return]


def evidence(
    setting: exact.ParameterValues,
    moves: AnswerRelation,
    pump: Pump,
    periods: int,
    epsilon: Fraction,
) -> kernel.RepeatedEvent:
    """Return what the kernel takes; raise ``UnsoundPumpError``."""
    check_shape(setting, moves, pump)
    event = f"{pump.begins.words()} and then, again and again, {pump.repeats.words()}"
    return kernel.RepeatedEvent(
        pump.before,
        pump.period,
        drift=pump.drift,
        relation=moves.width,
        event=event,
        chances=chances(setting, pump),
        periods=periods,
        epsilon=epsilon,
    )
