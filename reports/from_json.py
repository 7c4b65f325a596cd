"""Runs and results from ``provado-audit/4``; what breaks the form is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from provado.audit.bounds import Bets, BoundMethod
from provado.audit.counts import Counts
from provado.audit.effect import EffectSize
from provado.audit.result import AuditResult, PairResult, Witness
from provado.audit.rules.looked import Kind, Looked
from provado.mechanisms import ExactVerdict, UsageError, Verdict
from provado.reports import schema
from provado.reports.document import Node, load_json
from provado.reports.exact_json import exact_from_json
from provado.reports.option import MOST_SEED
from provado.reports.run import Record, Run, Settings

_COUNTS = tuple(vars(Counts()))
_WITNESS = tuple(Witness.__match_args__)
_OF_RECORD = ("selection", "settings", "replay", "location")


def load_run(file: Path) -> Run:
    """Return the run that a file holds; raises ``UsageError`` naming file, key, value and rule."""
    return run_from_json(load_json(file), str(file))


def run_from_json(document: Any, file: str = "document") -> Run:
    """Return the run that a document describes; ``file`` is how complaints name it.

    What follows from the rest (``exit_status`` and ``digest``; ``epsilon_lower``, ``surprising``,
    ``power`` and ``replay`` of an audit) is computed again, not read; ``recheck`` compares it.
    """
    node = Node(document, file)
    version = node.mapping().get("schema")
    if version != schema.AUDIT:
        raise UsageError(f"{file}: schema is {version!r}: this version reads {schema.AUDIT!r}")
    keys = ("schema", "provado", "versions", "settings", "exit_status", "audits", "digest")
    _, provado, versions, settings, status, audits, digest = node.fields(*keys)
    status.integer()
    number, sha256 = digest.fields("audits", "sha256")
    number.integer()
    sha256.text()
    return Run(
        provado=provado.text(),
        versions={k: Node(v, file, f"versions.{k}").text() for k, v in versions.mapping().items()},
        settings=_settings(settings),
        records=tuple(_record(audit) for audit in audits.items()),
    )


def result_from_json(document: Any, file: str = "document") -> AuditResult:
    """Return one result from what ``result_to_json`` made of it.

    Every field comes back as it was, except that infinities and NaN inside the free-form ``rule``
    stay the strings that stand for them.
    """
    return _result(Node(document, file))


def _settings(node: Node) -> Settings:
    keys = ("samples", "seconds", "confidence", "seed", "time_limit", "stop_early", "explore")
    samples, seconds, confidence, seed, time_limit, stop_early, explore = node.fields(*keys)
    return Settings(
        samples=None if samples.value is None else samples.integer(at_least=1),
        seconds=None if seconds.value is None else seconds.between(0, math.inf),
        confidence=confidence.between(0, 1),
        seed=seed.integer(at_most=MOST_SEED),
        time_limit=time_limit.between(0, math.inf),
        stop_early=stop_early.boolean(),
        explore=None if explore.value is None else explore.integer(at_least=2),
    )


def _record(node: Node) -> Record:
    rest = node.mapping()
    own = {key: rest.pop(key) for key in _OF_RECORD if key in rest}
    selection, settings, replay, location = Node(own, node.file, node.path).fields(*_OF_RECORD)
    replay.text()
    result = _result(Node(rest, node.file, node.path))
    return Record(result, selection.texts(), _settings(settings), location.text())


def _result(node: Node) -> AuditResult:
    keys = (
        *("name", "summary", "tags", "promise", "relation", "source", "epsilon", "delta"),
        *("true_epsilon", "confidence", "samples", "seed", "seedable", "verdict", "reason"),
        *("expected", "surprising", "epsilon_lower", "notes", "seconds", "pairs", "power", "exact"),
    )
    get = dict(zip(keys, node.fields(*keys), strict=True))
    get["epsilon_lower"].number()
    get["surprising"].boolean()
    get["power"].text()
    found = None if get["exact"].value is None else exact_from_json(get["exact"])
    return AuditResult(
        name=get["name"].text(),
        verdict=_verdict(get["verdict"]) if found is None else _any_verdict(get["verdict"]),
        reason=get["reason"].text(),
        epsilon=get["epsilon"].between(0, math.inf),
        delta=get["delta"].between(0, 1, closed_low=True),
        confidence=get["confidence"].between(0, 1),
        seed=get["seed"].integer(at_most=MOST_SEED),
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
        *("index", "verdict", "epsilon_lower", "visible_epsilon", "bound"),
        *("planned_trials", "explored_trials", "counts", "witness", "rule", "effects"),
        *("checkpoints", "looked_at"),
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
        visible_epsilon=get["visible_epsilon"].number(),
        effects=(_effect(effects[0]), _effect(effects[1])),
        verdict=_verdict(get["verdict"]),
        checkpoints=_checkpoints(get["checkpoints"]),
        looked_at=tuple(_looked(one) for one in get["looked_at"].items()),
    )


def _looked(node: Node) -> Looked:
    kind, of = node.fields("kind", "of")
    if kind.text() not in set(Kind):
        kind.refuse(f"it must be one of {', '.join(repr(str(k)) for k in Kind)}")
    return Looked(Kind(kind.text()), of.texts())


def _checkpoints(node: Node) -> tuple[Counts, ...]:
    rows = node.items()
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
        stakes=tuple(stake.between(0, 1) for stake in stakes.items()),
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
