"""The baseline file: JSON with one line an audit, sorted by name, without times and versions."""

from __future__ import annotations

import json
import math
from importlib import resources
from pathlib import Path
from typing import Any

from provado.mechanisms import ExactVerdict, UsageError, Verdict
from provado.mechanisms.intervention import short
from provado.reports.baseline.entry import Baseline, Entry, baseline_of
from provado.reports.document import Node, load_json
from provado.reports.option import MOST_SEED
from provado.reports.run import Run
from provado.reports.schema import escaped, number

_FAMILY = "provado-baseline/"
BASELINE = f"{_FAMILY}1"
_KEYS = ("name", "epsilon", "delta", "verdict", "lower", "upper", "samples", "seed")


def baseline_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the file."""
    file = resources.files("provado.reports").joinpath("baseline_schema.json")
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema


def baseline_document(run: Run) -> dict[str, Any]:
    """Return what ``provado-baseline.json`` holds after this run."""
    baseline = baseline_of(run)
    return {
        "schema": BASELINE,
        "confidence": baseline.confidence,
        "audits": [_line(name, entry) for name, entry in baseline.entries.items()],
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
    if not str(form).startswith(_FAMILY):
        what = "no JSON object" if not isinstance(document, dict) else f"schema is {short(form)}"
        raise UsageError(f"--update-baseline: {path}: {what}: no baseline, and not replaced")


def _line(name: str, entry: Entry) -> dict[str, Any]:
    return {
        "name": name,
        "epsilon": entry.epsilon,
        "delta": entry.delta,
        "verdict": str(entry.verdict),
        "lower": number(entry.lower),
        "upper": number(entry.upper),
        "samples": entry.samples,
        "seed": entry.seed,
    }


def _dumps(value: Any) -> str:
    return escaped(json.dumps(value, ensure_ascii=False, allow_nan=False))


def _read(document: Any, file: str) -> Baseline:
    node = Node(document, file)
    version = node.mapping().get("schema")
    if version != BASELINE:
        raise UsageError(f"{file}: schema is {version!r}: a baseline is of the form {BASELINE!r}")
    _, confidence, audits = node.fields("schema", "confidence", "audits")
    entries: dict[str, Entry] = {}
    for audit in audits.items():
        get = dict(zip(_KEYS, audit.fields(*_KEYS), strict=True))
        name = get["name"].text()
        if name in entries:
            get["name"].refuse("each audit has a name of its own")
        entries[name] = Entry(
            epsilon=get["epsilon"].between(0, math.inf),
            delta=get["delta"].between(0, 1, closed_low=True),
            verdict=_verdict(get["verdict"]),
            lower=_limit(get["lower"]),
            upper=_limit(get["upper"]),
            samples=get["samples"].integer(),
            seed=get["seed"].integer(at_most=MOST_SEED),
        )
    return Baseline(confidence.between(0, 1), entries)


def _limit(node: Node) -> float:
    value = node.number()
    if not value >= 0:
        node.refuse("a limit on ε is at least 0")
    return value


def _verdict(node: Node) -> Verdict | ExactVerdict:
    text = node.text()
    if text in set(ExactVerdict):
        return ExactVerdict(text)
    if text not in set(Verdict):
        known = ", ".join(repr(str(verdict)) for verdict in (*Verdict, *ExactVerdict))
        node.refuse(f"it must be one of {known}")
    return Verdict(text)
