"""The file of a history: JSON, made to be kept in a repository beside what it is about."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provado.audit.bounds.alpha_spending import share_of
from provado.mechanisms import UsageError
from provado.reports.documents.read import build, check_form, load_json
from provado.reports.documents.schema import HISTORY, dumps, plain
from provado.reports.documents.write import write_all


@dataclass(frozen=True)
class Certified:
    """What a run found of one audit. claim: in words. lower: the certified limit on it."""

    name: str
    claim: str
    verdict: str
    lower: float


@dataclass(frozen=True)
class Look:
    """One run. number: k. alpha: its share. complete: whether it came to its report."""

    number: int
    alpha: float
    date: str
    commit: str
    complete: bool
    audits: tuple[Certified, ...]


@dataclass(frozen=True)
class History:
    """All runs so far, and the chance of a false alarm that they share with all to come."""

    alpha: float
    looks: tuple[Look, ...] = ()


def load_history(file: Path) -> History | None:
    """Return the history in a file, ``None`` where there is none yet.

    Raises ``UsageError`` naming file, key, value and rule; so it does where the shares of alpha are
    not those of the rule: whoever takes more has no guarantee left.
    """
    if not file.exists() or (file.is_file() and file.stat().st_size == 0):
        return None
    if not (file.is_file() or file.is_dir()):
        raise UsageError(f"{file}: it is a device or a pipe; a history must be a regular file")
    document = load_json(file)
    check_form(document, HISTORY, str(file), "a history is of the form")
    looks = tuple(
        build(Look, look, f"{file}: looks[{i}]") for i, look in enumerate(document["looks"])
    )
    alpha = float(document["alpha"])
    for i, look in enumerate(looks):
        if look.number != i + 1:
            raise UsageError(f"{file}: looks[{i}].number is {look.number}: it must be {i + 1}")
        if not math.isclose(look.alpha, share_of(alpha, i + 1), rel_tol=1e-12):
            raise UsageError(
                f"{file}: looks[{i}].alpha is {look.alpha}: it must be 6α/(π²k²), which is "
                f"{share_of(alpha, i + 1)}"
            )
    return History(alpha, looks)


def save_history(file: Path, history: History, before: History | None) -> None:
    """Write a history, whole or not at all; raise ``UsageError`` where it is not as it was read."""
    if load_history(file) != before:
        raise UsageError(f"{file}: another run has written it meanwhile; run this one again")
    write_all({file: dumps(_document(history))})


def _document(history: History) -> dict[str, Any]:
    return {"schema": HISTORY, **plain(history)}
