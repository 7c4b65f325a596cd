"""Findings of counterfactual replays in SARIF 2.1.0, each on its line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from provado.audit.experiments.replay import Finding, FindingKind, Replay
from provado.reports.documents.location import parse_location, shown_place
from provado.reports.documents.sarif import fingerprint, location, log
from provado.reports.documents.versions import provado_version
from provado.reports.text.printable import clean

_KINDS = list(FindingKind)


def render(replays: Sequence[Replay], status: int) -> str:
    """Return the findings as a SARIF log with one run; they are warnings, since no verdicts."""
    pairs = [pair for replay in replays for pair in replay.pairs]
    told = [("warning", clean(pair.reason)) for pair in pairs if pair.reason]
    told += [("note", clean(note)) for pair in pairs for note in pair.notes]
    return log(
        [_rule(kind) for kind in _KINDS],
        [_result(replay, one) for replay in replays for one in replay.findings],
        told,
        provado=provado_version(),
        status=status,
        completed=all(replay.completed for replay in replays),
    )


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
    place = shown_place(finding.file, finding.line)
    file, _ = parse_location(place)
    return {
        "ruleId": _id(finding.kind),
        "ruleIndex": _KINDS.index(finding.kind),
        "level": "warning",
        "message": {"text": "\n".join(map(clean, text))},
        "partialFingerprints": {"replay/v1": fingerprint(finding.kind, replay.name, file)},
        "locations": [location(clean(replay.name), place)],
    }
