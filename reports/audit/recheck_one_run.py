"""Computes again what follows from the guesses of an audit of few runs."""

from __future__ import annotations

from collections.abc import Iterator

from provado.audit.one_run_finding import OneRunFinding, judged
from provado.audit.result import AuditResult

from .recheck_curve import agree

RELATIONS = ("add-or-remove-one", "replace-one")


def one_run_differences(result: AuditResult, found: OneRunFinding) -> Iterator[str]:
    """Yield what differs between what is recorded and what the guesses give, each as one line."""
    if result.pairs or result.samples:
        yield "pairs: an audit of few runs has none and no samples, and some are recorded"
    if result.relation not in RELATIONS:
        yield f"relation: recorded {result.relation!r}; a coin is a step of one of {RELATIONS}"
    again, follows = judged(found, result.epsilon, result.delta, 1 - result.confidence)
    if found.runs and result.reason:
        yield "reason: given why the audit broke; runs that broke count for nothing"
    elif not found.runs and not result.reason:
        yield "verdict: unknown, and no reason is given"
    lower, visible = again.epsilon_lower, again.visible_epsilon
    if not agree(lower, found.epsilon_lower):
        yield f"bound: recorded ε ≥ {found.epsilon_lower!r}; the guesses give ε ≥ {lower!r}"
    if not agree(visible, found.visible_epsilon, 1e-6):
        yield f"visible_epsilon: recorded {found.visible_epsilon!r}; the guesses give {visible!r}"
    if result.verdict is not follows:
        yield f"verdict: recorded {str(result.verdict)!r}; the guesses give {str(follows)!r}"
