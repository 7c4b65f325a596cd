"""``replay``: the real program twice, under the same noise, with one data point changed."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from provado.audit.options.declaration import TIME_LIMIT
from provado.audit.options.domains import MOST_SEED
from provado.audit.options.request import (
    checked_number,
    checked_promise,
    checked_relation,
    listed_pairs,
    time_to_spend,
    whole_number,
)
from provado.audit.search.request import read_question
from provado.audit.target.call import Target
from provado.audit.workers import goes_apart
from provado.mechanisms import (
    ExactlyDecidable,
    Mechanism,
    NeighboringRelation,
    PrivacyPromise,
    UsageError,
)
from provado.mechanisms.adapters.interpreter import Elsewhere
from provado.mechanisms.adapters.plugins import adapts, as_mechanism
from provado.mechanisms.definitions.curve import CurvePromise
from provado.mechanisms.definitions.promise import check_claimed, check_delta
from provado.mechanisms.definitions.relation import difference_words

from .claim import Claim
from .result import Asked, Replay
from .runs import isolated, replayed

MOST_PAIRS = 6
"""Pairs that are replayed where neighbors are made of data."""


def replay(
    mechanism: Any,
    *,
    epsilon: float | Fraction | None = None,
    delta: float | Fraction | None = None,
    promise: PrivacyPromise | None = None,
    pair: Any = None,
    data: Any = None,
    domain: Any = None,
    values: Sequence[Any] | None = None,
    relation: NeighboringRelation | str | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    isolate: bool = True,
    name: str | None = None,
    command: str = "",
) -> Replay:
    """Run a mechanism under do(D_i = d) and do(D_i = d′) with the same noise, and compare the runs.

    A counterfactual: what would this very run have done with another data point? The second run's
    noise primitives give what they gave in the first: of ``x + noise`` the sum is frozen, so that
    all that follows depends on the data only by ways that have no noise.

    mechanism, epsilon, delta, promise, pair, relation, name: as in ``provado.audit.audit``. Without
        a claim no costs are compared.
    data, domain, values: instead of ``pair``, one dataset: the first six neighbors that the search
        of ``provado.audit.audit`` would try are replayed.
    seed: of the generators, those of the first run.
    time_limit: seconds for both runs of a pair, an hour if not given.
    isolate: run it in another process; in this one otherwise, as where it cannot be sent to one.
    command: how a finding's audit is typed.

    Seen are the methods of numpy's generators, old and new, and of ``random``; OpenDP's
    measurements, diffprivlib's mechanisms, PyDP's algorithms; and functions that ``noise`` marks.
    Sums, scaled values, selections, comparisons and conversions of noisy numbers are followed,
    cell by cell, whatever numpy or Python does them. What is not is in ``notes``; then the cost is
    NaN, and the replay is not ``completed`` unless something is found.

    Returns a ``Replay`` with findings, no verdicts: each names a line and an event that an audit of
    the pair can look at, which its ``audit()`` does. A mechanism that raises, hangs or ends its
    process is an answer.

    Raises ``UsageError`` where an argument breaks a rule.

    Source: Re:cord-play (arXiv 2602.17454): recorded noise, changed data, compared control flow and
    inputs of noise; Tschantz, Sen, Datta, Differential Privacy as a Causal Property (2022), for
    the interventions.
    """
    relation = checked_relation(relation)
    if isinstance(mechanism, ExactlyDecidable):
        raise UsageError("mechanism is a table of exact probabilities: it runs no code to replay")
    if isinstance(mechanism, Elsewhere):
        raise UsageError("mechanism runs in another interpreter: its code cannot be followed here")
    pair = _pairs(mechanism, pair, data, domain, values, relation)
    if ((epsilon is None and promise is None) or not callable(mechanism)) and adapts(mechanism):
        mechanism = as_mechanism(mechanism, pairs=listed_pairs(pair), relation=relation, name=name)
    statement = mechanism if isinstance(mechanism, Mechanism) else None
    if promise is not None:
        promise = checked_promise(promise, epsilon, delta)
    elif statement is not None and epsilon is None:
        promise = statement.promise
    call = mechanism if statement is None else statement.run
    relation = relation or (statement.relation if statement else None)
    pairs = listed_pairs(pair)
    if relation is not None:
        for d, d_prime in pairs:
            relation.check(d, d_prime)
    claim = _claim(epsilon, delta, promise)
    target = Target.of(call, name or (statement.name if statement else None)).catching(single=True)
    limit = TIME_LIMIT if time_limit is None else time_to_spend("time_limit", time_limit)
    seed = whole_number("seed", seed, 0, MOST_SEED)
    found = []
    for one in pairs:
        work = functools.partial(replayed, target, one, claim, seed)
        apart, notes = goes_apart(isolate, work)
        done = isolated(work, limit) if apart else work(lambda _: None)
        curve = promise if claim.promise is not None else None
        stated = (None if curve else claim.epsilon), (None if curve else claim.delta or None)
        asked = Asked(mechanism, one, *stated, curve, relation, command)
        done = replace(
            done,
            change=difference_words(*one),
            notes=(*notes, *done.notes),
            findings=tuple(replace(finding, asked=asked) for finding in done.findings),
        )
        found.append(done)
    return Replay(
        name=target.name,
        epsilon=claim.epsilon,
        delta=None if claim.epsilon is None else claim.delta,
        promise=promise.words() if promise is not None else claim.words(),
        relation=relation.words() if relation else "",
        seed=seed,
        pairs=tuple(found),
    )


def _pairs(
    mechanism: Any,
    pair: Any,
    data: Any,
    domain: Any,
    values: Sequence[Any] | None,
    relation: NeighboringRelation | None,
) -> Any:
    if data is not None:
        if pair is not None:
            raise UsageError("pair and data: neighbors are given or made of data; give one")
        if relation is None and isinstance(mechanism, Mechanism):
            relation = mechanism.relation
        question = read_question(data, relation, domain=domain, values=values, runs=MOST_PAIRS)
        return [question.pair(one) for one in question.candidates[:MOST_PAIRS]]
    if domain is not None or values is not None:
        raise UsageError("domain or values is given without data: they say what may stand in it")
    if pair is None and isinstance(mechanism, Mechanism):
        return list(mechanism.pairs)
    return pair


def _claim(epsilon: Any, delta: Any, promise: PrivacyPromise | None) -> Claim:
    if promise is not None:
        at, delta_at = promise.point()
        return Claim(at, delta_at, promise if isinstance(promise, CurvePromise) else None)
    if epsilon is None:
        if delta is not None:
            raise UsageError("delta is given without epsilon: a claim needs both")
        return Claim(None, 0.0)
    delta = checked_number("delta", 0.0 if delta is None else delta, check_delta)
    check = functools.partial(check_claimed, delta=delta)
    return Claim(checked_number("epsilon", epsilon, check), delta)
