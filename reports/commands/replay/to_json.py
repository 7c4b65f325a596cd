"""A counterfactual replay as data of JSON's types, in the form ``provado-replay/1``."""

from __future__ import annotations

from typing import Any

from provado.audit.experiments.replay import Finding, NoiseCall, PairReplay, Parted
from provado.audit.result import AuditResult
from provado.reports.documents import schema
from provado.reports.documents.location import shown_place
from provado.reports.documents.versions import provado_version, versions
from provado.reports.text.printable import clean
from provado.reports.text.sentences import claim, finding

from .answer import Replayed


def replay_to_json(found: Replayed, status: int) -> dict[str, Any]:
    """Return the document that ``provado replay --json`` prints."""
    replay, pairs = found.replay, zip(found.replay.pairs, found.certified, strict=True)
    return {
        "schema": schema.REPLAY,
        "provado": provado_version(),
        "versions": versions(),
        "mechanism": clean(replay.name),
        "promise": replay.promise,
        "epsilon": schema.plain(replay.epsilon),
        "delta": schema.plain(replay.delta),
        "relation": replay.relation,
        "seed": replay.seed,
        "exit_status": status,
        "pairs": [{**_pair(pair), "certified": _certified(result)} for pair, result in pairs],
    }


def _pair(pair: PairReplay) -> dict[str, Any]:
    return {
        "change": clean(pair.change),
        "reason": clean(pair.reason),
        "findings": [_finding(one) for one in pair.findings],
        "parted": None if pair.parted is None else _parted(pair.parted),
        "calls": [_call(one) for one in pair.calls],
        "epsilon": schema.number(pair.epsilon),
        "deviations": schema.number(pair.deviations),
        "rho": schema.number(pair.rho),
        "notes": [clean(note) for note in pair.notes],
        "seconds": [schema.number(one) for one in pair.seconds],
    }


def _certified(result: AuditResult | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {
        "verdict": str(result.verdict),
        "claim": claim(result),
        "epsilon_lower": schema.number(result.epsilon_lower),
        "confidence": result.confidence,
        "trials": result.counts.trials,
        "seed": result.seed,
        "sentences": [clean(sentence) for sentence in finding(result)],
    }


def _finding(one: Finding) -> dict[str, Any]:
    return {
        "kind": str(one.kind),
        "words": clean(one.words),
        "location": shown_place(one.file, one.line),
        "event": clean(one.event),
        "cost": schema.plain(one.cost),
        "audit": clean(one.command),
    }


def _parted(where: Parted) -> dict[str, Any]:
    sites = {"after": where.after, "d": where.d, "d_prime": where.d_prime}
    shown = {key: shown_place(one.file, one.line) for key, one in sites.items()}
    return {**shown, "noise_before": where.noise_before}


def _call(call: NoiseCall) -> dict[str, Any]:
    return {
        "name": clean(call.name),
        "location": shown_place(call.file, call.line),
        "family": call.family,
        "size": call.size,
        "scale": schema.plain(call.scale),
        "input_d": clean(call.input_d),
        "input_d_prime": clean(call.input_d_prime),
        "move": schema.plain(call.move),
        "sensitivity": schema.plain(call.sensitivity),
        "cost": schema.plain(call.cost),
    }
