"""The largest δ over all datasets of a domain, without a list of them: sequences with one future.

The data are read one after the other. After each, the places of runs that go on say what the noise
must fulfil on D and on D′. Sequences whose places are the same but for names have the same future:
of those only the largest δ so far is kept, as δ adds up over outputs. Sparse vector with n queries
of two values has some 3·n states at a query, and 2ⁿ datasets.

What is trusted here, beside ``finite_delta``: that places with one key have one future, and that no
output is counted in two parts.
"""

import itertools
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ..read.ir import UndecidedProgramError
from ..read.path import END, ENTRY
from ..read.polynomial import LinearForm
from .finite_data import Data, pairs_of
from .finite_delta import ExactDelta, delta_of_pairs, ends, has_coins
from .noise_integrals import Enclosures, components, group_of
from .output_probability import NUMBER, ParameterValues, Place, System, constants, followed, start

MOST_STATES = 3000
"""States after one more data point, beyond which the search is given up."""


@dataclass(frozen=True)
class _State:
    """Places on D and D′ that go on, ``None`` out of reach, each with how many are alike.

    low, high: ends of the largest δ of the outputs that ended; d, d_prime: data that reach ``low``,
    mass: the probability on d of outputs that ended.
    """

    places: tuple[tuple[tuple[Place | None, ...], int], ...]
    key: Hashable = ()
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(0)
    mass: Any = 0
    d: Data = ()
    d_prime: Data = ()


def delta_of_domain(
    setting: ParameterValues,
    domain: Sequence[Fraction],
    size: int,
    epsilon: Fraction,
    enclosures: Enclosures,
) -> ExactDelta:
    """Return the largest δ over all neighbors; raise ``UndecidedProgramError`` where it cannot.

    domain: the values of a data point; datasets are ``size`` of them, neighbors differ in one.
    """
    loops = {way.start for way in setting.ways.all()} - {ENTRY}
    read = {answer for way in setting.ways.all() for answer in way.answers}
    if has_coins(setting) or len(loops) != 1 or not read <= {f"answer {loop}" for loop in loops}:
        raise UndecidedProgramError("the data are not read one after the other, in one loop")
    search = _Search(setting, size, enclosures.number(epsilon).exp(), enclosures)
    begin = start(setting, constants([domain[0]] * size))
    first = search.after(_State((((begin, begin), 1),)), domain[0], domain[0])
    level = {(False, first.key): first}
    for _ in range(size):
        following: dict[tuple[bool, Hashable], _State] = {}
        for (changed, _), state in level.items():
            for a, b in itertools.product(domain, repeat=2):
                if a == b or not changed:
                    one = search.after(state, a, b)
                    one = replace(one, d=(*state.d, a), d_prime=(*state.d_prime, b))
                    key = changed or a != b, one.key
                    following[key] = _larger(one, following.get(key, one))
        level = following
        if len(level) > MOST_STATES:
            raise UndecidedProgramError("there are too many states of the data so far")
    changed_once = [state for (changed, _), state in level.items() if changed]
    last = [search.after(state, domain[0], domain[0]) for state in changed_once]
    if not all(state.mass.contains(1) for state in last):
        raise UndecidedProgramError("probabilities do not add up to 1")
    best, high = max(last, key=lambda state: state.low), max(state.high for state in last)
    # Of the worst pair all outputs are listed, and its δ is computed in the other way, too.
    exact_delta = delta_of_pairs(setting, [(best.d, best.d_prime)], epsilon, enclosures)
    if exact_delta.low > high or best.low > exact_delta.high:
        raise UndecidedProgramError("two ways to compute one δ differ")
    pairs = pairs_of(domain, size) // 2
    return replace(exact_delta, high=high, pairs=pairs, integrals=len(enclosures.known))


def _larger(one: _State, other: _State) -> _State:
    """Return two states with the same future as one."""
    best = max(one, other, key=lambda state: state.low)
    return replace(best, high=max(one.high, other.high))


@dataclass(frozen=True)
class _Search:
    setting: ParameterValues
    size: int
    factor: Any
    enclosures: Enclosures

    def after(self, state: _State, a: Fraction, b: Fraction) -> _State:
        """Return the state after all ways to the next cut, with a read on D and b on D′."""
        low, high, mass = state.low, state.high, state.mass
        places: dict[Hashable, tuple[tuple[Place | None, ...], int]] = {}
        for sides, count in state.places:
            zero = self.enclosures.number(Fraction(0))
            ended: dict[_Told, list[Any]] = {}
            going: dict[_Told, list[Place | None]] = {}
            for side, (place, value) in enumerate(zip(sides, (a, b), strict=True)):
                for item in self._following(place, value):
                    told = _told(item[3])
                    if item[0] == END:
                        chances = ended.setdefault(told, [zero, zero])
                        chances[side] += self.enclosures.chance(item[3])
                    elif going.setdefault(told, [None, None])[side] is not None:
                        raise UndecidedProgramError("two ways on have told the same")
                    else:
                        going[told][side] = item
            _check_apart(list(going), [*going, *ended])
            for p, q in ended.values():
                part = ends(((p - self.factor * q) * count).max(0))
                low, high, mass = low + part[0], high + part[1], mass + p * count
            for both in going.values():
                key = tuple(map(_key, both))
                places[key] = tuple(both), count + places.get(key, ((), 0))[1]
        result = frozenset((key, count) for key, (_, count) in places.items())
        after = tuple(places.values())
        return replace(state, places=after, key=result, low=low, high=high, mass=mass)

    def _following(self, place: Place | None, value: Fraction) -> list[Place]:
        if place is None:
            return []
        answers, ways = constants([value] * self.size), self.setting.ways.of[place[0]]
        result = (followed(self.setting, answers, None, way, place) for way in ways)
        return [item for item in result if item is not None]


_Told = tuple[Hashable, ...]


def _told(run: System) -> _Told:
    """Return what is told so far; raise ``UndecidedProgramError`` where it has noise."""
    numbers = iter(run.event().numbers)
    return tuple(next(numbers) if kind == NUMBER else kind for kind in run.kinds)


def _check_apart(going: Sequence[_Told], told: Sequence[_Told]) -> None:
    """Refuse ways on that may still tell what another way tells: its chance would be split.

    Where no way on has told the beginning of what another one tells, the outputs of one are never
    those of another, now or later.
    """
    for item in going:
        if sum(other[: len(item)] == item for other in told) > 1:
            raise UndecidedProgramError("outputs do not say at which answer a run ended")


def _key(place: Place | None) -> Hashable:
    """Return what the future of a place depends on, with draws under names of their own.

    Draws that no variable holds stand in it by what they are compared with; each must be compared
    with draws that variables hold alone, or with none of these.
    """
    if place is None:
        return None
    cut, iteration, variables, run = place
    if run.whole:
        raise UndecidedProgramError("whole noise is drawn")
    names: dict[str, LinearForm] = {}
    for name in sorted(variables):
        for symbol in variables[name].symbols():
            names.setdefault(symbol, LinearForm.symbol(f"held {len(names)}"))
    values = [(name, variables[name].replace(names.get)) for name in sorted(variables)]
    held = [run.draws[symbol] for symbol in names]
    parts: Counter[Hashable] = Counter()
    for atoms in components(run):
        symbols = {symbol for atom in atoms for symbol in atom.form.symbols()}
        if not symbols & names.keys():
            parts[group_of(run, atoms)] += 1
            continue
        by_draw: dict[str, set[Hashable]] = {}
        for atom in atoms:
            free = sorted(set(atom.form.symbols()) - names.keys())
            if len(free) > 1:
                raise UndecidedProgramError("draws are compared that no variable holds any more")
            this = dict.fromkeys(free, LinearForm.symbol("this"))
            by_draw.setdefault("".join(free), set()).add(atom.replace((names | this).get))
        for symbol, said in by_draw.items():
            parts[run.draws.get(symbol), frozenset(said)] += 1
    return cut, iteration, tuple(values), tuple(held), frozenset(parts.items())
