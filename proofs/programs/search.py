"""Searches an alignment: candidates of shifts, drawn examples that reject them, guessed invariants.

Any alignment that it returns is believed only after ``prove`` has shown its conditions.
"""

import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction

from .alignment import Key, Prophecy, moved
from .claim import ProgramClaim
from .conditions import UnsoundAlignmentError, cases, check_prophecy, told_alike, whole_shift
from .examples import DrawnExample, Open, survives
from .ir import Head
from .path import END, DrawnNoise, Path
from .polynomial import LinearForm
from .step_budget import LOOK, spend

Position = int
"""A draw in ways that must have the same shift of it."""


def prophecies(claim: ProgramClaim) -> Iterator[Prophecy | None]:
    """Yield none, and then that of the whole number told last, where there can be one."""
    yield None
    heads: Mapping[int, Head] = claim.ways.heads
    for loop, ways in claim.ways.of.items():
        if loop not in heads:
            continue
        for way in ways:
            form = way.told[-1][1] if way.end == END and way.told else None
            if form is None or len(form.terms) != 1 or form.constant or form.terms[0][1] != 1:
                continue
            found = Prophecy(loop, heads[loop].counter, form.terms[0][0])
            try:
                check_prophecy(claim.ways, found)
            except UnsoundAlignmentError:
                continue
            yield found
            return


def positions(claim: ProgramClaim, prophecy: Prophecy | None) -> dict[Key, Position]:
    """Return which draws must have the same shift: those of ways that cannot be told apart yet."""
    result: dict[Key, Position] = {}
    count = 0
    for start, ways in claim.ways.of.items():
        for case in cases(prophecy, start):
            for site in sorted({d.site for way in ways for d in way.draws}):
                groups: list[list[tuple[int, Path, DrawnNoise]]] = []
                for number, way in enumerate(ways):
                    draw = next((d for d in way.draws if d.site == site), None)
                    if draw is None:
                        continue
                    mine = (number, way, draw)
                    alike = [g for g in groups if any(_alike(mine, one) for one in g)]
                    groups = [g for g in groups if g not in alike]
                    groups.append([mine, *itertools.chain.from_iterable(alike)])
                for group in groups:
                    for number, _, _ in group:
                        result[start, case, number, site] = count
                    count += 1
    return result


def _alike(one: tuple[int, Path, DrawnNoise], other: tuple[int, Path, DrawnNoise]) -> bool:
    (_, way, draw), (_, second, twin) = one, other
    same = way.decisions[: draw.before] == second.decisions[: twin.before]
    return same and told_alike(way.tags, second.tags)


def candidates(
    claim: ProgramClaim, where: Mapping[Key, Position]
) -> dict[Position, list[LinearForm]]:
    """Return the shifts to try: none, those that keep a number or a comparison, small constants."""
    result: dict[Position, list[LinearForm]] = {}
    first: dict[Position, LinearForm] = {}
    width = claim.moves.width
    for (start, _case, number, site), position in where.items():
        way = claim.ways.of[start][number]
        found = result.setdefault(position, [LinearForm()])
        draw = next(d for d in way.draws if d.site == site)
        if draw.kind == "gaussian":
            continue
        whole = draw.kind == "discrete_laplace"
        kept = [form for _, form in way.told if form is not None]
        for form in kept:
            if [s for s in form.symbols() if s.startswith("noise ")] == [draw.symbol]:
                # No other shift lets both runs tell the same number.
                first[position] = _keeping(claim, way, draw, form) or LinearForm()
        kept += [form for _, form in way.after] + [atom.form for atom in way.atoms]
        for form in kept:
            by = _keeping(claim, way, draw, form)
            if by is not None and by not in found and not (whole and not whole_shift(claim, by)):
                found.append(by)
    for position, found in result.items():
        if position in first and first[position] in found:
            found.sort(key=lambda shift, only=first[position]: shift != only)  # type: ignore[misc]
        for factor in (1, -1, 2, -2):
            constant = LinearForm.number(width * factor)
            if constant not in found:
                found.append(constant)
    return result


def _keeping(
    claim: ProgramClaim, way: Path, draw: DrawnNoise, form: LinearForm
) -> LinearForm | None:
    """Return the shift with which a form is the same in both runs."""
    c = form.coefficient(draw.symbol)
    if not c:
        return None
    earlier = {d.symbol: d.site for d in way.draws[: way.draws.index(draw)]}
    total: dict[str, Fraction] = {}
    variables = claim.ways.variables[way.start]
    for symbol, factor in form.terms:
        if symbol == draw.symbol:
            continue
        if symbol.startswith("noise "):
            if symbol not in earlier:
                return None
            total[f"shift {earlier[symbol]}"] = -factor / c
        elif symbol in variables or symbol.startswith("answer "):
            total[moved(symbol)] = -factor / c
    head = claim.ways.heads.get(way.start)
    if head is not None:
        total.pop(moved(head.counter), None)
    return LinearForm.of(total)


def assignments(
    claim: ProgramClaim, prophecy: Prophecy | None, tests: list[DrawnExample], *, most: int
) -> Iterator[dict[Key, LinearForm]]:
    """Yield shifts with which every example survives; give up after ``most`` looks at examples."""
    where = positions(claim, prophecy)
    open_to = candidates(claim, where)
    looks = 0

    def extend(
        chosen: dict[Position, LinearForm], first: int
    ) -> Iterator[dict[Position, LinearForm]]:
        nonlocal looks

        def shift(cut: int, case: str, number: int, site: int) -> LinearForm | None:
            return chosen.get(where[cut, case, number, site])

        for at in range(first, len(tests)):
            looks += 1
            if looks > most:
                return
            spend(LOOK)
            try:
                if not survives(claim, prophecy, tests[at], shift):
                    return
            except Open as asked:
                position = where[asked.key]
                for one in open_to[position]:
                    yield from extend({**chosen, position: one}, at)
                return
        yield chosen

    for chosen in extend({}, 0):
        yield {key: chosen.get(position, LinearForm()) for key, position in where.items()}
