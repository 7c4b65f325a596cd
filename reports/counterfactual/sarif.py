"""Findings of a counterfactual replay in SARIF 2.1.0, each on its line.

Source: Static Analysis Results Interchange Format (SARIF) Version 2.1.0, OASIS Standard.
"""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import quote

from provado.audit.counterfactual import Finding, FindingKind, Replay
from provado.reports.data import schema
from provado.reports.run.location import parse_location, shown_place
from provado.reports.run.versions import provado_version
from provado.reports.words.clean import clean

_KINDS = list(FindingKind)


def render(replay: Replay, status: int) -> str:
    """Return the findings as a SARIF log with one run; they are warnings, since no verdicts."""
    broken = [pair for pair in replay.pairs if pair.reason]
    told = [("warning", pair.reason) for pair in broken]
    told += [("note", note) for pair in replay.pairs for note in pair.notes]
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Provado",
                        "version": clean(provado_version()),
                        "rules": [_rule(kind) for kind in _KINDS],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [
                    {
                        "executionSuccessful": not broken,
                        "exitCode": status,
                        "toolExecutionNotifications": [
                            {"level": level, "message": {"text": clean(text)}}
                            for level, text in told
                        ],
                    }
                ],
                "results": [_result(replay, one) for one in replay.findings],
            }
        ],
    }
    return schema.dumps(log)


def _id(kind: FindingKind) -> str:
    return f"replay-{kind.value.replace(' ', '-')}"


def _rule(kind: FindingKind) -> dict[str, Any]:
    text = f"Counterfactual replay: {kind.value} depends on a data point though noise is frozen."
    return {
        "id": _id(kind),
        "shortDescription": {"text": text},
        "defaultConfiguration": {"level": "warning"},
    }


def _result(replay: Replay, finding: Finding) -> dict[str, Any]:
    text = [f"{replay.name}: {finding.words}."]
    if finding.event:
        text.append(f"An audit can look at: {finding.event}.")
    if finding.command:
        text.append(f"To certify: {finding.command}")
    file, line = parse_location(shown_place(finding.file, finding.line))
    location: dict[str, Any] = {
        "logicalLocations": [{"fullyQualifiedName": clean(replay.name), "kind": "function"}]
    }
    if file:
        location["physicalLocation"] = {
            "artifactLocation": {
                "uri": quote(file, errors="backslashreplace"),
                "uriBaseId": "%SRCROOT%",
            },
            "region": {"startLine": line},
        }
    print_of = "\0".join((finding.kind, replay.name, file))
    digest = hashlib.sha256(print_of.encode("utf-8", errors="backslashreplace")).hexdigest()
    return {
        "ruleId": _id(finding.kind),
        "ruleIndex": _KINDS.index(finding.kind),
        "level": "warning",
        "message": {"text": "\n".join(map(clean, text))},
        "partialFingerprints": {"replay/v1": digest},
        "locations": [location],
    }
