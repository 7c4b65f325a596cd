"""The keys of a configuration; ``config_schema.json`` says what each takes, and what it means."""

from __future__ import annotations

import re
from typing import Any

from provado.mechanisms import Verdict
from provado.reports.documents.schema import CONFIG, json_schema

RELATIONS = ("replace-one", "add-or-remove-one", "bounded-answers")
EXPECTED = (str(Verdict.VIOLATION), str(Verdict.NO_VIOLATION))

EXCLUSIVE = (
    ("samples", "seconds"),
    ("pairs", "data"),
    ("values", "domain"),
    ("promise", "epsilon"),
    ("promise", "delta"),
)
"""Of each group one key at most; an audit's own key puts the default of the others aside."""

OF_RUNS = ("canaries", "instead", "score", "guesses", "threshold", "runs", "explore-runs")
"""Keys of audits of few runs; the first says that an audit is one."""

OF_PAIRS = (
    *("sensitivity", "monotone", "at-most", "values", "domain", "arithmetic", "pairs"),
    *("samples", "explore", "seconds", "stop-early", "timing", "read"),
)
"""Keys that an audit of few runs has no use for."""

TABLES = ("defaults", "audits", "prove", "replay")

_NAME = re.compile(r"\w[\w.-]*")


def keys_of(kind: str) -> dict[str, Any]:
    """Return the keys of an ``audit``, a ``proof`` or a ``replay``, each with its JSON Schema."""
    keys: dict[str, Any] = json_schema(CONFIG)["$defs"][kind]["properties"]
    return keys


def audit_keys() -> dict[str, Any]:
    """Return the keys of an audit, each with its part of the JSON Schema."""
    return keys_of("audit")


def run_keys() -> dict[str, Any]:
    """Return the keys that hold for a whole run, each with its part of the JSON Schema."""
    keys: dict[str, Any] = json_schema(CONFIG)["properties"]
    return {name: rules for name, rules in keys.items() if name not in TABLES}


def is_name(text: str) -> bool:
    """Tell whether an audit may have this name: none that could be a TARGET or an option."""
    return _NAME.fullmatch(text) is not None and not text.endswith(".py")
