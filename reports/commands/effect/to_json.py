"""A study of effects as data of JSON's types, in the form ``provado-effect/1``."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from provado.audit.experiments.effects.observational import EffectStudy
from provado.audit.experiments.effects.relative import Estimate
from provado.mechanisms.definitions.intervention import short
from provado.reports.documents import schema
from provado.reports.documents.versions import provado_version, versions

from .words import associative_sentence, causal_sentence


def study_to_json(study: EffectStudy, population: str) -> dict[str, Any]:
    """Return the document that ``effect.json`` holds."""
    counts = study.audit.counts
    return {
        "schema": schema.EFFECT,
        "provado": provado_version(),
        "versions": versions(),
        "mechanism": study.name,
        "population": population,
        "point": study.point,
        "values": schema.plain(study.values),
        "base": [schema.number(value) for value in study.base],
        "epsilon": study.epsilon,
        "factor": None if study.epsilon is None else schema.number(math.exp(study.epsilon)),
        "confidence": study.confidence,
        "samples": study.samples,
        "seed": study.seed,
        "causal": {**_estimate(study.causal), "words": causal_sentence(study)},
        "associative": {**_estimate(study.associative), "words": associative_sentence(study)},
        "audit": {
            "epsilon_lower": schema.number(study.audit.epsilon_lower),
            "correct": counts.correct,
            "wrong": counts.wrong,
            "abstained": counts.abstained,
            "confidence": study.audit.confidence,
        },
        "epsilon_lower": schema.number(study.epsilon_lower),
        "p_value_of_no_effect": {"value": float(study.p_value), "fraction": str(study.p_value)},
        "violation": study.violation if study.epsilon is not None else None,
        "association_exceeds": study.association_exceeds if study.epsilon is not None else None,
    }


def _estimate(found: Estimate) -> dict[str, Any]:
    """Return an estimate with its events' names, of which an output may have made long ones."""
    events = tuple(
        replace(one, event=short(one.event) if len(one.event) > 200 else one.event)
        for one in found.events
    )
    return {
        **schema.plain(replace(found, events=events)),
        "factor_lower": schema.number(found.factor_lower),
        "factor_upper": schema.number(found.factor_upper),
    }
