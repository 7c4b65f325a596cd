"""Reads the arguments of an audit of few runs; a wrong one ends here."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from provado.audit.options.domains import MOST_RUNS, MOST_SEED
from provado.audit.options.request import (
    checked_confidence,
    checked_number,
    checked_promise,
    whole_number,
)
from provado.audit.target.call import Target
from provado.mechanisms import Mechanism, PrivacyPromise, UsageError
from provado.mechanisms.definitions.curve import CurvePromise, CurveRecord
from provado.mechanisms.definitions.promise import check_delta, check_epsilon
from provado.mechanisms.definitions.relation import short

from .canaries import Canaries
from .draws import Asked


@dataclass(frozen=True)
class Claim:
    """What is claimed.

    curve: the promise, where it is one; ``epsilon`` and ``delta`` are then a point of it. stated:
    what the mechanism's own statement says beside it, as fields.
    """

    epsilon: float
    delta: float
    confidence: float
    stated: dict[str, Any]
    curve: CurvePromise | None = None


def read_one_run(
    mechanism: Any,
    *,
    canaries: Any,
    instead: Any = None,
    data: Any = None,
    epsilon: float | Fraction | None = None,
    delta: float | Fraction | None = None,
    promise: PrivacyPromise | None = None,
    score: Callable[[Any], Any] | None = None,
    guesses: int | None = None,
    threshold: float | None = None,
    runs: int = 1,
    explore: int = 0,
    confidence: float = 0.95,
    seed: int = 0,
    name: str | None = None,
) -> tuple[Asked, Claim]:
    """Return what ``audit_one_run`` is asked for, with these arguments.

    Raises ``UsageError`` that begins with the argument at fault, its value and the rule.
    """
    stated: dict[str, Any] = {}
    if promise is not None:
        promise = checked_promise(promise, epsilon, delta)
    if isinstance(mechanism, Mechanism):
        name = name or mechanism.name
        stated = {
            "seedable": mechanism.seedable,
            "source": mechanism.source.words(),
            "summary": mechanism.summary,
            "tags": mechanism.tags,
        }
        if promise is None and epsilon is None:
            stated |= {"promise": mechanism.promise.words(), "expected": mechanism.expected}
            if delta is None:
                promise = mechanism.promise
            else:
                epsilon = mechanism.promise.point()[0]
        mechanism = mechanism.run
    curve = promise if isinstance(promise, CurvePromise) else None
    if promise is not None:
        epsilon, delta = promise.point()
    if curve is not None:
        stated |= {"promise": curve.words(), "curve": CurveRecord.of(curve)}
    if epsilon is None:
        raise UsageError("epsilon is missing: a claim needs a finite number above 0")
    claim = Claim(
        checked_number("epsilon", epsilon, check_epsilon),
        checked_number("delta", 0.0 if delta is None else delta, check_delta),
        checked_confidence(confidence),
        stated,
        curve,
    )
    points = Canaries(canaries, instead, data)
    m = len(points)
    if threshold is not None and not math.isfinite(threshold):
        raise UsageError(f"threshold is {short(threshold)}: it must be a finite number")
    if threshold is None and m < 2:
        raise UsageError("canaries holds one record: a threshold must say which scores are high")
    if score is not None and not callable(score):
        raise UsageError(f"score is {short(score)}: it must be a function of an output")
    if guesses is not None and explore:
        raise UsageError(
            f"explore is {short(explore)}: exploring runs choose how many coins to guess, and "
            "guesses says it; give one"
        )
    asked = Asked(
        target=Target.of(mechanism, name),
        canaries=points,
        score=score,
        delta=claim.delta,
        curve=claim.curve,
        alpha=1 - claim.confidence,
        seed=whole_number("seed", seed, 0, MOST_SEED),
        runs=whole_number("runs", runs, 1, MOST_RUNS),
        explore=whole_number("explore", explore, 0, MOST_RUNS),
        guesses=None if guesses is None else whole_number("guesses", guesses, 1, m),
        threshold=threshold,
    )
    return asked, claim
