"""What every SARIF log has: one run of Provado, its rules, its results, each on its line.

Source: Static Analysis Results Interchange Format (SARIF) Version 2.1.0, OASIS Standard (2020).
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from provado.reports.documents.origin import parse_location
from provado.reports.text.formatting import clean

from . import schema


def log(
    rules: Sequence[dict[str, Any]],
    results: Sequence[dict[str, Any]],
    told: Iterable[tuple[str, str]],
    *,
    provado: str,
    status: int,
    completed: bool,
) -> str:
    """Return a log as text.

    told: levels and texts of what is said beside the results. status: of the command. completed:
    whether everything could be done. provado: the version.
    """
    notices = [{"level": level, "message": {"text": text}} for level, text in told]
    invocation = {"executionSuccessful": completed, "exitCode": status}
    driver = {"name": "Provado", "version": clean(provado), "rules": [*rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{**invocation, "toolExecutionNotifications": notices}],
        "results": [*results],
    }
    form = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0"}
    return schema.dumps({**form, "runs": [run]})


def rule(ident: str, level: str, text: str) -> dict[str, Any]:
    """Return a rule: what kind of result there may be, and how bad it is."""
    described = {"shortDescription": {"text": text}, "defaultConfiguration": {"level": level}}
    return {"id": ident, **described}


def result(
    rules: Sequence[dict[str, Any]],
    ident: str,
    text: str,
    key: str,
    parts: Sequence[str],
    place: str,
) -> dict[str, Any]:
    """Return a result of the rule ``ident``.

    key, parts: what its fingerprint is called, and made of beside the file. place: ``file:line``.
    """
    index = [rule["id"] for rule in rules].index(ident)
    file, _ = parse_location(place)
    return {
        "ruleId": ident,
        "ruleIndex": index,
        "level": rules[index]["defaultConfiguration"]["level"],
        "message": {"text": text},
        "partialFingerprints": {key: fingerprint(*parts, file)},
    }


def location(name: str, place: str) -> dict[str, Any]:
    """Return the location of a function; ``place`` is ``file:line``, or empty.

    Paths are relative to ``%SRCROOT%``; undecodable parts of a name stay visible.
    """
    file, line = parse_location(place)
    found: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": name, "kind": "function"}]}
    if file:
        uri = quote(file, errors="backslashreplace")
        found["physicalLocation"] = {
            "artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": line},
        }
    return found


def fingerprint(*parts: str) -> str:
    """Return what stays the same while the parts do, wherever in a file they stand."""
    text = "\0".join(parts).encode("utf-8", errors="backslashreplace")
    return hashlib.sha256(text).hexdigest()
