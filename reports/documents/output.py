"""Documents and texts on standard output, one or several, and files of which it is told."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from provado.reports.documents import schema
from provado.reports.documents.exit_status import AS_EXPECTED, NOT_COMPLETED, SURPRISE
from provado.reports.documents.versions import provado_version
from provado.reports.documents.write import write_all
from provado.reports.text.formatting import clean


def show_text(text: str) -> None:
    """Print text in UTF-8 whatever the terminal's encoding."""
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    binary.write(text.encode("utf-8", errors="backslashreplace"))
    binary.flush()


def save(files: Mapping[Path, str | bytes]) -> None:
    """Write files as ``write_all`` does, and say on a terminal which."""
    write_all(files)
    if files and sys.stderr.isatty():
        print(f"wrote {', '.join(map(str, files))}", file=sys.stderr)


def show_json(document: dict[str, Any]) -> None:
    """Print one JSON document."""
    show_text(schema.dumps(document))


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
