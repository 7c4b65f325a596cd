"""Searches an alignment: candidates of shifts, drawn examples that reject them, guessed invariants.

Invariants and bounds are guessed from states that were seen; ``prove`` keeps those that hold. Any
alignment that it returns is believed only after ``prove`` has shown its conditions.
"""

import itertools
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping
from fractions import Fraction

from ..claim import ProgramClaim
from ..read import path
from ..read.ir import LENGTH, LOOK, Head, spend
from ..read.polynomial import Atom, LinearForm, opposite
from .conditions import UnsoundAlignmentError, cases, check_prophecy, same_output, whole_shift
from .examples import DrawnExample, Open, Point, SeenStates, survives

Position = int
"""A draw in ways that must have the same shift of it."""


def prophecies(claim: ProgramClaim) -> Iterator[path.Prophecy | None]:
    """Yield none, and then that of the whole number told last, where there can be one."""
    yield None
    heads: Mapping[int, Head] = claim.ways.heads
    for loop, ways in claim.ways.of.items():
        if loop not in heads:
            continue
        for way in ways:
            form = way.told[-1][1] if way.end == path.END and way.told else None
            if form is None or len(form.terms) != 1 or form.constant or form.terms[0][1] != 1:
                continue
            prophecy = path.Prophecy(loop, heads[loop].counter, form.terms[0][0])
            try:
                check_prophecy(claim.ways, prophecy)
            except UnsoundAlignmentError:
                continue
            yield prophecy
            return


def positions(
    claim: ProgramClaim, prophecy: path.Prophecy | None, *, hidden: bool, by_data: bool = False
) -> dict[path.Key, Position]:
    """Return which draws get the same shift: those of ways that cannot be told apart yet.

    hidden: each way has shifts of its own, so that they may depend on a branch that the output does
    not show. by_data: and for each thing that the second run may decide by data alone.
    """
    result: dict[path.Key, Position] = {}
    count = 0
    for start, ways in claim.ways.of.items():
        every = cases(claim.ways, prophecy, start)
        together = [every] if prophecy is None and not by_data else [(case,) for case in every]
        for of_cases, site in itertools.product(
            together, sorted({d.site for way in ways for d in way.draws})
        ):
            groups: list[list[tuple[int, path.Path, path.DrawnNoise]]] = []
            for number, way in enumerate(ways):
                draw = next((d for d in way.draws if d.site == site), None)
                if draw is None:
                    continue
                mine = (number, way, draw)
                alike = [g for g in groups if not hidden and any(_alike(mine, item) for item in g)]
                groups = [g for g in groups if g not in alike]
                groups.append([mine, *itertools.chain.from_iterable(alike)])
            for group in groups:
                for (number, _, _), case in itertools.product(group, of_cases):
                    result[start, case, number, site] = count
                count += 1
    return result


def _alike(
    one: tuple[int, path.Path, path.DrawnNoise], other: tuple[int, path.Path, path.DrawnNoise]
) -> bool:
    (_, way, draw), (_, second, twin) = one, other
    same = way.decisions[: draw.before] == second.decisions[: twin.before]
    return same and same_output(way.tags, second.tags) and not _known_apart(way, second)


def _known_apart(way: path.Path, other: path.Path) -> bool:
    """Return whether two ways contradict each other before any noise is drawn."""
    atoms = (*way.atoms, *other.atoms)
    noisy = {a for a in atoms for s in a.form.symbols() if s.startswith("noise ")}
    return opposite([a for a in atoms if a not in noisy]) is not None


def candidates(
    claim: ProgramClaim, where: Mapping[path.Key, Position], prophecy: path.Prophecy | None = None
) -> dict[Position, list[LinearForm]]:
    """Return the shifts to try: none, those that keep a number or a comparison, small constants."""
    result: dict[Position, list[LinearForm]] = {}
    first = defaultdict[Position, list[LinearForm]](list)
    endless = {*where.values()} if prophecy is None else set[Position]()
    width = claim.moves.width
    for (start, case, number, site), position in where.items():
        way = claim.ways.of[start][number]
        forms = result.setdefault(position, [LinearForm()])
        draw = next(d for d in way.draws if d.site == site)
        if draw.kind == "gaussian":
            continue
        if draw.kind == "exponential" or not _is_endless(claim, way):
            endless.discard(position)
        is_whole = draw.kind == "discrete_laplace"
        for other in _others(claim, where, way, (start, case, number, site)):
            told = [(a, b) for (_, a), (_, b) in zip(way.told, other.told, strict=True) if a and b]
            for form, theirs in told:
                if [s for s in form.symbols() if s.startswith("noise ")] == [draw.symbol]:
                    # No other shift lets both runs tell the same number.
                    first[position].append(_keeping(claim, way, draw, form, theirs) or LinearForm())
            after = dict(other.after)
            kept = told + [(form, after[v]) for v, form in way.after]
            if other is way:
                kept += [(atom.form, atom.form) for atom in way.atoms]
            else:
                kept += [(a.form, b.form) for a in way.atoms for b in other.atoms]
            for form, theirs in kept:
                by = _keeping(claim, way, draw, form, theirs)
                if by is not None and by not in forms and (not is_whole or whole_shift(claim, by)):
                    forms.append(by)
    for position, forms in result.items():
        if told_by := [by for by in forms if by in first[position]]:
            forms[:] = told_by
            continue
        if position in endless:
            forms[:] = [LinearForm()]
            continue
        for factor in (1, -1, 2, -2):
            constant = LinearForm.number(width * factor)
            if constant not in forms:
                forms.append(constant)
    return result


def _is_endless(claim: ProgramClaim, way: path.Path) -> bool:
    """Return whether a way may be taken so often that no shift in it can be paid for."""
    if way.end != way.start or claim.by_length or claim.moves.kind == "one":
        return False
    counter, after = claim.ways.heads[way.start].counter, dict(way.after)
    counted = [v for v in after if v != counter and claim.ways.is_whole(v)]
    once = [a for a in way.atoms if counter in a.form.symbols() and not a.form.coefficient(LENGTH)]
    public = [key for key in way.fixed if isinstance(key, path.Public)]
    return not once and not public and all(after[v] == LinearForm.symbol(v) for v in counted)


def _others(
    claim: ProgramClaim, where: Mapping[path.Key, Position], way: path.Path, key: path.Key
) -> Iterator[path.Path]:
    """Yield the ways of the second run that a shift keeps up with."""
    start, case, number, site = key
    every = claim.ways.data_cases[start]
    if len({where.get((start, text, number, site)) for text in every}) == 1:
        yield way
        return
    for other in claim.ways.of[start]:
        if other.end == way.end and other.tags == way.tags and {*every[case]} <= {*other.atoms}:
            yield other


def _keeping(
    claim: ProgramClaim, way: path.Path, draw: path.DrawnNoise, form: LinearForm, theirs: LinearForm
) -> LinearForm | None:
    """Return the shift with which a form of the first run is this form of the second one."""
    c = form.coefficient(draw.symbol)
    if not c or theirs.coefficient(draw.symbol) != c:
        return None
    earlier = {d.symbol: d.site for d in way.draws[: way.draws.index(draw)]}
    head = claim.ways.heads.get(way.start)
    own = {*claim.ways.variables[way.start]} - ({head.counter} if head else set())

    def second(symbol: str) -> LinearForm:
        linear_form = LinearForm.symbol(symbol)
        if symbol in earlier:
            linear_form += LinearForm.symbol(f"shift {earlier[symbol]}")
        elif symbol in own or symbol.startswith("answer "):
            linear_form += LinearForm.symbol(path.moved(symbol))
        return linear_form

    by = (form - theirs.replace(second)).times(1 / c)
    open_ = {s for s in by.symbols() if s.startswith("noise ")}
    return None if open_ or {*by.symbols()} & {*own, *earlier} else by


def assignments(
    claim: ProgramClaim,
    prophecy: path.Prophecy | None,
    tests: list[DrawnExample],
    where: Mapping[path.Key, Position],
    *,
    most: int,
) -> Iterator[dict[path.Key, LinearForm]]:
    """Yield shifts with which every example survives; give up after ``most`` looks at examples.

    Draws that no example makes have none.
    Shifts of a few draws that no others can complete are remembered. Where no shift of a draw will
    do, the search goes back to the last draw that had to do with it.
    """
    open_to = candidates(claim, where, prophecy)
    impossible = defaultdict[tuple[Position, LinearForm], list[dict[Position, LinearForm]]](list)
    looks = 0

    def extend(
        chosen: dict[Position, LinearForm], first: int
    ) -> Generator[dict[Position, LinearForm], None, set[Position] | None]:
        """Yield what completes these shifts; return which of them let nothing do so, if known."""
        nonlocal looks

        def shift(cut: int, case: str, number: int, site: int) -> LinearForm | None:
            return chosen.get(where[cut, case, number, site])

        for at in range(first, len(tests)):
            looks += 1
            if looks > most:
                return None
            spend(LOOK)
            causes = set[path.Key]()
            try:
                if not survives(claim, prophecy, tests[at], shift, causes=causes):
                    return {where[key] for key in causes}
            except Open as missing:
                position = where[missing.key]
                to_blame: set[Position] | None = set()
                for form in open_to[position]:
                    trial = {**chosen, position: form}
                    blamed = next(
                        (set(c) for c in impossible[position, form] if _within(c, trial)), None
                    )
                    if blamed is None:
                        blamed = yield from extend(trial, at)
                        if blamed is not None and len(blamed) <= _REMEMBERED:
                            for each in blamed:
                                impossible[each, trial[each]].append({p: trial[p] for p in blamed})
                    if blamed is None or to_blame is None:
                        to_blame = None
                    elif position not in blamed:
                        return blamed
                    else:
                        to_blame |= blamed - {position}
                return to_blame
        yield chosen
        return None

    for chosen in extend({}, 0):
        yield {key: chosen[position] for key, position in where.items() if position in chosen}


def _within(some: Mapping[Position, LinearForm], chosen: Mapping[Position, LinearForm]) -> bool:
    return all(chosen.get(position) == form for position, form in some.items())


_REMEMBERED = 5
"""Of how many draws at most impossible shifts are remembered."""
_FEW = 2
"""How many weaker bounds are tried beside the tightest one that was seen."""


def guesses(claim: ProgramClaim, seen: SeenStates) -> dict[tuple[int, str], tuple[Atom, ...]]:
    """Return linear facts that all seen states of a cut and phase fulfil."""
    return {
        state: tuple(dict.fromkeys(_guesses(claim, state[0], points)))
        for state, points in seen.at.items()
    }


def tightest(atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
    """Return the atoms without those that another one implies by itself."""
    least: dict[tuple[tuple[str, Fraction], ...], Atom] = {}
    for atom in atoms:
        before = least.get(atom.form.terms)
        if before is None or atom.form.constant < before.form.constant:
            least[atom.form.terms] = atom
    return tuple(least.values())


def _guesses(claim: ProgramClaim, cut: int, points: list[Point]) -> Iterator[Atom]:
    counter = claim.ways.heads[cut].counter
    variables = [v for v in claim.ways.variables[cut] if v != counter]
    whole = [v for v in variables if claim.ways.is_whole(v)]
    for v in variables:
        yield from _moves(claim, v, counter, points)
    others = [counter, LENGTH, *sorted(claim.ways.program.whole)]
    others += [path.OUTCOME] if path.OUTCOME in points[0] else []
    for v in whole:
        form = LinearForm.symbol(v)
        yield from _around(form, points)
        for other in others:
            yield from _around(form - LinearForm.symbol(other), points)
    for form in _compared(claim, cut, {*variables, counter}):
        if len(form.terms) > 1:
            yield from _around(form, points)
        elif form.coefficient(counter) > 0 and all(form.value(p) <= -1 for p in points):
            # The loop ends before, by a test such as i == 10.
            yield Atom(-form - LinearForm.number(1))
    for account in range(len(claim.accounts.units)):
        names = [counter, *whole, *[LENGTH] * claim.by_length]
        counts = [LinearForm.symbol(v) for v in names]
        left = itertools.product(whole, sorted(claim.ways.program.whole))
        counts += [LinearForm.symbol(v) - LinearForm.symbol(k) for v, k in left]
        yield from _payments(claim, cut, account, counts, variables, points)


def _moves(claim: ProgramClaim, v: str, counter: str, points: list[Point]) -> Iterator[Atom]:
    """Yield bounds on how far apart the two runs' values of a variable are, in widths, or steps."""
    width, form = claim.moves.width, LinearForm.symbol(path.moved(v))
    values = [p[path.moved(v)] / float(width) for p in points]
    if abs(min(values)) <= 4:
        for k in range(_floor(min(values)), _floor(min(values)) - _FEW, -1):
            yield Atom(form - LinearForm.number(k * width))
    if abs(max(values)) <= 4:
        for k in range(_ceil(max(values)), _ceil(max(values)) + _FEW):
            yield Atom(LinearForm.number(k * width) - form)
    if max(map(abs, values)) > 4:
        steps = (abs(x) / p[counter] for x, p in zip(values, points, strict=True) if p[counter])
        most = LinearForm.symbol(counter).times(_fraction(max(steps, default=0.0)) * width)
        yield from (Atom(most + form), Atom(most - form))


def _around(form: LinearForm, points: list[Point]) -> Iterator[Atom]:
    """Yield form ≥ least and form ≤ most, where these are small whole numbers, or the same."""
    values = [form.value(p) for p in points]
    least, most = min(values), max(values)
    if abs(least) <= 2 or least == most:
        yield Atom(form - LinearForm.number(_floor(least)))
    if abs(most) <= 2 or least == most:
        yield Atom(LinearForm.number(_ceil(most)) - form)


def _compared(claim: ProgramClaim, cut: int, variables: set[str]) -> Iterable[LinearForm]:
    """Return the whole forms in public things that the ways from a cut compare."""
    known = variables | set(claim.ways.program.parameters) | {LENGTH}
    return dict.fromkeys(
        atom.form
        for way in claim.ways.of[cut]
        for atom in way.atoms
        if set(atom.form.symbols()) <= known
        if all(claim.ways.is_whole(s) for s in atom.form.symbols())
    )


def _payments(
    claim: ProgramClaim,
    cut: int,
    account: int,
    counts: list[LinearForm],
    variables: list[str],
    points: list[Point],
) -> Iterator[Atom]:
    """Yield bounds on what has been paid: constant, by a count, by what has moved so far."""
    form = LinearForm.symbol(path.paid(account))
    values = [p[path.paid(account)] for p in points]
    most = _fraction(max(values))
    yield Atom(LinearForm.number(most) - form)
    for count, sign in itertools.product(counts, (1, -1)):
        line = _line(count.times(Fraction(sign)), values, points)
        if line.terms:
            yield Atom(line - form)
    if claim.moves.kind == "one":
        yield from _by_moves(claim, cut, account, variables, points)


def _by_moves(
    claim: ProgramClaim, cut: int, account: int, variables: list[str], points: list[Point]
) -> Iterator[Atom]:
    so_far = path.moved_so_far(cut)
    form, total = LinearForm.symbol(path.paid(account)), LinearForm.symbol(so_far)
    some = [p for p in points if p[so_far] > 1e-9]
    if not some:
        return
    each = _fraction(max(p[path.paid(account)] / p[so_far] for p in some))
    yield Atom(total.times(each) - form)
    weights = {w for s, w in claim.accounts.weight.items() if claim.accounts.of[s] == account}
    for v, weight in itertools.product(variables, sorted(weights)):
        size = [p[path.paid(account)] + float(weight) * abs(p[path.moved(v)]) for p in some]
        each = _fraction(max(x / p[so_far] for x, p in zip(size, some, strict=True)))
        for sign in (1, -1):
            yield Atom(
                total.times(each) - form - LinearForm.symbol(path.moved(v)).times(weight * sign)
            )
    for v, sign in itertools.product(variables, (1, -1)):
        if all(abs(p[path.moved(v)]) <= p[so_far] + 1e-9 for p in points):
            yield Atom(total - LinearForm.symbol(path.moved(v)).times(Fraction(sign)))


def bounds(claim: ProgramClaim, seen: SeenStates) -> Iterator[tuple[LinearForm, ...]]:
    """Yield bounds on what is paid in all, one an account: numbers, or multiples of counts."""
    choices = []
    for account in range(len(claim.accounts.units)):
        values = [p[path.paid(account)] for p in seen.end]
        options = [LinearForm.number(_fraction(max(values, default=0.0)))]
        counts = [name for name in claim.positive if claim.ways.is_whole(name)]
        counts += [LENGTH] if claim.by_length else []
        for name in counts:
            each = max((x / p[name] for x, p in zip(values, seen.end, strict=True)), default=0)
            options.append(LinearForm.symbol(name).times(_fraction(each)))
            options += [] if not seen.end else [_line(LinearForm.symbol(name), values, seen.end)]
        choices.append(options)
    yield from itertools.product(*choices)


def _line(count: LinearForm, values: list[float], points: list[Point]) -> LinearForm:
    """Return a line that no value is above: through the largest at the least count, not falling."""
    counts = [count.value(p) for p in points]
    start = min(counts)
    first = max(x for x, k in zip(values, counts, strict=True) if k == start)
    steps = [(x - first) / (k - start) for x, k in zip(values, counts, strict=True) if k > start]
    each = _fraction(max(steps, default=0.0))
    line = (count - LinearForm.number(_fraction(start))).times(max(each, Fraction(0)))
    return line + LinearForm.number(_fraction(first))


def _fraction(value: float) -> Fraction:
    return Fraction(value).limit_denominator(5040)


def _floor(value: float) -> int:
    return int(value // 1) if abs(value - round(value)) > 1e-9 else round(value)


def _ceil(value: float) -> int:
    return -_floor(-value)
