"""Documents and texts on standard output, and files of which it is told."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import schema
from .write import write_all


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
