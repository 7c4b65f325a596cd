"""Runs and results as data of JSON's types, in the form ``provado-audit/4``."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

from provado.audit.bounds import BoundMethod
from provado.audit.effect import EffectSize
from provado.audit.result import AuditResult, PairResult
from provado.reports import schema
from provado.reports.digest import digest
from provado.reports.exact_json import exact_to_json
from provado.reports.power_words import power
from provado.reports.replay import replay
from provado.reports.run import Record, Run, Settings
from provado.reports.schema import number


def run_to_json(run: Run) -> dict[str, Any]:
    """Return the document that ``audit.json`` holds."""
    document = {
        "schema": schema.AUDIT,
        "provado": run.provado,
        "versions": dict(run.versions),
        "settings": _settings(run.settings),
        "exit_status": run.exit_status,
        "audits": [_record(record) for record in run.records],
    }
    return {**document, "digest": digest(document)}


def _settings(settings: Settings) -> dict[str, Any]:
    return {
        "samples": settings.samples,
        "seconds": settings.seconds,
        "confidence": settings.confidence,
        "seed": settings.seed,
        "time_limit": settings.time_limit,
        "stop_early": settings.stop_early,
        "explore": settings.explore,
    }


def result_to_json(result: AuditResult) -> dict[str, Any]:
    """Return one result; ``epsilon_lower``, ``surprising`` and ``power`` follow from the rest."""
    return {
        "name": result.name,
        "summary": result.summary,
        "tags": list(result.tags),
        "promise": result.promise,
        "relation": result.relation,
        "source": result.source,
        "epsilon": float(result.epsilon),
        "delta": float(result.delta),
        "true_epsilon": None if result.true_epsilon is None else number(result.true_epsilon),
        "confidence": float(result.confidence),
        "samples": int(result.samples),
        "seed": int(result.seed),
        "seedable": result.seedable,
        "verdict": str(result.verdict),
        "reason": result.reason,
        "expected": None if result.expected is None else str(result.expected),
        "surprising": result.surprising,
        "epsilon_lower": number(result.epsilon_lower),
        "notes": list(result.notes),
        "seconds": float(result.seconds),
        "pairs": [_pair(pair) for pair in result.pairs],
        "power": power(result),
        "exact": None if result.exact is None else exact_to_json(result.exact),
    }


def _record(record: Record) -> dict[str, Any]:
    return {
        **result_to_json(record.result),
        "selection": list(record.selection),
        "settings": _settings(record.settings),
        "replay": replay(record),
        "location": record.location,
    }


def _pair(pair: PairResult) -> dict[str, Any]:
    witness = pair.witness
    return {
        "index": pair.index,
        "verdict": str(pair.verdict),
        "epsilon_lower": number(pair.epsilon_lower),
        "visible_epsilon": number(pair.visible_epsilon),
        "bound": _bound(pair.method),
        "planned_trials": int(pair.planned_trials),
        "explored_trials": int(pair.explored_trials),
        "counts": dict(vars(pair.counts)),
        "witness": {
            "d": witness.d,
            "d_prime": witness.d_prime,
            "difference": witness.difference,
            "guess_d": witness.guess_d,
            "guess_d_prime": witness.guess_d_prime,
            "examples_d": list(witness.examples_d),
            "examples_d_prime": list(witness.examples_d_prime),
        },
        "rule": schema.plain(pair.rule),
        "effects": [_effect(effect) for effect in pair.effects],
        "checkpoints": [list(astuple(counts)) for counts in pair.checkpoints],
        "looked_at": [{"kind": str(one.kind), "of": list(one.of)} for one in pair.looked_at],
    }


def _bound(method: BoundMethod) -> dict[str, Any]:
    bets = method.bets
    return {
        "name": method.name,
        "alpha": method.alpha,
        "delta": float(method.delta),
        "bets": bets and {"stakes": list(bets.stakes), "weights": list(bets.weights)},
    }


def _effect(effect: EffectSize) -> dict[str, Any]:
    return {
        "guess": effect.guess,
        "hits": effect.hits,
        "trials": effect.trials,
        "other_hits": effect.other_hits,
        "other_trials": effect.other_trials,
        "relative_probability": number(effect.relative_probability),
        "relative_probability_interval": [number(x) for x in effect.relative_probability_interval],
        "risk_difference": number(effect.risk_difference),
        "risk_difference_interval": [number(x) for x in effect.risk_difference_interval],
    }
