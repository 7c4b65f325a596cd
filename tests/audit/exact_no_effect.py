"""Exact tests of no effect at all: the case ε = 0.

With ε = 0 differential privacy says that setting a data point has no effect on the output (no
interference: Tschantz, Sen and Datta, 2022, section 2). Fisher's randomisation argument tests
that: if the treatment was assigned at random and has no effect, every assignment was as likely to
go with the outputs seen (section 8; Fisher, The Design of Experiments, 1935). A small p-value
speaks against ε = 0; a large one proves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from provado.mechanisms.definitions.parameters import UsageError, natural
from provado.proofs.algebra import exact
from provado.proofs.causal.model import Number, Value

MOST_TABLES = 10**6
"""Tables or assignments that one exact test may visit."""

Statistic = Callable[[Sequence[Value], Sequence[Value]], Number]
"""A number for (outputs of the treated, outputs of the controls); large speaks for an effect."""


def fisher_exact(treated: Sequence[int], control: Sequence[int]) -> Fraction:
    """Return the exact two-sided p-value of no effect for a 2 × k table of counts.

    treated, control: how often each of the k outputs was seen under do(D_i = d) and do(D_i = d′).
    Given both margins, the p-value adds up the tables that are at most as likely as the one seen
    (Freeman and Halton's form of Fisher's test). Guarantee: under no effect it is at most a with
    probability at most a. Counts below 0, or more than ``MOST_TABLES`` tables, raise
    ``UsageError``.
    """
    counts = [_count(c, "counts") for c in (*treated, *control)]
    if len(treated) != len(control) or not treated:
        raise UsageError(
            f"counts: {len(treated)} outputs under treatment and {len(control)} under control; "
            "the same outputs must be listed in both, at least one"
        )
    columns = [a + b for a, b in zip(treated, control, strict=True)]
    tables = math.prod(column + 1 for column in columns[:-1])
    if tables > MOST_TABLES:
        raise UsageError(
            f"counts: up to {tables} tables to visit; at most {MOST_TABLES} are allowed"
        )
    ways = [
        math.prod(map(math.comb, columns, table))
        for table in _tables(columns, sum(counts[: len(columns)]))
    ]
    seen = math.prod(map(math.comb, columns, treated))
    return Fraction(sum(way for way in ways if way <= seen), sum(ways))


def permutation_p_value(
    outputs: Sequence[Value], treated: Sequence[bool], statistic: Statistic
) -> Fraction:
    """Return the exact p-value of no effect over all assignments with as many treated.

    outputs: what each run gave. treated: which runs were under do(D_i = d). statistic: exact, and
    large where there seems to be an effect. More than ``MOST_TABLES`` assignments raise
    ``UsageError``; ``sampled_permutation_p_value`` takes those.
    """
    k = _sizes(outputs, treated)
    if math.comb(len(outputs), k) > MOST_TABLES:
        raise UsageError(
            f"outputs: {math.comb(len(outputs), k)} assignments to visit; at most {MOST_TABLES}"
        )
    seen = _statistic(outputs, [i for i, t in enumerate(treated) if t], statistic)
    all_of_them = list(combinations(range(len(outputs)), k))
    extreme = sum(_statistic(outputs, chosen, statistic) >= seen for chosen in all_of_them)
    return Fraction(extreme, len(all_of_them))


def sampled_permutation_p_value(
    outputs: Sequence[Value],
    treated: Sequence[bool],
    statistic: Statistic,
    *,
    draws: int,
    rng: np.random.Generator,
) -> Fraction:
    """Return (1 + how many of ``draws`` random assignments are as extreme) / (1 + draws).

    The assignment seen counts as one of them, which keeps the test's level for any number of draws.
    """
    k, draws = _sizes(outputs, treated), natural(draws, "draws")
    seen = _statistic(outputs, [i for i, t in enumerate(treated) if t], statistic)
    extreme = 0
    for _ in range(draws):
        chosen = rng.permutation(len(outputs))[:k].tolist()
        extreme += _statistic(outputs, chosen, statistic) >= seen
    return Fraction(1 + extreme, 1 + draws)


def _tables(columns: Sequence[int], row: int) -> Iterator[tuple[int, ...]]:
    """Yield the first rows of all tables with these column sums and this first row sum."""
    if len(columns) == 1:
        if 0 <= row <= columns[0]:
            yield (row,)
        return
    rest = sum(columns[1:])
    for count in range(max(0, row - rest), min(columns[0], row) + 1):
        for table in _tables(columns[1:], row - count):
            yield (count, *table)


def _sizes(outputs: Sequence[Value], treated: Sequence[bool]) -> int:
    if len(outputs) != len(treated) or not outputs:
        raise UsageError(
            f"outputs: {len(outputs)} of them and {len(treated)} assignments; "
            "there must be one assignment for each output, and at least one"
        )
    return sum(map(bool, treated))


def _statistic(outputs: Sequence[Value], chosen: Sequence[int], statistic: Statistic) -> Fraction:
    inside = set(chosen)
    one = [output for i, output in enumerate(outputs) if i in inside]
    two = [output for i, output in enumerate(outputs) if i not in inside]
    return exact(statistic(one, two), "statistic")


def _count(value: int, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise UsageError(f"{name} is {value!r}: it must be a whole number, at least 0")
    return int(value)
