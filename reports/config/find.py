"""Finds the configuration that holds in a folder."""

from __future__ import annotations

import os
from pathlib import Path

from provado.mechanisms import UsageError

from .read import Configuration, is_configuration, read_configuration

NAMES = ("provado.toml", "pyproject.toml")


def find_configuration(given: Path | None = None) -> Configuration | None:
    """Return the configuration to use, or ``None`` where there is none.

    given: the file that the user names. Without it, the first folder from the current one upward
    that holds a ``provado.toml``, or a ``pyproject.toml`` with ``[tool.provado]``; both in one
    folder raise ``UsageError``, since one of them would be silently without effect.
    """
    if given is not None:
        return read_configuration(given)
    try:
        here = Path.cwd()
    except OSError as error:
        raise UsageError(f"the current folder cannot be read: {error.strerror}") from error
    for folder in (here, *here.parents):
        found = [folder / name for name in NAMES if is_configuration(folder / name)]
        if len(found) > 1:
            raise UsageError(
                f"{shown(found[0])}: {shown(found[1])} has [tool.provado] too; keep one of them"
            )
        if found:
            return read_configuration(found[0], str(shown(found[0])))
    return None


def shown(file: Path) -> Path:
    """Return a path as it is reached from the current folder."""
    return Path(os.path.relpath(file))
