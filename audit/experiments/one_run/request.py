"""Reads the arguments of an audit of few runs; a wrong one ends here."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from provado.audit.options.domains import MOST_RUNS, MOST_SEED
from provado.audit.options.request import Claim, checked_confidence, checked_number, whole_number
from provado.audit.target.call import Target
from provado.mechanisms import Mechanism, PrivacyPromise, UsageError
from provado.mechanisms.definitions.curve import CurveRecord
from provado.mechanisms.definitions.promise import check_epsilon
from provado.mechanisms.definitions.relation import short

from .draws import Canaries, OneRunPlan


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
) -> tuple[OneRunPlan, Claim, dict[str, Any]]:
    """Return what ``audit_one_run`` is asked for, the claim, and what a result says beside it.

    Raises ``UsageError`` that begins with the argument at fault, its value and the rule.
    """
    stated: dict[str, Any] = {"confidence": checked_confidence(confidence)}
    statement = mechanism if isinstance(mechanism, Mechanism) else None
    claim = Claim.of(statement, epsilon, delta, promise)
    if statement is not None:
        name, mechanism = name or statement.name, statement.run
        stated |= {
            "seedable": statement.seedable,
            "source": statement.source.words(),
            "summary": statement.summary,
            "tags": statement.tags,
        }
        if promise is None and epsilon is None:
            stated |= {"promise": statement.promise.words(), "expected": statement.expected}
    if claim.curve is not None:
        stated |= {"promise": claim.curve.words(), "curve": CurveRecord.of(claim.curve)}
    checked_number("epsilon", claim.stated_epsilon, check_epsilon)
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
    asked = OneRunPlan(
        target=Target.of(mechanism, name),
        canaries=points,
        score=score,
        delta=claim.delta,
        curve=claim.curve,
        alpha=1 - stated["confidence"],
        seed=whole_number("seed", seed, 0, MOST_SEED),
        runs=whole_number("runs", runs, 1, MOST_RUNS),
        explore=whole_number("explore", explore, 0, MOST_RUNS),
        guesses=None if guesses is None else whole_number("guesses", guesses, 1, m),
        threshold=threshold,
    )
    return asked, claim, stated
