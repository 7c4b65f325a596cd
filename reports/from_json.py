"""Runs and results from ``provado-audit/1`` and ``/2``; whatever breaks the form is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from provado.audit.bounds import Bets, BoundMethod
from provado.audit.counts import Counts
from provado.audit.effect import EffectSize
from provado.audit.result import AuditResult, PairResult, Witness
from provado.mechanisms import ExactVerdict, UsageError, Verdict
from provado.reports import schema
from provado.reports.document import Node, load_json
from provado.reports.exact_json import exact_from_json
from provado.reports.run import Record, Run, Settings

_COUNTS = tuple(vars(Counts()))
_WITNESS = tuple(Witness.__match_args__)


def load_run(file: Path) -> Run:
    """Return the run that a file holds; raises ``UsageError`` naming file, key, value and rule."""
    return run_from_json(load_json(file), str(file))


def run_from_json(document: Any, file: str = "document") -> Run:
    """Return the run that a document describes; ``file`` is how complaints name it.

    What follows from the rest (``exit_status``, ``epsilon_lower`` and ``surprising`` of an audit)
    is computed again, not read; ``recheck`` compares it.
    """
    node = Node(document, file)
    version = node.mapping().get("schema")
    if version not in (schema.AUDIT, schema.AUDIT_EXACT):
        raise UsageError(
            f"{file}: schema is {version!r}: this version reads {schema.AUDIT!r} and "
            f"{schema.AUDIT_EXACT!r}"
        )
    keys = ("schema", "provado", "versions", "settings", "exit_status", "audits")
    _, provado, versions, settings, status, audits = node.fields(*keys)
    status.integer()
    return Run(
        provado=provado.text(),
        versions={k: Node(v, file, f"versions.{k}").text() for k, v in versions.mapping().items()},
        settings=_settings(settings),
        records=tuple(_record(audit, version == schema.AUDIT_EXACT) for audit in audits.items()),
    )


def result_from_json(document: Any, file: str = "document") -> AuditResult:
    """Return one result from what ``result_to_json`` made of it.

    Every field comes back as it was, except that infinities and NaN inside the free-form ``rule``
    stay the strings that stand for them.
    """
    return _result(Node(document, file), exact=True)


def _settings(node: Node) -> Settings:
    keys = ("samples", "seconds", "confidence", "seed", "time_limit", "stop_early")
    samples, seconds, confidence, seed, time_limit, stop_early = node.fields(*keys)
    return Settings(
        samples=None if samples.value is None else samples.integer(at_least=1),
        seconds=None if seconds.value is None else seconds.between(0, math.inf),
        confidence=confidence.between(0, 1),
        seed=seed.integer(),
        time_limit=time_limit.between(0, math.inf),
        stop_early=stop_early.boolean(),
    )


def _record(node: Node, exact: bool) -> Record:
    data = node.mapping()
    if "replay" not in data:
        raise UsageError(f"{node.file}: {node.path} has no key 'replay', which is required")
    replay = Node(data.pop("replay"), node.file, f"{node.path}.replay").text()
    return Record(_result(Node(data, node.file, node.path), exact), replay)


def _result(node: Node, exact: bool) -> AuditResult:
    """Return one result; ``exact`` says whether the form knows findings of exact arithmetic."""
    data = node.mapping()
    found = None
    if exact and "exact" in data:
        path = f"{node.path}.exact" if node.path else "exact"
        found = exact_from_json(Node(data.pop("exact"), node.file, path))
        node = Node(data, node.file, node.path)
    keys = (
        *("name", "summary", "tags", "promise", "relation", "source", "epsilon", "delta"),
        *("true_epsilon", "confidence", "samples", "seed", "seedable", "verdict", "reason"),
        *("expected", "surprising", "epsilon_lower", "notes", "seconds", "pairs"),
    )
    get = dict(zip(keys, node.fields(*keys), strict=True))
    get["epsilon_lower"].number()
    get["surprising"].boolean()
    return AuditResult(
        name=get["name"].text(),
        verdict=_verdict(get["verdict"]) if found is None else _any_verdict(get["verdict"]),
        reason=get["reason"].text(),
        epsilon=get["epsilon"].between(0, math.inf),
        delta=get["delta"].between(0, 1, closed_low=True),
        confidence=get["confidence"].between(0, 1),
        seed=get["seed"].integer(),
        samples=get["samples"].integer(),
        pairs=tuple(_pair(pair) for pair in get["pairs"].items()),
        seedable=None if get["seedable"].value is None else get["seedable"].boolean(),
        relation=get["relation"].text(),
        promise=get["promise"].text(),
        source=get["source"].text(),
        summary=get["summary"].text(),
        expected=None if get["expected"].value is None else _verdict(get["expected"]),
        true_epsilon=None if get["true_epsilon"].value is None else get["true_epsilon"].number(),
        tags=get["tags"].texts(),
        seconds=get["seconds"].between(0, math.inf, closed_low=True),
        notes=get["notes"].texts(),
        exact=found,
    )


def _pair(node: Node) -> PairResult:
    keys = (
        *("index", "verdict", "epsilon_lower", "detectable_epsilon", "bound"),
        *("planned_trials", "explored_trials", "counts", "witness", "rule", "effects"),
    )
    get = dict(zip(keys, node.fields(*keys), strict=True))
    effects = get["effects"].items()
    if len(effects) != 2:
        get["effects"].refuse("it must be a list of two effects, for D and for D′")
    counts = get["counts"].fields(*_COUNTS)
    return PairResult(
        index=get["index"].integer(),
        witness=_witness(get["witness"]),
        rule=get["rule"].mapping(),
        method=_bound(get["bound"]),
        planned_trials=get["planned_trials"].integer(),
        explored_trials=get["explored_trials"].integer(),
        counts=Counts(*(count.integer() for count in counts)),
        epsilon_lower=get["epsilon_lower"].number(),
        detectable_epsilon=get["detectable_epsilon"].number(),
        effects=(_effect(effects[0]), _effect(effects[1])),
        verdict=_verdict(get["verdict"]),
    )


def _witness(node: Node) -> Witness:
    words = ("d", "d_prime", "difference", "guess_d", "guess_d_prime")
    get = dict(zip(_WITNESS, node.fields(*_WITNESS), strict=True))
    return Witness(
        **{word: get[word].text() for word in words},
        examples_d=get["examples_d"].texts(),
        examples_d_prime=get["examples_d_prime"].texts(),
    )


def _bound(node: Node) -> BoundMethod:
    name, alpha, delta, bets = node.fields("name", "alpha", "delta", "bets")
    with node.naming():
        method = BoundMethod(
            alpha=alpha.between(0, 1),
            delta=delta.between(0, 1, closed_low=True),
            bets=None if bets.value is None else _bets(bets),
        )
    if name.text() != method.name:
        name.refuse(f"the bound with these bets is {method.name!r}")
    return method


def _bets(node: Node) -> Bets:
    stakes, weights = node.fields("stakes", "weights")
    return Bets(
        stakes=tuple(stake.between(0, math.inf) for stake in stakes.items()),
        weights=tuple(weight.between(0, math.inf) for weight in weights.items()),
    )


def _effect(node: Node) -> EffectSize:
    counts = ("hits", "trials", "other_hits", "other_trials")
    rates = (
        *("relative_probability", "relative_probability_interval"),
        *("risk_difference", "risk_difference_interval"),
    )
    guess, *numbers = node.fields("guess", *counts, *rates)
    hits, trials, other_hits, other_trials, ratio, ratio_ends, difference, ends = numbers
    return EffectSize(
        guess=guess.text(),
        hits=hits.integer(),
        trials=trials.integer(),
        other_hits=other_hits.integer(),
        other_trials=other_trials.integer(),
        relative_probability=ratio.number(),
        relative_probability_interval=_interval(ratio_ends),
        risk_difference=difference.number(),
        risk_difference_interval=_interval(ends),
    )


def _interval(node: Node) -> tuple[float, float]:
    ends = node.items()
    if len(ends) != 2:
        node.refuse("it must be a list of two numbers")
    return (ends[0].number(), ends[1].number())


def _any_verdict(node: Node) -> Verdict | ExactVerdict:
    text = node.text()
    return ExactVerdict(text) if text in set(ExactVerdict) else _verdict(node)


def _verdict(node: Node) -> Verdict:
    try:
        return Verdict(node.text())
    except ValueError:
        node.refuse(f"it must be one of {', '.join(repr(str(v)) for v in Verdict)}")
