"""SARIF 2.1.0 (OASIS, 2020): what code-scanning services show beside the source.

Source: Static Analysis Results Interchange Format (SARIF) Version 2.1.0, OASIS Standard.
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from provado.reports.audit_report.baseline import Deviation, exit_status
from provado.reports.audit_report.formats.finding import AuditFinding, Reason, findings, vanished
from provado.reports.documents import sarif
from provado.reports.documents.schema import number
from provado.reports.tasks.run import Run, replay
from provado.reports.text.formatting import clean

FILE = "audit.sarif"


def render(run: Run, differences: Sequence[Deviation] | None = None) -> str:
    """Return the run as a SARIF log with one run.

    Results: violations, recorded violations that were not found, audits that were not completed,
    and differences from a baseline. Limitations of a result are warnings, what a "no violation
    found" is worth is a note. A fingerprint
    stays the same while rule, audit and file do, wherever in the file the mechanism stands. Paths
    are relative to ``%SRCROOT%``.
    """
    found, gone = findings(run, differences), vanished(run, differences)
    status = run.exit_status if differences is None else exit_status(run, tuple(differences))
    results = [_result(finding) for finding in found if finding.kind in _rules()]
    results += [_bare(Reason.BASELINE, deviation.name, deviation.words) for deviation in gone]
    broken = [finding for finding in found if finding.kind is Reason.UNKNOWN]
    told = [("warning", f"{finding.name}: {finding.headline}") for finding in broken]
    limits = [
        (f"{item.name}: {limitation}")
        for item in found
        for limitation in item.record.result.limitations
    ]
    told += [("warning", clean(limit)) for limit in limits]
    told += [("note", f"{finding.name}: {finding.worth}") for finding in found if finding.worth]
    return sarif.log(
        [*_rules().values()],
        results,
        told,
        provado=run.provado,
        status=status,
        completed=not broken,
    )


@cache
def _rules() -> dict[str, dict[str, Any]]:
    """Return the rule of each kind that is reported, in the order of SARIF's list."""
    file = resources.files(__package__).joinpath("sarif_rules.json")
    return {rule["id"]: rule for rule in json.loads(file.read_text(encoding="utf-8"))}


def _result(finding: AuditFinding) -> dict[str, Any]:
    record, result = finding.record, finding.record.result
    text = "\n".join((f"{finding.name}: {finding.headline}.", *finding.sentences))
    counts, few = result.counts, result.one_run
    three = [counts.correct, counts.wrong, counts.abstained]
    if few is not None:
        three = [few.correct, few.guessed - few.correct, few.trials - few.guessed]
    return {
        **_bare(finding.kind, finding.name, text, record.location),
        "locations": [sarif.location(finding.name, record.location)],
        "properties": {
            "verdict": str(result.verdict),
            "epsilon": number(result.epsilon),
            "delta": number(result.delta),
            "epsilonLower": number(result.epsilon_lower),
            "confidence": number(result.confidence),
            "counts": three,
            "replay": clean(replay(record)),
        },
    }


def _bare(kind: Reason, name: str, text: str, place: str = "") -> dict[str, Any]:
    return sarif.result([*_rules().values()], kind, text, "audit/v1", (kind, name), place)
