"""Packages that only some commands need: each comes with an extra of the installation."""

import importlib
from typing import Any

from .parameters import UsageError


def optional(module: str, purpose: str, extra: str) -> Any:
    """Return a module that an extra installs; raise ``UsageError`` where it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        library = module.partition(".")[0].replace("_", "-")
        raise UsageError(f"{purpose} needs {library}: pip install 'provado[{extra}]'") from error
