"""The audit of a mechanism that can be decided exactly: no plan, no draw, no counts."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

from provado.mechanisms import (
    ExactFinding,
    ExactlyDecidable,
    ExactVerdict,
    NeighboringRelation,
    ReplaceOne,
    UndecidedError,
    UsageError,
    Verdict,
)
from provado.mechanisms.definitions.promise import check_delta, check_epsilon

from .options.domains import MOST_SEED
from .options.request import checked_confidence, checked_number, listed_pairs, whole_number
from .result import AuditResult

VERDICTS: dict[str, Verdict | ExactVerdict] = {
    "proved": ExactVerdict.PROVED,
    "verified": ExactVerdict.VERIFIED,
    "refuted": Verdict.VIOLATION,
}
"""What the kernel's words are to an audit."""


def exact_audit(
    mechanism: ExactlyDecidable,
    *,
    epsilon: Any,
    delta: Any,
    pair: Any,
    relation: NeighboringRelation | None,
    confidence: float,
    seed: int,
    name: str | None,
) -> AuditResult:
    """Return the exact verdict on a claim; the arguments are those of ``audit``.

    ε and δ count as the rationals that they hold, so that ``Fraction(1, 10)`` and the float 0.1
    are two claims. Confidence and seed are kept for the report and change nothing.
    """
    started = time.perf_counter()
    if epsilon is None:
        raise UsageError("epsilon is missing: a claim needs a finite number above 0")
    if name is not None and not isinstance(name, str):
        raise UsageError(f"name is {name!r}: it must be a text")
    if relation is not None and not isinstance(relation, ReplaceOne):
        raise UsageError(
            f"relation is {relation!r}: a table of n data points is decided under ReplaceOne()"
        )
    claim = _rational("epsilon", epsilon), _rational("delta", 0 if delta is None else delta)
    checked_number("epsilon", claim[0], check_epsilon)
    checked_number("delta", claim[1], check_delta)
    fields: dict[str, Any] = {
        "name": name or "finite mechanism",
        "epsilon": float(claim[0]),
        "delta": float(claim[1]),
        "confidence": checked_confidence(confidence),
        "seed": whole_number("seed", seed, 0, MOST_SEED),
        "samples": 0,
        "pairs": (),
        "relation": ReplaceOne().words(),
    }
    try:
        finding = mechanism.decide_exactly(*claim, None if pair is None else listed_pairs(pair))
    except UndecidedError as error:
        fields |= {"verdict": Verdict.UNKNOWN, "reason": str(error)}
        return AuditResult(**fields, seconds=time.perf_counter() - started)
    if not isinstance(finding, ExactFinding):
        raise UsageError(
            f"mechanism is a {type(mechanism).__name__}: its decide_exactly must return an "
            f"ExactFinding, not a {type(finding).__name__}"
        )
    return AuditResult(
        **fields,
        verdict=VERDICTS[finding.verdict],
        reason="",
        true_epsilon=finding.upper if finding.only is None else None,
        exact=finding,
        seconds=time.perf_counter() - started,
    )


def _rational(name: str, value: Any) -> Fraction:
    try:
        if isinstance(value, bool):
            raise TypeError
        return Fraction(value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
        raise UsageError(f"{name} is {value!r}: it must be a finite number") from error
