"""Check a claimed sensitivity of any score, exhaustively or by search."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

from provado.mechanisms import AddOrRemoveOne, NeighboringRelation, ReplaceOne, UsageError
from provado.mechanisms.definitions.parameters import natural
from provado.mechanisms.definitions.relation import counted, record_key
from provado.proofs.kernel import KernelRefusal, Recount, check

from . import search
from .outcome import ExcessCause, MovedPair, SensitivityCheck, SensitivityVerdict

MOST_PAIRS = 10**5
"""Pairs of neighbors up to which a finite domain is exhausted."""


def check_sensitivity(
    score: search.Score,
    claimed: search.Claim,
    *,
    domain: Any,
    size: int | tuple[int, int],
    relation: NeighboringRelation | None = None,
    exact: search.Score | None = None,
    make: search.Make = list,
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
    question = _Question(score, claimed, _sizes(size), relation, exact, make)
    for n in question.every_size:
        question.bound(n)
    if search.is_strategy(domain):
        return _search(question, domain, examples, seed)
    values = _distinct(domain)
    if question.pairs(values) <= most_pairs:
        return _exhaust(question, values)
    from hypothesis import strategies

    return _search(question, strategies.sampled_from(values), examples, seed)


@dataclass(frozen=True)
class _Question:
    """The claim on a score, for these numbers of records and this relation."""

    score: search.Score
    claimed: search.Claim
    sizes: tuple[int, int]
    relation: NeighboringRelation
    exact: search.Score | None
    make: search.Make

    @property
    def every_size(self) -> range:
        return range(self.sizes[0], self.sizes[1] + 1)

    @property
    def versions(self) -> tuple[search.Score, ...]:
        """The exact version first: a violation in real numbers is the stronger finding."""
        return (self.score,) if self.exact is None else (self.exact, self.score)

    def bound(self, size: int) -> Fraction:
        return search.claim_of(self.claimed, size)

    def pairs(self, domain: tuple[Any, ...]) -> int:
        return sum(search.pair_count(len(domain), n, self.relation) for n in self.every_size)

    def value(self, version: search.Score, data: Sequence[Any]) -> Fraction:
        return search.exact_value(version, self.make, data)

    @property
    def records(self) -> str:
        low, high = self.sizes
        return counted(low, "record") if low == high else f"{low} to {high} records"


def _exhaust(question: _Question, domain: tuple[Any, ...]) -> SensitivityCheck:
    among = question.relation.words()
    scope = f"all datasets of {question.records} over {counted(len(domain), 'value')}, {among}"
    broken: list[str] = []
    worst: list[MovedPair] = []
    changes: list[Fraction] = []
    for n in question.every_size:
        for version in question.versions:

            @cache
            def value(places: search.Places, version: search.Score = version) -> Fraction | None:
                try:
                    return question.value(version, [domain[i] for i in places])
                except search.BrokenScoreError as error:
                    broken.append(str(error))
                    return None

            bound = question.bound(n)
            moved, all_changes = search.worst_pair(domain, n, question.relation, value, bound)
            if version is question.score:
                changes += [change - bound for change in all_changes]
                if moved is not None:
                    worst.append(moved)
            elif moved is not None and moved.excess > 0:
                return _refuted(question, moved, len(all_changes), scope)
    top = max(worst, key=lambda pair: pair.excess, default=None)
    beyond = next((pair for pair in worst if pair.excess > 0), None)
    if beyond is not None:
        return _refuted(question, beyond, len(changes), scope)
    if broken or top is None:
        reason = broken[0] if broken else "no pair of neighbors could be formed"
        return SensitivityCheck(SensitivityVerdict.UNKNOWN, top, None, len(changes), scope, reason)
    rows = tuple(enumerate(changes))
    table = Recount(rows, "maximum", top.excess, question.pairs(domain), scope)
    return SensitivityCheck(
        SensitivityVerdict.VERIFIED, top, None, len(changes), scope, finding=check(table)
    )


def _search(question: _Question, records: Any, examples: int, seed: int) -> SensitivityCheck:
    among = question.relation.words()
    scope = f"a search over datasets of {question.records}, {among}, seed {seed}"
    total, reason, closest = 0, "", None
    for version in question.versions:
        beyond, closest, examined, broken = search.search(
            partial(question.value, version),
            question.bound,
            records,
            question.sizes,
            question.relation,
            examples=natural(examples, "examples"),
            seed=seed,
        )
        total += examined
        reason = reason or broken
        if beyond is not None:
            return _refuted(question, beyond, total, scope)
    if reason or closest is None:
        reason = reason or "no pair of neighbors could be formed"
        return SensitivityCheck(SensitivityVerdict.UNKNOWN, closest, None, total, scope, reason)
    return SensitivityCheck(SensitivityVerdict.SUPPORTED, closest, None, total, scope)


def _refuted(question: _Question, pair: MovedPair, examined: int, scope: str) -> SensitivityCheck:
    """Let the kernel replay the pair, and say what is wrong."""
    cause, version = ExcessCause.OPEN, question.score
    try:
        if question.exact is not None:
            first, second = (
                question.value(question.exact, data) for data in (pair.d, pair.d_prime)
            )
            pair = replace(pair, exact_values=(first, second))
            cause = ExcessCause.REAL if abs(second - first) > pair.claimed else ExcessCause.ROUNDING
        elif not any(
            _floats(question.score, question.make, data) for data in (pair.d, pair.d_prime)
        ):
            cause = ExcessCause.REAL
        replayed = pair
        if (
            pair.exact_values is not None
            and question.exact is not None
            and cause is ExcessCause.REAL
        ):
            version, replayed = question.exact, replace(pair, values=pair.exact_values)
        finding = search.replay(version, question.make, replayed, question.relation)
    except (search.BrokenScoreError, KernelRefusal) as error:
        reason = f"a pair beyond the claim does not replay: {error}"
        return SensitivityCheck(SensitivityVerdict.UNKNOWN, pair, None, examined, scope, reason)
    return SensitivityCheck(
        SensitivityVerdict.REFUTED, pair, cause, examined, scope, finding=finding
    )


def _floats(score: search.Score, make: search.Make, data: tuple[Any, ...]) -> bool:
    """Return whether the score answers with a float on ``data``, rather than an exact number."""
    try:
        value = score(make(data))
    except Exception as error:
        raise search.BrokenScoreError(f"the score now raises {type(error).__name__}") from error
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
