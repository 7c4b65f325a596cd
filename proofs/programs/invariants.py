"""Guesses invariants and bounds from states that were seen; ``prove`` keeps those that hold."""

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction

from .alignment import OUTCOME, moved, moved_so_far, paid
from .claim import ProgramClaim
from .examples import Point, SeenStates
from .ir import LENGTH
from .polynomial import Atom, LinearForm

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
        yield from _moves(claim, v, points)
    others = [counter, LENGTH, *sorted(claim.ways.program.whole)]
    others += [OUTCOME] if OUTCOME in points[0] else []
    for v in whole:
        form = LinearForm.symbol(v)
        yield from _around(form, points)
        for other in others:
            yield from _around(form - LinearForm.symbol(other), points)
    for form in _compared(claim, cut, {*variables, counter}):
        yield from _around(form, points)
    for account in range(len(claim.accounts.units)):
        counts = [counter, *whole]
        counts += [LENGTH] if LENGTH in claim.epsilon.parameters() else []
        yield from _payments(claim, cut, account, counts, variables, points)


def _moves(claim: ProgramClaim, v: str, points: list[Point]) -> Iterator[Atom]:
    """Yield bounds on how far apart the two runs' values of a variable are, in widths."""
    width, form = claim.moves.width, LinearForm.symbol(moved(v))
    values = [p[moved(v)] / float(width) for p in points]
    if abs(min(values)) <= 4:
        for k in range(_floor(min(values)), _floor(min(values)) - _FEW, -1):
            yield Atom(form - LinearForm.number(k * width))
    if abs(max(values)) <= 4:
        for k in range(_ceil(max(values)), _ceil(max(values)) + _FEW):
            yield Atom(LinearForm.number(k * width) - form)


def _around(form: LinearForm, points: list[Point]) -> Iterator[Atom]:
    """Yield form ≥ least and form ≤ most, where these are small whole numbers."""
    values = [form.value(p) for p in points]
    if abs(min(values)) <= 2:
        yield Atom(form - LinearForm.number(_floor(min(values))))
    if abs(max(values)) <= 2:
        yield Atom(LinearForm.number(_ceil(max(values))) - form)


def _compared(claim: ProgramClaim, cut: int, variables: set[str]) -> Iterable[LinearForm]:
    """Return the whole forms in public things that the ways from a cut compare."""
    known = variables | set(claim.ways.program.parameters) | {LENGTH}
    return dict.fromkeys(
        atom.form
        for way in claim.ways.of[cut]
        for atom in way.atoms
        if set(atom.form.symbols()) <= known and len(atom.form.terms) > 1
        if all(claim.ways.is_whole(s) for s in atom.form.symbols())
    )


def _payments(
    claim: ProgramClaim,
    cut: int,
    account: int,
    whole: list[str],
    variables: list[str],
    points: list[Point],
) -> Iterator[Atom]:
    """Yield bounds on what has been paid: constant, by a count, by what has moved so far."""
    form = LinearForm.symbol(paid(account))
    values = [p[paid(account)] for p in points]
    most = _fraction(max(values))
    yield Atom(LinearForm.number(most) - form)
    for v in whole:
        start = min(p[v] for p in points)
        first = max(x for x, p in zip(values, points, strict=True) if p[v] == start)
        steps = [
            (x - first) / (p[v] - start)
            for x, p in zip(values, points, strict=True)
            if p[v] > start
        ]
        if not steps or (each := _fraction(max(steps))) <= 0:
            continue
        line = (LinearForm.symbol(v) - LinearForm.number(_fraction(start))).times(each)
        yield Atom(LinearForm.number(_fraction(first)) + line - form)
    if claim.moves.kind == "one":
        yield from _by_moves(claim, cut, account, variables, points)


def _by_moves(
    claim: ProgramClaim, cut: int, account: int, variables: list[str], points: list[Point]
) -> Iterator[Atom]:
    so_far = moved_so_far(cut)
    form, total = LinearForm.symbol(paid(account)), LinearForm.symbol(so_far)
    some = [p for p in points if p[so_far] > 1e-9]
    if not some:
        return
    each = _fraction(max(p[paid(account)] / p[so_far] for p in some))
    yield Atom(total.times(each) - form)
    weights = {w for s, w in claim.accounts.weight.items() if claim.accounts.of[s] == account}
    for v, weight in itertools.product(variables, sorted(weights)):
        size = [p[paid(account)] + float(weight) * abs(p[moved(v)]) for p in some]
        each = _fraction(max(x / p[so_far] for x, p in zip(size, some, strict=True)))
        for sign in (1, -1):
            yield Atom(total.times(each) - form - LinearForm.symbol(moved(v)).times(weight * sign))
    for v, sign in itertools.product(variables, (1, -1)):
        if all(abs(p[moved(v)]) <= p[so_far] + 1e-9 for p in points):
            yield Atom(total - LinearForm.symbol(moved(v)).times(Fraction(sign)))


def bounds(claim: ProgramClaim, seen: SeenStates) -> Iterator[tuple[LinearForm, ...]]:
    """Yield bounds on what is paid in all, one an account: numbers, or multiples of counts."""
    choices = []
    for account in range(len(claim.accounts.units)):
        values = [p[paid(account)] for p in seen.end]
        options = [LinearForm.number(_fraction(max(values, default=0.0)))]
        counts = [name for name in claim.positive if claim.ways.is_whole(name)]
        counts += [LENGTH] if LENGTH in claim.epsilon.parameters() else []
        for name in counts:
            each = max((x / p[name] for x, p in zip(values, seen.end, strict=True)), default=0)
            options.append(LinearForm.symbol(name).times(_fraction(each)))
            options += [] if not seen.end else [_line(name, values, seen.end)]
        choices.append(options)
    yield from itertools.product(*choices)


def _line(name: str, values: list[float], points: list[Point]) -> LinearForm:
    """Return a line that no value is above: through the largest at the least count."""
    start = min(p[name] for p in points)
    first = max(x for x, p in zip(values, points, strict=True) if p[name] == start)
    steps = [
        (x - first) / (p[name] - start)
        for x, p in zip(values, points, strict=True)
        if p[name] > start
    ]
    each = _fraction(max(steps, default=0.0))
    return (LinearForm.symbol(name) - LinearForm.number(_fraction(start))).times(
        each
    ) + LinearForm.number(_fraction(first))


def _fraction(value: float) -> Fraction:
    return Fraction(value).limit_denominator(5040)


def _floor(value: float) -> int:
    return int(value // 1) if abs(value - round(value)) > 1e-9 else round(value)


def _ceil(value: float) -> int:
    return -_floor(-value)
