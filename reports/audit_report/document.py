"""Runs and results as data of JSON's types, form ``provado-audit/7``: written, read, and bound.

A digest binds a report together. Without a signature it shows accidents and partial edits: an audit
that is missing, added, replaced or moved, a field that was changed. It does not stop a forger, who
computes it anew.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from provado.audit.bounds import TradeOff
from provado.audit.experiments.one_run.api import OneRunResult
from provado.audit.result import AuditResult
from provado.reports.documents import schema
from provado.reports.documents.origin import Provenance
from provado.reports.documents.schema import build, check_form, load_json
from provado.reports.tasks.run import Record, Run, Settings, replay
from provado.reports.text.report import AuditReport

FILE = "audit.json"


def render(run: Run, _: object = None) -> str:
    """Return the document as text: the run as it is, whatever differs from a baseline."""
    return schema.dumps(run_to_json(run))


def run_to_json(run: Run) -> dict[str, Any]:
    """Return the document that ``audit.json`` holds."""
    document = {
        "schema": schema.AUDIT,
        "provado": run.provado,
        "versions": dict(run.versions),
        "provenance": schema.plain(run.provenance),
        "settings": schema.plain(run.settings),
        "exit_status": run.exit_status,
        "audits": [_record_to_json(record) for record in run.records],
    }
    return {**document, "digest": digest(document)}


def result_to_json(result: AuditResult, report: AuditReport | None = None) -> dict[str, Any]:
    """Return one result; its bound, its words on power and cause follow from the rest."""
    report = report or AuditReport(result, anytime=False)
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
        _leave_out(written["cause"], "tail_of")
    if found["one_run"] is not None:
        _leave_out(found["one_run"], "parameter_lower")
    _leave_out(found, "curve", "program", "one_run", "limitations", "read")
    return {
        **found,
        "surprising": result.surprising,
        "epsilon_lower": schema.number(result.epsilon_lower),
        **({"lower": schema.number(result.lower)} if result.curve else {}),
        "power": report.power,
        "cause": report.cause,
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


def _record_to_json(record: Record) -> dict[str, Any]:
    return {
        **result_to_json(record.result, record.report),
        "selection": list(record.selection),
        "settings": schema.plain(record.settings),
        "replay": replay(record),
        "location": record.location,
        "code": dict(record.code),
        "evidence": dict(record.report.evidence),
    }


def load_run(file: Path) -> Run:
    """Return the run that a file holds; raises ``UsageError`` naming file, key, value and rule."""
    return run_from_json(load_json(file), str(file))


def run_from_json(document: Any, file: str = "document") -> Run:
    """Return the run that a document describes; ``file`` is how complaints name it.

    What follows from the rest (``exit_status`` and ``digest``; ``epsilon_lower``, ``surprising``,
    ``power``, ``evidence`` and ``replay`` of an audit) is computed again, not read; ``recheck``
    compares it. Every other field comes back as it was, except that infinities and NaN inside the
    free-form ``rule`` stay the strings that stand for them.
    """
    check_form(document, schema.AUDIT, file)
    return Run(
        provado=document["provado"],
        versions=document["versions"],
        settings=build(Settings, document["settings"], f"{file}: settings"),
        records=tuple(
            _record_from_json(audit, f"{file}: audits[{i}]")
            for i, audit in enumerate(document["audits"])
        ),
        provenance=build(Provenance, document["provenance"], f"{file}: provenance"),
    )


def _record_from_json(audit: dict[str, Any], place: str) -> Record:
    # One of few runs has its own class, which is the same but for what it offers.
    kind = OneRunResult if "one_run" in audit else AuditResult
    return Record(
        build(kind, audit, place),
        tuple(audit["selection"]),
        build(Settings, audit["settings"], f"{place}.settings"),
        audit["location"],
        audit["code"],
    )


def digest(document: dict[str, Any]) -> dict[str, Any]:
    """Return the key ``digest`` of a document: SHA-256 over everything else in it.

    Over its canonical text, in UTF-8: keys sorted, no spaces, no escapes but JSON's own.
    """
    held = {key: value for key, value in document.items() if key != "digest"}
    text = json.dumps(held, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    # Undecodable parts of file names are lone surrogates, which UTF-8 has no bytes for.
    sha256 = hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()
    return {"audits": len(document["audits"]), "sha256": sha256}


def digest_differences(document: dict[str, Any]) -> Iterator[str]:
    """Yield what the recorded digest does not fit."""
    recorded, again = document["digest"], digest(document)
    if recorded["audits"] != again["audits"]:
        yield f"digest: {recorded['audits']} audits were recorded; the file holds {again['audits']}"
    if recorded["sha256"] != again["sha256"]:
        yield "digest: the file is not as it was written: something in it was changed"
