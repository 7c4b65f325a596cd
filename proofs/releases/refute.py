"""Two datasets on which what a function releases costs more than is claimed.

The loss is that of what is returned itself: numbers with noise, as they are or scaled, clipped or
rounded where that leaves a tail of them, and places of the largest. What is returned in another
form, and what is released of numbers that came out before, refutes nothing here.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from provado.mechanisms import AddOrRemoveOne, GaussianDP, NeighboringRelation
from provado.mechanisms.definitions.relation import difference_words, of_one_field, short
from provado.proofs.kernel import Checked, KernelRefusal
from provado.proofs.sensitivity.bounded import ROUNDING, neighbors
from provado.proofs.sensitivity.change.expression import (
    Function,
    PublicSymbol,
    depends_on_data,
    symbols_within,
)
from provado.proofs.sensitivity.change.formula import value_at
from provado.proofs.sensitivity.change.ratio import Ratio
from provado.proofs.sensitivity.outcome import MovedPair
from provado.proofs.sensitivity.search import replay
from provado.proofs.sensitivity.trace.bound import RecordColumns

from .noise import Release, Way, came_out
from .noise_costs import ReleaseClaim

EXAMPLES = 100
"""Pairs of random datasets that are tried, beside those of equal records and one other."""

FAR = 60
"""So many more records than the fewest set candidates far apart."""

TOLD = (0.37,)
"""What noisy numbers are in runs with data: what is released does not depend on it."""

Pair = tuple[list[Any], list[Any]]
Run = Callable[[Any], Way | None]


@dataclass(frozen=True)
class RefutedRelease:
    """Neighbors d and d_prime on which a release costs more than is claimed.

    lines: what is released of each, in words. loss: ε, μ, ρ or δ, whichever is claimed; ``inf``
    where no number is enough. finding: what the kernel replayed.
    """

    d: tuple[Any, ...]
    d_prime: tuple[Any, ...]
    lines: tuple[str, ...]
    loss: float
    finding: Checked | None = None

    def words(self) -> list[str]:
        """Return the pair and what is released of it, line by line."""
        d, d_prime = of_one_field(self.d), of_one_field(self.d_prime)
        return [f"Let D = {short(d, 200)}.", f"{difference_words(d, d_prime)}.", *self.lines]


@dataclass(frozen=True)
class Shown:
    """A number with noise that can be told from what is returned, from ``low`` on and to ``high``.

    exactly: as it came out; else only whether it lies below some number up to ``high``, or above
    some number from ``low`` on.
    """

    place: int
    low: float
    high: float
    exactly: bool


def shown_of(returned: Sequence[Ratio], rounded: Mapping[int, Ratio]) -> dict[int, Shown]:
    """Return which numbers that came out are returned in a form that tells their tails."""
    result: dict[int, Shown] = {}
    for value in returned:
        one = _shown(value, rounded)
        if one is not None and (one.place not in result or one.exactly):
            result[one.place] = one
    return result


def _shown(value: Ratio, rounded: Mapping[int, Ratio]) -> Shown | None:
    """Return what a·y + b, or a clip of it, tells of a number y that came out."""
    symbols = list(value.symbols)
    if len(symbols) != 1 or value.bottom.constant is None or value.top.degree(symbols[0]) != 1:
        return None
    (symbol,) = symbols
    if isinstance(symbol, PublicSymbol):
        if not came_out(symbol):
            return None
        number = symbol.name.split()[-1]
        if int(number) not in rounded:
            return Shown(int(number), -math.inf, math.inf, True)
        inner, low, high, by = _within(rounded[int(number)], rounded), -math.inf, math.inf, 1.0
    elif isinstance(symbol, Function) and symbol.name == "clip":
        inner, by = _within(symbol.argument, rounded), 0.0
        low = -math.inf if symbol.low is None else float(symbol.low)
        high = math.inf if symbol.high is None else float(symbol.high)
    else:
        return None
    if inner is None:
        return None
    return Shown(inner.place, max(inner.low, low) + by, min(inner.high, high) - by, False)


def _within(value: Ratio, rounded: Mapping[int, Ratio]) -> Shown | None:
    """Return what a number that is clipped or rounded tells, if it is no multiple of another."""
    inner = _shown(value, rounded)
    alone = len(list(value.symbols)) == 1 and value == Ratio.symbol(next(iter(value.symbols)))
    return inner if alone else None


@dataclass(frozen=True)
class Moved:
    """A number with noise on two datasets: values, the scale of its noise, what is shown of it.

    place: among the numbers of its release.
    """

    release: Release
    values: tuple[float, float]
    scale: float
    shown: Shown
    place: int = 0

    @property
    def shift(self) -> float:
        """By how many scales it moves."""
        return abs(self.values[1] - self.values[0]) / self.scale

    @property
    def tail(self) -> bool:
        """Whether the output tells a tail on which the likelihoods are as far apart as they get."""
        below, above = min(self.values), max(self.values)
        return self.shown.exactly or self.shown.low <= below or self.shown.high >= above

    def words(self) -> str:
        """Return what is released, in words."""
        one, two = (f"{value:.10g}" for value in self.values)
        return (
            f"Line {self.release.line}: {self.release.kind} noise of scale {self.scale:.10g} is "
            f"added to {one} on D and to {two} on D′."
        )


def loss_of(
    moved: Sequence[Moved], claim: ReleaseClaim
) -> tuple[float, str, Sequence[Moved]] | None:
    """Return by how much a claim is broken, in which measure, and of what; ``None`` if not."""
    laplace = [move for move in moved if "Laplace" in str(move.release.kind) and move.tail]
    exact = [move for move in laplace if move.shown.exactly]
    plain = [move for move in exact if move.release.kind == "Laplace"]
    normal = [move for move in moved if move.release.kind == "Gaussian" and move.shown.exactly]
    mu = math.sqrt(sum(move.shift**2 for move in normal))
    if claim.mu is not None:
        return (mu, "μ", normal) if _beyond(mu, claim.mu) else None
    if claim.rho is not None:
        result = mu**2 / 2, "ρ", normal
        least = [move for move in plain if _beyond(_kl(move.shift), claim.rho)]
        if not _beyond(result[0], claim.rho) and least:
            return _kl(least[0].shift), "ρ, at least", least[:1]
        return result if _beyond(result[0], claim.rho) else None
    assert claim.epsilon is not None
    epsilon = float(claim.epsilon)
    if claim.delta:
        delta = GaussianDP(mu).delta(epsilon) if mu else 0.0
        if _beyond(delta, claim.delta):
            return delta, f"δ at ε = {claim.epsilon}", normal
        best = max(plain, key=lambda move: move.shift, default=None)
        delta = 0.0 if best is None else -math.expm1((epsilon - best.shift) / 2)
        if best is not None and _beyond(delta, claim.delta):
            return delta, f"δ at ε = {claim.epsilon}", [best]
        return None
    unbounded = [move for move in moved if move.release.kind == "Gaussian" and move.shift]
    if unbounded and any(math.isinf(x) for x in (unbounded[0].shown.low, unbounded[0].shown.high)):
        return math.inf, "ε", unbounded[:1]
    many = exact if len(exact) > 1 else sorted(laplace, key=lambda move: -move.shift)[:1]
    total = sum(move.shift for move in many)
    return (total, "ε", many) if _beyond(total, claim.epsilon) else None


def _beyond(loss: float, claimed: Fraction) -> bool:
    return loss > float(claimed) * (1 + ROUNDING) + ROUNDING * 1e-3


def _kl(shift: float) -> float:
    """Return the divergence of two Laplace densities; ρ is at least that."""
    return shift - 1 + math.exp(-shift)


def refute(
    run: Run,
    records: RecordColumns,
    relation: NeighboringRelation,
    sizes: tuple[int, int | None],
    way: Way,
    claim: ReleaseClaim,
) -> RefutedRelease | None:
    """Return two datasets on which a claim is broken, if some are found.

    run: returns what the function itself releases of a dataset, and returns; ``None`` where it
    could not be run. way: the only one through the function, of data that symbols stand for.
    """
    shown = shown_of(way.returned, way.rounded)
    known: dict[str, Way | None] = {}
    for data, other in tried_pairs(records, relation, sizes):
        # By their texts: 1 and 1.0 make arrays of two types.
        known |= {repr(each): run(each) for each in (data, other) if repr(each) not in known}
        runs = [known[repr(each)] for each in (data, other)]
        if any(item is None or len(item.releases) != len(way.releases) for item in runs):
            continue
        first, second = (item for item in runs if item is not None)
        broken = _plain(first.returned, second.returned, way.returned)
        moved: list[Moved] = []
        chosen: list[_Choice] = []
        for release, one, two in zip(way.releases, first.releases, second.releases, strict=True):
            # What later numbers are may depend on those that came out: they tell nothing here.
            if any(map(_holds_output, release.values)) or not any(
                map(depends_on_data, release.values)
            ):
                continue
            scale = _scale(release.scale, len(data))
            if scale is None:
                continue
            if release.chosen:
                told = shown.get(release.number)
                if told is not None and told.exactly:
                    chosen.append(_Choice(release, one.values, two.values, scale))
                continue
            for k, pair in enumerate(zip(one.values, two.values, strict=True)):
                if (told := shown.get(release.number + k)) is not None:
                    moved.append(Moved(release, pair, scale, told, k))
        broken = broken or _choices(chosen, moved, claim)
        if broken is not None:
            return RefutedRelease(tuple(data), tuple(other), tuple(broken[0]), broken[1])
        result = loss_of(moved, claim)
        if result is not None:
            loss, name, of = result
            end = f"The exact loss is {name} = {loss:.10g}" if loss < math.inf else "No ε is enough"
            lines = [move.words() for move in of if move.shift]
            lines.append(f"{end}, where {claim.words()} is claimed.")
            finding = _replayed(run, relation, way, (data, other), of, claim)
            return RefutedRelease(tuple(data), tuple(other), tuple(lines), loss, finding)
    return None


def _replayed(
    run: Run,
    relation: NeighboringRelation,
    way: Way,
    pair: Pair,
    of: Sequence[Moved],
    claim: ReleaseClaim,
) -> Checked | None:
    """Let the kernel replay that numbers move by more scales than the claim allows.

    All together (ε), or their squares (μ and ρ); ``None`` where a δ is claimed.
    """
    if claim.delta:
        return None
    power = 1 if claim.epsilon is not None else 2
    limit = Fraction(0)
    if claim.mu is not None:
        limit = claim.mu**2
    elif claim.rho is not None:
        limit = 2 * claim.rho
    elif claim.epsilon is not None and any(move.release.kind != "Gaussian" for move in of):
        limit = claim.epsilon

    def scales_moved(data: Any) -> Fraction:
        result = run(data)
        total = Fraction(0)
        for move in of:
            values = (
                () if result is None else result.releases[way.releases.index(move.release)].values
            )
            apart = abs(Fraction(values[move.place]) - Fraction(move.values[0]))
            total += (apart / Fraction(move.scale)) ** power
        return total

    moved = scales_moved(pair[1])
    moved_pair = MovedPair(tuple(pair[0]), tuple(pair[1]), (Fraction(0), moved), limit)
    try:
        return replay(scales_moved, list, moved_pair, relation)
    except KernelRefusal:
        return None


def _plain(
    first: Sequence[Any], second: Sequence[Any], returned: Sequence[Ratio]
) -> tuple[list[str], float] | None:
    """Return a number that is returned without noise and differs."""
    if len(first) != len(second) or len(first) != len(returned):
        return None
    for value, one, two in zip(returned, first, second, strict=True):
        if depends_on_data(value) and not _holds_output(value) and one != two:
            sentence = f"Without noise it returns {one:.10g} on D and {two:.10g} on D′."
            return [sentence, "No ε is enough."], math.inf
    return None


def _holds_output(value: Ratio) -> bool:
    return any(isinstance(s, PublicSymbol) and came_out(s) for s in symbols_within(value))


def _scale(scale: Ratio, n: int) -> float | None:
    """Return a scale of noise; ``None`` where it depends on what came out before."""
    if any(isinstance(symbol, PublicSymbol) for symbol in symbols_within(scale)):
        return None
    ends = value_at(scale, n)
    return None if ends is None else float(ends[0])


# Places of the largest number with noise.


@dataclass(frozen=True)
class _Choice:
    """The place of the largest number with noise, of these numbers on two datasets."""

    release: Release
    first: Sequence[float]
    second: Sequence[float]
    scale: float

    @property
    def most(self) -> float:
        """What the loss is at most: the largest difference of two moves, in scales."""
        apart = [two - one for one, two in zip(self.first, self.second, strict=True)]
        return (max(apart) - min(apart)) / self.scale

    def chances(self) -> list[tuple[float, float]]:
        """Return the probability of each place on the two."""
        kind = str(self.release.kind)
        both = (place_chances(kind, values, self.scale) for values in (self.first, self.second))
        return list(zip(*both, strict=True))

    def words(self, place: int, p: float, q: float) -> list[str]:
        """Return what is released, and how likely one place is, in words."""
        one, two = (f"({', '.join(f'{v:.6g}' for v in r)})" for r in (self.first, self.second))
        return [
            f"Line {self.release.line}: the place of the largest with {self.release.kind} noise of "
            f"scale {self.scale:.10g}, of {one} on D and of {two} on D′.",
            f"Place {place} has probability {p:.10g} on D and {q:.10g} on D′.",
        ]


def _choices(
    chosen: Sequence[_Choice], moved: Sequence[Moved], claim: ReleaseClaim
) -> tuple[list[str], float] | None:
    """Return why chances of places, and tails of numbers beside them, break the claim of an ε."""
    if claim.epsilon is None or claim.delta or not chosen:
        return None
    laplace = [move for move in moved if "Laplace" in str(move.release.kind) and move.shown.exactly]
    beside = sum(move.shift for move in laplace)
    if not _beyond(beside + sum(choice.most for choice in chosen), claim.epsilon):
        return None
    # The draws are independent, so that losses add up, all in one direction.
    every = [choice.chances() for choice in chosen]
    for back in (False, True):
        total, lines = beside, [move.words() for move in laplace if move.shift]
        for item, chances in zip(chosen, every, strict=True):
            known = [(p, q, k) for k, (p, q) in enumerate(chances) if p and q]
            p, q, k = max(known, key=lambda pair: (pair[0] / pair[1]) ** (-1 if back else 1))
            total += abs(math.log(p / q))
            lines += item.words(k, p, q)
        if _beyond(total, claim.epsilon):
            sentence = f"The loss is ε = {total:.10g}, where {claim.words()} is claimed."
            return [*lines, sentence], total
    return None


def place_chances(kind: str, values: Sequence[float], scale: float) -> list[float]:
    """Return the probability of each place to have the largest number with noise."""
    if kind == "Gumbel":
        from scipy.special import softmax

        chances = softmax(np.array(values) / scale)
    else:
        # Imported here: few releases are of the place of the largest.
        from provado.mechanisms.textbook.noisy_max import Noise, report_noisy_max_probabilities

        noise: Noise = "exponential" if kind == "exponential" else "laplace"
        # Its noise has the scale 2·sensitivity/ε.
        chances = report_noisy_max_probabilities(values, epsilon=2, sensitivity=scale, noise=noise)
    return chances.tolist()  # type: ignore[no-any-return]


def tried_pairs(
    records: RecordColumns, relation: NeighboringRelation, sizes: tuple[int, int | None]
) -> Iterator[Pair]:
    """Yield neighbors: equal records and one other, the ends of several columns, random ones."""
    columns, one_more = records.tried(), isinstance(relation, AddOrRemoveOne)
    if len(columns) > 1:
        ends = list(itertools.islice(itertools.product(*(c[:2] for c in columns)), 64))
        most = sizes[0] + FAR if sizes[1] is None else min(sizes[1], sizes[0] + FAR)
        places = dict.fromkeys(
            (size, place) for size in (most, sizes[0]) for place in (size - 1, size // 2)
        )
        for (size, place), base, new in itertools.product(places, ends[:16], ends):
            opposite = tuple(c[0] if x == c[1] else c[1] for x, c in zip(new, columns, strict=True))
            data, other = [base] * size, [base] * size
            data[place], other[place] = new, opposite
            yield data, [*data[:place], *data[place + 1 :]] if one_more else other
        # Quantiles move where one record more lies on one side of them.
        for size, new in itertools.product((sizes[0], sizes[0] + 2), ends):
            opposite = tuple(c[0] if x == c[1] else c[1] for x, c in zip(new, columns, strict=True))
            for many in range(1, size - 1) if size <= (sizes[1] or size) else ():
                rest = [ends[0]] * many + [ends[-1]] * (size - 1 - many)
                yield [*rest, new], [*rest, *([] if one_more else [opposite])]
    yield from neighbors(records, relation, sizes, EXAMPLES, 0)
