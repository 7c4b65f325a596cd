"""Runs and results from ``provado-audit/1``, ``/2``, ``/3``; what breaks the form is refused."""

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
_OPTIONAL: dict[str, frozenset[str]] = {
    schema.AUDIT: frozenset(),
    schema.AUDIT_EXACT: frozenset({"exact"}),
    schema.AUDIT_CHECKPOINTS: frozenset({"exact", "checkpoints", "location"}),
}
"""The forms that are read, each with the keys that it knows and does not require."""


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
    if version not in _OPTIONAL:
        read = ", ".join(map(repr, _OPTIONAL))
        raise UsageError(f"{file}: schema is {version!r}: this version reads {read}")
    keys = ("schema", "provado", "versions", "settings", "exit_status", "audits")
    _, provado, versions, settings, status, audits = node.fields(*keys)
    status.integer()
    return Run(
        provado=provado.text(),
        versions={k: Node(v, file, f"versions.{k}").text() for k, v in versions.mapping().items()},
        settings=_settings(settings),
        records=tuple(_record(audit, _OPTIONAL[version]) for audit in audits.items()),
    )


def result_from_json(document: Any, file: str = "document") -> AuditResult:
    """Return one result from what ``result_to_json`` made of it.

    Every field comes back as it was, except that infinities and NaN inside the free-form ``rule``
    stay the strings that stand for them.
    """
    return _result(Node(document, file), _OPTIONAL[schema.AUDIT_CHECKPOINTS])


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


def _record(node: Node, optional: frozenset[str]) -> Record:
    node, rest = _without(node, optional & {"location"})
    location = rest["location"].text() if "location" in rest else ""
    data = node.mapping()
    if "replay" not in data:
        raise UsageError(f"{node.file}: {node.path} has no key 'replay', which is required")
    replay = Node(data.pop("replay"), node.file, f"{node.path}.replay").text()
    return Record(_result(Node(data, node.file, node.path), optional), replay, location)


def _result(node: Node, optional: frozenset[str]) -> AuditResult:
    """Return one result; ``optional`` are the keys that the form knows and does not require."""
    node, rest = _without(node, optional & {"exact"})
    found = exact_from_json(rest["exact"]) if "exact" in rest else None
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
        pairs=tuple(_pair(pair, optional) for pair in get["pairs"].items()),
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


def _without(node: Node, keys: frozenset[str]) -> tuple[Node, dict[str, Node]]:
    """Return an object without those of the keys that it has, and their values."""
    data = node.mapping()
    prefix = f"{node.path}." if node.path else ""
    found = {k: Node(data.pop(k), node.file, prefix + k) for k in keys if k in data}
    return Node(data, node.file, node.path), found


def _pair(node: Node, optional: frozenset[str]) -> PairResult:
    node, rest = _without(node, optional & {"checkpoints"})
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
        checkpoints=_checkpoints(rest["checkpoints"]) if "checkpoints" in rest else (),
    )


def _checkpoints(node: Node) -> tuple[Counts, ...]:
    rows = node.items()
    if not rows:
        node.refuse("it must hold at least the counts after all trials")
    for row in rows:
        if len(row.items()) != len(_COUNTS):
            row.refuse(f"it must be a list of the {len(_COUNTS)} counts")
    return tuple(Counts(*(count.integer() for count in row.items())) for row in rows)


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
