"""Reads what a record may be: ``0:1``, ``a,b,c``, ``numbers``, ``text``; or each column alone."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from provado.audit.options.declaration import DOMAIN_FORMS
from provado.mechanisms import UsageError


def read_domain(stated: Sequence[str] | str | Mapping[str, str], name: str = "--domain") -> Any:
    """Return a domain as ``audit`` takes it.

    stated: one text for all columns, texts ``COLUMN=…``, or a mapping of columns to texts. Raises
    ``UsageError`` that starts with ``name``.
    """
    if isinstance(stated, str):
        return _field(stated, name)
    if not isinstance(stated, Mapping):
        texts = list(stated)
        if len(texts) == 1 and "=" not in texts[0]:
            return _field(texts[0], name)
        stated = {}
        for text in texts:
            column, equals, field = text.partition("=")
            if not equals or column in stated:
                raise UsageError(f"{name}: {text!r}: it must be COLUMN=…, each column once")
            stated[column] = field
    return {_position(column): _field(text, f"{name} {column}") for column, text in stated.items()}


def _position(column: str) -> Any:
    """Return a column's name, or its position where the data have no names."""
    return int(column) if column.isdecimal() else column


def _field(text: str, name: str) -> Any:
    rest, comma, last = text.rpartition(",")
    if comma and last.strip() == "missing":
        field = _field(rest, name)
        return type(field)((*field, None)) if isinstance(field, tuple | list) else (field, None)
    if text in ("numbers", "integers", "booleans"):
        return {"numbers": float, "integers": int, "booleans": bool}[text]
    if text == "text":
        from hypothesis import strategies

        return strategies.text(max_size=20)
    if text.count(":") == 1:
        low, high = text.split(":")
        numbers = (_end(low, -math.inf), _end(high, math.inf))
        if None not in numbers:
            if numbers[0] > numbers[1]:  # type: ignore[operator]
                raise UsageError(f"{name}: {text!r} is refused: {low} is above {high}")
            return numbers
    elif text.strip():
        return [_value(one.strip()) for one in text.split(",")]
    raise UsageError(f"{name}: {text!r} is refused: it must be {DOMAIN_FORMS}")


def _end(text: str, absent: float) -> float | None:
    if not text.strip():
        return absent
    value = _value(text.strip())
    return value if isinstance(value, int | float) else None


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
