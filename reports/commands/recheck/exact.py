"""Decides an exactly decided claim again, from the table in the report, by the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from provado.audit.api import VERDICTS
from provado.audit.result import AuditResult
from provado.mechanisms import ExactFinding, UndecidedError, UsageError
from provado.proofs.causal.finite_mechanism import decide_table


def exact_differences(result: AuditResult, found: ExactFinding) -> Iterator[str]:
    """Yield what differs between a recorded finding and that of the kernel on its table."""
    try:
        again = decide_table(found.table, found.epsilon, found.delta, found.only)
    except (UndecidedError, UsageError) as error:
        yield f"exact: the recorded claim and table decide nothing: {error}"
        return
    for field in fields(ExactFinding):
        old, new = getattr(found, field.name), getattr(again, field.name)
        if old != new:
            yield f"exact: {field.name}: recorded {old!r}; the table gives {new!r}"
    if result.verdict is not VERDICTS[again.verdict]:
        follows = str(VERDICTS[again.verdict])
        yield f"verdict: recorded {str(result.verdict)!r}; the table gives {follows!r}"
    for name, claimed in (("epsilon", again.epsilon), ("delta", again.delta)):
        if getattr(result, name) != float(claimed):
            yield f"{name}: recorded {getattr(result, name)!r}; the claim decided is {claimed}"
    true = again.upper if again.only is None else None
    if result.true_epsilon != true:
        yield f"true_epsilon: recorded {result.true_epsilon!r}; the table gives {true!r}"
    if result.reason:
        yield "reason: recorded; a claim that was decided leaves nothing open"
    if result.pairs or result.samples:
        yield "pairs: an exact audit draws no samples, and some are recorded"
