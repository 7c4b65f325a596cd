"""Read back the exact data of verify.json."""

from dataclasses import fields
from fractions import Fraction
from typing import Any

from provado.mechanisms import UsageError
from provado.reports.ledger.run import _KINDS, _NUMBER


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
