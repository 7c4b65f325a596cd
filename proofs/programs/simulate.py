"""Runs pairs of runs side by side, in floating point: what an alignment must survive to be tried.

Nothing here is believed. A shift that fails on one drawn example is dropped; invariants are guessed
from the states that were seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .alignment import OUTCOME, Prophecy, moved, moved_so_far, paid
from .claim import Claim
from .examples import (
    Example,
    Point,
    answer_of,
    answers_and_noise,
    way_taken,
)
from .linear import Linear
from .phases import AFTER, ALWAYS, BEFORE, CASES, START
from .ways import ENTRY

Shift = Callable[[int, str, int, int], Linear | None]
"""Cut, case, way, place of the draw: its shift, or ``None`` while it is open."""


@dataclass
class Seen:
    """States at cuts, by cut and phase; what was paid at the end, with the parameters."""

    at: dict[tuple[int, str], list[Point]] = field(default_factory=dict)
    end: list[Point] = field(default_factory=list)


class Open(Exception):  # noqa: N818 - it asks, and is no error
    """The example needs a shift that is not chosen yet: ``key``."""

    def __init__(self, key: tuple[int, str, int, int]) -> None:
        super().__init__(key)
        self.key = key


def survives(
    claim: Claim, prophecy: Prophecy | None, one: Example, shift: Shift, seen: Seen | None = None
) -> bool:
    """Return whether the second run tells the same at no more than ε; raise ``Open``."""
    second_answers = tuple(a + m for a, m in zip(one.answers, one.moves, strict=True))
    state: Point = {}
    spent = [0.0] * len(claim.accounts.units)
    units = [unit.value(one.parameters) for unit in claim.accounts.units]
    most = claim.epsilon.value(one.parameters) + 1e-9
    for cut, number, point in one.steps:
        way = claim.ways.of[cut][number]
        counter = claim.ways.heads[cut].counter if cut != ENTRY else ""
        iteration = round(point.get(counter, 0.0))
        case = _case(prophecy, cut, iteration, one.outcome)
        both = dict(point)
        for v, value in state.items():
            both[moved(v)] = value - point[v]
        for name in way.answers:
            both[moved(name)] = answer_of(name, iteration, one.moves)
        if seen is not None and cut != ENTRY:
            phase = _phase(prophecy, cut, point, iteration, one.outcome)
            if phase:
                here = both | {paid(j): value for j, value in enumerate(spent)}
                past = sum(abs(m) for m in one.moves[:iteration])
                here[moved_so_far(cut)] = past
                if one.outcome is not None:
                    here[OUTCOME] = one.outcome
                seen.at.setdefault((cut, phase), []).append(here)
        second = {
            **one.parameters,
            **answers_and_noise(claim, cut, iteration, one, second_answers),
            **state,
        }
        if counter:
            second[counter] = point[counter]
        for draw in way.draws:
            form = shift(cut, case, number, draw.site)
            if form is None:
                raise Open((cut, case, number, draw.site))
            by = form.value(both)
            both[f"shift {draw.site}"] = by
            second[draw.symbol] += by
            if draw.kind == "exponential" and second[draw.symbol] < -1e-12:
                return False
            cost = by if draw.kind == "exponential" else abs(by)
            account = claim.accounts.of[draw.site]
            spent[account] += cost * float(claim.accounts.weight[draw.site])
        if sum(a * u for a, u in zip(spent, units, strict=True)) > most:
            return False
        chosen = way_taken(claim, cut, second, lambda s, k=iteration: one.coins[k, s])  # type: ignore[misc]
        if chosen is None:
            return False
        _, other = chosen
        if other.end != way.end or other.tags != way.tags:
            return False
        for (_, mine), (_, theirs) in zip(way.told, other.told, strict=True):
            if mine is None or theirs is None:
                continue
            if abs(mine.value(point) - theirs.value(second)) > 1e-7:
                return False
        state = {v: form.value(second) for v, form in other.after}
    if seen is not None:
        seen.end.append(one.parameters | {paid(j): value for j, value in enumerate(spent)})
    return True


def _case(prophecy: Prophecy | None, cut: int, iteration: int, outcome: float | None) -> str:
    if prophecy is None or outcome is None or cut != prophecy.loop:
        return ""
    return CASES[0 if iteration < outcome else 1 if iteration == outcome else 2]


def _phase(
    prophecy: Prophecy | None, cut: int, point: Point, iteration: int, outcome: float | None
) -> str:
    if iteration == 0:
        return START
    if prophecy is None or outcome is None or cut != prophecy.loop:
        return ALWAYS
    if iteration <= outcome:
        return BEFORE
    return AFTER if round(point[prophecy.variable]) == outcome else ""


# Public comparisons. --------------------------------------------------------------------------
