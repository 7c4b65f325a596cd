"""``audit_one_run``: a claim on a dear mechanism, from many interventions in each of few runs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from provado.mechanisms import Mechanism, UsageError, Verdict
from provado.mechanisms.statement.intervention import short
from provado.mechanisms.statement.promise import check_delta, check_epsilon

from .bounds.one_run import one_run_chance, one_run_epsilon_lower
from .canaries import Canaries, Coins, Score, guessed, right, scores_of
from .one_run_result import OneRunResult
from .outputs import BrokenMechanismError
from .processes import Broken, can_isolate, run_apart, unsendable
from .randomness import held_generators, seeding
from .request import MOST_SEED, checked_confidence, checked_number, whole_number
from .stream import LEARN_RUN, ONE_RUN, generators, held_generator
from .target import Target

MOST_RUNS = 10_000

FRACTIONS = (1.0, 2 / 3, 1 / 2, 1 / 3, 1 / 5, 1 / 10, 1 / 20)
"""Of the canaries, how many to guess: what exploring runs choose from."""

POWER = 0.9


@dataclass(frozen=True)
class _Ask:
    """What is run: checked."""

    target: Target
    canaries: Canaries
    score: Score | None
    delta: float
    alpha: float
    seed: int
    runs: int
    explore: int
    guesses: int | None
    threshold: float | None


@dataclass(frozen=True)
class _Found:
    """Right guesses in all runs, and how many guesses a run made."""

    right: int
    guesses: int


def audit_one_run(
    mechanism: Any,
    *,
    canaries: Any,
    instead: Any = None,
    data: Any = None,
    epsilon: float | Fraction | None = None,
    delta: float | Fraction | None = None,
    score: Callable[[Any], Any] | None = None,
    guesses: int | None = None,
    threshold: float | None = None,
    runs: int = 1,
    explore: int = 0,
    confidence: float = 0.95,
    seed: int = 0,
    time_limit: float | None = None,
    isolate: bool = True,
    name: str | None = None,
) -> OneRunResult:
    """Audit a claim of (ε, δ)-differential privacy by many interventions in each of few runs.

    Each of m data points, the canaries, has a fair coin of its own. The mechanism runs once on what
    the coins say; a score of each canary then guesses the coins of the most telling ones, and
    abstains on the rest.

    mechanism: ``mechanism(data) -> output``, with the keyword ``rng`` if it takes one; one that
        takes ``size``, too, is asked for 1 output. A ``provado.mechanisms.Mechanism`` brings its
        claim with it, if ``epsilon`` is not given.
    canaries: m records, as a list, tuple, array or data frame. Each is in the dataset where its
        coin is heads, and left out otherwise: the claim is one for add-or-remove-one.
    instead: m records that stand in the canaries' place where their coins are tails, for a claim
        for replace-one.
    data: the records that are always there, before the canaries; of the same kind.
    epsilon, delta: the claim; δ is 0 unless given.
    score: from an output to m numbers, high where the coin is likely heads. Without it the output
        has m numbers itself, coordinate i for canary i. It must not know the coins.
    guesses: how many coins a run guesses, half of them by the highest scores and half by the
        lowest; half of m, if not given, or what exploring runs tell.
    threshold: with it, the scores farthest from it are guessed, on their side of it.
    runs: runs that count, each with coins of its own. explore: runs before them that choose how
        many coins to guess, and are thrown away.
    confidence: at least 1 − the probability of a false alarm.
    seed: replays the audit, if the mechanism draws from ``rng`` or from generators of ``random``
        and ``numpy.random``.
    time_limit: seconds after which it ends as ``unknown``.
    isolate: run in another process, so that no crash, exit or hanging reaches the caller. In this
        process otherwise, where nothing keeps the time.
    name: what to call the mechanism; also names its stream of random numbers.

    Returns a ``OneRunResult``. A mechanism or a score that raises, hangs, ends its process or gives
    another number of scores gets the verdict ``unknown`` with the reason.

    Guarantee: if the claim holds, the probability that the verdict is ``violation`` is at most
    1 − ``confidence``, however the guesses of a run depend on each other. What many canaries
    release together may drown each of them: a pass says little of one canary alone.

    Raises ``UsageError`` where an argument breaks a rule.

    Source: Steinke, Nasr and Jagielski, Privacy Auditing with One (1) Training Run (2023),
    Algorithm 1; the bound is ``bounds.one_run``.
    """
    if isinstance(mechanism, Mechanism):
        name = name or mechanism.name
        if epsilon is None:
            point = mechanism.promise.point()
            epsilon, delta = point[0], point[1] if delta is None else delta
        mechanism = mechanism.run
    if epsilon is None:
        raise UsageError("epsilon is missing: a claim needs a finite number above 0")
    claim = checked_number("epsilon", epsilon, check_epsilon)
    sure = checked_confidence(confidence)
    points = Canaries(canaries, instead, data)
    m = len(points)
    if threshold is not None and not math.isfinite(threshold):
        raise UsageError(f"threshold is {short(threshold)}: it must be a finite number")
    if threshold is None and m < 2:
        raise UsageError("canaries holds one record: a threshold must say which scores are high")
    if score is not None and not callable(score):
        raise UsageError(f"score is {short(score)}: it must be a function of an output")
    limit = math.inf
    if time_limit is not None:
        limit = checked_number("time_limit", time_limit, float)
        if not limit > 0:
            raise UsageError(f"time_limit is {short(time_limit)}: it must be above 0")
    ask = _Ask(
        target=Target.of(mechanism, name),
        canaries=points,
        score=score,
        delta=checked_number("delta", 0.0 if delta is None else delta, check_delta),
        alpha=1 - sure,
        seed=whole_number("seed", seed, 0, MOST_SEED),
        runs=whole_number("runs", runs, 1, MOST_RUNS),
        explore=whole_number("explore", explore, 0, MOST_RUNS),
        guesses=None if guesses is None else whole_number("guesses", guesses, 1, m),
        threshold=threshold,
    )
    started = time.perf_counter()
    found: _Found | Broken
    if isolate and can_isolate() and not unsendable(ask):
        (found,) = run_apart([partial(_run, ask)], processes=1, time_limit=limit)
    else:
        found = _run(ask)
    return _result(ask, found, claim, sure, time.perf_counter() - started)


def _run(ask: _Ask) -> _Found | Broken:
    """Make all runs; what broke comes back as such, so that an isolated run says the same."""
    total, guesses = 0, ask.guesses or max(1, len(ask.canaries) // 2)
    held = held_generators(of=ask.target.call)
    try:
        with seeding(held) as seed_held:
            explored = [_draw(ask, LEARN_RUN, run, seed_held) for run in range(ask.explore)]
            if explored and ask.guesses is None:
                guesses = _most_telling(ask, explored)
            for run in range(ask.runs):
                scores, coins = _draw(ask, ONE_RUN, run, seed_held)
                total += right(guessed(scores, guesses, ask.threshold), coins)
    except BrokenMechanismError as error:
        return Broken(str(error))
    return _Found(total, guesses)


def _draw(
    ask: _Ask, phase: int, run: int, seed_held: Callable[[np.random.Generator], None]
) -> tuple[NDArray[np.float64], Coins]:
    """Toss the coins of one run, intervene, run, and score."""
    where = (ask.seed, ask.target.name, 0, phase, run)
    coin, rng, _ = generators(*where)
    seed_held(held_generator(*where))
    coins: Coins = coin.integers(0, 2, len(ask.canaries)).astype(bool)
    outputs = ask.target.draw(ask.canaries.dataset(coins), 1, rng)
    if not hasattr(outputs, "__len__") or len(outputs) != 1:
        raise BrokenMechanismError(f"returned {short(outputs)} where one output was asked for")
    return scores_of(outputs[0], ask.score, len(ask.canaries)), coins


def _most_telling(ask: _Ask, explored: list[tuple[NDArray[np.float64], Coins]]) -> int:
    """Return the number of guesses by which these runs would have certified most."""
    m = len(ask.canaries)

    def certified(guesses: int) -> float:
        hits = sum(right(guessed(s, guesses, ask.threshold), coins) for s, coins in explored)
        return one_run_epsilon_lower(hits, guesses, m, ask.delta, ask.alpha, runs=len(explored))

    return max((max(1, round(share * m)) for share in FRACTIONS), key=certified)


def _result(
    ask: _Ask, found: _Found | Broken, epsilon: float, confidence: float, seconds: float
) -> OneRunResult:
    made = found if isinstance(found, _Found) else _Found(0, ask.guesses or 0)
    m, runs = len(ask.canaries), ask.runs if isinstance(found, _Found) else 0
    lower, visible, verdict = 0.0, math.inf, Verdict.UNKNOWN
    if runs:
        lower = one_run_epsilon_lower(made.right, made.guesses, m, ask.delta, ask.alpha, runs=runs)
        verdict = Verdict.VIOLATION if lower > epsilon else Verdict.NO_VIOLATION
        visible = _visible(ask, made.guesses, epsilon)
    return OneRunResult(
        name=ask.target.name,
        verdict=verdict,
        reason=found.reason if isinstance(found, Broken) else "",
        epsilon=epsilon,
        delta=ask.delta,
        confidence=confidence,
        seed=ask.seed,
        relation=ask.canaries.relation,
        interventions=m,
        guesses=made.guesses,
        threshold=ask.threshold,
        runs=runs,
        explored=ask.explore,
        right=made.right,
        epsilon_lower=lower,
        visible_epsilon=visible,
        seconds=seconds,
    )


def _visible(ask: _Ask, guesses: int, epsilon: float) -> float:
    """Return the ε of independent guesses that refute the claim with a chance of ``POWER``."""
    m, every = len(ask.canaries), guesses * ask.runs

    def refutes(hits: int) -> bool:
        chance = one_run_chance(hits, guesses, m, epsilon, ask.delta, runs=ask.runs)
        return chance <= ask.alpha

    if not refutes(every):
        return math.inf
    low, high = 0, every
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if refutes(middle) else (middle, high)
    rate = float(betaincinv(high, every - high + 1, POWER))
    return math.log(rate) - math.log1p(-rate) if rate < 1 else math.inf
