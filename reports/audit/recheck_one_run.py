"""Computes again what follows from the guesses of an audit of few runs."""

from __future__ import annotations

import math
from collections.abc import Iterator

from provado.audit.bounds.one_run import one_run_epsilon_lower
from provado.audit.one_run_finding import OneRunFinding
from provado.audit.power import one_run_visible_epsilon
from provado.audit.result import AuditResult
from provado.mechanisms import Verdict

from .recheck_curve import agree

RELATIONS = ("add-or-remove-one", "replace-one")


def one_run_differences(result: AuditResult, found: OneRunFinding) -> Iterator[str]:
    """Yield what differs between what is recorded and what the guesses give, each as one line."""
    if result.pairs or result.samples:
        yield "pairs: an audit of few runs has none and no samples, and some are recorded"
    if result.relation not in RELATIONS:
        yield f"relation: recorded {result.relation!r}; a coin is a step of one of {RELATIONS}"
    lower, visible, follows = 0.0, math.inf, Verdict.UNKNOWN
    m, guesses, runs = found.interventions, found.guesses, found.runs
    if runs:
        alpha = 1 - result.confidence
        lower = one_run_epsilon_lower(found.right, guesses, m, result.delta, alpha, runs=runs)
        visible = one_run_visible_epsilon(
            guesses, m, result.epsilon, result.delta, alpha, runs=runs
        )
        follows = Verdict.VIOLATION if lower > result.epsilon else Verdict.NO_VIOLATION
        if result.reason:
            yield "reason: given why the audit broke; runs that broke count for nothing"
    elif not result.reason:
        yield "verdict: unknown, and no reason is given"
    if not agree(lower, found.epsilon_lower):
        yield f"bound: recorded ε ≥ {found.epsilon_lower!r}; the guesses give ε ≥ {lower!r}"
    if not agree(visible, found.visible_epsilon, 1e-6):
        yield f"visible_epsilon: recorded {found.visible_epsilon!r}; the guesses give {visible!r}"
    if result.verdict is not follows:
        yield f"verdict: recorded {str(result.verdict)!r}; the guesses give {str(follows)!r}"
