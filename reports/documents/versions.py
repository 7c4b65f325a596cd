"""Packages: versions that bear on a result, and libraries that only some outputs need."""

import platform
from functools import cache
from importlib import metadata
from typing import Any

from provado.mechanisms.definitions.optional import optional

PACKAGES = (*("numpy", "scipy", "scikit-learn", "sympy"), *("opendp", "diffprivlib", "python-dp"))
"""Packages whose version is recorded where they are installed; the last three are audited."""


def provado_version() -> str:
    """Return the version of the installed package, ``unknown`` when run from bare sources."""
    return _version("provado") or "unknown"


def versions() -> dict[str, str]:
    """Return ``{"python": …, "numpy": …, …}``; nothing about the machine."""
    found = {name: _version(name) for name in PACKAGES}
    return {"python": platform.python_version()} | {k: v for k, v in found.items() if v}


@cache
def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def library(name: str) -> Any:
    """Return a package that only pictures and GraphML need; ``UsageError`` where it is missing."""
    return optional(name, "--out", "pictures")
