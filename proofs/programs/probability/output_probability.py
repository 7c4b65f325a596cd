"""The exact probability of an event of a program's output, on one dataset.

Runs are followed with noise as symbols; each complete run is a system of linear inequalities in its
draws. Where the draws hang together as a tree (each inequality joins two), they are integrated out
from its leaves; a system beyond that raises ``UndecidedProgramError``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache

from provado.mechanisms.definitions import UsageError

from ..alignment.examples import compared
from ..read import ir
from ..read.floats import folded
from ..read.path import END, ENTRY, Path, Paths, Public
from ..read.polynomial import ZERO, Atom, LinearForm, ParameterRatio, ratio
from .exponential_integrals import ONE, ExponentialPiece, ExponentialRatio, PiecewiseExponential

Interval = tuple[Fraction | None, Fraction | None]
"""From, to; ``None`` is the infinite end."""


NUMBER = "number"


@dataclass(frozen=True)
class Event:
    """What is told is of these kinds, in order, and each number lies in its set.

    kinds: ``number``, or the text of what else is told. numbers: one for each number, in order. An
    interval from v to v is the one number v. Any other is without the finitely many numbers that
    runs on the two datasets tell without noise: those lie in none of them, and what is told with
    noise is one of them with probability 0. ``None`` is the whole line, so understood.
    kept: the probability, in words, of a coin that has to come up, too; empty without one. Whether
    a claim holds for an event does not depend on the coin, which both datasets share.
    """

    kinds: tuple[str, ...]
    numbers: tuple[Interval | None, ...] = ()
    kept: str = ""

    def words(self) -> str:
        """Return the event as people write it."""
        rest = iter(self.numbers)
        parts = []
        for kind in self.kinds:
            one = next(rest) if kind == NUMBER else (None, None)
            if kind != NUMBER:
                parts.append(kind)
            elif one is None:
                parts.append("any noisy number")
            elif one[0] is not None and one[0] == one[1]:
                parts.append(str(one[0]))
            else:
                low, high = ("∞" if v is None else str(v) for v in one)
                parts.append(f"a noisy number from {'−' * (one[0] is None)}{low} to {high}")
        return f"({', '.join(parts)})" + f", kept with probability {self.kept}," * bool(self.kept)


# Values of a program's parameters, with which its probabilities are computed.


@dataclass(frozen=True)
class ParameterValues:
    """Values of all parameters but ``rate``: scales are numbers divided by it, or plain numbers.

    rate: the parameter that stays open, usually ε; ``None`` where all have values. scales: those
    that are known already.
    """

    ways: Paths
    values: Mapping[str, Fraction]
    rate: str | None
    scales: dict[ir.Expression, Fraction] = field(default_factory=dict, compare=False, repr=False)

    def scale(self, draw_scale: ir.Expression) -> Fraction:
        """Return a scale, times the rate where there is one."""
        if draw_scale not in self.scales:
            self.scales[draw_scale] = self._scale(ratio(_filled(draw_scale, self.values)))
        return self.scales[draw_scale]

    def _scale(self, result: ParameterRatio) -> Fraction:
        if self.rate is not None:
            c, unit = result.inverse().unit()
            if unit != ratio(ir.Name(self.rate)):
                raise ir.UndecidedProgramError(f"a scale is no number divided by {self.rate}")
            value = 1 / c
        else:
            top, bottom = dict(result.top.terms).get(()), dict(result.bottom.terms).get(())
            value = Fraction(0) if top is None or bottom is None else top / bottom
        if value <= 0:
            raise ir.UndecidedProgramError("a scale is not above 0")
        return value

    def weight(self, draw: ir.Coin | ir.Uniform, outcome: int) -> ExponentialRatio:
        """Return the probability of an outcome of a coin, or of a whole number."""
        if isinstance(draw, ir.Uniform):
            return ExponentialRatio(ExponentialPiece.of(1), ExponentialPiece.of(draw.count))
        p = self._share(draw.p)
        return p if outcome else ExponentialRatio(p.bottom - p.top, p.bottom)

    def _share(self, part: ir.Expression) -> ExponentialRatio:
        match part:
            case ir.Constant(value):
                return ExponentialRatio(ExponentialPiece.of(value), ONE.bottom)
            case ir.Name(name) if name in self.values:
                return ExponentialRatio(ExponentialPiece.of(self.values[name]), ONE.bottom)
            case ir.Name(self.rate):
                return ExponentialRatio(ExponentialPiece.rate(), ONE.bottom)
            case ir.Binary("exp", power, _):
                result = self._share(power)
                return ExponentialRatio(
                    ExponentialPiece.exp(result.top, result.bottom, self.rate is None), ONE.bottom
                )
            case ir.Binary(op, left, right):
                a, b = self._share(left), self._share(right)
                if op in ("+", "-"):
                    other = (
                        b if op == "+" else ExponentialRatio(ExponentialPiece() - b.top, b.bottom)
                    )
                    return a + other
                if op == "*":
                    return a * b
                if op == "/" and b.top:
                    return ExponentialRatio(a.top * b.bottom, a.bottom * b.top)
        raise ir.UndecidedProgramError("a coin's probability is beyond exponentials and ratios")


def _filled(part: ir.Expression, values: Mapping[str, Fraction]) -> ir.Expression:
    match part:
        case ir.Name(name) if name in values:
            return ir.Constant(values[name])
        case ir.Binary(op, left, right):
            return ir.Binary(op, _filled(left, values), _filled(right, values))
    return part


# Probabilities of systems of inequalities between draws, by integrating draws out.


def eliminate(draws: dict[str, PiecewiseExponential], atoms: Sequence[Atom]) -> ExponentialPiece:
    """Return the probability that independent draws with these densities fulfil all atoms."""
    pairs: dict[frozenset[str], list[Atom]] = {}
    for atom in dict.fromkeys(atoms):
        names = frozenset(atom.form.symbols())
        if len(names) == 1:
            (name,) = names
            c = atom.form.coefficient(name)
            bound = -atom.form.constant / c
            draws[name] = draws[name].inside(*((bound, None) if c > 0 else (None, bound)))
        elif len(names) == 2:
            pairs.setdefault(names, []).append(atom)
        else:
            raise ir.UndecidedProgramError("an inequality joins more than two draws")
    total = ExponentialPiece.of(1)
    while draws:
        degree = {name: [p for p in pairs if name in p] for name in draws}
        # Leaves first, those with the fewest pieces first.
        name = min(draws, key=lambda n: (len(degree[n]), len(draws[n].parts)))
        if len(degree[name]) > 1:
            raise ir.UndecidedProgramError("the draws hang together in a circle")
        line = draws.pop(name)
        if not degree[name]:
            total = total * line.integral()
            continue
        pair = degree[name][0]
        (other,) = pair - {name}
        draws[other] = draws[other] * _message(line, name, other, tuple(pairs.pop(pair)))
    return total


@cache
def _message(
    line: PiecewiseExponential, name: str, other: str, atoms: tuple[Atom, ...]
) -> PiecewiseExponential:
    """Return z ↦ the integral of the density over those y that fulfil all atoms in y and z."""
    lows: list[tuple[Fraction, Fraction]] = []
    highs: list[tuple[Fraction, Fraction]] = []
    for atom in atoms:
        c = atom.form.coefficient(name)
        bound = -atom.form.coefficient(other) / c, -atom.form.constant / c
        (lows if c > 0 else highs).append(bound)
    both = [*lows, *highs]
    turns = sorted(
        {(d - b) / (a - c) for i, (a, b) in enumerate(both) for c, d in both[:i] if a != c}
    )
    running = line.running()
    piece = running.parts[-1].limit(1)
    composed = {bound: running.compose(*bound) for bound in both}
    breaks = sorted({*turns, *(b for piecewise in composed.values() for b in piecewise.breaks)})
    parts = []
    for i in range(-1, len(breaks)):
        z = _inner(breaks, i)
        low = max(lows, key=lambda bound: bound[0] * z + bound[1], default=None)
        high = min(highs, key=lambda bound: bound[0] * z + bound[1], default=None)
        if low and high and low[0] * z + low[1] >= high[0] * z + high[1]:
            parts.append(ExponentialPiece())
            continue
        top = composed[high].part_after(i, breaks) if high else piece
        bottom = composed[low].part_after(i, breaks) if low else ExponentialPiece()
        parts.append(top - bottom)
    return PiecewiseExponential.joined(breaks, parts)


def _inner(breaks: Sequence[Fraction], i: int) -> Fraction:
    """Return a point inside of the i-th interval, from −1 on."""
    if not breaks:
        return Fraction(0)
    if i < 0:
        return breaks[0] - 1
    return breaks[i] + 1 if i == len(breaks) - 1 else (breaks[i] + breaks[i + 1]) / 2


MOST_RUNS = 4096


def chance(setting: ParameterValues, answers: Sequence[Fraction], event: Event) -> ExponentialRatio:
    """Return the probability of the event, as a function of the rate."""
    total = ExponentialRatio(ExponentialPiece(), ONE.bottom)
    for system in _runs(setting, constants(answers), event):
        total = total + system.chance()
    return total


def distribution(
    setting: ParameterValues, answers: Sequence[Fraction]
) -> dict[Event, ExponentialRatio]:
    """Return the probability of each output, where all that is told is known without noise."""
    total: dict[Event, ExponentialRatio] = {}
    for *_, system in by_levels(setting, constants(answers), _by_coins):
        event = system.event()
        total[event] = (
            total.get(event, ExponentialRatio(ExponentialPiece(), ONE.bottom)) + system.chance()
        )
    return total


def outcomes(
    setting: ParameterValues, answers: Sequence[Fraction], most: int
) -> list[tuple[tuple[str, ...], tuple[tuple[Fraction, bool], ...]]]:
    """Return up to ``most`` outcomes: kinds, and of each number what it is without noise.

    Beside a number stands whether noise other than of whole numbers is in it, so that none has a
    probability of its own. Outcomes that cannot happen may be among them.
    """
    result: dict[tuple[tuple[str, ...], tuple[tuple[Fraction, bool], ...]], None] = {}
    for system in _runs(setting, constants(answers), None):
        noisy = (not set(f.symbols()) <= set(system.whole) for f in system.numbers)
        numbers = tuple(zip((f.constant for f in system.numbers), noisy, strict=True))
        result[system.kinds, numbers] = None
        if len(result) >= most:
            break
    return list(result)


def regions(setting: ParameterValues, size: int) -> Iterator[tuple[Atom, ...]]:
    """Yield what each run without noise asks of the answers ``q 0``, ``q 1`` and so on."""
    answers = tuple(LinearForm.symbol(f"q {i}") for i in range(size))
    for system in _runs(setting, answers, None):
        silent = dict.fromkeys([*system.draws, *system.whole], ZERO)
        asked = dict.fromkeys(atom.replace(silent.get) for atom in system.atoms)
        yield tuple(atom for atom in asked if atom.form.terms)


def constants(answers: Sequence[Fraction]) -> _Answers:
    """Return answers as forms."""
    return tuple(map(LinearForm.number, answers))


# Runs. ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class System:
    """One run: its draws, kind and scale of each, and the inequalities between them.

    whole: draws of whole noise that no told number has fixed yet, each with its scale.
    """

    draws: Mapping[str, tuple[str, Fraction]]
    atoms: tuple[Atom, ...]
    kinds: tuple[str, ...]
    numbers: tuple[LinearForm, ...] = ()
    weight: ExponentialRatio = ONE
    whole: Mapping[str, Fraction] = field(default_factory=dict)

    def densities(self) -> dict[str, PiecewiseExponential]:
        """Return the density of each draw; raise ``UndecidedProgramError`` where it is Gaussian."""
        return {symbol: _density(kind, scale) for symbol, (kind, scale) in self.draws.items()}

    def event(self) -> Event:
        """Return the output; raise ``UndecidedProgramError`` where a number of it has noise."""
        if any(form.terms for form in self.numbers):
            raise ir.UndecidedProgramError("a number with noise in it is released: not finite")
        return Event(self.kinds, tuple((f.constant, f.constant) for f in self.numbers))

    def check_atoms(self) -> None:
        """Raise ``UndecidedProgramError`` where whole noise is compared."""
        if any(symbol in self.whole for atom in self.atoms for symbol in atom.form.symbols()):
            raise ir.UndecidedProgramError("whole noise is compared, and not released by itself")

    def chance(self) -> ExponentialRatio:
        """Return the probability of the run."""
        self.check_atoms()
        return self.weight * ExponentialRatio(eliminate(self.densities(), self.atoms), ONE.bottom)


def _runs(setting: ParameterValues, answers: _Answers, event: Event | None) -> Iterator[System]:
    ways = setting.ways
    todo: list[Place] = [start(setting, answers)]
    runs = 0
    while todo:
        cut, _, _, system = place = todo.pop()
        if cut == END:
            if event is None or system.kinds == event.kinds:
                runs += 1
                if runs > MOST_RUNS:
                    raise ir.UndecidedProgramError("there are too many runs")
                yield system
            continue
        if event is not None and system.kinds != event.kinds[: len(system.kinds)]:
            continue
        for way in ways.of[cut]:
            if following := followed(setting, answers, event, way, place):
                todo.append(following)


def start(setting: ParameterValues, answers: _Answers) -> Place:
    """Return where a run begins; data that are not what the program says raise ``UsageError``."""
    program = setting.ways.program
    if program.whole_data and any(v.constant.denominator != 1 for v in answers):
        sentence = ", ".join(v.words() for v in answers)
        raise UsageError(f"data are {sentence}: {program.name} says that they are whole numbers")
    return ENTRY, 0, {}, System({}, (), ())


Place = tuple[int, int, dict[str, LinearForm], System]
"""Cut, iteration, what the variables are, and the run so far."""

Join = Callable[[list[Place], list[Place]], list[Place]]
"""Takes the places of one level, and those of runs that are over; returns fewer of the first."""


def by_levels(setting: ParameterValues, answers: _Answers, join: Join) -> list[Place]:
    """Return the ends of all runs, whose places ``join`` puts together after each way."""
    level, ended = [start(setting, answers)], list[Place]()
    while level:
        reached = [
            after
            for place in level
            for way in setting.ways.of[place[0]]
            if (after := followed(setting, answers, None, way, place))
        ]
        joined = join(reached, ended)
        if len(joined) > MOST_RUNS:
            raise ir.UndecidedProgramError("there are too many runs")
        ended += [place for place in joined if place[0] == END]
        level = [place for place in joined if place[0] != END]
    return ended


def _by_coins(places: list[Place], _ended: list[Place]) -> list[Place]:
    """Return runs as one that coins alone have brought to the same place.

    Such runs have told the same, are at the same iteration with the same variables, and hold no
    noise: what they tell from there on is alike, so that their chances add up.
    """
    merged: dict[Hashable, Place] = {}
    for place in places:
        end, after, variables, run = place
        key: Hashable = len(merged)
        if not run.draws and not run.atoms and not run.whole:
            key = end, after, frozenset(variables.items()), run.kinds, run.numbers
        if key in merged:
            before = merged[key][3]
            place = end, after, variables, replace(run, weight=before.weight + run.weight)
        merged[key] = place
    return list(merged.values())


def followed(
    setting: ParameterValues, answers: _Answers, event: Event | None, way: Path, place: Place
) -> Place | None:
    """Return where a run is after a way from a place, or ``None`` if it cannot take it."""
    _, iteration, state, system = place

    def meaning(symbol: str) -> LinearForm | None:
        if symbol in state:
            return state[symbol]
        if symbol == ir.LENGTH:
            return LinearForm.number(len(answers))
        if symbol in setting.values:
            return LinearForm.number(setting.values[symbol])
        if symbol.startswith("noise "):
            return LinearForm.symbol(f"{symbol} in {iteration}")
        if symbol.startswith("answer at "):
            if int(symbol[10:]) >= len(answers):
                asked = f"{setting.ways.program.query}[{symbol[10:]}]"
                raise UsageError(f"size is {len(answers)}: the program asks for {asked}")
            return answers[int(symbol[10:])]
        if symbol.startswith("answer "):
            return answers[iteration if symbol != "answer 0" else 0]
        if symbol == setting.rate:
            raise ir.UndecidedProgramError(f"{symbol} stands outside of scales")
        return None

    weight = system.weight
    for key, holds in way.fixed.items():
        if isinstance(key, Public):
            if _public(key, meaning) != holds:
                return None
        else:
            weight = weight * setting.weight(key, holds)
    in_loop = [a for a in way.answers if a == f"answer {way.start}"]
    if in_loop and iteration >= len(answers):
        return None
    draws, whole = dict(system.draws), dict(system.whole)
    for draw in way.draws:
        symbol, scale = f"{draw.symbol} in {iteration}", setting.scale(draw.scale)
        if draw.kind == "discrete_laplace":
            whole[symbol] = scale
        else:
            draws[symbol] = draw.kind, scale
    atoms = [atom.replace(meaning) for atom in way.atoms]
    told = [shown(tag, form, meaning) for tag, form in way.told]
    kinds = (*system.kinds, *(kind for kind, _ in told))
    numbers = list(system.numbers)
    fixed: dict[str, LinearForm] = {}
    for _kind, plain in told:
        if plain is None:
            continue
        form = plain.replace(fixed.get)
        if event is not None:
            known = _fixed(event, len(numbers), form, whole)
            if known is not None:
                symbol, value = known
                if value.denominator != 1:
                    return None
                weight = weight * _whole_chance(whole.pop(symbol), int(value))
                fixed[symbol] = LinearForm.number(value)
                form = form.replace(fixed.get)
            more = _inside(event, len(numbers), form)
            if more is None:
                return None
            atoms += more
        numbers.append(form)
    kept: list[Atom] = []
    if fixed:
        atoms = [atom.replace(fixed.get) for atom in (*system.atoms, *atoms)]
    else:
        kept += system.atoms
    for atom in atoms:
        c = atom.form.constant
        if atom.form.terms:
            kept.append(atom)
        elif c < 0 or (c == 0 and atom.strict):
            return None
    after = {v: form.replace(meaning).replace(fixed.get) for v, form in way.after}
    if way.end != END:
        iteration = int(after[setting.ways.heads[way.end].counter].constant)
    system = System(draws, tuple(kept), kinds, tuple(numbers), weight, whole)
    return way.end, iteration, after, system


def _fixed(
    event: Event, at: int, form: LinearForm, whole: Mapping[str, Fraction]
) -> tuple[str, Fraction] | None:
    """Return which whole noise a told number fixes, and at what; ``None`` without such noise."""
    among = [symbol for symbol in form.symbols() if symbol in whole]
    if not among or at >= len(event.numbers):
        return None
    low, high = event.numbers[at] or (None, None)
    if low is None or low != high or len(form.terms) > 1:
        raise ir.UndecidedProgramError(
            "whole noise is released: the event must say just which number"
        )
    ((symbol, c),) = form.terms
    return symbol, (low - form.constant) / c


def _whole_chance(scale: Fraction, value: int) -> ExponentialRatio:
    """Return the probability of a whole number under noise proportional to e^(−|value|/scale)."""

    def power(k: int) -> ExponentialPiece:
        return ExponentialPiece([((0, Fraction(0), 0, -k / scale), Fraction(1))])

    one = ExponentialPiece.of(1)
    return ExponentialRatio((one - power(1)) * power(abs(value)), one + power(1))


def shown(
    tag: str, form: LinearForm | None, meaning: Callable[[str], LinearForm | None]
) -> tuple[str, LinearForm | None]:
    """Return the kind of what is told, and the number: a constant number is a number, too."""
    if form is not None:
        return NUMBER, form.replace(meaning)
    try:
        return NUMBER, LinearForm.number(Fraction(tag.removeprefix("constant ")))
    except ValueError:
        return tag.removeprefix("constant "), None


def _inside(event: Event, at: int, form: LinearForm) -> list[Atom] | None:
    """Return what says that the number told lies in its set; ``None`` where it cannot."""
    if at >= len(event.numbers):
        return None
    low, high = event.numbers[at] or (None, None)
    if low is not None and low == high:
        # With noise, one number has no probability.
        return [] if form == LinearForm.number(low) else None
    if not form.terms:
        return None
    atoms = [] if low is None else [Atom(form - LinearForm.number(low))]
    return atoms if high is None else [*atoms, Atom(LinearForm.number(high) - form)]


_Answers = tuple[LinearForm, ...]


@cache
def _density(kind: str, scale: Fraction) -> PiecewiseExponential:
    if kind == "laplace":
        return PiecewiseExponential.laplace(scale)
    if kind == "exponential":
        return PiecewiseExponential.exponential(scale)
    raise ir.UndecidedProgramError(f"no exact probabilities with {kind} noise")


def _public(public: Public, meaning: Callable[[str], LinearForm | None]) -> bool:
    names = {name: form.replace(meaning).constant for name, form in public.names}
    return compared(public.compare, names, Fraction, folded)
