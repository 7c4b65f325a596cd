"""Draws examples: neighbors, parameters and noise, with the run on the first of them."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .alignment import Prophecy
from .claim import Claim
from .floats import evaluated
from .ir import LENGTH, Compare, Uniform
from .ways import END, ENTRY, Public, Way

Point = dict[str, float]
_COMPARISONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}


@dataclass(frozen=True)
class Example:
    """Neighbors, parameters, and noise for every place in every iteration."""

    parameters: Point
    answers: tuple[float, ...]
    moves: tuple[float, ...]
    noise: Mapping[tuple[int, int], float]
    coins: Mapping[tuple[int, int], int]
    steps: tuple[tuple[int, int, Point], ...] = ()
    outcome: float | None = None


def examples(
    claim: Claim, prophecy: Prophecy | None, rng: np.random.Generator, count: int
) -> list[Example]:
    """Return examples with the first run's steps; shorter ones first."""
    found = []
    for k in range(count):
        one = _example(claim, rng, 1 + (k * 4) // count)
        ready = one and first_run(claim, prophecy, one)
        if ready:
            found.append(ready)
    return found


def _example(claim: Claim, rng: np.random.Generator, size: int) -> Example | None:
    program = claim.ways.program
    unit = float(claim.moves.width)
    scalar = program.scalar
    for _ in range(60):
        point: Point = {LENGTH: float(size)}
        for name in program.parameters:
            whole = claim.ways.is_whole(name)
            if name in claim.positive:
                value = rng.integers(1, 4) if whole else rng.choice([0.25, 0.5, 1.0, 2.0])
            else:
                value = rng.integers(-1, 4) if whole else unit * rng.choice([-1.0, 0.0, 0.5, 1.0])
            point[name] = float(value)
        if all(atom.holds(point) for atom in claim.assumed):
            break
    else:
        return None
    answers = unit * rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0, 2.0], size=size)
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
    spread = rng.choice([0.5, 1.0, 3.0])
    sites = {d.site: d for way in claim.ways.all() for d in way.draws}
    marks = _landmarks(claim)
    noise = {}
    for k, (site, draw) in itertools.product(range(size + 1), sites.items()):
        value = unit * spread * rng.choice([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])
        value += unit * rng.choice([-1, 0, 0, 1]) * rng.random() / 2
        if marks and rng.random() < 0.4:
            value += float(rng.choice(marks))
        value = abs(value) if draw.kind == "exponential" else value
        noise[k, site] = round(value) if draw.kind == "discrete_laplace" else value
    coin_sites = {c for way in claim.ways.all() for c in way.fixed if not isinstance(c, Public)}
    coins = {
        (k, s.site): int(rng.integers(s.count if isinstance(s, Uniform) else 2))
        for k in range(size + 1)
        for s in coin_sites
    }
    if scalar:
        point[LENGTH] = 1.0
    return Example(point, tuple(answers), tuple(moves), noise, coins)


def _landmarks(claim: Claim) -> list[float]:
    """Return the constants that noise is compared with, where they are large."""
    found = {
        float(atom.form.constant / atom.form.coefficient(draw.symbol))
        for way in claim.ways.all()
        for draw in way.draws
        for atom in way.atoms
        if atom.form.coefficient(draw.symbol)
    }
    return sorted(-c for c in found if abs(c) > float(claim.moves.width))


def answer_of(name: str, iteration: int, values: tuple[float, ...]) -> float:
    """Return the answer that a symbol of a loop's iteration stands for."""
    if name.startswith("answer at "):
        at = int(name[10:])
        return values[at] if at < len(values) else 0.0
    return values[0] if name == "answer 0" else values[min(iteration, len(values) - 1)]


def way_taken(
    claim: Claim, cut: int, point: Point, coins: Callable[[int], int]
) -> tuple[int, Way] | None:
    """Return the way that a run takes from a cut."""
    for number, way in enumerate(claim.ways.of[cut]):
        if all(atom.holds(point, 0.0) for atom in way.atoms) and all(
            (public_holds(key, point) if isinstance(key, Public) else coins(key.site)) == holds
            for key, holds in way.fixed.items()
        ):
            return number, way
    return None


def answers_and_noise(
    claim: Claim, cut: int, iteration: int, one: Example, values: tuple[float, ...]
) -> Point:
    """Return the symbols of answers and noise in an iteration, with their values."""
    point = {}
    for way in claim.ways.of[cut]:
        for name in way.answers:
            point[name] = answer_of(name, iteration, values)
    for (k, site), value in one.noise.items():
        if k == iteration:
            point[f"noise {site}"] = value
    return point


def first_run(claim: Claim, prophecy: Prophecy | None, one: Example) -> Example | None:
    """Return the example with the steps of its first run."""
    cut, iteration, steps = ENTRY, 0, []
    state: Point = {}
    outcome = None
    while cut != END:
        point = {
            **one.parameters,
            **state,
            **answers_and_noise(claim, cut, iteration, one, one.answers),
        }
        chosen = way_taken(claim, cut, point, lambda s, k=iteration: one.coins[k, s])  # type: ignore[misc]
        if chosen is None:
            return None
        number, way = chosen
        steps.append((cut, number, point))
        state = {v: form.value(point) for v, form in way.after}
        if way.end == END and prophecy is not None:
            told = way.told[-1][1]
            assert told is not None
            outcome = told.value(point)
        cut = way.end
        if cut != END:
            iteration = round(state[claim.ways.heads[cut].counter])
    return Example(
        one.parameters, one.answers, one.moves, one.noise, one.coins, tuple(steps), outcome
    )


def public_holds(public: Public, point: Point) -> bool:
    """Return whether a public comparison holds."""
    names = {name: form.value(point) for name, form in public.names}
    return compared(public.compare, names, float)


def compared(compare: Compare, names: Mapping[str, Any], *how: Any) -> bool:
    """Return whether two formulas compare so, ``evaluated`` with these names."""
    sides = (evaluated(side, names, *how) for side in (compare.left, compare.right))
    return bool(getattr(operator, _COMPARISONS[compare.op])(*sides))
