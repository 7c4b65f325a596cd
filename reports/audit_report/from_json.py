"""Runs from ``provado-audit/6``; what breaks the form is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from provado.audit.experiments.one_run.result import OneRunResult
from provado.audit.result import AuditResult
from provado.reports.documents import schema
from provado.reports.documents.read import build, check_form, load_json
from provado.reports.tasks.provenance import Provenance
from provado.reports.tasks.run import Record, Run, Settings


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
            _record(audit, f"{file}: audits[{i}]") for i, audit in enumerate(document["audits"])
        ),
        provenance=build(Provenance, document["provenance"], f"{file}: provenance"),
    )


def _record(audit: dict[str, Any], place: str) -> Record:
    # One of few runs has its own class, which is the same but for what it offers.
    kind = OneRunResult if "one_run" in audit else AuditResult
    return Record(
        build(kind, audit, place),
        tuple(audit["selection"]),
        build(Settings, audit["settings"], f"{place}.settings"),
        audit["location"],
        audit["code"],
    )
