"""Computes again what follows from the guesses of an audit of few runs."""

from __future__ import annotations

from collections.abc import Iterator

from provado.audit.result import AuditResult, OneRunFinding, judged

from .curve import agree

RELATIONS = ("add-or-remove-one", "replace-one")


def one_run_differences(result: AuditResult, found: OneRunFinding) -> Iterator[str]:
    """Yield what differs between what is recorded and what the guesses give, each as one line."""
    if result.pairs or result.samples:
        yield "pairs: an audit of few runs has none and no samples, and some are recorded"
    if result.relation not in RELATIONS:
        yield f"relation: recorded {result.relation!r}; a coin is a step of one of {RELATIONS}"
    curve = None if result.curve is None else result.curve.promise()
    point = result.epsilon, result.delta
    judgement = judged(found, *point, 1 - result.confidence, curve)
    again, follows = judgement.found, judgement.verdict
    if not all(map(agree, judgement.point, point, (1e-6, 1e-6))):
        yield f"point: recorded {point}; the guesses say most of {judgement.point}"
    if found.runs and result.reason:
        yield "reason: given why the audit broke; runs that broke count for nothing"
    elif not found.runs and not result.reason:
        yield "verdict: unknown, and no reason is given"
    lower, visible = again.epsilon_lower, again.visible_epsilon
    if not agree(lower, found.epsilon_lower):
        yield f"bound: recorded ε ≥ {found.epsilon_lower!r}; the guesses give ε ≥ {lower!r}"
    if not agree(visible, found.visible_epsilon, 1e-6):
        yield f"visible_epsilon: recorded {found.visible_epsilon!r}; the guesses give {visible!r}"
    recorded, parameter = found.parameter_lower, again.parameter_lower
    if (recorded is None) != (parameter is None) or not agree(parameter or 0, recorded or 0, 1e-6):
        yield f"parameter_lower: recorded {recorded!r}; the guesses give {parameter!r}"
    if result.verdict is not follows:
        yield f"verdict: recorded {str(result.verdict)!r}; the guesses give {str(follows)!r}"
