"""A counterexample of the kernel, step by step: the datasets, what they give, what was claimed."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import groupby
from typing import Any

from provado.proofs.kernel import (
    ChangeCounterexample,
    Checked,
    Expression,
    Number,
    PointCounterexample,
    PrivacyCounterexample,
    Sum,
)
from provado.proofs.ledger.entry import Finding
from provado.proofs.ledger.fact import related, shown, span

Terms = Number | Sum
"""A number, or a sum of c·e^q as pairs (q, c)."""

_DIGITS = 60
_LONGEST, _MOST = 400, 6


def steps_of(finding: Finding) -> tuple[str, ...]:
    """Return the steps of a counterexample in words; none where a finding is something else."""
    if not isinstance(finding, Checked):
        return ()
    match finding.evidence:
        case PrivacyCounterexample() as e:
            return (*_datasets(e.d, e.d_prime, e.relation), *_privacy(e))
        case ChangeCounterexample() as e:
            return (*_datasets(e.d, e.d_prime, e.relation), *_change(e))
        case PointCounterexample() as e:
            return _point(e)
    return ()


def value_of(terms: Terms) -> Decimal:
    """Return a sum of c·e^q to 60 digits, which its cancellation may cost some of."""
    with localcontext() as context:
        context.prec = _DIGITS
        if not isinstance(terms, tuple):
            return _decimal(terms)
        return sum((_decimal(c) * _decimal(q).exp() for q, c in terms), Decimal(0))


def _datasets(d: Sequence[Any], d_prime: Sequence[Any], relation: str | Number) -> tuple[str, str]:
    changed = [i for i, (a, b) in enumerate(zip(d, d_prime, strict=False)) if a != b]
    first = f"Take D = {_listed(d)}."
    if isinstance(relation, str) and len(d) == len(d_prime) and len(changed) == 1:
        i = changed[0]
        what = f"It is D, but for record {i + 1}: {_one(d[i])} becomes {_one(d_prime[i])}."
        return first, f"Take D′ beside it. {what}"
    return first, f"Take D′ = {_listed(d_prime)} beside it; they are {related(relation)}."


def _privacy(e: PrivacyCounterexample) -> tuple[str, ...]:
    p, q = (value_of(terms) for terms in e.probabilities)
    with localcontext() as context:
        context.prec = _DIGITS
        allowed = _decimal(e.epsilon).exp() * q + _decimal(e.delta)
    delta = f" + {e.delta}" if e.delta else ""
    said = [
        f"Look at the event S: {e.event}.",
        f"On D it has the probability Pr[S | D] = {_exactly(e.probabilities[0], p)}.",
        f"On D′ it has the probability Pr[S | D′] = {_exactly(e.probabilities[1], q)}.",
        f"The claim allows Pr[S | D] ≤ e^({e.epsilon})·Pr[S | D′]{delta}, which is "
        f"{_short(allowed)}; it is {_short(p)}{_times(p, q)}. So the claim is false.",
    ]
    return tuple(said)


def _times(p: Decimal, q: Decimal) -> str:
    return f", {_short(p / q)} times as much as on D′" if q else ", and on D′ it never happens"


def _change(e: ChangeCounterexample) -> tuple[str, ...]:
    f = "ln f" if e.logarithm else "f"
    values = [value_of(value) for value in e.values]
    if e.logarithm:
        values = [value.ln() if value > 0 else Decimal("-Infinity") for value in values]
    at = [
        f"On {name} the score is {f}({name}) = {_short(value)}"
        if e.logarithm
        else f"On {name} the score is f({name}) = {_exactly(exact, value)}"
        for name, exact, value in zip(("D", "D′"), e.values, values, strict=True)
    ]
    moved = abs(values[0] - values[1])
    last = f"It moves by {_short(moved)}; the claim allows {e.claimed}. So the claim is false."
    return (f"{at[0]}.", f"{at[1]}.", last)


def _point(e: PointCounterexample) -> tuple[str, ...]:
    scope = span(e.lower, e.upper, e.integers)
    value = value_of(_at(e.terms, e.at))
    return (
        f"The claim comes to this: {shown(e.terms)} {e.claim} for {scope}.",
        f"Take x = {e.at}.",
        f"The left side is {_short(value)} there, and not {e.claim}: this does not hold.",
    )


def _at(terms: Expression, x: Number) -> Sum:
    return tuple((q + a * Fraction(x), Fraction(c) * Fraction(x) ** k) for c, q, k, a in terms)


def _exactly(terms: Terms, value: Decimal) -> str:
    pairs = terms if isinstance(terms, tuple) else ((0, terms),)
    text = shown(tuple((c, q, 0, 0) for q, c in pairs))
    if text == _short(value):
        return text
    return f"{text} ≈ {_short(value)}" if len(text) <= _LONGEST else f"about {_short(value)}"


def _listed(data: Sequence[Any]) -> str:
    """Return a dataset with equal records counted: ``(0 × 48, 271/100 × 36)``."""
    runs = [(_one(value), len(list(same))) for value, same in groupby(data)]
    parts = [text if count == 1 else f"{text} × {count}" for text, count in runs]
    if len(parts) > 4 * _MOST:
        gone = len(parts) - 2 * _MOST
        parts = [*parts[:_MOST], f"… {gone} more …", *parts[-_MOST:]]
    return f"({', '.join(parts)})"


def _one(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_one, value))})"
    return str(value).replace("-", "−") if isinstance(value, (int, Fraction)) else str(value)


def _decimal(value: Number) -> Decimal:
    exact = Fraction(value)
    with localcontext() as context:
        context.prec = _DIGITS
        return Decimal(exact.numerator) / Decimal(exact.denominator)


def _short(value: Decimal) -> str:
    return f"{value:.5g}".replace("E", "e").replace("e+", "e").replace("-", "−").replace("e−", "e-")
