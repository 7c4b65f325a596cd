"""Bound the sensitivity of a user's own query, or find two neighbors that move it farther."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from provado.mechanisms import AddOrRemoveOne, NeighboringRelation, ReplaceOne, UsageError
from provado.mechanisms.definitions.parameters import natural
from provado.mechanisms.definitions.relation import difference_words, short
from provado.proofs.sensitivity.trace.bound import (
    RecordColumns,
    Traced,
    finite,
    read_domain,
    root,
    trace_query,
)

from .check import check_sensitivity
from .outcome import ExcessCause, MovedPair, SensitivityCheck, SensitivityVerdict
from .search import Make, Score, claim_of, replay
from .trace.interval import End, outward

ROUNDING = 1e-9
"""Floating point may move an answer by so much more, relative to the bound and to 1."""

MORE = 5
"""Datasets that are tried have at most so many records more than the fewest."""

EQUAL = 40
"""Up to so many equal records are tried, with one other."""

NORMS = {"l1": "ℓ1", "l2": "ℓ2", "linf": "ℓ∞"}


@dataclass(frozen=True)
class SensitivityBound:
    """What is known of how far a query moves between neighbors.

    verdict: ``argued`` where the steps of the query bound it, and by no more than ``claimed`` if
    there is a claim; ``refuted`` by a pair that the kernel replayed; ``supported`` where its steps
    do not show the claim and a search found nothing against it; else ``unknown``. traced: the
    steps, with the bound. claimed: what it is held against. scope: of which data it speaks.
    reason: why it is not ``argued``. check: the search, where there was one.
    """

    verdict: SensitivityVerdict
    traced: Traced
    claimed: Fraction | None
    scope: str
    reason: str = ""
    check: SensitivityCheck | None = None
    norm: str = "l1"

    @property
    def bound(self) -> float:
        """The bound on all numbers together, as a float; ``inf`` where there is none."""
        moves = self.traced.moved(self.norm)
        return math.inf if moves is None or math.isinf(moves) else outward(moves, up=True)

    def words(self) -> str:
        """Return the steps, what they show, and the verdict."""
        lines = [
            f"Line {step.line}: {step.words}." if step.line else f"{step.words.capitalize()}."
            for step in self.traced.steps
        ]
        if finite(self.traced.moves):
            many = self.traced.numbers
            each = f", each of its {many} numbers by at most {self.traced.most}" * (many > 1)
            most = _words(self.traced, self.norm)
            lines.append(f"Neighbors move it by at most {most} in {NORMS[self.norm]}{each}.")
        if self.check is not None and self.verdict is SensitivityVerdict.REFUTED:
            lines.append(self.check.words())
        if self.reason:
            lines.append(f"Reason: {self.reason}.")
        claim = "" if self.claimed is None else f" that it moves by at most {self.claimed}"
        lines.append(f"Verdict{claim}: {self.verdict} ({self.scope}, in exact arithmetic).")
        return "\n".join(lines)


def bound_sensitivity(
    query: Callable[[Any], Any],
    claimed: int | float | Fraction | None = None,
    *,
    domain: Any,
    relation: NeighboringRelation | None = None,
    size: int | tuple[int, int | None] = (1, None),
    examples: int = 200,
    seed: int = 0,
    norm: str = "l1",
) -> SensitivityBound:
    """Return a bound on how far a query moves between neighbors, and whether a claim keeps it.

    query: a function of an array, or of a pandas data frame, that returns numbers: one, a list, an
        array, a dictionary of them. It is followed through its steps (``trace.bound`` says which
        are known), for all datasets of all sizes at once, and tried on small datasets.
    claimed: the sensitivity that its noise was made for; without it the bound alone is found.
    domain: what a record is: ``(low, high)``, a list of values, ``bool`` or ``float`` (which may be
        NaN) for an array of numbers; a tuple of these for an array with a column for each; a
        mapping from columns to these for a data frame.
    relation: ``ReplaceOne()`` (the default; the number of records is public) or
        ``AddOrRemoveOne()``.
    size: the number of records, or the fewest and the most (``None``: any); under
        ``AddOrRemoveOne()`` of the larger of two neighbors.
    examples: how many pairs a search for a counterexample draws, beside up to 40 equal records and
        one other; seed: what it draws from.
    norm: of the numbers' differences, where it returns several: ``"l1"`` for Laplace noise on each,
        ``"l2"`` for Gaussian noise, ``"linf"`` for the largest one.

    Guarantee: ``argued`` is a bound for every pair of neighbors of the domain, from a textbook
    inequality at each step, in exact arithmetic; and no pair that was tried went beyond it.
    ``refuted`` means that the kernel replayed the pair. Floating point may add a few last bits.

    Raises ``UsageError`` for bad arguments, and nothing for what the query does.
    """
    if norm not in NORMS:
        raise UsageError(f"norm is {norm!r}: it must be one of {', '.join(NORMS)}")
    relation = ReplaceOne() if relation is None else relation
    sizes, records = _sizes(size, relation), read_domain(domain)
    traced = trace_query(query, records, relation, sizes)
    goal = None if claimed is None else claim_of(claimed, sizes[0])
    scope = f"datasets of {_many(sizes)} of {short(domain, 200)}, {relation.words()}"
    pairs = partial(_neighbors, records, relation, sizes, examples, seed)
    tried = partial(_beyond, query, records.made, pairs, norm)
    made = partial(SensitivityBound, traced=traced, claimed=goal, scope=scope, norm=norm)
    moves = traced.moved(norm)
    if moves is not None and finite(moves):
        beyond = tried(Fraction(moves))
        if beyond is not None:
            reason = f"the steps are contradicted: {beyond.words}"
            return made(SensitivityVerdict.UNKNOWN, reason=reason)
        if goal is None or moves <= goal:
            return made(SensitivityVerdict.ARGUED)
        reason = f"its steps bound it by {_words(traced, norm)} only, which is more than {goal}"
    else:
        reason = traced.reason or "its steps bound it by no number"
    if goal is None:
        return made(SensitivityVerdict.UNKNOWN, reason=reason)
    check = None
    if traced.numbers <= 1:
        check = check_sensitivity(
            query,
            goal,
            domain=_strategy(records),
            size=_tried_sizes(sizes),
            relation=relation,
            make=records.made,
            examples=examples,
            seed=seed,
        )
    if check is None or check.verdict is not SensitivityVerdict.REFUTED:
        beyond = tried(goal)
        if beyond is not None and beyond.moved is None:
            return made(SensitivityVerdict.UNKNOWN, reason=f"{reason}; {beyond.words}")
        if beyond is not None:
            check = _replayed(query, records.made, beyond, norm, goal, relation)
        elif check is None or check.verdict is SensitivityVerdict.UNKNOWN:
            # It may return many numbers where its steps could not be followed so far.
            return made(SensitivityVerdict.SUPPORTED, reason=reason)
    return made(check.verdict, reason=reason, check=check)


def _replayed(
    query: Score, make: Make, beyond: _Beyond, norm: str, goal: Fraction, relation: Any
) -> SensitivityCheck:
    """Return what the kernel found of a pair on which a query moves farther than is claimed.

    The distance from what it releases of D is one number, which is 0 on D: the kernel replays that
    one.
    """
    start = _flat(query(make(beyond.d)))

    def distance(data: Any) -> Fraction:
        return _distance(_flat(query(data)), start, norm)

    pair = MovedPair(beyond.d, beyond.d_prime, (Fraction(0), beyond.moved or Fraction(0)), goal)
    finding = replay(distance, make, pair, relation)
    said = f"in {NORMS[norm]} from what D gives"
    return SensitivityCheck(
        SensitivityVerdict.REFUTED, pair, ExcessCause.OPEN, 1, said, finding=finding
    )


_Pair = tuple[list[Any], list[Any]]


@dataclass(frozen=True)
class _Beyond:
    """Two neighbors that break a bound. moved: by how much; ``None`` if by no number."""

    words: str
    d: tuple[Any, ...] = ()
    d_prime: tuple[Any, ...] = ()
    moved: Fraction | None = None


def _sizes(
    size: int | tuple[int, int | None], relation: NeighboringRelation
) -> tuple[int, int | None]:
    low, high = size if isinstance(size, tuple) else (size, size)
    fewest = natural(low, "size")
    most = None if high is None else natural(high, "size")
    least = 2 if isinstance(relation, AddOrRemoveOne) else 1
    if most is not None and most < max(fewest, least):
        raise UsageError(f"size is {size!r}: the most must be at least {max(fewest, least)}")
    return fewest, most


def _many(sizes: tuple[int, int | None]) -> str:
    fewest, most = sizes
    if most is None:
        return f"{fewest} records or more"
    return f"{fewest} records" if fewest == most else f"{fewest} to {most} records"


def _tried_sizes(sizes: tuple[int, int | None]) -> tuple[int, int]:
    fewest, most = sizes
    return fewest, fewest + MORE if most is None else min(most, fewest + MORE)


def _strategy(domain: RecordColumns) -> Any:
    from hypothesis import strategies

    return strategies.tuples(*map(strategies.sampled_from, domain.tried()))


def _beyond(
    query: Score, make: Make, pairs: Callable[[], Iterator[_Pair]], norm: str, bound: Fraction
) -> _Beyond | None:
    """Return how the query itself breaks a bound on pairs that are tried; ``None`` if it does not.

    Floating point may add ``ROUNDING``.
    """
    limit = float(bound) + ROUNDING * (1 + float(bound))
    for data, other in pairs():
        try:
            with np.errstate(all="ignore"):
                one, two = (_flat(query(make(each))) for each in (data, other))
        except (Exception, SystemExit) as error:
            return _Beyond(f"on {short(data, 80)} the query raises {short(f'{error!r}', 120)}")
        pair = f"D = {short(data, 80)} and {difference_words(data, other)}"
        if len(one) != len(two):
            return _Beyond(f"of {pair} it releases {len(one)} and {len(two)} numbers")
        apart = [abs(x - y) for x, y in zip(one, two, strict=True) if x != y]
        if not all(map(math.isfinite, apart)):
            return _Beyond(f"{pair} move it by {sum(apart):g}")
        moved = _distance(one, two, norm)
        if moved > limit:
            return _Beyond(f"{pair} move it by {float(moved):g}", tuple(data), tuple(other), moved)
    return None


def _neighbors(
    domain: RecordColumns, relation: Any, sizes: tuple[int, int | None], examples: int, seed: int
) -> Iterator[_Pair]:
    """Yield neighbors of equal records and one other, then some of records that are drawn."""
    rng, columns = np.random.default_rng(seed), domain.tried()
    adds, (fewest, most) = isinstance(relation, AddOrRemoveOne), _tried_sizes(sizes)
    many = max(most, EQUAL if sizes[1] is None else min(EQUAL, sizes[1]))
    firsts = [tuple(values[k % len(values)] for values in columns) for k in (0, 1, 2, 0)]
    for size in range(fewest, many + 1):
        for equal, last in itertools.pairwise(firsts):
            yield [equal] * size, [equal] * (size - 1) + [last] * (not adds)

    def record() -> tuple[Any, ...]:
        return tuple(values[int(rng.integers(len(values)))] for values in columns)

    for _ in range(natural(examples, "examples")):
        data = [record() for _ in range(int(rng.integers(fewest, most + 1)))]
        other, at = list(data), int(rng.integers(len(data)))
        if adds:
            del other[at]
        else:
            other[at] = record()
        yield data, other


def _distance(one: Sequence[float], two: Sequence[float], norm: str) -> Fraction:
    """Return how far two releases are apart; in ℓ2 where that is no fraction, a little less."""
    apart = [abs(Fraction(x) - Fraction(y)) for x, y in zip(one, two, strict=True)]
    if norm == "linf":
        return max(apart, default=Fraction(0))
    total = sum((x if norm == "l1" else x * x for x in apart), Fraction(0))
    return total if norm == "l1" else Fraction(root(total, up=False))


def _words(traced: Traced, norm: str) -> str:
    """Return the bound in a norm; the root of a number that has none among fractions as such."""
    moves: End | None = traced.moved(norm)
    exact = norm != "l2" or moves is None or moves * moves == traced.squares
    if exact:
        return str(moves)
    whole = Fraction(traced.squares).denominator == 1
    return f"√{traced.squares}" if whole else f"√({traced.squares})"


def _flat(released: Any) -> list[float]:
    if isinstance(released, Mapping):
        released = list(released.values())
    if isinstance(released, list | tuple):
        return list(itertools.chain.from_iterable(map(_flat, released)))
    return [float(one) for one in np.asarray(released, dtype=float).ravel()]
