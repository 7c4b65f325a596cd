"""Runs and results as data of JSON's types, in the form ``provado-audit/6``."""

from __future__ import annotations

from typing import Any

from provado.audit.bounds import TradeOff
from provado.audit.result import AuditResult
from provado.reports.documents import schema
from provado.reports.tasks.repeat_command import replay
from provado.reports.tasks.run import Record, Run
from provado.reports.text.cause import cause
from provado.reports.text.evidence import evidence
from provado.reports.text.power import power

from .digest import digest


def run_to_json(run: Run) -> dict[str, Any]:
    """Return the document that ``audit.json`` holds."""
    document = {
        "schema": schema.AUDIT,
        "provado": run.provado,
        "versions": dict(run.versions),
        "provenance": schema.plain(run.provenance),
        "settings": schema.plain(run.settings),
        "exit_status": run.exit_status,
        "audits": [_record(record) for record in run.records],
    }
    return {**document, "digest": digest(document)}


def result_to_json(result: AuditResult) -> dict[str, Any]:
    """Return one result; its bound, its words on power and cause follow from the rest."""
    found = schema.plain(result)
    for pair, written in zip(result.pairs, found["pairs"], strict=True):
        written["bound"]["name"] = pair.method.name
        written["checkpoints"] = [list(counts.six) for counts in pair.checkpoints]
        _leave_out(written["counts"], "cells", "unread", "beside")
        _leave_out(written["bound"], "epsilon", "ladder", "aimed")
        if not pair.method.side:
            del written["bound"]["side"]
        if pair.trade_off is not None:
            written["trade_off"] = _whole(pair.trade_off)
        _leave_out(written, "parameter_lower")
    if found["one_run"] is not None:
        _leave_out(found["one_run"], "parameter_lower")
    _leave_out(found, "curve", "program", "one_run", "limitations", "read")
    return {
        **found,
        "surprising": result.surprising,
        "epsilon_lower": schema.number(result.epsilon_lower),
        **({"lower": schema.number(result.lower)} if result.curve else {}),
        "power": power(result),
        "cause": cause(result),
    }


CERTIFIED_AT = (0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 0.0)
"""Values of δ at which a document states what limits on a whole curve certify of ε."""


def _whole(limits: TradeOff) -> dict[str, Any]:
    return {
        "alpha": limits.alpha,
        "mu_lower": limits.mu_lower,
        "epsilon_lower": [[delta, limits.epsilon_lower(delta)] for delta in CERTIFIED_AT],
        "most": schema.plain(limits.most),
        "least": schema.plain(limits.least),
    }


def _leave_out(written: dict[str, Any], *keys: str) -> None:
    """Take off keys that hold nothing, of what only some audits have."""
    for key in keys:
        if written[key] in (None, [], ""):
            del written[key]


def _record(record: Record) -> dict[str, Any]:
    return {
        **result_to_json(record.result),
        "selection": list(record.selection),
        "settings": schema.plain(record.settings),
        "replay": replay(record),
        "location": record.location,
        "code": dict(record.code),
        "evidence": dict(evidence(record.result, stop_early=record.settings.stop_early)),
    }
