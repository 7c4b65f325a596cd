"""Computes again what follows where the claim is a curve."""

from __future__ import annotations

import math
from collections.abc import Iterator

from provado.audit.bounds import parameter_lower
from provado.audit.bounds.alpha_spending import POINT_SHARE
from provado.audit.result import AuditResult, PairResult
from provado.mechanisms.definitions import CurvePromise

TOLERANCE = 1e-9
"""How far a recorded bound may lie from the one computed again, the way from one platform's
special functions to another's."""


def curve_differences(pair: PairResult, promise: CurvePromise) -> Iterator[str]:
    """Yield where limit, point, cells or alpha of one pair do not follow from the rest."""
    method, ladder = pair.method, pair.method.ladder
    if method.epsilon is None and not method.bettors:
        yield "bound: it tests no point of the curve that is claimed"
        return
    lower = parameter_lower(pair.counts, method, promise)
    recorded = pair.parameter_lower
    if recorded is None or not agree(lower, recorded, 1e-7):
        yield (
            f"parameter_lower: recorded {promise.symbol} ≥ {recorded!r}; the counts give "
            f"{promise.symbol} ≥ {lower!r}"
        )
    if method.epsilon is not None and not agree(promise.delta(method.epsilon), method.delta, 1e-6):
        yield (
            f"bound: the point tested is ({method.epsilon!r}, {method.delta!r}); the claim has δ = "
            f"{promise.delta(method.epsilon)!r} there"
        )
    half = len(pair.counts.cells) // 2
    sides = [sum(pair.counts.cells[:half]), sum(pair.counts.cells[half:])]
    if half and sides != [pair.counts.d_trials, pair.counts.d_prime_trials]:
        yield f"cells: they hold {sides} trials; the guesses {pair.counts.trials:,} in all"
    if ladder is None:
        return
    weight = getattr(promise, "weight", None)
    if weight is None or weight(ladder.order) != ladder.weight:
        yield f"ladder: the claim does not hold D of order {ladder.order:g} to {ladder.weight:g}"
    share = method.alpha * (1 - POINT_SHARE) / POINT_SHARE
    if not math.isclose(ladder.alpha, share, rel_tol=1e-9):
        yield f"ladder: its alpha is {ladder.alpha!r}; beside that of the point it is {share!r}"


def point_differences(result: AuditResult) -> Iterator[str]:
    """Yield where ε and δ of an audit are not the point at which its telling pair was tested."""
    telling = result.explained_pair
    if result.curve is None or telling is None or telling.method.epsilon is None:
        return
    tested = (telling.method.epsilon, telling.method.delta)
    if tested != (result.epsilon, result.delta):
        yield f"point: recorded ({result.epsilon!r}, {result.delta!r}); the pair has {tested}"


def agree(a: float, b: float, relative: float = 0.0) -> bool:
    """Tell whether two numbers are the same within what platforms may differ in."""
    if not (math.isfinite(a) and math.isfinite(b)):
        return a == b or (math.isnan(a) and math.isnan(b))
    return abs(a - b) <= TOLERANCE + relative * abs(b)
