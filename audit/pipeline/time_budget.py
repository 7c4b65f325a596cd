"""How fast a mechanism is, from a few draws, and what follows from that before an audit begins."""

from __future__ import annotations

import contextlib
import time
import warnings
from dataclasses import replace
from typing import Any

from provado.audit.options.request import USUAL_SECONDS, Request
from provado.audit.search.request import Question
from provado.audit.target.call import RaisedError
from provado.audit.target.output_encoding import BrokenMechanismError, PatternBook
from provado.audit.target.random_state import Held, seeding
from provado.audit.target.seed_stream import TIMED, generators, held_generator
from provado.audit.trials.experiment import draw_sides
from provado.audit.workers.forecast import Forecast
from provado.audit.workers.time_limits import Watch

from .explore import MOST_EXPLORED

FEW_TRIALS = 20_000
"""Where fewer fit in the time, exploring would take too many of them."""

TIMED_SHARE, MOST_TIMED = 1 / 200, 4096
"""Of the time, at most the usual one, what finding that out may take; and how many trials."""

CANDIDATES_TIMED = 3
"""Candidates that are timed at most, until one does not break the mechanism."""


def foresee(request: Request, index: int, held: Held, watch: Watch) -> tuple[Request, float]:
    """Return the request with its time settled, and the seconds a run takes; 0 if it is not known.

    Where neither trials nor time were asked for, the usual time is given to what would take longer
    with the usual number of trials. Whoever listens is told what comes, before the first pair.

    Raises ``BrokenMechanismError`` where the mechanism breaks on a pair that was given, and what
    the watch raises.
    """
    searched, given = request.question, bool(request.pairs)
    telling = request.tell.heard and (index == 0 if searched is None else not given)
    if not (telling or request.budget is not None or _may_be_few(request)):
        return request, 0.0
    limit = min(request.seconds or request.budget or USUAL_SECONDS, USUAL_SECONDS)
    if searched is None or given:
        cost = seconds_a_trial(request, request.pairs[index], index, limit, held, watch)
    else:
        cost = _of_candidates(request, searched, limit, held, watch)
    usual = False
    if request.budget is not None:
        trials_take = _forecast(request, cost).total
        usual = not cost or trials_take > request.budget * max(len(request.pairs), 1)
        request = replace(request, seconds=request.budget if usual else None, budget=None)
        if searched is not None and usual:
            request = replace(request, question=replace(searched, seconds=limit))
    if telling:
        request.tell.foretell(replace(_forecast(request, cost), usual=usual))
    return request, cost


def _of_candidates(
    request: Request, question: Question, limit: float, held: Held, watch: Watch
) -> float:
    """Return the seconds a trial takes on a pair to be searched; 0 where the first ones break."""
    for candidate in question.candidates[:CANDIDATES_TIMED]:
        # What it warns of on strange data is of no interest yet.
        with contextlib.suppress(BrokenMechanismError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return seconds_a_trial(request, question.pair(candidate), 0, limit, held, watch)
    return 0.0


def few_trials_fit(request: Request, cost: float) -> bool:
    """Tell whether so few trials fit in the time that none should be thrown away."""
    if request.sequential or request.seconds is None or not _may_be_few(request):
        return request.sequential
    return bool(cost) and request.seconds / cost < FEW_TRIALS


def _may_be_few(request: Request) -> bool:
    return request.seconds is not None and request.explore is None and not request.sequential


def seconds_a_trial(
    request: Request, pair: tuple[Any, Any], index: int, limit: float, held: Held, watch: Watch
) -> float:
    """Return how long a trial takes, from some that are thrown away.

    limit: the seconds of which a small share may be spent on it. The first call is not timed, since
    it may import and compile. Exceptions are outputs; a batch that raises is drawn one by one.
    """
    target, size, number = request.target.catching(), 1, 1
    with seeding(held) as seed_held:
        while True:
            seed_held(held_generator(request.seed, target.name, index, TIMED, number))
            rngs = generators(request.seed, target.name, index, TIMED, number)
            started = time.perf_counter()
            try:
                draw_sides(target, *pair, size, PatternBook(), rngs, watch)
            except RaisedError:
                target, size, number = target.catching(single=True), 1, number + 1
                continue
            spent = time.perf_counter() - started
            if number > 1 and (spent > TIMED_SHARE * limit or size >= MOST_TIMED):
                return max(spent, 1e-9) / size
            if watch.over:
                raise watch.ended()
            size, number = size * 4 if number > 1 else 1, number + 1


def _forecast(request: Request, cost: float) -> Forecast:
    sequential = few_trials_fit(request, cost)
    explored = min(request.samples, MOST_EXPLORED) if request.explore is None else request.explore
    question = request.question
    return Forecast(
        cost=cost,
        pairs=max(len(request.pairs), 1),
        trials=request.samples,
        explored=0 if sequential else explored,
        candidates=0 if question is None else len(question.candidates),
        searched=0 if question is None else question.runs,
        jobs=1 if sequential else request.jobs,
        confidence=request.confidence,
        seconds=request.seconds,
        time_limit=request.time_limit,
    )
