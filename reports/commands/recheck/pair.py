"""Computes again what follows from the counts of one pair of datasets, and its claim's curve."""

import math
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from typing import Any

import numpy as np

from provado.audit.bounds import epsilon_lower, mixture, parameter_lower
from provado.audit.bounds.alpha_spending import EXACT, POINT_SHARE, RESERVE
from provado.audit.bounds.counts import Counts, effect_sizes
from provado.audit.bounds.power import detectable_epsilon
from provado.audit.events.online_learner import BettingStrategy
from provado.audit.result import AuditResult, PairResult
from provado.audit.trials.experiment import is_checkpoint
from provado.mechanisms import Verdict
from provado.mechanisms.definitions import CurvePromise
from provado.reports.tasks.run import Settings
from provado.reports.text.formatting import counted

TOLERANCE = 1e-9
"""How far a recorded bound may lie from the one computed again, the way from one platform's
special functions to another's."""

_SIX = tuple(field.name for field in fields(Counts) if field.name != "cells")


def unlike(
    name: str, recorded: Any, again: Any, follows: str, *, relative: float = 0.0, sign: str = ""
) -> Iterator[str]:
    """Yield a line where what is recorded is not what follows; ``sign`` stands before both."""
    if not same(recorded, again, relative):
        yield f"{name}: recorded {sign}{recorded!r}; {follows} {sign}{again!r}"


def same(recorded: Any, again: Any, relative: float = 0.0) -> bool:
    """Return whether data are the same, numbers in it within what platforms may differ in."""
    if isinstance(recorded, list | tuple) and isinstance(again, list | tuple):
        pairs = zip(recorded, again, strict=False)
        return len(recorded) == len(again) and all(same(a, b, relative) for a, b in pairs)
    numbers = isinstance(recorded, int | float) and isinstance(again, int | float)
    real = isinstance(recorded, float) or isinstance(again, float)
    if recorded == again or not (numbers and real):
        return bool(recorded == again)
    if not (math.isfinite(recorded) and math.isfinite(again)):
        return math.isnan(recorded) and math.isnan(again)
    return bool(abs(recorded - again) <= TOLERANCE + relative * abs(recorded))


def pair_differences(pair: PairResult, result: AuditResult, settings: Settings) -> Iterator[str]:
    """Yield what differs in one pair, each as one line."""
    counts, method, follow = pair.counts, pair.method, "the counts give"
    bound = epsilon_lower(counts, method)
    yield from unlike("bound", pair.epsilon_lower, bound, follow, sign="ε ≥ ")
    point = result.epsilon if method.epsilon is None else method.epsilon
    visible = detectable_epsilon(counts, method, point)
    yield from unlike("detectable_epsilon", pair.detectable_epsilon, visible, follow, relative=1e-6)
    if result.curve is not None:
        yield from curve_differences(pair, result.curve.promise())
    elif method.delta != result.delta:
        yield f"bound: taken at δ = {method.delta!r}; the claim is at δ = {result.delta!r}"
    verdict = pair_verdict(pair, result)
    yield from unlike("verdict", str(pair.verdict), str(verdict), follow)
    yield from _bet_differences(pair, result, settings)
    yield from _bettor_differences(pair, result)
    trials, planned = counts.trials, pair.planned_trials
    fixed = method.name == "binomial" and pair.verdict is not Verdict.UNKNOWN
    if trials > planned:
        yield f"trials: {trials:,} counted; at most {planned:,} were planned"
    elif trials < planned and fixed:
        yield (
            f"trials: {trials:,} counted of {planned:,} planned; the binomial bound needs a "
            "number fixed in advance"
        )
    if settings.samples not in (None, planned) and not method.bettors:
        yield f"trials: {planned:,} planned; {settings.samples:,} were requested"
    for recorded, again in zip(pair.effects, effect_sizes(counts, result.confidence), strict=True):
        # The ends of intervals are found by search, to fewer digits.
        if not all(
            same(old, getattr(again, name), 1e-6 if name.endswith("_interval") else 0.0)
            for name, old in vars(recorded).items()
        ):
            yield f"effect of saying {recorded.guess!r}: it is not that of the counts"
    yield from _checkpoint_differences(pair)


def pair_verdict(pair: PairResult, result: AuditResult) -> Verdict:
    """Return what the counts say of one pair; a pair that broke below its claim stays unknown."""
    if result.curve is not None:
        promise = result.curve.promise()
        refuted = parameter_lower(pair.counts, pair.method, promise) > promise.parameter
    else:
        refuted = epsilon_lower(pair.counts, pair.method) > result.epsilon
    if refuted:
        return Verdict.VIOLATION
    return Verdict.UNKNOWN if pair.verdict is Verdict.UNKNOWN else Verdict.NO_VIOLATION


def cut_short(pair: PairResult) -> bool:
    """Return whether time or an interrupt ended the draws before the last that was planned."""
    return pair.counts.trials < pair.planned_trials


def parts_of_alpha(pair: PairResult, settings: Settings) -> tuple[float, ...]:
    """Return which parts of its share of alpha a pair's bound may have.

    A little is kept for a cut; and for a sequential audit of batches, one of which may raise. What
    was drawn before is then discarded, and the little is all that is left.
    """
    if pair.method.bettors:
        return (RESERVE,) if pair.explored_trials else (1.0, 1 - RESERVE)
    if pair.method.ladder is not None:
        return (POINT_SHARE,)
    if pair.method.side and cut_short(pair) and not settings.anytime:
        # A point of a curve is tested by bets alone, which have the whole share.
        return (1 - EXACT,) if pair.method.epsilon is None else (1.0,)
    if pair.method.delta > 0 or settings.anytime:
        return (1.0,)
    return (RESERVE if cut_short(pair) else 1 - RESERVE,)


def _bet_differences(pair: PairResult, result: AuditResult, settings: Settings) -> Iterator[str]:
    """Yield where the bets are not those that every plan makes around its planned stake."""
    if pair.method.bettors:
        return
    bets, delta = pair.method.bets, pair.method.delta
    exact = pair.method.side and not (settings.anytime or cut_short(pair) or result.curve)
    if pair.method.aimed != (aimed := result.epsilon if exact else None):
        yield f"bound: the exact test is aimed at {pair.method.aimed!r}; a plan has {aimed!r}"
    anytime = settings.anytime or (delta == 0 and cut_short(pair))
    if (bets is not None) != (delta > 0 or anytime):
        yield f"bound: the {pair.method.name} bound; these settings have the other"
    elif bets is not None:
        again = mixture(bets.stakes[0], pair.method.allowed, anytime=anytime)
        for name in ("stakes", "weights"):
            old, new = getattr(bets, name), getattr(again, name)
            same = len(old) == len(new) and all(
                math.isclose(a, b, rel_tol=1e-9) for a, b in zip(old, new, strict=True)
            )
            if not same:
                yield f"bound: the {name} of the bets are not those of a plan"


def _bettor_differences(pair: PairResult, result: AuditResult) -> Iterator[str]:
    """Yield where bettors are not those that every sequential audit has, or left trials out."""
    if not pair.method.bettors:
        return
    again = BettingStrategy(result.epsilon, result.delta)
    if len(again.weights) != len(pair.method.bettors):
        yield f"bettors: {len(pair.method.bettors)} recorded; there are {len(again.weights)}"
        return
    for number, bettor in enumerate(pair.method.bettors):
        if not math.isclose(bettor.weight, again.weights[number], rel_tol=1e-9):
            yield f"bettors: the weight of number {number} is not that of every audit"
        stakes = again.stakes[number]
        made = {stake for row in bettor.staked for stake in row[:2]}
        if any(not np.isclose(stakes, stake, rtol=1e-9, atol=0.0).any() for stake in made):
            yield f"bettors: number {number} has a stake that it never places"
        if bettor.trials != pair.counts.trials:
            yield (
                f"bettors: number {number} saw {counted(bettor.trials, 'trial')} of "
                f"{pair.counts.trials:,}"
            )


def _checkpoint_differences(pair: PairResult) -> Iterator[str]:
    """Yield where the counts so far do not grow, are not complete, or do not end at the counts."""
    for before, after in pairwise(pair.checkpoints):
        fallen = [name for name in _SIX if getattr(before, name) > getattr(after, name)] or (
            ["trials"] if before.trials == after.trials else []
        )
        if fallen:
            yield (
                f"checkpoints: {fallen[0]} is {getattr(before, fallen[0]):,} after "
                f"{counted(before.trials, 'trial')} and {getattr(after, fallen[0]):,} at the next"
            )
    if pair.checkpoints and pair.checkpoints[-1].six != pair.counts.six:
        yield "checkpoints: the last are not the counts of all trials"
    total = pair.counts.trials
    due = [2**power for power in range(total.bit_length())]
    due = [*(trials for trials in due if is_checkpoint(trials) and trials < total), total]
    if (result := [counts.trials for counts in pair.checkpoints]) != due:
        yield f"checkpoints: after {_listed(result)} trials; they are due after {_listed(due)}"


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers[:20])) or "no"


def curve_differences(pair: PairResult, promise: CurvePromise) -> Iterator[str]:
    """Yield where limit, point, cells or alpha of one pair do not follow from the rest."""
    method, ladder = pair.method, pair.method.ladder
    if method.epsilon is None and not method.bettors:
        yield "bound: it tests no point of the curve that is claimed"
        return
    lower, sign = parameter_lower(pair.counts, method, promise), f"{promise.symbol} ≥ "
    recorded = pair.parameter_lower
    yield from unlike(
        "parameter_lower", recorded, lower, "the counts give", relative=1e-7, sign=sign
    )
    if method.epsilon is not None and not same(method.delta, promise.delta(method.epsilon), 1e-6):
        yield (
            f"bound: the point tested is ({method.epsilon!r}, {method.delta!r}); the claim has δ = "
            f"{promise.delta(method.epsilon)!r} there"
        )
    half = len(pair.counts.cells) // 2
    sides = [sum(pair.counts.cells[:half]), sum(pair.counts.cells[half:])]
    if half and sides != [pair.counts.d_trials, pair.counts.d_prime_trials]:
        yield f"cells: they hold {sides} trials; the guesses {pair.counts.trials:,} in all"
    if ladder is None:
        return
    weight = getattr(promise, "weight", None)
    if weight is None or weight(ladder.order) != ladder.weight:
        yield f"ladder: the claim does not hold D of order {ladder.order:g} to {ladder.weight:g}"
    share = method.alpha * (1 - POINT_SHARE) / POINT_SHARE
    if not math.isclose(ladder.alpha, share, rel_tol=1e-9):
        yield f"ladder: its alpha is {ladder.alpha!r}; beside that of the point it is {share!r}"
