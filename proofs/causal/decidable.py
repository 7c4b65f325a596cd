"""Decides (ε, δ)-differential privacy of a finite table, exactly, by the kernel.

For a pair of datasets with the distributions p and q, the claim asks P(S) ≤ e^ε·Q(S) + δ of every
event S. At any one e^ε the worst event holds the outputs with the largest ratios p/q, so that the
smallest e^ε is the largest (P(S) − δ)/Q(S) over these events alone: a rational number, found
without logarithms. What remains is to compare it with e^ε for a rational ε.

Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy, Definition 2.4;
Tschantz, Sen and Datta (2022), Definition 5: replace-one neighbors are interventions on one data
point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

from provado.mechanisms.statement.errors import NotNeighborsError, UsageError
from provado.mechanisms.statement.exact_table import ExactTable, Positions
from provado.mechanisms.statement.exactly_decidable import ExactFinding, UndecidedError
from provado.proofs.algebra.exppoly.logarithm import log_enclosure
from provado.proofs.kernel import (
    Checked,
    Enclosure,
    KernelRefusal,
    PrivacyCounterexample,
    Recount,
    check,
)

from .exact import Factor

Pair = tuple[Positions, Positions]
_Distribution = tuple[Fraction, ...]


def decide_table(
    table: ExactTable, epsilon: Fraction, delta: Fraction, only: Iterable[Pair] | None = None
) -> ExactFinding:
    """Decide whether a table is (ε, δ)-differentially private under replace-one.

    only: pairs of neighbors to which the claim is restricted, in both directions; then the verdict
        is ``verified`` at most. All neighbors are looked at without it, and as a table holds all
        datasets that its mechanism has, the verdict may be ``proved``.

    The verdict is the kernel's. For ``proved``, ``Recount`` runs over the excess Σ max(0, p − t·q)
    of every ordered pair of neighbors at the smallest t, and ``Enclosure`` shows ln t ≤ ε. For
    ``refuted``, ``PrivacyCounterexample`` shows one pair and event. Raises ``UsageError`` for
    datasets that are not neighbors in the table, and ``UndecidedError`` where the kernel refuses.
    """
    if epsilon < 0 or not 0 <= delta < 1:
        raise UsageError(f"claim is ({epsilon}, {delta}): ε must be at least 0 and δ in [0, 1)")
    chosen = None if only is None else tuple(only)
    pairs = tuple(table.neighbors()) if chosen is None else _both_ways(table, chosen)
    if not pairs:
        raise UsageError("table: no two of its datasets are neighbors, so there is no claim on it")
    factor, d, d_prime, event = _worst(table, pairs, delta)
    chances = _chance(table.row(d), event), _chance(table.row(d_prime), event)
    try:
        checked = _check_holds(table, pairs, chosen is None, factor, epsilon, delta)
        if checked is None:
            evidence = PrivacyCounterexample(
                d=_values(table, d),
                d_prime=_values(table, d_prime),
                relation="replace-one",
                event=f"{{{', '.join(table.outputs[o] for o in event)}}}",
                probabilities=(((0, chances[0]),), ((0, chances[1]),)),
                epsilon=epsilon,
                delta=delta,
            )
            checked = (check(evidence, _event_chance(table, event)),)
    except KernelRefusal as refusal:
        raise UndecidedError(f"the kernel refuses: {refusal}") from refusal
    lower, upper = _logarithm(factor)
    return ExactFinding(
        verdict=checked[-1].verdict if chosen is None else checked[0].verdict,
        table=table,
        only=chosen,
        epsilon=epsilon,
        delta=delta,
        factor=factor,
        lower=lower,
        upper=upper,
        d=d,
        d_prime=d_prime,
        event=event,
        chances=chances,
        neighbors=len(pairs),
        statements=tuple(one.statement for one in checked),
        rests_on=tuple(dict.fromkeys(what for one in checked for what in one.rests_on)),
    )


def smallest_factor(
    p: _Distribution, q: _Distribution, delta: Fraction
) -> tuple[Factor, Positions]:
    """Return the smallest t with P(S) − t·Q(S) ≤ δ for all events S, and an event that needs it.

    t may lie below 1, or even 0; it is ``math.inf`` if outputs that only p has weigh more than δ.
    """
    seen = [o for o in range(len(p)) if p[o] or q[o]]
    seen.sort(key=lambda o: p[o] / q[o] if q[o] else math.inf, reverse=True)
    best: Factor = -math.inf
    event: Positions = ()
    mass = mass_prime = Fraction(0)
    for k, o in enumerate(seen, 1):
        mass, mass_prime = mass + p[o], mass_prime + q[o]
        if not mass_prime:
            if mass > delta:
                return math.inf, tuple(sorted(seen[:k]))
        elif (needed := (mass - delta) / mass_prime) > best:
            best, event = needed, tuple(sorted(seen[:k]))
    return best, event


def excess(p: _Distribution, q: _Distribution, factor: Fraction) -> Fraction:
    """Return Σ max(0, p − t·q): how far the worst event exceeds the factor t."""
    return sum((max(Fraction(0), a - factor * b) for a, b in zip(p, q, strict=True)), Fraction(0))


def _both_ways(table: ExactTable, only: tuple[Pair, ...]) -> tuple[Pair, ...]:
    pairs: dict[Pair, None] = {}
    for d, d_prime in only:
        if not (table.holds(d) and table.holds(d_prime)):
            raise UsageError(f"pair is {(d, d_prime)!r}: both must be datasets of the table")
        changed = sum(a != b for a, b in zip(d, d_prime, strict=True))
        if changed != 1:
            raise NotNeighborsError(
                f"pair: {table.words(d)} and {table.words(d_prime)} differ in {changed} data "
                "points; replace-one neighbors differ in exactly 1"
            )
        pairs |= {(d, d_prime): None, (d_prime, d): None}
    return tuple(pairs)


def _worst(
    table: ExactTable, pairs: tuple[Pair, ...], delta: Fraction
) -> tuple[Factor, Positions, Positions, Positions]:
    best: Factor = -math.inf
    at: tuple[Positions, Positions, Positions] = (*pairs[0], ())
    for d, d_prime in pairs:
        factor, event = smallest_factor(table.row(d), table.row(d_prime), delta)
        if factor > best:
            best, at = factor, (d, d_prime, event)
    return max(best, Fraction(1)), *at


def _check_holds(
    table: ExactTable,
    pairs: tuple[Pair, ...],
    whole: bool,
    factor: Factor,
    epsilon: Fraction,
    delta: Fraction,
) -> tuple[Checked, ...] | None:
    """Return the kernel's two findings that the claim holds, or ``None`` if e^ε is too small."""
    if not isinstance(factor, Fraction):
        return None
    # ln t ≤ this: a far larger ε would only make the kernel's numbers long.
    enough = Fraction(math.ceil(log_enclosure(factor)[1]) + 1)
    try:
        bound = check(
            Enclosure(((0, factor),), lower=0, upper=min(epsilon, enough), logarithm=True)
        )
    except KernelRefusal as refusal:
        if refusal.rule != "enclosure":
            raise
        return None
    rows = tuple((pair, excess(table.row(pair[0]), table.row(pair[1]), factor)) for pair in pairs)
    largest = max(value for _, value in rows)
    if largest > delta:
        raise KernelRefusal("excess", f"{largest} at {factor} exceeds {delta}")
    size, choices = len(table.rows), sum(len(domain) - 1 for domain in table.domains)
    recount = check(
        Recount(
            rows=rows,
            operation="maximum",
            claimed=largest,
            expected_rows=size * choices if whole else len(set(pairs)),
            scope=f"Σ max(0, Pr[o | D] − {factor}·Pr[o | D′]) for "
            f"{'all' if whole else 'the given'} ordered replace-one neighbors of the table",
        )
    )
    return recount, bound


def _chance(distribution: _Distribution, event: Positions) -> Fraction:
    return sum((distribution[o] for o in event), Fraction(0))


def _event_chance(
    table: ExactTable, event: Positions
) -> Callable[[tuple[int | str, ...]], Fraction]:
    rows = {_values(table, d): row for d, row in zip(table.datasets(), table.rows, strict=True)}

    def chance_in_table(d: tuple[int | str, ...]) -> Fraction:
        return _chance(rows[d], event)

    return chance_in_table


def _values(table: ExactTable, d: Positions) -> tuple[int | str, ...]:
    """Return a dataset for the kernel to show: whole numbers as such, else the values' texts."""
    texts = (domain[k] for k, domain in zip(d, table.domains, strict=True))
    return tuple(int(text) if text.isdecimal() and text.isascii() else text for text in texts)


def _logarithm(factor: Factor) -> tuple[float, float]:
    """Return floats that enclose ln t for t ≥ 1."""
    if not isinstance(factor, Fraction):
        return math.inf, math.inf
    if factor == 1:
        return 0.0, 0.0
    low, high = log_enclosure(factor)
    lower, upper = float(low), float(high)
    # Rounding to a float may have gone the wrong way.
    return (
        lower if lower <= low else math.nextafter(lower, -math.inf),
        upper if upper >= high else math.nextafter(upper, math.inf),
    )
