"""Packages that only some of what is written needs."""

from __future__ import annotations

import importlib
from typing import Any

from provado.mechanisms import UsageError


def library(name: str) -> Any:
    """Return a package that only pictures and GraphML need; ``UsageError`` where it is missing."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise UsageError(
            f"--out needs {name.split('.')[0]}: pip install 'provado[pictures]'"
        ) from error
