"""Audit a claim on a costly mechanism by many interventions in each of few runs.

``audit_one_run`` is the call; ``read_one_run`` reads its arguments, and a wrong one ends there.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import Executor
from fractions import Fraction
from typing import Any

from provado.audit.options import request
from provado.audit.options.domains import MOST_RUNS, MOST_SEED
from provado.audit.pipeline.isolated_run import RESUMED
from provado.audit.result import AuditResult, InterruptedAudit, OneRunFinding, judged
from provado.audit.target.call import Target
from provado.audit.trials.checkpoint import NO_CHECKPOINT, Checkpoint
from provado.audit.workers import GRACE, Broken, run_in_processes, runs_in_subprocess
from provado.mechanisms import Mechanism, PrivacyPromise, UsageError
from provado.mechanisms.definitions.curve import CurveRecord
from provado.mechanisms.definitions.parameters import check_epsilon
from provado.mechanisms.definitions.relation import short

from .draws import Canaries, Guessed, OneRunPlan, guess


def audit_one_run(
    mechanism: Any,
    *,
    canaries: Any,
    replacements: Any = None,
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
    time_limit: float | None = None,
    block_limit: float | None = None,
    isolate: bool = True,
    checkpoint: Checkpoint = NO_CHECKPOINT,
    executor: Executor | None = None,
    name: str | None = None,
) -> OneRunResult:
    """Audit a claim of differential privacy by many interventions in each of few runs.

    Each of m data points, the canaries, has a fair coin of its own. The mechanism runs once on what
    the coins say; a score of each canary then guesses the coins of the most informative ones, and
    abstains on the rest.

    mechanism: ``mechanism(data) -> output``, with the keyword ``rng`` if it takes one; one that
        takes ``size``, too, is asked for 1 output. A ``provado.mechanisms.Mechanism`` brings its
        claim with it, if ``epsilon`` is not given.
    canaries: m records, as a list, tuple, array or data frame. Each is in the dataset where its
        coin is heads, and left out otherwise: the claim is one for add-or-remove-one.
    replacements: m records that stand in the canaries' place where their coins are tails, for a
        claim for replace-one.
    data: the records that are always there, before the canaries; of the same kind.
    epsilon, delta: the claim; δ is 0 unless given. promise: the claim, instead, as in
        ``provado.audit.audit``; a curve is held to all of its points, and what is certified is in
        its own parameter (``lower``).
    score: from an output to m numbers, high where the coin is likely heads. Without it the output
        has m numbers itself, coordinate i for canary i. It must not know the coins.
    guesses: how many coins a run guesses, half of them by the highest scores and half by the
        lowest; half of m, if not given, or what exploring runs tell.
    threshold: with it, the scores farthest from it are guessed, on their side of it.
    runs: runs that count, each with coins of its own. explore: runs before them that choose how
        many coins to guess, and are discarded.
    confidence: at least 1 − the probability of a false alarm.
    seed: replays the audit, if the mechanism draws from ``rng`` or from generators of ``random``
        and ``numpy.random``.
    time_limit: seconds after which it ends as ``unknown``. block_limit: seconds that one run may
        take, its scores included; likewise. Workers of an ``executor`` are not held to it.
    isolate: run in another process, so that no crash or exit reaches the caller.
    checkpoint: the saved progress of an earlier run of this audit, and the function that saves
        that of this one: how many coins to guess, and the correct guesses of each run.
    executor: makes the runs that count: any ``concurrent.futures.Executor``, of processes or of
        other machines. Mechanism, canaries and score are pickled. All else runs in this process,
        whatever ``isolate`` says.
    name: what to call the mechanism; also names its stream of random numbers.

    Returns a ``OneRunResult``, which is an ``AuditResult`` without pairs. A mechanism or a score
    that raises, hangs, ends its process or gives another number of scores gets the verdict
    ``unknown`` with the reason.

    Guarantee: if the claim holds, the probability that the verdict is ``violation`` is at most
    1 − ``confidence``, however the guesses of a run depend on each other. What many canaries
    release together may drown each of them: a pass says little of one canary alone.

    Raises ``UsageError`` where an argument breaks a rule; ``InterruptedAudit`` on Ctrl-C where
    nothing is isolated.

    Source: Steinke, Nasr and Jagielski, Privacy Auditing with One (1) Training Run (2023),
    Algorithm 1; the bounds are ``bounds.one_run``, of curves, too.
    """
    plan, claim, stated = read_one_run(
        mechanism,
        canaries=canaries,
        replacements=replacements,
        data=data,
        epsilon=epsilon,
        delta=delta,
        promise=promise,
        score=score,
        guesses=guesses,
        threshold=threshold,
        runs=runs,
        explore=explore,
        confidence=confidence,
        seed=seed,
        name=name,
    )
    limits = (
        request.time_to_spend("time_limit", time_limit),
        request.time_to_spend("block_limit", block_limit),
    )
    executor = request.checked_executor(executor)
    started = time.perf_counter()
    found: Guessed | Broken
    # An executor lives in this process, and in no other.
    apart, notes = runs_in_subprocess(isolate and executor is None, plan)
    if apart:
        told = checkpoint.save

        def work(send: Callable[[Any], None]) -> Guessed:
            return guess(plan, limits, checkpoint.to(send))

        (found,) = run_in_processes(
            [work],
            processes=1,
            # The process keeps the limit itself, unless compiled code lets no signal through.
            time_limit=limits[0] + GRACE,
            heard=lambda _, entry: told(entry) if told is not None else None,
        )
    else:
        found = guess(plan, limits, checkpoint, executor)
    if isinstance(found, Broken):
        found = Guessed(plan.guesses or 0, reason=found.reason)
    seconds = time.perf_counter() - started + checkpoint.spent
    stated["notes"] = (*notes, *([RESUMED] if checkpoint.known else []), *plan.target.notes)
    result = _result(plan, found, claim, {**stated, "seconds": seconds})
    if found.interrupted:
        raise InterruptedAudit(result)
    return result


def _result(
    plan: OneRunPlan, found: Guessed, claim: request.PrivacyClaim, stated: dict[str, Any]
) -> OneRunResult:
    runs = 0 if found.reason else plan.runs
    judgement = judged(
        OneRunFinding(
            interventions=len(plan.canaries),
            guesses=found.guesses,
            threshold=plan.threshold,
            runs=runs,
            explored=plan.explore,
            correct=found.correct if runs else 0,
        ),
        claim.stated_epsilon,
        claim.delta,
        plan.alpha,
        claim.curve,
    )
    return OneRunResult(
        name=plan.target.name,
        verdict=judgement.verdict,
        reason=found.reason,
        epsilon=judgement.point[0],
        delta=judgement.point[1],
        seed=plan.seed,
        samples=0,
        pairs=(),
        relation=plan.canaries.relation,
        one_run=judgement.found,
        **stated,
    )


class OneRunResult(AuditResult):
    """The verdict on one claim, from runs with m interventions each.

    An ``AuditResult`` whose ``one_run`` says what was guessed; it has no pairs and no samples.
    Wherever an audit's result is taken, this is. ``relation`` is the one in which one coin is one
    step.
    """

    @property
    def interventions(self) -> int:
        """Coins of each run."""
        return self._found.interventions

    @property
    def guesses(self) -> int:
        """Guesses made in each run."""
        return self._found.guesses

    @property
    def threshold(self) -> float | None:
        """The threshold of the scores, where there is one."""
        return self._found.threshold

    @property
    def runs(self) -> int:
        """Runs that count; 0 where they were not completed."""
        return self._found.runs

    @property
    def explored(self) -> int:
        """Runs that were discarded."""
        return self._found.explored

    @property
    def correct(self) -> int:
        """Right guesses in all runs that count."""
        return self._found.correct

    @property
    def detectable_epsilon(self) -> float:
        """The ε at which this audit had 90 % power, by independent guesses; else ``math.inf``."""
        return self._found.detectable_epsilon

    @property
    def chance(self) -> float:
        """The largest chance, under the claim, of so many right guesses or more: a p-value."""
        curve = None if self.curve is None else self.curve.promise()
        return self._found.chance(self.epsilon, self.delta, curve)

    @property
    def _found(self) -> OneRunFinding:
        assert self.one_run is not None
        return self.one_run


def read_one_run(
    mechanism: Any,
    *,
    canaries: Any,
    replacements: Any = None,
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
) -> tuple[OneRunPlan, request.PrivacyClaim, dict[str, Any]]:
    """Return what ``audit_one_run`` is asked for, the claim, and what a result says beside it.

    Raises ``UsageError`` that begins with the wrong argument, its value and the rule.
    """
    stated: dict[str, Any] = {"confidence": request.checked_confidence(confidence)}
    statement = mechanism if isinstance(mechanism, Mechanism) else None
    claim = request.PrivacyClaim.of(statement, epsilon, delta, promise)
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
    if promise is not None and claim.stated_epsilon == 0:
        raise UsageError(
            "promise has ε = 0: an audit of few runs needs ε above 0; state the same δ with a "
            "small ε, such as 0.01, which the claim implies"
        )
    request.checked_number("epsilon", claim.stated_epsilon, check_epsilon)
    points = Canaries(canaries, replacements, data)
    m = len(points)
    if threshold is not None:
        number = request.checked_number("threshold", threshold, float)
        if not math.isfinite(number):
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
    plan = OneRunPlan(
        target=Target.of(mechanism, name),
        canaries=points,
        score=score,
        delta=claim.delta,
        curve=claim.curve,
        alpha=1 - stated["confidence"],
        seed=request.whole_number("seed", seed, 0, MOST_SEED),
        runs=request.whole_number("runs", runs, 1, MOST_RUNS),
        explore=request.whole_number("explore", explore, 0, MOST_RUNS),
        guesses=None if guesses is None else request.whole_number("guesses", guesses, 1, m),
        threshold=threshold,
    )
    return plan, claim, stated
