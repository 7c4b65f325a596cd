"""What it is in an output that tells D from D′, named so that a person can mend it."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from provado.audit.rules.carried import CARRIES
from provado.audit.rules.cells import distance
from provado.audit.rules.feature import Column, Exact, Floats
from provado.audit.rules.rule import Rule
from provado.audit.rules.score import log_ratio
from provado.audit.rules.threshold import Goal, best_cut, promised

from .cause import UNNAMED, Cause, Kind
from .flatten import core
from .outputs import Encoded, PatternBook

HELD = 20_000
"""Outputs of each side on which it is judged whether a part of the output carries the bound."""

POINT, SCALES, REPEATED = 0.02, 1.2, 4
"""Share of outputs on one value that noise without atoms would not give; ratio of two spreads that
is more than chance; so often an output occurs on average that repeats itself."""


def name_cause(
    rule: Rule,
    a: Encoded,
    b: Encoded,
    book: PatternBook,
    goal: Goal,
    *,
    by_bits: bool,
    held: float = 0.5,
) -> Cause:
    """Return what the rule lives by, judged on outputs under D (a) and under D′ (b).

    by_bits: whether it loses its bound once low-order bits are taken off. held: the share of the
    outputs that are passed over, since the rule was learned from them.
    """
    if by_bits:
        return Cause(Kind.BITS, "Low-order bits of the released numbers show the exact answer.")
    first = int(held * len(a))
    a, b = (part.part(slice(first, first + HELD)) for part in (a, b))
    said_a, said_b = (rule.guess(part) for part in (a, b))
    if not (said_a.any() or said_b.any()):
        return UNNAMED
    whole = promised(said_a, said_b, goal)
    if _by_key(Exact(()), a, b, goal) >= CARRIES * whole:
        return _structure(a, b, book)
    return _numbers(a, b, rule)


def name_rare(rule: Rule, a: Encoded, b: Encoded) -> Cause:
    """Return which rare outputs a rule reads, and how often they came under D (a) and D′ (b)."""
    events = [
        f"{words} in {np.count_nonzero(said_a == say):,} of {len(a):,} runs under D, in "
        f"{np.count_nonzero(said_b == say):,} under D′"
        for said_a, said_b in ((rule.guess(a), rule.guess(b)),)
        for words, say in zip(rule.words(), (1, -1), strict=True)
        if words
    ]
    return Cause(Kind.RARE, f"Rare outputs distinguish the datasets: {'; '.join(events)}.")


def _by_key(key: Exact, a: Encoded, b: Encoded, goal: Goal) -> float:
    """Return what a table of the key promises; nothing where there is but one."""
    keys = np.concatenate([key.read(a), key.read(b)])
    found, at = np.unique(keys, return_inverse=True)
    if len(found) < 2:
        return -np.inf
    in_a, in_b = at[: len(a)], at[len(a) :]
    counts = [np.bincount(side, minlength=len(found)) for side in (in_a, in_b)]
    ratios = log_ratio(*counts)
    return best_cut(ratios[in_a], ratios[in_b], goal).value


def _structure(a: Encoded, b: Encoded, book: PatternBook) -> Cause:
    """Name what differs between the most telling pattern and the commonest other one."""
    found, at = np.unique(np.concatenate([a.pattern, b.pattern]), return_inverse=True)
    in_a, in_b = (np.bincount(side, minlength=len(found)) for side in (at[: len(a)], at[len(a) :]))
    weight = np.abs(log_ratio(in_a, in_b)) * np.sqrt(in_a + in_b)
    # Of two sides of one difference, the exception names it.
    named = {number for key, number in book.keys.items() if _outline(key) == ("raised",)}
    raised = np.isin(found, list(named))
    weight += raised * (weight > weight.max() / 4) * weight.max()
    telling = int(np.argmax(weight))
    number = int(found[telling])
    rates = (
        f"in {in_a[telling]:,} of {len(a):,} runs under D, {in_b[telling]:,} of {len(b):,} under D′"
    )
    base = book.marked.get(number, number)
    key = core(next((key for key, known in book.keys.items() if known == base), ()))
    name = key[0] if isinstance(key, tuple) and key else ""
    if name == "raised":
        return Cause(Kind.EXCEPTION, f"It raises an exception that depends on the data: {rates}.")
    if number in book.marked:
        return Cause(
            Kind.NAN, f"NaN, an infinity or a very large number depends on the data: {rates}."
        )
    others = {_outline(core(one)) for one in book.keys if core(one) != key}
    if name == "dict" or any(one[0] == "dict" for one in others if one):
        return Cause(Kind.KEYS, f"Which keys it returns depends on the data: {rates}.")
    if name in ("array", "sequence", "list", "tuple", "set") and all(
        one and one[0] == name for one in others
    ):
        return Cause(Kind.LENGTH, f"How many values it returns depends on the data: {rates}.")
    said = book.words(a if in_a[telling] else b, _first(number, a if in_a[telling] else b))
    return Cause(Kind.TYPE, f"Which output it gives depends on the data: {said} {rates}.")


def _first(pattern: int, outputs: Encoded) -> int:
    return int(np.argmax(outputs.pattern == pattern))


def _outline(key: Hashable) -> tuple[str, ...]:
    return (str(key[0]),) if isinstance(key, tuple) and key else ()


def _numbers(a: Encoded, b: Encoded, rule: Rule) -> Cause:
    """Name what differs in the one coordinate that the rule reads, or that differs most."""
    width = a.values.shape[1]
    read = getattr(rule.unrounded, "feature", None)
    among = [read.j] if isinstance(read, Column) else range(min(width, 64))
    columns = {j: (a.column(j), b.column(j)) for j in among}
    columns = {j: (x[np.isfinite(x)], y[np.isfinite(y)]) for j, (x, y) in columns.items()}
    j = max(columns, key=lambda i: distance(*columns[i]), default=None)
    if j is None or min(map(len, columns[j])) < 2:
        return Cause(Kind.SHAPE, "The distribution of the output depends on the data.")
    x, y = columns[j]
    name = Column(j, width).words()
    atom = _atom(x, y) or _atom(y, x)
    if atom is not None:
        return Cause(
            Kind.SUPPORT,
            f"The value {atom:.6g} of {name} occurs under one dataset and hardly under the other.",
        )
    spread_x, spread_y = _spread(x), _spread(y)
    move = abs(float(np.median(x) - np.median(y)))
    if min(spread_x, spread_y) > 0:
        ratio = spread_x / spread_y
        unlike = max(ratio, 1 / ratio) > SCALES + 4 / np.sqrt(min(len(x), len(y)))
        if unlike and move < max(spread_x, spread_y):
            return Cause(
                Kind.SCALE,
                f"The noise of {name} has another scale under D than under D′ (spread "
                f"{spread_x:.3g} and {spread_y:.3g}).",
            )
        if move > 0.05 * spread_x:
            return Cause(
                Kind.SHIFT,
                f"The record moves {name} by about {move:.3g}, while its noise has a spread of "
                f"{spread_x:.3g} (mean distance from the median).",
            )
    return Cause(Kind.SHAPE, f"The distribution of {name} depends on the data.")


def _atom(x: Floats, y: Floats) -> float | None:
    """Return a value that is frequent in x and rare in y, where that is no small set of values."""
    values, counts = np.unique(x, return_counts=True)
    best = int(np.argmax(counts))
    share = counts[best] / len(x)
    other = float(np.count_nonzero(y == values[best])) / len(y)
    rare = len(values) * REPEATED > len(x) or other == 0
    return float(values[best]) if share > POINT and other < share / 10 and rare else None


def _spread(x: Floats) -> float:
    return float(np.mean(np.abs(x - np.median(x))))
