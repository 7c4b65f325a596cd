"""Check a claimed sensitivity of any score, exhaustively or by search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

from provado.mechanisms import AddOrRemoveOne, NeighboringRelation, ReplaceOne, UsageError
from provado.mechanisms.intervention import record_key
from provado.mechanisms.parameters import natural
from provado.proofs.kernel import KernelRefusal, Recount, check
from provado.proofs.sensitivity.exhaust import Places, pair_count, worst_pair
from provado.proofs.sensitivity.measure import (
    BrokenScoreError,
    Claim,
    Make,
    Score,
    claim_of,
    exact_value,
)
from provado.proofs.sensitivity.outcome import MovedPair, SensitivityCheck
from provado.proofs.sensitivity.replay import replay
from provado.proofs.sensitivity.search import is_strategy, search
from provado.proofs.sensitivity.verdict import Cause, SensitivityVerdict

MOST_PAIRS = 10**5
"""Pairs of neighbors up to which a finite domain is exhausted."""


def check_sensitivity(
    score: Score,
    claimed: Claim,
    *,
    domain: Any,
    size: int | tuple[int, int],
    relation: NeighboringRelation | None = None,
    exact: Score | None = None,
    make: Make = list,
    examples: int = 500,
    seed: int = 0,
    most_pairs: int = MOST_PAIRS,
) -> SensitivityCheck:
    """Return whether ``score`` moves by at most ``claimed`` between neighbors, with the evidence.

    score: takes ``make(records)`` and returns one real number. Exact for ints and ``Fraction``s; a
        float counts as the binary number it holds.
    claimed: the bound, 0 or above, or a function from the number of records to it; for
        add-or-remove-one it is asked with the larger number.
    domain: the values of one record: a finite sequence, or a Hypothesis strategy.
    size: number of records, or (fewest, most); for add-or-remove-one of the larger dataset.
    relation: ``ReplaceOne()`` (the default) or ``AddOrRemoveOne()``.
    exact: the same score in exact numbers. It tells a function that breaks the claim from floating
        point that does: a float sum of numbers in [0, 1] can move by more than 1.
    make: builds the score's argument from the records; a list as it stands.
    examples: how many pairs a search tries; seed: what it draws from (see ``search``).
    most_pairs: a finite domain with more pairs than this is searched instead of exhausted.

    Guarantee: ``verified`` means that every pair of neighbors over the finite domain and sizes was
    tried, in every order of the records. ``refuted`` means that the kernel replayed the pair with
    the score itself, and took it as a counterexample. A search that finds nothing is
    ``supported``, never more. A score that raises, returns NaN or infinity, another type than a
    number or not always the same is ``unknown``, unless some pair refutes the claim anyway.

    Raises ``UsageError`` for bad arguments, and nothing for what the score does.
    """
    relation = ReplaceOne() if relation is None else relation
    if not isinstance(relation, ReplaceOne | AddOrRemoveOne):
        raise UsageError(f"relation is {relation!r}: it must be ReplaceOne() or AddOrRemoveOne()")
    low, high = _sizes(size)
    for n in range(low, high + 1):
        claim_of(claimed, n)
    if is_strategy(domain):
        values = None
    else:
        values = _distinct(domain)
        pairs = sum(pair_count(len(values), n, relation) for n in range(low, high + 1))
        if pairs <= most_pairs:
            return _exhaust(score, claimed, values, (low, high), relation, exact, make)
    return _search(
        score, claimed, domain, values, (low, high), relation, exact, make, examples, seed
    )


def _exhaust(
    score: Score,
    claimed: Claim,
    domain: tuple[Any, ...],
    sizes: tuple[int, int],
    relation: NeighboringRelation,
    exact: Score | None,
    make: Make,
) -> SensitivityCheck:
    scope = f"all datasets of {_all(sizes)} over {len(domain)} values, {relation.words()}"
    broken: list[str] = []
    versions = [score] if exact is None else [exact, score]
    worst: list[MovedPair] = []
    changes: list[Fraction] = []
    for n in range(sizes[0], sizes[1] + 1):
        for version in versions:

            @cache
            def value(places: Places, version: Score = version) -> Fraction | None:
                try:
                    return exact_value(version, make, [domain[i] for i in places])
                except BrokenScoreError as error:
                    broken.append(str(error))
                    return None

            moved, all_changes = worst_pair(domain, n, relation, value, claim_of(claimed, n))
            if version is score:
                changes += [change - claim_of(claimed, n) for change in all_changes]
                if moved is not None:
                    worst.append(moved)
            elif moved is not None and moved.excess > 0:
                return _refuted(score, exact, make, moved, relation, len(all_changes), scope)
    top = max(worst, key=lambda pair: pair.excess, default=None)
    beyond = next((pair for pair in worst if pair.excess > 0), None)
    if beyond is not None:
        return _refuted(score, exact, make, beyond, relation, len(changes), scope)
    if broken or top is None:
        reason = broken[0] if broken else "no pair of neighbors could be formed"
        return SensitivityCheck(SensitivityVerdict.UNKNOWN, top, None, len(changes), scope, reason)
    expected = sum(pair_count(len(domain), n, relation) for n in range(sizes[0], sizes[1] + 1))
    table = Recount(tuple(enumerate(changes)), "maximum", top.excess, expected, scope)
    return SensitivityCheck(
        SensitivityVerdict.VERIFIED, top, None, len(changes), scope, finding=check(table)
    )


def _search(
    score: Score,
    claimed: Claim,
    domain: Any,
    values: tuple[Any, ...] | None,
    sizes: tuple[int, int],
    relation: NeighboringRelation,
    exact: Score | None,
    make: Make,
    examples: int,
    seed: int,
) -> SensitivityCheck:
    records = domain
    if values is not None:
        from hypothesis import strategies

        records = strategies.sampled_from(values)
    scope = f"a search over datasets of {_all(sizes)}, {relation.words()}, seed {seed}"
    total, reason, closest = 0, "", None
    # The exact version first: a violation in real numbers is the stronger finding.
    for version in [score] if exact is None else [exact, score]:
        beyond, closest, examined, broken = search(
            lambda data, version=version: exact_value(version, make, data),  # type: ignore[misc]
            lambda n: claim_of(claimed, n),
            records,
            sizes,
            relation,
            examples=natural(examples, "examples"),
            seed=seed,
        )
        total += examined
        reason = reason or broken
        if beyond is not None:
            return _refuted(score, exact, make, beyond, relation, total, scope)
    if reason or closest is None:
        reason = reason or "no pair of neighbors could be formed"
        return SensitivityCheck(SensitivityVerdict.UNKNOWN, closest, None, total, scope, reason)
    return SensitivityCheck(SensitivityVerdict.SUPPORTED, closest, None, total, scope)


def _refuted(
    score: Score,
    exact: Score | None,
    make: Make,
    pair: MovedPair,
    relation: NeighboringRelation,
    examined: int,
    scope: str,
) -> SensitivityCheck:
    """Let the kernel replay the pair, and say what is at fault."""
    cause, exact_values = Cause.OPEN, None
    try:
        if exact is not None:
            first, second = (exact_value(exact, make, data) for data in (pair.d, pair.d_prime))
            exact_values = first, second
            cause = Cause.REAL if abs(second - first) > pair.claimed else Cause.ROUNDING
        elif not any(_floats(score, make, data) for data in (pair.d, pair.d_prime)):
            cause = Cause.REAL
        pair = replace(pair, exact_values=exact_values)
        if exact is not None and exact_values is not None and cause is Cause.REAL:
            finding = replay(exact, make, replace(pair, values=exact_values), relation)
        else:
            finding = replay(score, make, pair, relation)
    except (BrokenScoreError, KernelRefusal) as error:
        reason = f"a pair beyond the claim does not replay: {error}"
        return SensitivityCheck(SensitivityVerdict.UNKNOWN, pair, None, examined, scope, reason)
    return SensitivityCheck(
        SensitivityVerdict.REFUTED, pair, cause, examined, scope, finding=finding
    )


def _floats(score: Score, make: Make, data: tuple[Any, ...]) -> bool:
    """Return whether the score answers with a float on ``data``, rather than an exact number."""
    try:
        value = score(make(data))
    except Exception as error:
        raise BrokenScoreError(f"the score now raises {type(error).__name__}") from error
    # numpy's floating scalars and zero-dimensional arrays count as floats too.
    return isinstance(getattr(value, "item", lambda: value)(), float)


def _sizes(size: int | tuple[int, int]) -> tuple[int, int]:
    low, high = size if isinstance(size, tuple) else (size, size)
    low, high = natural(low, "size"), natural(high, "size")
    if low > high:
        raise UsageError(f"size is {size!r}: the fewest must not be above the most")
    return low, high


def _distinct(domain: Any) -> tuple[Any, ...]:
    """Return the domain's values; raise ``UsageError`` unless there are two different ones."""
    if isinstance(domain, str | bytes) or not isinstance(domain, Sequence | set | frozenset):
        try:
            domain = list(domain)
        except TypeError:
            domain = []
    unique: dict[Any, Any] = {}
    for value in domain:
        unique.setdefault((type(value).__name__, record_key(value)), value)
    if len(unique) < 2:
        raise UsageError(
            f"domain is {domain!r}: it must be a finite sequence of two values or more, or a "
            "Hypothesis strategy"
        )
    return tuple(unique.values())


def _all(sizes: tuple[int, int]) -> str:
    low, high = sizes
    return f"{low} records" if low == high else f"{low} to {high} records"
