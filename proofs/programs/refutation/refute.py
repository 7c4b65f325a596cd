"""Looks for neighbors and an event that refute a claim; the kernel replays what is found.

Probabilities are exact, so that a pair refutes the claim or does not. Which pairs and events are
tried is a guess: none found means nothing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from provado.proofs import kernel
from provado.proofs.algebra import ExpSum

from ..alignment.conditions import assumed_ends, least
from ..claim import AnswerRelation, ProgramClaim
from ..probability import output_probability as exact
from ..probability.exponential_integrals import ONE, ExponentialPiece, ExponentialRatio
from ..probability.output_probability import chance
from ..read.ir import LENGTH, Coin, UndecidedProgramError, WorkIsOverError, allowed, spend
from ..read.path import draws_of, is_whole
from ..read.polynomial import Atom, LinearForm, ParameterRatio, ratio

_RATES = tuple(map(Fraction, ("1", "1/2", "2", "4", "1/4")))
_PARTS = Fraction(1, 2), Fraction(9, 10)
"""Of the largest value of a parameter, those that are tried."""
_STAGES = ((True, (1, 2, 6, 10)), (False, (1, 2, 3, 4)), (True, (16,)))
"""Whether only simple pairs and events are tried, and for which numbers of queries."""
_MOST_REGIONS, _MOST_POINTS, _MOST_SIZE = 64, 24, 40
_TURNS = 6
"""Rounds in which a point is moved into a region."""
_MOST_EVENTS = 60
_MORE = 40
"""Events in which a larger loss is looked for once there is one."""


@dataclass(frozen=True)
class Counterexample:
    """Data, parameters and an event for which the claim fails.

    chances: of the event on d and on d_prime. epsilon: the claimed ε with these parameters.
    finding: what the kernel found.
    """

    parameters: tuple[tuple[str, Fraction], ...]
    d: tuple[Fraction, ...]
    d_prime: tuple[Fraction, ...]
    event: exact.Event
    chances: tuple[ExpSum, ExpSum]
    epsilon: Fraction
    finding: kernel.Checked

    @property
    def unbounded(self) -> bool:
        """Return whether the event cannot happen on d_prime at all: no ε is enough."""
        return not self.chances[1]

    @property
    def loss(self) -> float:
        """Return ln of the ratio of the chances, in floating point."""
        if self.unbounded:
            return math.inf
        return _log(self.chances[0]) - _log(self.chances[1])


def _log(chance: ExpSum) -> float:
    """Return the logarithm of a sum that may be too small for floating point."""
    most = max(chance.terms)
    return float(most) + math.log(float(chance * ExpSum([(-most, 1)])))


def refute(claim: ProgramClaim, *, steps: int = 2_000_000) -> Counterexample | str:
    """Return the counterexample of the largest loss beyond the claim, or why there is none.

    steps: of work, after which the search ends.
    """
    result = _Found()
    with allowed(steps), suppress(WorkIsOverError):
        _search(claim, result)
    if result.best is None:
        return result.reason
    try:
        return _checked(claim, *result.best[1:])
    except kernel.KernelRefusal as refusal:
        return f"a counterexample does not replay: {refusal}"


def _search(claim: ProgramClaim, found: _Found) -> None:
    """Look on until there is enough, and leave what was found."""
    more = _MORE
    for setting, size, simple, own in (
        (setting, count, simple, own)
        for simple, counts in (_STAGES[0], (True, _counted(claim)), *_STAGES[1:])
        for own in (False, True)
        for count in counts
        if found.best is None
        if count == 1 or not claim.ways.program.scalar
        for setting in settings(claim, count)
    ):
        try:
            for item in _beyond(claim, setting, size, simple, own):
                best = found.best
                if item is not None and (best is None or item[0] > best[0] + 1e-9):
                    best = found.best = item
                more -= (1 + size * size // 12) * (best is not None)
                if more < 0 or (best and math.isinf(best[0])):
                    return
        except UndecidedProgramError as error:
            found.reason = f"no exact probabilities: {error}"


# What is tried. -------------------------------------------------------------------------------


_Waves = tuple[ExponentialPiece, ExponentialPiece, ExponentialPiece]
_Best = tuple[float, exact.ParameterValues, "_Pair", exact.Event, Fraction, _Waves]
_Pair = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


@dataclass
class _Found:
    """What a search has found so far, and why it found nothing if it did not."""

    best: _Best | None = None
    reason: str = "no pair of neighbors and no event that were tried exceed the claim"


def settings(claim: ProgramClaim, size: int) -> Iterator[exact.ParameterValues]:
    """Yield values of the parameters that the claim allows; ε stays open where that is possible."""
    parameters, rate = claim.ways.program.parameters, _rate(claim)
    base = _moved(claim.assumed, None, Fraction(1), (*parameters, LENGTH))
    choices: list[list[Fraction]] = []
    for name in parameters:
        low, own = least(claim, name), _own(claim, name)
        if name == rate:
            continue
        if is_whole(claim.ways.program, name):
            some = [low, low + 1, Fraction(size // 2), *(Fraction(math.floor(v)) for v in own)]
            choices.append(sorted({max(low, v) for v in some}))
        elif name in claim.positive:
            within = {end * part for end, _ in assumed_ends(claim, name, -1) for part in _PARTS}
            choices.append(sorted({*(max(low, v) for v in _RATES[:3]), *own, *within}))
        else:
            choices.append(sorted({base[name], *own}))
    names = [name for name in parameters if name != rate]
    for values in itertools.product(*choices):
        result = dict(zip(names, values, strict=True))
        point = {n: float(v) for n, v in result.items()} | {"len(q)": float(size)}
        point |= {rate: 1.0} if rate else {}
        if all(atom.holds(point) for atom in claim.assumed):
            yield exact.ParameterValues(claim.ways, result, rate)


def _own(claim: ProgramClaim, name: str) -> list[Fraction]:
    """Return the numbers that the program compares a parameter, or the length, with; both sides."""
    atoms = [*claim.assumed, *(atom for way in claim.ways.all() for atom in way.atoms)]
    forms = [atom.form for atom in atoms if [*atom.form.symbols()] == [name]]
    result = {-form.constant / form.coefficient(name) for form in forms}
    return sorted({v + step for v in result for step in (-1, 0, 1)})


def _counted(claim: ProgramClaim) -> list[int]:
    """Return uncommon numbers of queries: those up to which the program counts, and one more."""
    constants = {atom.form.constant for way in claim.ways.all() for atom in way.atoms}
    counts = {math.ceil(abs(c)) + more for c in constants for more in (0, 1)}
    return sorted(n for n in counts - {1, 2, 3, 4, 6, 10, 16} if 0 < n <= _MOST_SIZE)


def _rate(claim: ProgramClaim) -> str | None:
    """Return the parameter that the claim is a multiple of, if all scales are numbers over it."""
    scales = [ratio(draw.scale) for draw in draws_of(claim.ways).values()]
    top, bottom = claim.epsilon.top, claim.epsilon.bottom
    if not bottom.parameters() and len(top.terms) == 1:
        powers = [power for power in top.terms[0][0] if power[0] != LENGTH]
        rate = powers[0][0] if len(powers) == 1 and powers[0][1] == 1 else ""
        compared = {s for way in claim.ways.all() for a in way.atoms for s in a.form.symbols()}
        if all(rate in scale.parameters() for scale in scales) and rate not in compared:
            return rate or None
    return None


def _points(
    claim: ProgramClaim, setting: exact.ParameterValues, size: int
) -> list[tuple[Fraction, ...]]:
    """Return datasets on the edges of the program's own regions, on both sides, and inside.

    A region is what a run without noise asks of the answers. Where no number is in that, the region
    is like itself around 0.
    """
    result = {(Fraction(0),) * size: None}
    names = [f"q {i}" for i in range(size)]
    for atoms in itertools.islice(exact.regions(setting, size), _MOST_REGIONS):
        numbers = any(atom.form.constant or len(atom.form.terms) == 1 for atom in atoms)
        for edge in (*atoms, None) if numbers else ():
            if len(result) < 3 + _MOST_POINTS // size:
                at = tuple(_moved(atoms, edge, claim.moves.width, names).values())
                result[at] = None
                if edge is not None and len(edge.form.terms) == 1:
                    middle = -edge.form.constant / edge.form.terms[0][1]
                    result[tuple(2 * middle - v for v in at)] = None
    return list(result)[1:]


def _moved(
    atoms: Sequence[Atom], edge: Atom | None, margin: Fraction, names: Sequence[str]
) -> dict[str, Fraction]:
    """Return values on an edge that fulfil atoms by a margin, or come near that; found from 0."""
    at = dict.fromkeys(names, Fraction(0))
    for turn in range(_TURNS):
        spend(len(atoms) * len(names))
        for atom in (*atoms, *filter(None, [edge])):
            terms = atom.form.terms
            missing = margin * sum(abs(c) for _, c in terms) * (atom is not edge)
            missing -= atom.form.replace(lambda s: LinearForm.number(at[s])).constant
            if missing > 0 or atom is edge:
                symbol, c = terms[turn % len(terms)]
                at[symbol] += missing / c
    return at


def _pairs(
    moves: AnswerRelation, points: Sequence[tuple[Fraction, ...]], simple: bool, whole_data: bool
) -> Iterator[_Pair]:
    """Yield neighbors: by how they move, around points; whole ones where the data must be."""
    size = len(points[0]) if points else 0
    up, down = moves.upper, moves.lower
    if whole_data:
        up, down = Fraction(math.floor(up)), Fraction(math.ceil(down))
    none = Fraction(0)
    half = size // 2
    patterns: list[list[Fraction]] = []
    for a, b in ((up, down), (down, up)):
        if moves.kind == "one":
            for at in dict.fromkeys((0, size - 1, half)):
                patterns.append([none] * at + [a] + [none] * (size - at - 1))
            continue
        patterns += [[a] * size, [a] * half + [b] * (size - half)]
        patterns += [([a, b] * size)[:size]]
        if simple:
            continue
        patterns += [[a] + [b] * (size - 1), [b] * (size - 1) + [a]]
        patterns += [[a] + [none] * (size - 1), [none] * (size - 1) + [a]]
    bases: tuple[Callable[[Fraction], Fraction], ...]
    bases = (lambda m: -m / 2, lambda _: none, lambda m: -m)
    seen = set()
    for point, pattern, base in itertools.product(
        points, patterns, bases[: 1 if simple and not whole_data else 3]
    ):
        d = tuple(at + base(m) for at, m in zip(point, pattern, strict=True))
        d_prime = tuple(v + m for v, m in zip(d, pattern, strict=True))
        whole = all(v.denominator == 1 for v in (*d, *d_prime)) or not whole_data
        if any(pattern) and whole and (d, d_prime) not in seen:
            seen.add((d, d_prime))
            yield d, d_prime


def _events(setting: exact.ParameterValues, pair: _Pair, simple: bool) -> Iterator[exact.Event]:
    """Yield events: each outcome, its numbers on either side of what they are without noise."""
    result: dict[exact.Event, None] = {}
    for data in pair:
        for kinds, numbers in exact.outcomes(setting, data, 2000 if simple else _MOST_EVENTS):
            if simple and not _agrees(numbers):
                continue
            styles = 3 if simple else 5
            for style in range(styles if any(noisy for _, noisy in numbers) else 1):
                limits = tuple(_limits(v, noisy, style) for v, noisy in numbers)
                result[exact.Event(kinds, limits)] = None
                if len(numbers) > 1 and style:
                    last = (*(_limits(v, n, 0) for v, n in numbers[:-1]), limits[-1])
                    result[exact.Event(kinds, last)] = None
    yield from itertools.islice(result, _MOST_EVENTS * 4)


def _agrees(numbers: tuple[tuple[Fraction, bool], ...]) -> bool:
    """Return whether an outcome is a simple one: what is told changes once, or always."""
    plain = [None if noisy else value for value, noisy in numbers]
    return sum(a != b for a, b in itertools.pairwise(plain)) in (0, 1, len(plain) - 1)


def _limits(value: Fraction, noisy: bool, style: int) -> exact.Interval | None:
    if not noisy:
        return value, value
    options = (None, (value, None), (None, value), (value - 1, value), (value, value + 1))
    return options[style]


def _beyond(
    claim: ProgramClaim, setting: exact.ParameterValues, size: int, simple: bool, own: bool
) -> Iterator[_Best | None]:
    """Yield pairs and events with how far they are beyond the claim; ``None`` for those within."""
    points = _points(claim, setting, size) if own else [(Fraction(0),) * size]
    rates = _RATES if setting.rate is not None else (Fraction(1),)
    for pair in _pairs(claim.moves, points, simple, claim.ways.program.whole_data):
        for event in _events(setting, pair, simple):
            waves = _waves(setting, pair, event)
            yield None
            if not waves[0]:
                continue
            for rate in rates:
                claimed = claimed_epsilon(claim, setting, rate, size)
                p, q = (w.near(rate) for w in waves[:2])
                beyond = math.inf if q <= 0 else math.log(p / q) - float(claimed)
                if beyond > 1e-9:
                    yield beyond, setting, pair, event, rate, waves


def _waves(setting: exact.ParameterValues, pair: _Pair, event: exact.Event) -> _Waves:
    """Return an event's probabilities on both datasets, times a third number from 0 to 1.

    That is 1, or with noise of whole numbers, whose probabilities are ratios, a multiple of what is
    below the line.
    """
    p, q = (chance(setting, data, event) for data in pair)
    if any(isinstance(key, Coin) for way in setting.ways.all() for key in way.fixed):
        # Of a coin's probability it is not known that what is below the line is above 0.
        p, q = ExponentialRatio(p.plain(), ONE.bottom), ExponentialRatio(q.plain(), ONE.bottom)
    same = p.bottom == q.bottom
    bottom = p.bottom if same else p.bottom * q.bottom
    tops = (p.top, q.top) if same else (p.top * q.bottom, q.top * p.bottom)
    most = 1 / sum(bottom.terms.values(), Fraction(0))
    return tops[0].times(most), tops[1].times(most), bottom.times(most)


def claimed_epsilon(
    claim: ProgramClaim, setting: exact.ParameterValues, rate: Fraction, size: int
) -> Fraction:
    """Return the claimed ε with these values, for so many queries."""
    values = dict(setting.values) | ({setting.rate: rate} if setting.rate else {})
    values[LENGTH] = Fraction(size)
    return _at(claim.epsilon, values)


def _at(form: ParameterRatio, values: dict[str, Fraction]) -> Fraction:
    def value(terms: Sequence[tuple[tuple[tuple[str, int], ...], Fraction]]) -> Fraction:
        total = Fraction(0)
        for powers, c in terms:
            for name, k in powers:
                c *= values[name] ** k
            total += c
        return total

    return value(form.top.terms) / value(form.bottom.terms)


# What is believed. ----------------------------------------------------------------------------


def _checked(
    claim: ProgramClaim,
    setting: exact.ParameterValues,
    pair: _Pair,
    event: exact.Event,
    rate: Fraction,
    waves: _Waves,
) -> Counterexample:
    """Return the counterexample that the kernel has replayed."""

    def exact_chance(answers: tuple[Fraction, ...]) -> kernel.Sum:
        return _waves(setting, pair, event)[pair.index(answers)].sum_at(rate).as_data()

    exact_chance.__qualname__ = exact_chance.__name__
    sums = waves[0].sum_at(rate), waves[1].sum_at(rate)
    kept = "" if waves[2] == ExponentialPiece.of(1) else repr(waves[2].sum_at(rate))
    epsilon = claimed_epsilon(claim, setting, rate, len(pair[0]))
    evidence = kernel.PrivacyCounterexample(
        *pair,
        relation=claim.moves.width,
        event=replace(event, kept=kept).words(),
        probabilities=(sums[0].as_data(), sums[1].as_data()),
        epsilon=epsilon,
    )
    finding = kernel.check(evidence, exact_chance)
    if claim.moves.kind == "one":
        # The same, held against the other half of the relation.
        kernel.check(
            kernel.PrivacyCounterexample(**vars(evidence) | {"relation": "replace-one"}),
            exact_chance,
        )
    values = dict(setting.values) | ({setting.rate: rate} if setting.rate else {})
    order = claim.ways.program.parameters
    parameters = tuple((name, values[name]) for name in order)
    return Counterexample(parameters, *pair, replace(event, kept=kept), sums, epsilon, finding)
