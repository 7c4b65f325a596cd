"""The JSON forms that the command line prints and writes: versioned, and documented by schemas.

Each form names itself in its key ``schema``; the files ``*_schema.json`` beside this one (JSON
Schema, draft 2020-12) say what every key means. Strict JSON has no infinity and no NaN: where a
number may be one, it is written as the string ``"inf"``, ``"-inf"`` or ``"nan"``. A complaint about
a document that is read names the file, the key, the value and the rule.
"""

import contextlib
import json
import math
import re
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from importlib import resources
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, NoReturn, get_args, get_origin, get_type_hints

import numpy as np

from provado.mechanisms import UsageError
from provado.mechanisms.definitions.relation import short
from provado.reports.text.formatting import clean, other_encoding, unreadable

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
    return dict(json.loads(file.read_text(encoding="utf-8")))


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
    return {item.name: (_KEYS.get(item.name, item.name), hints[item.name]) for item in fields(kind)}


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


def printed(value: Any, names: str) -> dict[str, Any]:
    """Return the named attributes of a data class with JSON's types, texts printable."""
    own: Any = type(value)
    kinds = {name: kind for name, (_, kind) in fields_of(own).items()}
    items = ((name, _field(getattr(value, name), kinds.get(name))) for name in names.split())
    return {name: clean(item) if isinstance(item, str) else item for name, item in items}


def dumps(document: dict[str, Any]) -> str:
    """Return a document as strict JSON, indented, ending in a newline."""
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return escaped(text)


def escaped(text: str) -> str:
    """Return JSON with what a terminal could take for a command, or for another order, escaped."""
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


_UNSEEN = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


MOST_DEPTH = 100
"""Of lists and objects in each other; far more than any form of ours has."""


def load_json(file: Path, *, constants: bool = False) -> Any:
    """Return the data of a JSON file; raises ``UsageError`` where it cannot be read.

    An object that has a key twice is refused, and so is what JSON has no word for: NaN and Infinity
    (unless ``constants``).
    """
    refuse_device(file)
    try:
        result = json.loads(
            file.read_text(encoding="utf-8-sig"),
            parse_constant=None if constants else _no_constant,
            object_pairs_hook=_distinct,
        )
        _check_depth(result)
        return result
    except OSError as error:
        raise UsageError(f"{file}: {unreadable(file, error)}") from error
    except RecursionError as error:
        raise UsageError(f"{file}: not readable as JSON: nested too deeply") from error
    except ValueError as error:
        raise UsageError(
            f"{file}: not readable as JSON: {other_encoding(file) or error}"
        ) from error


def refuse_device(file: Path) -> None:
    """Raise ``UsageError`` for a device (``/dev/zero``), which may be read without end."""
    if file.is_char_device() or file.is_block_device():
        raise UsageError(f"{file}: it is a device; give a regular file")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"it holds {name}, which is no number in JSON")


def _distinct(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in entries:
        if key in result:
            raise ValueError(f"an object has the key {short(key, 60)} twice")
        result[key] = value
    return result


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(MOST_DEPTH):
        level = [
            entry
            for item in level
            if isinstance(item, list | dict)
            for entry in (item.values() if isinstance(item, dict) else item)
            if isinstance(entry, list | dict)
        ]
        if not level:
            return
    raise RecursionError


def check_form(document: Any, form: str, file: str, rule: str = "this version reads") -> None:
    """Raise ``UsageError`` where a document is not of the form that its JSON Schema describes.

    The complaint names the file, the first wrong place, its value and the rule. Beyond JSON
    Schema, 6.0 is no integer here, and a number must be finite. rule: goes before the form's name.
    """
    if isinstance(document, dict) and document.get("schema") != form:
        wrong = f"{file}: schema is {document.get('schema')!r}: {rule} {form!r}"
        if str(document.get("schema")).startswith(form.rpartition("/")[0] + "/"):
            wrong += "; repeat the run, or read it with the Provado that its key 'provado' names"
        raise UsageError(wrong)
    error = first_error(form, document)
    if error is None:
        return
    path = "".join(f"[{at}]" if isinstance(at, int) else f".{at}" for at in error.absolute_path)
    where = path.removeprefix(".") or "the document"
    raise UsageError(f"{file}: {where} {_broken(error)}")


def first_error(form: str, document: Any, schema: dict[str, Any] | None = None) -> Any:
    """Return the first complaint of ``jsonschema`` about a document, ``None`` where there is none.

    In the key ``$comment`` the schemas hold the rule in words. schema: of the form, where it is
    made and not kept in a file.
    """
    made = _validator(form)
    made = made if schema is None else type(made)(schema)
    error = next(made.iter_errors(document), None)
    while error is not None and error.context and "$comment" not in error.schema:
        # Of several forms that are allowed, the last that fits farthest was meant.
        error = max(reversed(error.context), key=lambda item: len(item.absolute_path))
    return error


@cache
def _validator(form: str) -> Any:
    from jsonschema import Draft202012Validator, validators

    kinds = Draft202012Validator.TYPE_CHECKER.redefine_many(
        {
            "integer": lambda _, value: _is_finite(value) and _is_whole(value, form),
            "number": lambda _, value: _is_finite(value),
        }
    )
    return validators.extend(Draft202012Validator, type_checker=kinds)(json_schema(form))


def _is_whole(value: float, form: str) -> bool:
    # A count that was written by this program is no 6.0; of what people write, 1e6 is one.
    return isinstance(value, int) or (form == CONFIG and value.is_integer())


def _is_finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


_KINDS = {
    "object": "an object",
    "array": "a list",
    "string": "a string",
    "boolean": "true or false",
}


def _broken(error: Any) -> str:
    """Return what is wrong at one place, with the rule in words."""
    rules, value = error.schema, error.instance
    if error.validator == "required":
        key = next(key for key in error.validator_value if key not in value)
        return f"has no key {key!r}, which is required"
    if error.validator == "additionalProperties":
        key = next(key for key in value if key not in rules["properties"])
        return f"has the key {key!r}, which is not known"
    return f"is {short(value, 60)}: {rule_of(error)}"


def rule_of(error: Any) -> str:
    """Return the rule that a value broke, in words."""
    if error.validator == "maximum":
        return f"it must be at most {error.validator_value:,}"
    return error.schema.get("$comment") or f"it must {_rule(error.schema)}"


def _rule(rules: dict[str, Any]) -> str:
    if "enum" in rules:
        return f"be one of {', '.join(map(repr, rules['enum']))}"
    kind = rules["type"] if isinstance(rules["type"], str) else rules["type"][0]
    if kind == "integer":
        return f"be an integer of at least {rules['minimum']}"
    if kind == "number":
        low = rules.get("minimum", rules.get("exclusiveMinimum"))
        return f"lie between {low:g} and {rules.get('exclusiveMaximum', math.inf):g}"
    return f"be {_KINDS[kind]}"


def build(kind: Any, value: Any, place: str) -> Any:
    """Return the value of a type that ``schema.plain`` made of it; the form was checked before.

    Raises ``UsageError`` with the place in front where the type itself refuses its parts.
    """
    if isinstance(kind, type) and is_dataclass(kind):
        hints = fields_of(kind)
        if isinstance(value, list):
            value = dict(zip((key for key, _ in hints.values()), value, strict=False))
        parts = {
            name: build(hint, value[key], f"{place}.{key}")
            for name, (key, hint) in hints.items()
            if key in value
        }
        try:
            return kind(**parts)
        except UsageError as error:
            raise UsageError(f"{place}: {error}") from error
    if get_origin(kind) is tuple:
        kinds = get_args(kind)
        each = [kinds[0]] * len(value) if kinds[-1] is Ellipsis else kinds
        entries = enumerate(zip(each, value, strict=True))
        return tuple(build(item, entry, f"{place}[{i}]") for i, (item, entry) in entries)
    if isinstance(kind, UnionType):
        *others, last = [argument for argument in get_args(kind) if argument is not NoneType]
        for other in others:
            with contextlib.suppress(ValueError):
                return build(other, value, place)
        return None if value is None else build(last, value, place)
    scalar = isinstance(kind, type) and issubclass(kind, float | Fraction | Enum)
    return kind(value) if scalar else value
