"""SARIF 2.1.0 (OASIS, 2020): what code-scanning services show beside the source.

Source: Static Analysis Results Interchange Format (SARIF) Version 2.1.0, OASIS Standard.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import quote

from provado.reports.baseline import Difference, exit_status
from provado.reports.data import schema
from provado.reports.data.schema import number
from provado.reports.formats.finding import Finding, Kind, findings, vanished
from provado.reports.run.location import parse_location
from provado.reports.run.replay import replay
from provado.reports.run.run import Run
from provado.reports.words.clean import clean

FILE = "audit.sarif"

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(run: Run, differences: Sequence[Difference] | None = None) -> str:
    """Return the run as a SARIF log with one run.

    Results: violations, recorded violations that were not found, audits that were not completed,
    and differences from a baseline. What a "no violation found" is worth is a note. A fingerprint
    stays the same while rule, audit and file do, wherever in the file the mechanism stands. Paths
    are relative to ``%SRCROOT%``.
    """
    found, gone = findings(run, differences), vanished(run, differences)
    status = run.exit_status if differences is None else exit_status(run, tuple(differences))
    results = [_result(one) for one in found if one.kind in _rules()]
    results += [_bare(Kind.BASELINE, one.name, one.headline) for one in gone]
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Provado",
                        "version": clean(run.provado),
                        "rules": [*_rules().values()],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [_invocation(found, status)],
                "results": results,
            }
        ],
    }
    return schema.dumps(log)


@cache
def _rules() -> dict[str, dict[str, Any]]:
    """Return the rule of each kind that is reported, in the order of SARIF's list."""
    file = resources.files(__package__).joinpath("sarif_rules.json")
    return {rule["id"]: rule for rule in json.loads(file.read_text(encoding="utf-8"))}


def _invocation(found: Sequence[Finding], status: int) -> dict[str, Any]:
    broken = [one for one in found if one.kind is Kind.UNKNOWN]
    told = [("warning", one.name, one.headline) for one in broken]
    told += [("note", one.name, one.worth) for one in found if one.worth]
    return {
        "executionSuccessful": not broken,
        "exitCode": status,
        "toolExecutionNotifications": [
            {"level": level, "message": {"text": f"{name}: {said}"}} for level, name, said in told
        ],
    }


def _result(finding: Finding) -> dict[str, Any]:
    record, result = finding.record, finding.record.result
    text = "\n".join((f"{finding.name}: {finding.headline}.", *finding.sentences))
    file, line = parse_location(record.location)
    location: dict[str, Any] = {
        "logicalLocations": [{"fullyQualifiedName": finding.name, "kind": "function"}]
    }
    if file:
        location["physicalLocation"] = {
            "artifactLocation": {"uri": _uri(file), "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": line},
        }
    counts = result.counts
    return {
        **_bare(finding.kind, finding.name, text, file),
        "locations": [location],
        "properties": {
            "verdict": str(result.verdict),
            "epsilon": number(result.epsilon),
            "delta": number(result.delta),
            "epsilonLower": number(result.epsilon_lower),
            "confidence": number(result.confidence),
            "counts": [counts.correct, counts.wrong, counts.abstained],
            "replay": clean(replay(record)),
        },
    }


def _bare(kind: Kind, name: str, text: str, file: str = "") -> dict[str, Any]:
    what = "\0".join((kind, name, file)).encode("utf-8", errors="backslashreplace")
    digest = hashlib.sha256(what).hexdigest()
    return {
        "ruleId": str(kind),
        "ruleIndex": list(_rules()).index(kind),
        "level": _rules()[kind]["defaultConfiguration"]["level"],
        "message": {"text": text},
        "partialFingerprints": {"audit/v1": digest},
    }


def _uri(file: str) -> str:
    """Return a path as a relative reference; undecodable parts of a name stay visible."""
    return quote(file, errors="backslashreplace")
