"""Several documents of one call as one, in the form ``provado-several/1``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED, SURPRISE
from provado.reports.documents.versions import provado_version
from provado.reports.text.printable import clean

from . import schema


def one_or_several(
    expected: Sequence[tuple[str, str]],
    documents: Sequence[dict[str, Any]],
    status: int,
    *,
    several: bool,
) -> dict[str, Any]:
    """Return the document that holds the others, or the only one by itself.

    expected: of each its name, and what was expected. status: of the whole call. several: whether
    more than one was asked for, or one by the name that it has in a configuration.
    """
    if not several:
        (document,) = documents
        return document
    return {
        "schema": schema.SEVERAL,
        "provado": provado_version(),
        "exit_status": status,
        "entries": [
            {"name": clean(name), "expected": wanted, "found": document}
            for (name, wanted), document in zip(expected, documents, strict=True)
        ],
    }


def joined_status(statuses: Iterable[int]) -> int:
    """Return the status of several: a surprise before what is not completed, and that before 0."""
    found = set(statuses)
    return next((one for one in (SURPRISE, NOT_COMPLETED) if one in found), AS_EXPECTED)
