"""Pairs of neighbors beyond a claim: all of a finite domain or a search; the kernel's replay."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from numbers import Rational
from typing import Any

import numpy as np

from provado.mechanisms import AddOrRemoveOne, NeighboringRelation, UsageError
from provado.mechanisms.definitions.relation import one_line
from provado.mechanisms.deterministic_hypothesis import without_local_constants
from provado.proofs.kernel import ChangeCounterexample, Checked, check

from .outcome import MovedPair

Score = Callable[[Any], Any]
"""A function of one dataset; returns a number."""

Make = Callable[[Sequence[Any]], Any]
"""Builds what the score takes from a sequence of records."""

Claim = Rational | int | float | Callable[[int], Any]
"""A bound on the change, or a function from the number of records to such a bound."""


class BrokenScoreError(Exception):
    """The score gave no finite number; the message says on which data and what came instead."""


def exact_value(score: Score, make: Make, data: Sequence[Any]) -> Fraction:
    """Return the score of ``data`` exactly; a float stands for the binary number it holds.

    Raises ``BrokenScoreError`` where the score raises, or returns anything but a finite real
    number. The records are handed over in a container of their own, so that a score that changes
    its argument does not change the caller's data.
    """
    try:
        value = score(make(tuple(data)))
    except Exception as error:
        raise BrokenScoreError(
            f"on D = {list(data)!r} the score raises {one_line(error)}"
        ) from error
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | float | Rational):
        raise BrokenScoreError(
            f"on D = {list(data)!r} the score returns {value!r}, a {type(value).__name__}: it must "
            "return one real number"
        )
    if isinstance(value, float) and not math.isfinite(value):
        raise BrokenScoreError(f"on D = {list(data)!r} the score returns {value!r}")
    if isinstance(value, float):
        return Fraction(value)
    # A Fraction may hold whole numbers of numpy's, which overflow.
    return Fraction(int(value.numerator), int(value.denominator))


def claim_of(claimed: Claim, size: int) -> Fraction:
    """Return the claimed bound for ``size`` records exactly.

    Raises ``UsageError`` unless it is a finite number, 0 or above.
    """
    value = claimed(size) if callable(claimed) else claimed
    place = f"claimed({size})" if callable(claimed) else "claimed"
    if isinstance(value, np.generic):
        value = value.item()
    bound = Fraction(-1)
    if isinstance(value, int | float | Rational) and not isinstance(value, bool):
        with suppress(ValueError, OverflowError):  # NaN and infinity
            bound = Fraction(value)
    if bound < 0:
        raise UsageError(f"{place} is {value!r}: it must be a finite number, 0 or above")
    return bound


# All pairs of neighbors over a finite domain.

Places = tuple[int, ...]
"""A dataset as the places of its records in the domain."""


def pair_count(domain_size: int, size: int, relation: NeighboringRelation) -> int:
    """Return how many pairs ``neighbor_pairs`` yields."""
    if isinstance(relation, AddOrRemoveOne):
        return int(size * domain_size**size)
    return int(size * domain_size ** (size - 1)) * math.comb(domain_size, 2)


def neighbor_pairs(
    domain_size: int, size: int, relation: NeighboringRelation
) -> Iterator[tuple[Places, Places]]:
    """Yield every pair of neighbors, once, records in every order.

    Replace-one: both of ``size`` records. Add-or-remove-one: ``size`` records, and the same with
    one of them left out.
    """
    if isinstance(relation, AddOrRemoveOne):
        for data in product(range(domain_size), repeat=size):
            for i in range(size):
                yield data, data[:i] + data[i + 1 :]
        return
    for i in range(size):
        for rest in product(range(domain_size), repeat=size - 1):
            for low, high in combinations(range(domain_size), 2):
                yield (*rest[:i], low, *rest[i:]), (*rest[:i], high, *rest[i:])


def worst_pair(
    domain: Sequence[Any],
    size: int,
    relation: NeighboringRelation,
    value: Callable[[Places], Fraction | None],
    claimed: Fraction,
) -> tuple[MovedPair | None, tuple[Fraction, ...]]:
    """Return the first of the pairs that move most, and the changes of all pairs in order.

    value: the exact score of a dataset, ``None`` where it has none; pairs with such a dataset are
        left out. It is called twice for each pair: give it a memory.
    """
    worst: MovedPair | None = None
    changes: list[Fraction] = []
    for places, others in neighbor_pairs(len(domain), size, relation):
        first, second = value(places), value(others)
        if first is None or second is None:
            continue
        change = abs(second - first)
        changes.append(change)
        if worst is None or change > worst.change:
            worst = MovedPair(
                tuple(domain[i] for i in places),
                tuple(domain[i] for i in others),
                (first, second),
                claimed,
            )
    return worst, tuple(changes)


# Search for a pair of neighbors beyond a claim with Hypothesis, shrunk to a smallest one.

Evaluate = Callable[[tuple[Any, ...]], Fraction]


class _BeyondError(Exception):
    """Tells Hypothesis that an example goes beyond the claim, so that it shrinks it."""


@dataclass
class _Log:
    """What a search saw; lives only while it runs."""

    examined: int = 0
    broken: str = ""
    closest: MovedPair | None = None
    beyond: MovedPair | None = field(default=None)


def is_strategy(value: object) -> bool:
    """Return whether ``value`` is a Hypothesis strategy; false without Hypothesis."""
    try:
        from hypothesis.strategies import SearchStrategy
    except ImportError:
        return False
    return isinstance(value, SearchStrategy)


def search(
    evaluate: Evaluate,
    claim: Callable[[int], Fraction],
    records: Any,
    sizes: tuple[int, int],
    relation: NeighboringRelation,
    *,
    examples: int,
    seed: int,
) -> tuple[MovedPair | None, MovedPair | None, int, str]:
    """Return (smallest pair beyond the claim, pair closest to it, pairs examined, what broke).

    records: a Hypothesis strategy for one record. sizes: fewest and most records (of the larger
    dataset). The search is pulled towards large changes (``hypothesis.target``) and keeps
    nothing on disk. It depends on its arguments alone. Raises ``UsageError`` if Hypothesis is not
    installed.
    """
    try:
        import hypothesis
        from hypothesis import HealthCheck, Phase, strategies
    except ImportError as error:
        raise UsageError(
            "domain: a search needs the package hypothesis; install it, or give a finite domain"
        ) from error
    log = _Log()
    adds = isinstance(relation, AddOrRemoveOne)

    @strategies.composite
    def pairs(draw: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        data = tuple(draw(strategies.lists(records, min_size=sizes[0], max_size=sizes[1])))
        i = draw(strategies.integers(0, len(data) - 1))
        new = () if adds else (draw(records),)
        return data, data[:i] + new + data[i + 1 :]

    def examine(pair: tuple[tuple[Any, ...], tuple[Any, ...]]) -> None:
        d, d_prime = pair
        claimed = claim(len(d))
        try:
            moved = MovedPair(d, d_prime, (evaluate(d), evaluate(d_prime)), claimed)
        except BrokenScoreError as error:
            log.broken = log.broken or str(error)
            return
        log.examined += 1
        if log.closest is None or moved.excess > log.closest.excess:
            log.closest = moved
        hypothesis.target(_height(moved), label="change over claim")
        if moved.excess > 0:
            log.beyond = moved
            raise _BeyondError

    run = hypothesis.given(pairs())(examine)
    run = hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.target, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=hypothesis.Verbosity.quiet,
    )(hypothesis.seed(seed)(run))
    try:
        with without_local_constants():
            run()
    except _BeyondError:
        # Hypothesis ends by running the smallest example once more, so the log holds that one.
        return log.beyond, log.closest, log.examined, log.broken
    except hypothesis.errors.HypothesisException as error:
        # A score that answers differently on the same data, or a strategy that yields nothing.
        log.broken = log.broken or one_line(error)
    return None, log.closest, log.examined, log.broken


def _height(moved: MovedPair) -> float:
    """Return what the search climbs: the change in units of the claim, within the floats."""
    return float(min(moved.change / (moved.claimed or 1), Fraction(10) ** 300))


# Hands a pair of neighbors to the kernel as a counterexample and has it replayed.


def replay(score: Score, make: Make, pair: MovedPair, relation: NeighboringRelation) -> Checked:
    """Return the kernel's finding that the score moves by more than claimed on ``pair``.

    The kernel takes exact data only: a record that holds anything else is named by its text, and
    the score is given the record itself. Raises ``KernelRefusal`` where the pair refutes nothing,
    among others if the score does not repeat ``pair.values``.
    """
    d, d_prime = (tuple(map(_exact_record, data)) for data in (pair.d, pair.d_prime))
    records = {d: pair.d, d_prime: pair.d_prime}

    def replayed_score(data: tuple[Any, ...]) -> Fraction:
        return exact_value(score, make, records[data])

    evidence = ChangeCounterexample(d, d_prime, relation.words(), pair.values, pair.claimed)
    return check(evidence, replayed_score)


def _exact_record(record: Any) -> Any:
    if type(record) is tuple:
        return tuple(map(_exact_record, record))
    if record is None or type(record) in (bool, int, Fraction, str):
        return record
    return f"{type(record).__name__} {record!r}"
