"""The baseline file: JSON with one line an audit, sorted by name, without times and versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.intervention import short
from provado.reports.documents.read import build, check_form, load_json
from provado.reports.documents.schema import BASELINE, escaped, plain
from provado.reports.tasks.run import Run

from .entry import Baseline, Recorded, baseline_of


def baseline_document(run: Run) -> dict[str, Any]:
    """Return what ``provado-baseline.json`` holds after this run."""
    baseline = baseline_of(run)
    return {
        "schema": BASELINE,
        "confidence": baseline.confidence,
        "audits": [{"name": name, **plain(entry)} for name, entry in baseline.entries.items()],
    }


def dumps(document: dict[str, Any]) -> str:
    """Return the document as text: each audit on a line of its own, ending in a newline."""
    audits = ",\n".join("  " + _dumps(audit) for audit in document["audits"])
    return (
        f'{{\n "schema": {_dumps(document["schema"])},\n'
        f' "confidence": {_dumps(document["confidence"])},\n'
        f' "audits": [{chr(10) if audits else ""}{audits}{chr(10) + " " if audits else ""}]\n}}\n'
    )


def load_baseline(path: Path) -> Baseline:
    """Return the baseline in a file; raises ``UsageError`` naming file, key, value and rule."""
    return _read(load_json(path), str(path))


def check_replaceable(path: Path) -> None:
    """Raise ``UsageError`` where a file stands that is no baseline, and so is not to be replaced.

    An empty file holds nothing to lose. A baseline of a damaged or another form may be replaced.
    """
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return
    try:
        document = load_json(path)
    except UsageError as error:
        raise UsageError(f"--update-baseline: {error}: no baseline, and not replaced") from error
    form = document.get("schema") if isinstance(document, dict) else None
    if not str(form).startswith("provado-baseline/"):
        what = "no JSON object" if not isinstance(document, dict) else f"schema is {short(form)}"
        raise UsageError(f"--update-baseline: {path}: {what}: no baseline, and not replaced")


def _dumps(value: Any) -> str:
    return escaped(json.dumps(value, ensure_ascii=False, allow_nan=False))


def _read(document: Any, file: str) -> Baseline:
    check_form(document, BASELINE, file, "a baseline is of the form")
    entries: dict[str, Recorded] = {}
    for i, audit in enumerate(document["audits"]):
        place, name = f"{file}: audits[{i}]", audit["name"]
        if name in entries:
            raise UsageError(f"{place}.name is {name!r}: each audit has a name of its own")
        entries[name] = build(Recorded, audit, place)
    return Baseline(document["confidence"], entries)
