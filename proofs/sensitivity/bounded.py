"""Bound the sensitivity of a user's own query, or find two neighbors that move it farther."""

from __future__ import annotations

import inspect
import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from provado.mechanisms import AddOrRemoveOne, NeighboringRelation, ReplaceOne, UsageError
from provado.mechanisms.definitions.parameters import natural
from provado.mechanisms.definitions.relation import counted, difference_words, of_one_field, short
from provado.proofs.sensitivity.trace.bound import (
    RecordColumns,
    Traced,
    finite,
    read_domain,
    root,
    trace_query,
)

from .change.arrays import constant_of
from .change.beside import differs, misread
from .change.expression import PublicSymbol
from .change.find import find_bound, prove_bound
from .change.formula import formula_words, is_defined, largest_value, read_formula, value_at
from .change.prove import Followed, ProvedBound, ends_of, follow
from .change.ratio import Ratio
from .check import check_sensitivity
from .outcome import ExcessCause, MovedPair, SensitivityCheck, SensitivityVerdict
from .search import Make, Score, claim_of, replay
from .trace.interval import End, end, outward, plain, shown
from .trace.untraceable import Sizes, fewer_records

ROUNDING = 1e-9
"""Floating point may move an answer by so much more, relative to the bound and to 1."""

MORE = 5
"""Datasets that are tried have at most so many records more than the fewest."""

EQUAL = 40
"""Up to so many equal records are tried, with one other."""

MOST_POINTS = 27
"""Points of the open parameters at which pairs are tried: ends and middles."""

NORMS = {"l1": "ℓ1", "l2": "ℓ2", "linf": "ℓ∞"}


@dataclass(frozen=True)
class SensitivityBound:
    """What is known of how far a query moves between neighbors.

    verdict: ``proved`` where it was followed for all records at once, and the kernel checked the
    signs on which every case of the changed one depends; ``argued`` where its steps bound it, each
    by a textbook inequality; both by no more than ``claimed`` if there is a claim; ``refuted`` by a
    pair that the kernel replayed; ``supported`` where neither shows the claim and a search found
    nothing against it; else ``unknown``. traced: the steps, with their bound. claimed: what it is
    held against. scope: of which data it speaks. reason: why it is not ``proved`` or ``argued``.
    check: the search, where there was one. proof: of the bound that is ``proved``. pair: two
    neighbors that move it by as much, but for rounding, in words; empty where none was met.
    """

    verdict: SensitivityVerdict
    traced: Traced
    claimed: Fraction | str | None
    scope: str
    reason: str = ""
    check: SensitivityCheck | None = None
    norm: str = "l1"
    proof: ProvedBound | None = None
    pair: str = ""
    sizes: tuple[int, int | None] = (1, None)

    @property
    def bound(self) -> float:
        """The bound on all numbers together, as a float; ``inf`` where there is none.

        Where what was proved depends on the number of records, one for all numbers of them.
        """
        moves = self.traced.moved(self.norm)
        result = math.inf if moves is None or math.isinf(moves) else outward(moves, up=True)
        if self.proof is not None:
            most = largest_value(self.proof.claim, self.sizes)
            result = min(result, math.inf if most is None else outward(most, up=True))
        return result

    @property
    def formula(self) -> str:
        """What was proved, as an expression of the number of records n; else the traced bound."""
        if self.proof is not None:
            return formula_words(self.proof.claim)
        return _words(self.traced, self.norm) if finite(self.traced.moves) else ""

    def words(self) -> str:
        """Return the steps, what they show, and the verdict."""
        lines = [
            f"Line {step.line}: {step.words}." if step.line else f"{step.words.capitalize()}."
            for step in self.traced.steps
        ]
        if self.proof is not None:
            lines.append(f"Neighbors move it by at most {self.formula} in {NORMS[self.norm]}.")
            cases, rules = len(self.proof.cases), [finding.rule for finding in self.proof.findings]
            several = f" in {cases} cases of the changed record" * (cases > 1)
            ranges = f", and {counted(rules.count('function-range'), 'range')} of functions"
            lines.append(
                f"The kernel checked the signs of {counted(rules.count('box-sign'), 'polynomial')}"
                f"{ranges * ('function-range' in rules)}{several}. "
                "Assumptions: real numbers, constants as they are written; that the query does "
                "with data what it does with symbols; that the cases, derivatives and arguments "
                "of functions, which are computed outside of the kernel, are right."
            )
            lines += [f"The bound is reached, but for rounding: {self.pair}."] * bool(self.pair)
        elif finite(self.traced.moves):
            many = self.traced.numbers
            each = f", each of its {many} numbers by at most {shown(self.traced.most or 0)}" * (
                many > 1
            )
            most = _words(self.traced, self.norm, short=True)
            lines.append(f"Neighbors move it by at most {most} in {NORMS[self.norm]}{each}.")
        if self.check is not None and self.verdict is SensitivityVerdict.REFUTED:
            lines.append(self.check.words())
        if self.reason:
            lines.append(f"Reason: {self.reason}.")
        claim = "" if self.claimed is None else f" that it moves by at most {self.claimed}"
        lines.append(f"Verdict{claim}: {self.verdict} ({self.scope}, in exact arithmetic).")
        return "\n".join(lines)


def bound_sensitivity(
    query: Callable[..., Any],
    claimed: int | float | Fraction | str | None = None,
    *,
    domain: Any,
    relation: NeighboringRelation | None = None,
    size: int | tuple[int, int | None] = (1, None),
    examples: int = 200,
    seed: int = 0,
    norm: str = "l1",
    parameters: Mapping[str, Any] = MappingProxyType({}),
) -> SensitivityBound:
    """Return a bound on how far a query moves between neighbors, and whether a claim keeps it.

    query: a function of an array, or of a pandas data frame, that returns numbers: one, a list, an
        array, a dictionary of them. It is followed through its steps (``trace.bound`` says which
        are known), for all datasets of all sizes at once, and tried on small datasets.
    claimed: the sensitivity that its noise was made for: a number, or an expression of the number
        of records n and constants, such as ``"2*(n-1)/n"`` or ``"log(2)"``; without it the least
        bound that can be shown is found.
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
    parameters: the query's further arguments by name. ``(low, high)`` stands for a public number
        from low to high: the bound holds for each. Anything else is passed as it is.

    Guarantee: ``proved`` is a bound for every pair of neighbors of the domain, in real numbers: the
    kernel checked the signs of polynomials and the ranges of functions on which every case of the
    record that changes depends; cases, derivatives and arguments of functions come from
    ``proofs.sensitivity.change``, outside of it.
    ``argued`` is a bound for every pair of neighbors of the domain, from a textbook inequality at
    each step, in exact arithmetic; and no pair that was tried went beyond it.
    ``refuted`` means that the kernel replayed the pair. Floating point may add a few last bits.

    Raises ``UsageError`` for bad arguments, and nothing for what the query does.
    """
    if norm not in NORMS:
        raise UsageError(f"norm is {norm!r}: it must be one of {', '.join(NORMS)}")
    relation = ReplaceOne() if relation is None else relation
    sizes, records = dataset_sizes(size, relation), read_domain(domain)
    further = _parameters(query, parameters)
    claim = _claim(claimed, sizes[0])

    def shown_of(sizes: Sizes) -> tuple[Sizes, Traced, Followed | str, ProvedBound | None]:
        traced = trace_query(query, records, relation, sizes, further)
        followed = _followed(query, records, relation, sizes, further)
        proof = None if isinstance(followed, str) else _proof(followed, claim, norm)
        return sizes, traced, followed, proof

    def reasons(shown: tuple[Sizes, Traced, Followed | str, ProvedBound | None]) -> list[Any]:
        _, traced, followed, proof = shown
        return [] if proof or finite(traced.moves) else [traced.reason, followed]

    sizes, traced, followed, proof = fewer_records(sizes, shown_of, reasons)
    scope = f"{datasets_words(sizes, domain)}, {relation.words()}"
    scope += "".join(f", {name} {_parameter_words(value)}" for name, value in further.items())
    pairs = partial(neighbors, records, relation, sizes, examples, seed)
    queries = list(_given_parameters(query, further))
    tried = partial(_tried, queries, records.made, pairs, norm)
    stated = None if claim is None else formula_words(claim) if claim.symbols else claim.constant
    made = partial(
        SensitivityBound, traced=traced, claimed=stated, scope=scope, norm=norm, sizes=sizes
    )
    moves = traced.moved(norm)
    known = moves is not None and finite(moves)
    if proof is not None and (claim is not None or not known or _tighter(proof, moves, sizes)):
        assert not isinstance(followed, str)
        contradicted = _misread(followed, queries, records, sizes, further)
        if not contradicted:
            beyond, largest = tried(partial(_limit, proof.claim))
            contradicted = "" if beyond is None else beyond.words
        if contradicted:
            reason = f"the proof is contradicted: {contradicted}"
            return made(SensitivityVerdict.UNKNOWN, reason=reason)
        return made(SensitivityVerdict.PROVED, proof=proof, pair=largest)
    why = followed if isinstance(followed, str) else ""
    goal = None if claim is None else claim.constant
    if moves is not None and finite(moves):
        beyond, _ = tried(lambda _: Fraction(moves))
        if beyond is not None:
            reason = f"the steps are contradicted: {beyond.words}"
            return made(SensitivityVerdict.UNKNOWN, reason=reason)
        if claim is None or (goal is not None and moves <= goal):
            return made(SensitivityVerdict.ARGUED)
        most, shorter = formula_words(claim), _words(traced, norm, short=True)
        reason = f"its steps bound it by {shorter} only, which is more than {most}"
    else:
        reason = _farther(traced.reason, why) or "its steps bound it by no number"
        if not isinstance(followed, str):
            reason = f"it became one formula, whose change was not bounded; by steps: {reason}"
    if claim is None:
        return made(SensitivityVerdict.UNKNOWN, reason=reason)
    check = None
    if traced.numbers <= 1 and goal is not None:
        search = partial(
            check_sensitivity,
            domain=_strategy(records),
            size=_tried_sizes(sizes),
            relation=relation,
            make=records.made,
            examples=examples,
            seed=seed,
        )
        check, rounded = _search(queries, goal, search)
        reason += rounded
    if check is None or check.verdict is not SensitivityVerdict.REFUTED:
        beyond, _ = tried(partial(_limit, claim))
        if beyond is not None and beyond.moved is None:
            return made(SensitivityVerdict.UNKNOWN, reason=f"{reason}; {beyond.words}")
        if beyond is not None:
            limit = Fraction(_limit(claim, len(beyond.d)))
            check = _replayed(records.made, beyond, norm, limit, relation)
        elif check is None or check.verdict is SensitivityVerdict.UNKNOWN:
            # It may return many numbers where its steps could not be followed so far.
            return made(SensitivityVerdict.SUPPORTED, reason=reason)
    return made(check.verdict, reason=reason, check=check)


def _search(
    queries: Sequence[tuple[str, Score]], goal: Fraction, search: Callable[..., SensitivityCheck]
) -> tuple[SensitivityCheck | None, str]:
    """Return what a search for a pair beyond a claim found, and what rounding has to do with it."""
    check, reason = None, ""
    for words, query in queries:
        result = search(query, goal)
        slack = Fraction(ROUNDING) * (1 + goal)
        if result.cause is ExcessCause.OPEN and result.worst and result.worst.excess <= slack:
            # So little may come of rounding alone: a claim is refuted by what goes beyond that.
            result = search(query, goal + slack)
            worst = result.worst and replace(result.worst, claimed=goal)
            result = replace(result, worst=worst)
            reason = "; last bits of floating point beyond the claim refute nothing"
        if check is None or result.verdict is not SensitivityVerdict.SUPPORTED:
            check = replace(result, scope=result.scope + words)
        if check.verdict is SensitivityVerdict.REFUTED:
            break
    return check, reason


def _parameters(query: Callable[..., Any], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return further arguments, an interval of numbers as its exact ends."""
    if parameters:
        try:
            inspect.signature(query).bind(None, **parameters)
        except (TypeError, ValueError) as error:  # A builtin may have no signature.
            raise UsageError(f"parameters: {error}") from None
    result = dict(parameters)
    for name, value in result.items():
        if isinstance(value, tuple):
            ends = tuple(end(x) for x in value if plain(x))
            finite_ends = len(ends) == len(value) == 2 and all(
                math.isfinite(outward(x, up=True)) for x in ends
            )
            if not finite_ends or ends[0] >= ends[1]:
                raise UsageError(f"parameter {name} is {value!r}: it must be (low, high)")
            result[name] = ends
    return result


def _parameter_words(value: Any) -> str:
    if not isinstance(value, tuple):
        return f"= {short(value, 60)}"
    return f"from {value[0]} to {value[1]}"


def _given_parameters(
    query: Callable[..., Any], parameters: Mapping[str, Any]
) -> Iterator[tuple[str, Score]]:
    """Yield the query with values of its open parameters, with words: their ends and middles."""
    intervals = {name: ends for name, ends in parameters.items() if isinstance(ends, tuple)}
    if not parameters:
        yield "", query
        return
    values = [
        [outward(low, up=True), outward(high, up=False), float(low + high) / 2]
        for low, high in intervals.values()
    ]
    for point in itertools.islice(itertools.product(*values), MOST_POINTS):
        chosen = dict(zip(intervals, point, strict=True))
        arguments = {**parameters, **chosen}
        words = "".join(f", {name} = {value!r}" for name, value in chosen.items())

        yield words, partial(query, **arguments)


def _claim(claimed: int | float | Fraction | str | None, least: int) -> Ratio | None:
    if claimed is None:
        return None
    if not isinstance(claimed, str):
        exact = claim_of(claimed, least)
        # As it is written, as constants of the query are.
        written = constant_of(claimed) if isinstance(claimed, float) else None
        return Ratio.number(exact) if written is None else written[0]
    ratio = read_formula(claimed, "claimed")
    ends = value_at(ratio, least)
    if ends is None or ends[0] < 0 or not is_defined(ratio, least):
        raise UsageError(
            f"claimed is {claimed!r}: it must be a number of at least 0 for {least} records or more"
        )
    return ratio


def _limit(claim: Ratio, n: int) -> End:
    """Return a number that is not below a claim for so many records, and hardly above it."""
    ends = value_at(claim, n)
    return math.inf if ends is None else ends[1]


def _followed(
    query: Callable[..., Any],
    records: RecordColumns,
    relation: NeighboringRelation,
    sizes: tuple[int, int | None],
    parameters: Mapping[str, Any],
) -> Followed | str:
    """Return a query as expressions, or why it cannot be followed."""
    columns = ends_of(records)
    if columns is None:
        return ""
    one_more = isinstance(relation, AddOrRemoveOne)
    return follow(
        query, *columns, *sizes, one_more=one_more, records=records, parameters=parameters
    )


def _misread(
    followed: Followed,
    queries: Sequence[tuple[str, Score]],
    records: RecordColumns,
    sizes: Sizes,
    parameters: Mapping[str, Any],
) -> str:
    """Return on which dataset a query gives other numbers than were read of it; else nothing."""
    ends = {name: item for name, item in parameters.items() if isinstance(item, tuple)}

    def compared(data: Sequence[Any], number: int) -> tuple[str, str]:
        words, query = queries[number % len(queries)]
        arguments = query.keywords if isinstance(query, partial) else {}
        known = {PublicSymbol(name, *item): arguments[name] for name, item in ends.items()}
        returned = _flat(query(records.made(data)))
        return differs(followed.values, records, data, known, returned), words

    return misread(records, sizes, compared)


def _farther(by_steps: str, by_symbols: str) -> str:
    """Return why a query was not followed, from where it was followed farther.

    A reason that does not hold for more records is preferred: the user can act on it.
    """
    lines = [re.match(r"line (\d+): ", text) for text in (by_steps, by_symbols)]
    first, second = (0 if line is None else int(line[1]) for line in lines)
    bare = by_steps.endswith("is not traced") or "() of data is not followed: loop" in by_steps
    farther = second > first or (second == first and bare) or "--size" in by_symbols
    return by_symbols if by_symbols and farther else by_steps


def _proof(followed: Followed, claim: Ratio | None, norm: str) -> ProvedBound | None:
    return find_bound(followed, norm) if claim is None else prove_bound(followed, claim, norm)


def _tighter(proof: ProvedBound, moves: End | None, sizes: tuple[int, int | None]) -> bool:
    """Tell whether what was proved is at most what the steps show, for few and for many records."""
    many = 10**6 if sizes[1] is None else sizes[1]
    return moves is not None and all(_limit(proof.claim, n) <= moves for n in (sizes[0], many))


def _replayed(
    make: Make, beyond: _Beyond, norm: str, goal: Fraction, relation: Any
) -> SensitivityCheck:
    """Return what the kernel found of a pair on which a query moves farther than is claimed.

    The distance from what it releases of D is one number, which is 0 on D: the kernel replays that
    one.
    """
    words, query = beyond.query
    start = _flat(query(make(beyond.d)))

    def distance(data: Any) -> Fraction:
        return _distance(_flat(query(data)), start, norm)

    pair = MovedPair(beyond.d, beyond.d_prime, (Fraction(0), beyond.moved or Fraction(0)), goal)
    finding = replay(distance, make, pair, relation)
    sentence = f"in {NORMS[norm]} from what D gives{words}"
    return SensitivityCheck(
        SensitivityVerdict.REFUTED, pair, ExcessCause.OPEN, 1, sentence, finding=finding
    )


_Pair = tuple[list[Any], list[Any]]


@dataclass(frozen=True)
class _Beyond:
    """Two neighbors that break a bound. moved: by how much; ``None`` if by no number.

    query: with the values of its open parameters, after words that say them.
    """

    words: str
    query: tuple[str, Score]
    d: tuple[Any, ...] = ()
    d_prime: tuple[Any, ...] = ()
    moved: Fraction | None = None


def dataset_sizes(
    size: int | tuple[int, int | None], relation: NeighboringRelation
) -> tuple[int, int | None]:
    """Return the fewest records and the most; raises ``UsageError`` for what are none."""
    low, high = size if isinstance(size, tuple) else (size, size)
    fewest = natural(low, "size")
    most = None if high is None else natural(high, "size")
    least = 2 if isinstance(relation, AddOrRemoveOne) else 1
    if most is not None and most < max(fewest, least):
        raise UsageError(f"size is {size!r}: the most must be at least {max(fewest, least)}")
    return fewest, most


def datasets_words(sizes: tuple[int, int | None], domain: Any) -> str:
    """Return in words how many records datasets have, and what a record may be."""
    fewest, most = sizes
    number = f"{fewest} or more records" if most is None else f"{fewest} to {most} records"
    number = counted(fewest, "record") if fewest == most else number
    text = short(domain, 200)
    for kind, word in ((float, "numbers"), (int, "integers"), (bool, "booleans")):
        text = text.replace(repr(kind), word)
    return f"datasets of {number} of {text}"


def _tried_sizes(sizes: tuple[int, int | None]) -> tuple[int, int]:
    fewest, most = sizes
    return fewest, fewest + MORE if most is None else min(most, fewest + MORE)


def _strategy(domain: RecordColumns) -> Any:
    from hypothesis import strategies

    return strategies.tuples(*map(strategies.sampled_from, domain.tried()))


def _tried(
    queries: Sequence[tuple[str, Score]],
    make: Make,
    pairs: Callable[[], Iterator[_Pair]],
    norm: str,
    limit: Callable[[int], End],
) -> tuple[_Beyond | None, str]:
    """Return how a query itself breaks a bound on pairs that are tried; ``None`` if it does not.

    Floating point may add ``ROUNDING``. Beside it, a pair that reaches the bound, in words.
    """
    reached, limits = "", dict[int, float]()
    for (data, other), given in itertools.product(pairs(), queries):
        words, query = given
        size = max(len(data), len(other))
        most = limits[size] = limits[size] if size in limits else float(limit(size))
        slack = ROUNDING * (1 + most)
        try:
            with np.errstate(all="ignore"):
                one, two = (_flat(query(make(each))) for each in (data, other))
        except (Exception, SystemExit) as error:
            d = short(of_one_field(data), 80)
            sentence = f"on {d}{words} the query raises {short(f'{error!r}', 120)}"
            return _Beyond(sentence, given), ""
        if len(one) != len(two):
            pair = _pair_words(data, other, words)
            return _Beyond(f"of {pair} it releases {len(one)} and {len(two)} numbers", given), ""
        apart = [abs(x - y) for x, y in zip(one, two, strict=True) if x != y]
        if not all(map(math.isfinite, apart)):
            sentence = f"{_pair_words(data, other, words)} move it by {sum(apart):g}"
            return _Beyond(sentence, given), ""
        moved = _distance(one, two, norm)
        if moved > most + slack:
            if _flat(query(make(data))) != one:
                d = short(of_one_field(data), 80)
                sentence = (
                    f"two calls on {d}{words} return different numbers; bound the query without "
                    "its noise, or prove the function (provado prove)"
                )
                return _Beyond(sentence, given), ""
            sentence = f"{_pair_words(data, other, words)} move it by {float(moved):g}"
            return _Beyond(sentence, given, tuple(data), tuple(other), moved), ""
        if not reached and moved >= most - slack and moved:
            reached = f"{_pair_words(data, other, words)} move it by {float(moved):g}"
    return None, reached


def _pair_words(data: list[Any], other: list[Any], words: str) -> str:
    d = of_one_field(data)
    return f"D = {short(d, 80)} and {difference_words(d, of_one_field(other))}{words}"


def neighbors(
    domain: RecordColumns, relation: Any, sizes: tuple[int, int | None], examples: int, seed: int
) -> Iterator[_Pair]:
    """Yield neighbors of equal records and one other, then some of records that are drawn."""
    rng, columns = np.random.default_rng(seed), domain.tried()
    adds, (fewest, most) = isinstance(relation, AddOrRemoveOne), _tried_sizes(sizes)
    many = max(most, EQUAL if sizes[1] is None else min(EQUAL, sizes[1]))
    records = [tuple(values[k % len(values)] for values in columns) for k in range(8)]
    firsts = list(dict.fromkeys(records))
    # Of few records all that are equal, and one that leaves for an end.
    few = list(itertools.product(firsts, firsts[:1] if adds else firsts[:2]))
    for size in range(fewest, many + 1):
        for equal, last in few if size <= most else itertools.pairwise((*records[:3], records[0])):
            yield [equal] * size, [equal] * (size - 1) + [last] * (not adds)
        # And of records at both ends one that leaves for the other end.
        low, high = records[:2]
        for many_high in range(1, size) if size <= most else ():
            rest = [high] * many_high + [low] * (size - many_high - 1)
            yield [low, *rest], [high] * (not adds) + rest

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


def _words(traced: Traced, norm: str, *, short: bool = False) -> str:
    """Return the bound in a norm; the root of a number that has none among fractions as such.

    short: long fractions as decimals.
    """
    moves: End | None = traced.moved(norm)
    exact = norm != "l2" or moves is None or moves * moves == traced.squares
    if exact:
        return str(moves) if moves is None or not short else shown(moves)
    is_whole = Fraction(traced.squares).denominator == 1
    return f"√{traced.squares}" if is_whole else f"√({traced.squares})"


def _flat(released: Any) -> list[float]:
    if isinstance(released, Mapping):
        released = list(released.values())
    if isinstance(released, list | tuple):
        return list(itertools.chain.from_iterable(map(_flat, released)))
    return [float(item) for item in np.asarray(released, dtype=float).ravel()]
