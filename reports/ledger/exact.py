"""The kernel's data in JSON, without loss: what is read back is what the kernel checked.

A ``Fraction`` is the string ``"p/q"``, also where q is 1; a whole number is a JSON number, or a
string of digits where other readers would round it. Text that reads like either is
``{"text": …}``. A certificate, counterexample or argument is an object whose ``kind`` is its name
in the kernel, a tuple an array.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any, Final

from provado.mechanisms import UsageError
from provado.proofs import kernel

MOST_JSON: Final = 2**53 - 1
"""Whole numbers beyond this are rounded by readers that keep numbers as floats."""

_NUMBER = re.compile(r"-?[0-9]+(/[0-9]+)?")
_KINDS: Final[dict[str, Any]] = {
    name: kind
    for name, kind in vars(kernel).items()
    if isinstance(kind, type) and is_dataclass(kind) and kind is not kernel.Checked
}


def to_exact(value: Any) -> Any:
    """Return the kernel's data in JSON's types; ``UsageError`` for what the kernel never takes."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, int):
        return int(value) if abs(value) <= MOST_JSON else str(value)
    if isinstance(value, str):
        return {"text": value} if _NUMBER.fullmatch(value) else value
    if isinstance(value, tuple):
        return [to_exact(part) for part in value]
    if type(value).__name__ in _KINDS and is_dataclass(value):
        parts = {field.name: to_exact(getattr(value, field.name)) for field in fields(value)}
        return {"kind": type(value).__name__, **parts}
    raise UsageError(f"evidence: {value!r} is no exact data; the kernel takes none such")


def from_exact(data: Any) -> Any:
    """Return what ``to_exact`` was given, ready for ``provado.proofs.kernel.check``.

    Raises ``UsageError`` for anything that it does not write.
    """
    if data is None or isinstance(data, bool | int):
        return data
    if isinstance(data, str):
        return _from_text(data)
    if isinstance(data, list):
        return tuple(from_exact(part) for part in data)
    if isinstance(data, dict) and data.keys() == {"text"} and isinstance(data["text"], str):
        return data["text"]
    if isinstance(data, dict) and str(data.get("kind")) in _KINDS:
        kind = _KINDS[str(data["kind"])]
        if data.keys() == {"kind", *(field.name for field in fields(kind))}:
            return kind(**{key: from_exact(part) for key, part in data.items() if key != "kind"})
    raise UsageError(f"evidence: {data!r} is no exact data of this form")


def _from_text(text: str) -> str | int | Fraction:
    found = _NUMBER.fullmatch(text)
    if found is None:
        return text
    try:
        return Fraction(text) if found[1] else int(text)
    except ZeroDivisionError as error:
        raise UsageError(f"evidence: {text} has the denominator 0") from error
