"""Runs a function beside what was read of it: the same data, the same noise, the same outputs.

A proof is of what was read. Before it is called a proof of the function, the function itself is
called, its noise is given (``read.given_noise``), and the paths that were read must lead to the
same outputs with it. Runs that agree do not show that the function was read rightly.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.random import Generator

from .alignment.examples import DrawnExample, Point, examples, public_holds
from .claim import ProgramClaim
from .read.floats import evaluated
from .read.forms import GENERATOR
from .read.given_noise import UNIFORM, WHOLE, GivenNoise, KnownDraw, Place
from .read.ir import Coin, Uniform
from .read.lists import mark
from .read.path import END, ENTRY, DrawnNoise, Path, Paths, Public
from .read.polynomial import Atom, LinearForm
from .read.source import defaults_of

_RUNS, _LONG_RUNS, _LONGEST = 24, 6, 64
"""Runs of few answers, and of enough for counters, if no more than so many, to reach an end."""
_FOLLOWED = 3000
"""Steps in which a run is followed; one with too many draws alike is left out."""
_SHOWN = 12
_OF_TWO = {"laplace": "exponential", "discrete_laplace": "geometric"}
"""Noise that is the difference of two draws."""

Used = dict[Any, Any]
"""How many draws of each place were taken, and the places of each place of the program."""


@dataclass(frozen=True)
class Agreement:
    """How many runs of the function agreed with what was read, and how many paths they took.

    difference: what differed, in words; empty where nothing did.
    """

    runs: int
    taken: int
    paths: int
    difference: str = ""


class PathReading:
    """The paths of a program, to be followed with the draws of one run at a time."""

    def __init__(self, ways: Paths, data: Sequence[Sequence[Fraction]] = ()) -> None:
        self.ways = ways
        forms = [a.form for w in ways.all() for a in w.atoms]
        forms += [f for w in ways.all() for _, f in w.after]
        numbers = [n for f in forms for n in (f.constant, *(c for _, c in f.terms))]
        exact = all(
            n.denominator.bit_count() == 1 for n in (*numbers, *(v for d in data for v in d))
        )
        # What floating point rounds may be on either side of a tie.
        self.slack, self.left = 0.0 if exact else 1e-9, 0
        self.levels: Sequence[float] = ()

    def agrees(
        self, data: Sequence[float], given: Point, drawn: Sequence[KnownDraw], told: list[Any]
    ) -> tuple[list[Path], Used] | None:
        """Return the paths of a run with these draws and outputs; ``None`` where none fit."""
        # None is no output; where else a position comes out it is read as -1.
        result = self.follow(data, given, drawn, told)
        result = result or (None if told else self.follow(data, given, drawn, [-1.0]))
        return result and result[:2]

    def follow(
        self,
        data: Sequence[float],
        given: Point,
        drawn: Sequence[KnownDraw],
        told: list[Any] | None,
    ) -> tuple[list[Path], Used, list[Any]] | None:
        """Return paths, draws and outputs of a run; without ``told`` any outputs are right."""
        self.data, self.given, self.told, self.left = data, given, told, _FOLLOWED
        self.groups: dict[Place, list[KnownDraw]] = {}
        for known_draw in drawn:
            self.groups.setdefault(known_draw.place, []).append(known_draw)
        return self._from(ENTRY, 0, {}, {}, [])

    def _from(
        self, cut: int, place: int, state: Point, used: Used, said: list[Any]
    ) -> tuple[list[Path], Used, list[Any]] | None:
        for way in self.ways.of[cut]:
            read = {n: int(n[10:]) if n.startswith("answer at ") else place for n in way.answers}
            if any(at >= len(self.data) for at in read.values()):
                continue
            point = {**self.given, **state, **{n: self.data[at] for n, at in read.items()}}
            for at, more in self._through(_steps(way), point, used):
                now = [*said, *(_told(tag, form, at) for tag, form in way.told)]
                for k, form in enumerate(way.beside, len(said)):
                    named = [(s, s.replace("level", "answer")) for s in form.symbols()]
                    levels = {s: self.levels[read.get(of, place)] for s, of in named}
                    now[k] = now[k] + form.value(levels) if levels else now[k]
                lists, told = self.ways.program.lists, self.told
                if way.end == END and lists:
                    marks = [f"constant {mark(name)!r}" for name in lists]
                    pairs = zip(now[::2], now[1::2], strict=True)
                    now = [*itertools.chain(*sorted(pairs, key=lambda p: marks.index(p[0])))]
                elif lists:
                    told = None
                enough = len(now) if way.end != END else None
                if told is not None and not _alike(now, told[:enough]):
                    continue
                if way.end == END:
                    return [way], more, now
                after = {name: form.value(at) for name, form in way.after}
                here = round(after[self.ways.heads[way.end].counter])
                if rest := self._from(way.end, here, after, more, now):
                    return [way, *rest[0]], *rest[1:]
        return None

    def _through(self, steps: list[Any], point: Point, used: Used) -> Iterator[tuple[Point, Used]]:
        """Yield the values of a path's symbols, for each way to take its draws from the run's."""
        self.left -= 1
        for k, step in enumerate(steps if self.left > 0 else ()):
            if isinstance(step, Atom):
                value = step.form.value(point)
                holds = value > -self.slack if step.strict else value >= -self.slack
            elif isinstance(step, DrawnNoise):
                for value, more in self._drawn(step, point, used):
                    yield from self._through(steps[k + 1 :], {**point, step.symbol: value}, more)
                return
            elif isinstance(step[0], Public):
                holds = public_holds(step[0], point) == step[1]
            else:
                for value, more in self._drawn(step[0], point, used):
                    if value == step[1]:
                        yield from self._through(steps[k + 1 :], point, more)
                return
            if not holds:
                return
        if self.left > 0:
            yield point, used

    def _drawn(self, what: Any, point: Point, used: Used) -> Iterator[tuple[float, Used]]:
        """Yield the draws of the run that may be this one: the first of a place that is left.

        One place of the program draws at one place of the function.
        """
        kind, scale, chance = law(what, point)
        first = {p: d[used.get(p, 0)] for p, d in self.groups.items() if used.get(p, 0) < len(d)}
        for place, one in first.items():
            if one.is_of(kind, scale) and used.get(what.site, place) == place:
                value = one.value if chance is None else one.value < chance
                yield value, {**used, what.site: place, place: used.get(place, 0) + 1}
        kind = _OF_TWO.get(kind, "")
        scale = -math.expm1(-1 / scale) if kind == "geometric" else scale
        two = [(p, d) for p, d in first.items() if d.is_of(kind, scale)]
        for (p, one), (r, other) in ((a, b) for a in two for b in two if a is not b):
            if p[1:] == r[1:] and used.get(what.site, (p, r)) == (p, r):
                counts = {what.site: (p, r), p: used.get(p, 0) + 1, r: used.get(r, 0) + 1}
                yield one.value - other.value, {**used, **counts}


def _steps(way: Path) -> list[Any]:
    """Return what a path draws and decides, in order."""
    result: list[Any] = []
    for k, decision in enumerate((*way.decisions, None)):
        result += [draw for draw in way.draws if draw.before == k]
        result += [decision] if decision is not None and decision not in result else []
    return result


def law(what: Any, point: Mapping[str, float]) -> tuple[str, float, float | None]:
    """Return kind and scale of what is drawn at a place; of a coin also its chance."""
    if isinstance(what, Coin):
        return UNIFORM, 1.0, float(evaluated(what.p, point, float))
    if isinstance(what, Uniform):
        return WHOLE, what.count, None
    return what.kind, float(evaluated(what.scale, point, float)), None


def _told(tag: str, form: LinearForm | None, point: Point) -> Any:
    """Return an output: a number, or the tag of what is no number."""
    text = tag.removeprefix("constant ")
    if form is not None:
        return form.value(point)
    return float(Fraction(text)) if text[0] in "-0123456789" else tag


def _alike(some: list[Any], others: list[Any]) -> bool:
    """Return whether outputs are the same but for rounding."""
    return len(some) == len(others) and all(
        math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
        if isinstance(a, float) and isinstance(b, float)
        else a == b
        for a, b in zip(some, others, strict=True)
    )


class _Beside:
    """A function beside its paths."""

    def __init__(
        self,
        function: Any,
        claim: ProgramClaim,
        bound: Mapping[str, Fraction],
        rng: Generator,
        datasets: Sequence[Sequence[Fraction]],
    ) -> None:
        self.function, self.claim, self.bound, self.rng = function, claim, bound, rng
        self.reading = PathReading(claim.ways, datasets)
        self.given = GivenNoise(function, self._supply, claim.ways.program.lists)
        self.sites: dict[Any, set[int]] = {}
        self.planned: list[tuple[int, KnownDraw]] = []

    def agrees(self, example: DrawnExample) -> list[Path] | str | None:
        """Return the paths that a run took, or what differs; ``None``: it cannot be followed."""
        ways, program = self.claim.ways, self.claim.ways.program
        self.planned = [
            (step.site, KnownDraw((), kind, scale, value))
            for cut, number, point in example.steps
            for step, held in ways.of[cut][number].sources
            for kind, scale, chance in [law(step, point)]
            for value in [self._value(point.get(f"noise {step.site}", held), chance)]
        ]
        told, failed = self._called(example)
        drawn, point = self.given.drawn, example.parameters
        result = None if failed else self.reading.agrees(example.answers, point, drawn, told)
        if result is None:
            if self.reading.left <= 0 and not failed:
                return None
            read = self.reading.follow(example.answers, point, drawn, None)
            inputs = [f"{program.query} = {_words(example.answers)}"]
            inputs += [f"{name} = {point[name]:g}" for name in program.parameters]
            noise = f" and the draws {_words([d.value for d in drawn])}" if drawn else ""
            return (
                f"{program.name} does not do what was read of it: with {', '.join(inputs)}{noise} "
                f"{failed or f'it outputs {_words(told)}'}; what was read "
                f"{f'outputs {_words(read[2])}' if read else 'has no path for that'}"
            )
        for site, places in result[1].items():
            for place in (places, *places) if isinstance(site, int) else ():
                self.sites.setdefault(place, set()).add(site)
        return result[0]

    def _value(self, value: float, chance: float | None) -> float:
        """Return a draw with few digits, so that sums of it are exact; of a coin one for it."""
        if chance is None:
            return round(value * 1024) / 1024
        part = self.rng.random()
        return float(chance * part if value else chance + (1 - chance) * part)

    def _supply(self, place: Place, kind: str, scale: float) -> float:
        """Return the draw that is planned for a place, or any where none is known to be."""
        sites = self.sites.get(place)
        for k, (site, known_draw) in enumerate(self.planned):
            if known_draw.is_of(kind, scale) and (sites is None or site in sites):
                value = self.planned.pop(k)[1].value
                return round(value) if kind in ("discrete_laplace", WHOLE) else value
        if kind in (UNIFORM, WHOLE):
            return (
                float(self.rng.random()) if kind == UNIFORM else int(self.rng.integers(int(scale)))
            )
        value = int(self.rng.integers(-8, 9))
        return abs(value) + 1 if kind in ("geometric", "exponential") else value

    def _called(self, example: DrawnExample) -> tuple[list[Any], str]:
        """Call the function with plain numbers; with an array where it takes no list."""
        program, defaults = self.claim.ways.program, defaults_of(self.function)
        code = self.function.__code__
        values: dict[str, Any] = {}
        for name in code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]:
            number = self.bound.get(name, example.parameters.get(name))
            if number is None:
                if name not in defaults or len(example.answers) % 2:
                    values[name] = self.given.of(GENERATOR)
            elif type(defaults.get(name, 0)) in (int, float, bool):
                plain = name in program.whole or (name in self.bound and number % 1 == 0)
                values[name] = int(number) if plain else float(number)
        data = [int(v) if program.whole_data else float(v) for v in example.answers]
        if program.levels:
            levels = self.rng.integers(-8, 9, size=len(data)).tolist()
            values[program.levels] = levels
            data = [v + level for v, level in zip(data, levels, strict=True)]
            self.reading.levels = levels
        result = self.given.run(data[0] if program.scalar else data, values)
        if result[1].startswith("it raises") and not program.scalar:
            beside = self.given.run(np.array(data), values)
            result = result if beside[1] else beside
        return result


def compare(
    function: Any,
    claim: ProgramClaim,
    bound: Mapping[str, Fraction],
    rng: Generator,
    datasets: Sequence[Sequence[Fraction]] = (),
    least: int = 1,
) -> Agreement:
    """Run a function beside the paths of a claim; return what agreed, or what did not.

    bound: values of the parameters that the claim leaves out. datasets: those of the claim, where
    it is about these alone. least: how many runs there must be.
    """
    ways = claim.ways
    ends = [abs(a.form.constant / c) for w in ways.all() for a in w.atoms for _, c in a.form.terms]
    long = 3 + math.ceil(max((end for end in ends if end < _LONGEST), default=0))
    beside = _Beside(function, claim, bound, rng, datasets)
    runs, taken, count = 0, set[int](), len(list(ways.all()))
    for example in examples(claim, None, rng, _RUNS, (max(long, 8),) * _LONG_RUNS, datasets):
        result = beside.agrees(example)
        if isinstance(result, str):
            return Agreement(runs, len(taken), count, result)
        runs += result is not None
        taken |= {id(way) for way in result or ()}
    none = (
        "" if runs >= least else f"{ways.program.name} could not be run beside what was read of it"
    )
    return Agreement(runs, len(taken), count, none)


def _words(values: Sequence[Any]) -> str:
    shown = [f"{v:g}" if isinstance(v, float) else str(v).removeprefix("constant ") for v in values]
    more = ["…"] if len(shown) > _SHOWN else []
    return ", ".join(shown[:_SHOWN] + more) or "nothing"
