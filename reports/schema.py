"""The JSON forms that the command line prints and writes: versioned, and documented by schemas.

Each form names itself in its key ``schema``; the files ``*_schema.json`` beside this one (JSON
Schema, draft 2020-12) say what every key means. Strict JSON has no infinity and no NaN: where a
number may be one, it is written as the string ``"inf"``, ``"-inf"`` or ``"nan"``.
"""

from __future__ import annotations

import json
import math
import re
from importlib import resources
from typing import Any

import numpy as np

from provado.mechanisms.intervention import short

AUDIT = "provado-audit/4"
LIST = "provado-list/1"
RECHECK = "provado-recheck/2"
REDRAW = "provado-redraw/1"
REPRODUCE = "provado-reproduce/1"
DISCOVER = "provado-discover/1"
VERIFY = "provado-verify/2"
EFFECT = "provado-effect/1"

_FILES = {
    AUDIT: "audit_schema.json",
    LIST: "list_schema.json",
    RECHECK: "recheck_schema.json",
    REDRAW: "redraw_schema.json",
    REPRODUCE: "reproduce_schema.json",
    DISCOVER: "discover_schema.json",
    VERIFY: "verify_schema.json",
    EFFECT: "effect_schema.json",
}


def json_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of the form ``name``, for example ``provado-audit/4``."""
    text = resources.files(__package__).joinpath(_FILES[name]).read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def number(value: float) -> float | str:
    """Return a finite number as it is, else its name."""
    value = float(value)
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def plain(value: Any) -> Any:
    """Return free-form data with JSON's types only; what JSON has no word for becomes its text."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return short(value)


def dumps(document: dict[str, Any]) -> str:
    """Return a document as strict JSON, indented, ending in a newline."""
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return escaped(text)


def escaped(text: str) -> str:
    """Return JSON with what a terminal could take for a command, or for another order, escaped."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


_UNSEEN = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
