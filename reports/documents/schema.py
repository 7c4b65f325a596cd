"""The JSON forms that the command line prints and writes: versioned, and documented by schemas.

Each form names itself in its key ``schema``; the files ``*_schema.json`` beside this one (JSON
Schema, draft 2020-12) say what every key means. Strict JSON has no infinity and no NaN: where a
number may be one, it is written as the string ``"inf"``, ``"-inf"`` or ``"nan"``.
"""

import json
import math
import re
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any, get_args, get_type_hints

import numpy as np

from provado.mechanisms.definitions.relation import short

AUDIT = "provado-audit/7"
LIST = "provado-list/1"
RECHECK = "provado-recheck/3"
REDRAW = "provado-redraw/1"
REPRODUCE = "provado-reproduce/2"
DISCOVER = "provado-discover/1"
VERIFY = "provado-verify/4"
EFFECT = "provado-effect/1"
PROVE = "provado-prove/2"
RELEASE = "provado-release/1"
REPLAY = "provado-replay/2"
BOUND = "provado-bound/2"
SEVERAL = "provado-several/1"

GRAPH = "provado-graph/2"
BASELINE = "provado-baseline/1"
CONFIG = "provado-config/1"
HISTORY = "provado-history/1"


def json_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of the form ``name``, for example ``provado-audit/7``."""
    kind = name.removeprefix("provado-").partition("/")[0]
    file = resources.files(__package__).joinpath("schemas", f"{kind}_schema.json")
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema


def number(value: float) -> float | str:
    """Return a finite number as it is, else its name."""
    value = float(value)
    return value if math.isfinite(value) else str(value)


_KEYS = {"method": "bound"}
"""Of a field whose key in a document has another name."""


@cache
def fields_of(kind: Any) -> dict[str, tuple[str, Any]]:
    """Return the fields of a data class: of each its key in a document, and its type."""
    hints = get_type_hints(kind)
    return {one.name: (_KEYS.get(one.name, one.name), hints[one.name]) for one in fields(kind)}


def plain(value: Any) -> Any:
    """Return data with JSON's types only; what JSON has no word for becomes its text.

    A data class becomes an object, a ``Fraction`` the text of it, as ``"3/4"``.
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, str | Fraction):
        return str(value)
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if is_dataclass(value) and not isinstance(value, type):
        parts = fields_of(type(value)).items()
        return {key: _field(getattr(value, name), hint) for name, (key, hint) in parts}
    return short(value)


def _field(value: Any, kind: Any) -> Any:
    """Return a field's value; what may be a float is one, where it was given as an integer too."""
    real = isinstance(value, int | float) and float in (kind, *get_args(kind))
    return number(value) if real else plain(value)


def dumps(document: dict[str, Any]) -> str:
    """Return a document as strict JSON, indented, ending in a newline."""
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return escaped(text)


def escaped(text: str) -> str:
    """Return JSON with what a terminal could take for a command, or for another order, escaped."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


_UNSEEN = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
