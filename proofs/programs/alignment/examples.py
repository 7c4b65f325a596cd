"""Draws examples and runs pairs of runs side by side: what an alignment must survive to be tried.

All in floating point. Nothing here is believed. A shift that fails on one drawn example is dropped;
invariants are guessed from the states that were seen.
"""

import itertools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.random import Generator

from ..claim import ProgramClaim
from ..read import path
from ..read.floats import evaluated
from ..read.ir import LENGTH, Compare, Uniform
from ..read.polynomial import Atom, LinearForm
from .conditions import CASES, LOST, guards

Point = dict[str, float]
_STAYING = (16,) * 30 + (8,) * 30
"""Numbers of queries of the examples whose run stays in the loop."""
_REDRAWS = 8
"""How often an iteration is drawn again that would end the run."""
_COMPARISONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}


@dataclass(frozen=True)
class DrawnExample:
    """Neighbors, parameters, and noise for every place in every iteration."""

    parameters: Point
    answers: tuple[float, ...]
    moves: tuple[float, ...]
    noise: Mapping[tuple[int, int], float]
    coins: Mapping[tuple[int, int], int]
    steps: tuple[tuple[int, int, Point], ...] = ()
    outcome: float | None = None


def examples(
    claim: ProgramClaim,
    prophecy: path.Prophecy | None,
    rng: Generator,
    count: int,
    staying: Sequence[int] = _STAYING,
    datasets: Sequence[Sequence[Fraction]] = (),
) -> list[DrawnExample]:
    """Return examples with the first run's steps; longer ones first, which reject more.

    The runs of the ``staying`` ones stay in the loop: a shift that pays in every iteration costs
    too much in them. datasets: the data, where these are all.
    """
    result = []
    sizes = [*(staying if claim.ways.heads else ()), *(4 - (k * 4) // count for k in range(count))]
    for k, size in enumerate(sizes):
        data = datasets[int(rng.integers(len(datasets)))] if datasets else ()
        one = _example(claim, rng, 1 if claim.ways.program.scalar else len(data) or size)
        if one and data:
            one = replace(one, answers=tuple(map(float, data)))
        redraw = rng if k < len(sizes) - count else None
        ready = one and first_run(claim, prophecy, one, redraw)
        if ready:
            result.append(ready)
    return result


def _example(claim: ProgramClaim, rng: Generator, size: int) -> DrawnExample | None:
    program = claim.ways.program
    unit = float(claim.moves.width)
    scalar = program.scalar
    for _ in range(60):
        point: Point = {LENGTH: float(size)}
        for name in program.parameters:
            is_whole = claim.ways.is_whole(name)
            if name in claim.positive:
                value = rng.integers(1, 4) if is_whole else rng.choice([0.25, 0.5, 1.0, 2.0])
            else:
                value = (
                    rng.integers(-1, 4) if is_whole else unit * rng.choice([-1.0, 0.0, 0.5, 1.0])
                )
            point[name] = float(value)
        if all(atom.holds(point) for atom in claim.assumed):
            break
    else:
        return None
    answers = unit * rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0, 2.0], size=size)
    if marks := claim.landmarks["answer "]:
        answers += rng.choice([0.0, *marks], size=size)
    lower, upper = float(claim.moves.lower), float(claim.moves.upper)
    style = rng.integers(3)
    if style == 0:
        moves = rng.choice([lower, upper], size=size)
    elif style == 1:
        moves = np.full(size, rng.choice([lower, upper]))
    else:
        moves = rng.choice([lower, upper, lower / 2, upper / 2, 0.0], size=size)
    if claim.moves.kind == "one":
        kept = rng.integers(size)
        moves = np.where(np.arange(size) == kept, moves, 0.0)
    if program.whole_data:
        answers, moves = np.rint(answers), np.trunc(moves)
    noise = _noise(claim, rng, range(size + 1))
    fixed = (coin for way in claim.ways.all() for coin in way.fixed)
    coin_sites = dict.fromkeys(coin for coin in fixed if not isinstance(coin, path.Public))
    coins = {
        (k, s.site): int(rng.integers(s.count if isinstance(s, Uniform) else 2))
        for k in range(size + 1)
        for s in coin_sites
    }
    if scalar:
        point[LENGTH] = 1.0
    return DrawnExample(point, tuple(answers), tuple(moves), noise, coins)


def _noise(
    claim: ProgramClaim, rng: Generator, iterations: Iterable[int]
) -> dict[tuple[int, int], float]:
    """Return noise for every place in these iterations."""
    unit, spread = float(claim.moves.width), rng.choice([0.5, 1.0, 3.0])
    marks = claim.landmarks["noise "]
    noise: dict[tuple[int, int], float] = {}
    for k, (site, draw) in itertools.product(iterations, path.draws_of(claim.ways).items()):
        value = unit * spread * rng.choice([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])
        value += unit * rng.choice([-1, 0, 0, 1]) * rng.random() / 2
        if marks and rng.random() < 0.4:
            value += float(rng.choice(marks))
        value = abs(value) if draw.kind == "exponential" else value
        noise[k, site] = round(value) if draw.kind == "discrete_laplace" else value
    return noise


def answer_of(name: str, iteration: int, values: tuple[float, ...]) -> float:
    """Return the answer that a symbol of a loop's iteration stands for."""
    if name.startswith("answer at "):
        at = int(name[10:])
        return values[at] if at < len(values) else 0.0
    return values[0] if name == "answer 0" else values[min(iteration, len(values) - 1)]


def way_taken(
    claim: ProgramClaim, cut: int, point: Point, coins: Callable[[int], int]
) -> tuple[int, path.Path] | None:
    """Return the way that a run takes from a cut."""
    for number, way in enumerate(claim.ways.of[cut]):
        if all(atom.holds(point, 0.0) for atom in way.atoms) and all(
            (public_holds(key, point) if isinstance(key, path.Public) else coins(key.site)) == holds
            for key, holds in way.fixed.items()
        ):
            return number, way
    return None


def answers_and_noise(
    claim: ProgramClaim, cut: int, iteration: int, example: DrawnExample, values: tuple[float, ...]
) -> Point:
    """Return the symbols of answers and noise in an iteration, with their values."""
    point = {}
    for way in claim.ways.of[cut]:
        for name in way.answers:
            point[name] = answer_of(name, iteration, values)
    for (k, site), value in example.noise.items():
        if k == iteration:
            point[f"noise {site}"] = value
    return point


def first_run(
    claim: ProgramClaim,
    prophecy: path.Prophecy | None,
    example: DrawnExample,
    redraw: Generator | None,
) -> DrawnExample | None:
    """Return the example with the steps of its first run.

    redraw: draws the noise of an iteration again where the run would end before the last one.
    """
    cut, iteration, steps, redrawn = path.ENTRY, 0, [], 0
    coins = example.coins
    state: Point = {}
    outcome = None
    while cut != path.END:
        point = {
            **example.parameters,
            **state,
            **answers_and_noise(claim, cut, iteration, example, example.answers),
        }
        chosen = way_taken(claim, cut, point, lambda s, k=iteration: coins[k, s])  # type: ignore[misc]
        if chosen is None:
            return None
        number, way = chosen
        early = way.end == path.END and cut != path.ENTRY and iteration < len(example.answers) - 1
        if redraw is not None and early and redrawn < _REDRAWS:
            own = {d.site for w in claim.ways.of[cut] for d in w.draws}
            drawn = _noise(claim, redraw, [iteration])
            kept = {key: value for key, value in drawn.items() if key[1] in own}
            example = replace(example, noise={**example.noise, **kept})
            redrawn += 1
            continue
        redrawn = 0
        steps.append((cut, number, point))
        state = {v: form.value(point) for v, form in way.after}
        if way.end == path.END and prophecy is not None:
            linear_form = way.told[-1][1]
            assert linear_form is not None
            outcome = linear_form.value(point)
        cut = way.end
        if cut != path.END:
            iteration = round(state[claim.ways.heads[cut].counter])
    return replace(example, steps=tuple(steps), outcome=outcome)


def public_holds(public: path.Public, point: Point) -> bool:
    """Return whether a public comparison holds."""
    names = {name: form.value(point) for name, form in public.names}
    return compared(public.compare, names, float)


def compared(compare: Compare, names: Mapping[str, Any], *how: Any) -> bool:
    """Return whether two formulas compare so, ``evaluated`` with these names."""
    sides = (evaluated(side, names, *how) for side in (compare.left, compare.right))
    return bool(getattr(operator, _COMPARISONS[compare.op])(*sides))


Shift = Callable[[int, str, int, int], LinearForm | None]
"""Cut, case, way, place of the draw: its shift, or ``None`` while it is open."""


@dataclass
class SeenStates:
    """States at cuts, by cut and phase; what was paid at the end, with the parameters."""

    at: dict[tuple[int, str], list[Point]] = field(default_factory=dict)
    end: list[Point] = field(default_factory=list)
    guards: dict[int, dict[str, tuple[Atom, ...]]] = field(default_factory=dict)

    def phase(
        self, claim: ProgramClaim, prophecy: path.Prophecy | None, cut: int, point: Point
    ) -> str:
        """Return the phase, empty where the first run can no longer tell the outcome."""
        if cut not in self.guards:
            self.guards[cut] = guards(claim, prophecy, cut)
        for phase, guard in self.guards[cut].items():
            if all(atom.holds(point, 0.0) for atom in guard):
                return "" if phase in LOST else phase
        return ""


class Open(Exception):  # noqa: N818 - it asks, and is no error
    """The example needs a shift that is not chosen yet: ``key``."""

    def __init__(self, key: tuple[int, str, int, int]) -> None:
        super().__init__(key)
        self.key = key


def survives(
    claim: ProgramClaim,
    prophecy: path.Prophecy | None,
    example: DrawnExample,
    shift: Shift,
    seen: SeenStates | None = None,
    causes: set[path.Key] | None = None,
) -> bool:
    """Return whether the second run tells the same at no more than ε; raise ``Open``.

    causes: is given the draws whose shifts suffice for a refusal, whatever the others are.
    """
    second_answers = tuple(a + m for a, m in zip(example.answers, example.moves, strict=True))
    state: Point = {}
    # The draws that a symbol of the second run depends on, its way so far, and what was paid.
    behind: dict[str, set[path.Key]] = {}
    way_so_far, costly = set[path.Key](), set[path.Key]()
    spent = [0.0] * len(claim.accounts.units)
    units = [unit.value(example.parameters) for unit in claim.accounts.units]
    most = claim.epsilon.value(example.parameters) + 1e-9

    def behind_all(forms: Iterable[LinearForm]) -> set[path.Key]:
        names = {name for form in forms for name in form.symbols()}
        return set().union(*(behind.get(name, set()) for name in names))

    def refused(*because: set[path.Key]) -> bool:
        if causes is not None:
            causes.update(*because)
        return False

    for cut, number, point in example.steps:
        way = claim.ways.of[cut][number]
        counter = claim.ways.heads[cut].counter if cut != path.ENTRY else ""
        iteration = round(point.get(counter, 0.0))
        both = dict(point)
        for v, value in state.items():
            both[path.moved(v)] = value - point[v]
        # Of all ways: a shift may depend on an answer that its own way does not read.
        for name in {name for each in claim.ways.of[cut] for name in each.answers}:
            both[path.moved(name)] = answer_of(name, iteration, example.moves)
        if seen is not None and cut != path.ENTRY:
            known = {} if example.outcome is None else {path.OUTCOME: example.outcome}
            if phase := seen.phase(claim, prophecy, cut, point | known):
                here = both | {path.paid(j): value for j, value in enumerate(spent)} | known
                here[path.moved_so_far(cut)] = sum(abs(m) for m in example.moves[:iteration])
                seen.at.setdefault((cut, phase), []).append(here)
        second = {
            **example.parameters,
            **answers_and_noise(claim, cut, iteration, example, second_answers),
            **state,
        }
        if counter:
            second[counter] = point[counter]
        case = _case(claim, prophecy, cut, iteration, example.outcome, second)
        behind |= {path.moved(v): behind.get(v, set()) for v in state}
        for draw in way.draws:
            key = cut, case, number, draw.site
            form = shift(*key)
            if form is None:
                raise Open(key)
            by = form.value(both)
            both[f"shift {draw.site}"] = by
            second[draw.symbol] += by
            own = behind_all([form]) | {key}
            behind |= {draw.symbol: own, f"shift {draw.site}": own}
            if draw.kind == "exponential" and second[draw.symbol] < -1e-12:
                return refused(own, way_so_far)
            cost = by if draw.kind == "exponential" else abs(by)
            costly |= own if by or draw.kind == "exponential" else set()
            account = claim.accounts.of[draw.site]
            spent[account] += cost * float(claim.accounts.weight[draw.site])
        if sum(a * u for a, u in zip(spent, units, strict=True)) > most:
            return refused(costly, way_so_far)
        chosen = way_taken(claim, cut, second, lambda s, k=iteration: example.coins[k, s])  # type: ignore[misc]
        if chosen is None:
            forms = (atom.form for each in claim.ways.of[cut] for atom in each.atoms)
            return refused(way_so_far, behind_all(forms))
        _, other = chosen
        if other.end != way.end or other.tags != way.tags:
            for each in claim.ways.of[cut]:
                broken = [a.form for a in each.atoms if not a.holds(second, 0.0)]
                if each.end == way.end and each.tags == way.tags and broken:
                    refused(behind_all(broken[:1]))
            return refused(way_so_far)
        way_so_far |= behind_all(atom.form for atom in other.atoms)
        for (_, mine), (_, theirs) in zip(way.told, other.told, strict=True):
            if mine is None or theirs is None:
                continue
            if abs(mine.value(point) - theirs.value(second)) > 1e-7:
                return refused(way_so_far, behind_all([theirs]))
        state = {v: form.value(second) for v, form in other.after}
        behind = {v: behind_all([form]) for v, form in other.after}
    if seen is not None:
        seen.end.append(example.parameters | {path.paid(j): value for j, value in enumerate(spent)})
    return True


def _case(
    claim: ProgramClaim,
    prophecy: path.Prophecy | None,
    cut: int,
    iteration: int,
    outcome: float | None,
    second: Point,
) -> str:
    if prophecy is None:
        of_data = claim.ways.data_cases[cut].items()
        return next((c for c, atoms in of_data if all(a.holds(second, 0.0) for a in atoms)), "")
    if outcome is None or cut != prophecy.loop:
        return ""
    return CASES[0 if iteration < outcome else 1 if iteration == outcome else 2]
