"""Computes every certified bound and verdict again from the recorded counts.

What is checked: for each pair the bound from its counts, alpha, δ and bets; its verdict; that no
more trials were drawn than planned; that the effect sizes are those of the counts; that no count
falls from one checkpoint to the next, and that the last ones are the counts. For each audit the
verdict, the sum of its alphas, and that an unknown states its reason. For the run, that its
audits spend no more alpha than it has, and whatever follows from the rest. Nothing is drawn.
A claim that was decided exactly is decided again, from its table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from provado.audit.bounds import epsilon_lower
from provado.audit.effect import EffectSize, effect_sizes
from provado.audit.result import AuditResult, PairResult
from provado.mechanisms import Verdict
from provado.mechanisms.verdict import merge
from provado.reports.document import load_json
from provado.reports.exact_recheck import exact_differences
from provado.reports.from_json import run_from_json
from provado.reports.run import Run
from provado.reports.to_json import run_to_json

TOLERANCE = 1e-9
"""How far a recorded bound may lie from the one computed again, the way from one platform's
special functions to another's."""


@dataclass(frozen=True)
class Checked:
    """What differs in one audit (or in what the run says of itself); nothing where all agree."""

    name: str
    differences: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether nothing differs."""
        return not self.differences


def recheck(file: Path) -> tuple[Checked, ...]:
    """Return one answer for the run itself and one for each audit of the file, in order.

    Raises ``UsageError`` where the file is not of the form ``provado-audit/1``, ``/2`` or ``/3``.
    """
    return recheck_document(load_json(file), str(file))


def recheck_document(document: Any, file: str = "document") -> tuple[Checked, ...]:
    """Return what ``recheck`` returns, for a document that was read already."""
    run = run_from_json(document, file)
    again = run_to_json(run)
    own = (*_derived(document, again, "exit_status"), *_shared_alpha(run))
    return (
        Checked("the run", own),
        *(
            Checked(
                result.name,
                (*audit_differences(result), *_derived(old, new, "epsilon_lower", "surprising")),
            )
            for result, old, new in zip(
                run.results, document["audits"], again["audits"], strict=True
            )
        ),
    )


def _shared_alpha(run: Run) -> Iterator[str]:
    """Yield a difference where the audits' chances of a false alarm exceed that of the run."""
    # A claim that was decided exactly can raise no false alarm.
    spent = math.fsum(1 - result.confidence for result in run.results if result.exact is None)
    if spent > 1 - run.settings.confidence + 1e-9:
        yield (
            f"alpha: the audits' sum to {spent:.6g}; the run's confidence of "
            f"{run.settings.confidence:g} leaves {1 - run.settings.confidence:.6g}"
        )


def audit_differences(result: AuditResult) -> Iterator[str]:
    """Yield what differs in one audit, each as one line."""
    if result.exact is not None:
        yield from exact_differences(result, result.exact)
        return
    for pair in result.pairs:
        for difference in _pair_differences(pair, result):
            yield f"pair {pair.index}: {difference}"
    indexes = [pair.index for pair in result.pairs]
    if len(set(indexes)) != len(indexes):
        yield f"pairs: the indexes {indexes} must be distinct"
    spent = math.fsum(pair.method.alpha for pair in result.pairs)
    if spent > 1 - result.confidence + 1e-12:
        yield (
            f"alpha: the shares sum to {spent:.6g}; a confidence of {result.confidence:g} leaves "
            f"{1 - result.confidence:.6g}"
        )
    follows = merge(_pair_verdict(pair, result) for pair in result.pairs)
    if result.verdict is Verdict.UNKNOWN:
        if not result.reason:
            yield "verdict: unknown, and no reason is given"
        if follows is Verdict.VIOLATION:
            yield "verdict: recorded unknown; the counts certify a violation"
    elif result.verdict is not follows:
        yield f"verdict: recorded {str(result.verdict)!r}; the counts give {str(follows)!r}"


def _pair_differences(pair: PairResult, result: AuditResult) -> Iterator[str]:
    bound = epsilon_lower(pair.counts, pair.method)
    if not _agree(bound, pair.epsilon_lower):
        yield f"bound: recorded ε ≥ {pair.epsilon_lower!r}; the counts give ε ≥ {bound!r}"
    if pair.method.delta != result.delta:
        yield f"bound: taken at δ = {pair.method.delta!r}; the claim is at δ = {result.delta!r}"
    verdict = _pair_verdict(pair, result)
    if pair.verdict is not verdict:
        yield f"verdict: recorded {str(pair.verdict)!r}; the counts give {str(verdict)!r}"
    trials, planned = pair.counts.trials, pair.planned_trials
    if trials > planned:
        yield f"trials: {trials:,} counted; at most {planned:,} were planned"
    elif trials < planned and pair.method.bets is None and pair.verdict is not Verdict.UNKNOWN:
        yield (
            f"trials: {trials:,} counted of {planned:,} planned; the binomial bound needs a "
            "number fixed in advance"
        )
    for recorded, again in zip(
        pair.effects, effect_sizes(pair.counts, result.confidence), strict=True
    ):
        if not _same_effect(recorded, again):
            yield f"effect of saying {recorded.guess!r}: it is not that of the counts"
    yield from _checkpoint_differences(pair)


def _checkpoint_differences(pair: PairResult) -> Iterator[str]:
    """Yield where the counts so far do not grow, or do not end at the counts."""
    for before, after in pairwise(pair.checkpoints):
        fallen = [name for name, count in vars(before).items() if count > getattr(after, name)] or (
            ["trials"] if before.trials == after.trials else []
        )
        if fallen:
            yield (
                f"checkpoints: {fallen[0]} is {getattr(before, fallen[0]):,} after "
                f"{before.trials:,} trials and {getattr(after, fallen[0]):,} at the next"
            )
    if pair.checkpoints and pair.checkpoints[-1] != pair.counts:
        yield "checkpoints: the last are not the counts of all trials"


def _pair_verdict(pair: PairResult, result: AuditResult) -> Verdict:
    """Return what the counts say of one pair; a pair that broke below its claim stays unknown."""
    if epsilon_lower(pair.counts, pair.method) > result.epsilon:
        return Verdict.VIOLATION
    return Verdict.UNKNOWN if pair.verdict is Verdict.UNKNOWN else Verdict.NO_VIOLATION


def _same_effect(recorded: EffectSize, again: EffectSize) -> bool:
    """Compare counts exactly, what is computed from them within what platforms may differ in."""
    for name, old in vars(recorded).items():
        new = getattr(again, name)
        if name.endswith("_interval"):
            # The ends are found by search, to fewer digits.
            if not all(_agree(a, b, 1e-6) for a, b in zip(old, new, strict=True)):
                return False
        elif isinstance(old, float):
            if not _agree(old, new):
                return False
        elif old != new:
            return False
    return True


def _agree(a: float, b: float, relative: float = 0.0) -> bool:
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b or abs(a - b) <= TOLERANCE + relative * abs(b)


def _derived(old: dict[str, Any], new: dict[str, Any], *keys: str) -> Iterator[str]:
    for key in keys:
        a, b = old[key], new[key]
        close = isinstance(a, float) and isinstance(b, float) and _agree(a, b)
        if a != b and not close:
            yield f"{key}: recorded {a!r}; the rest gives {b!r}"
