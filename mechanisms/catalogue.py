"""The catalogue: every mechanism of the folder ``reference``, found by walking it.

A file that defines a module-level ``MECHANISMS`` (a tuple of ``Mechanism``) is in the catalogue,
broken twins among them; there is no list to edit.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from itertools import pairwise

from provado.mechanisms import reference
from provado.mechanisms.errors import UsageError
from provado.mechanisms.mechanism import Mechanism


def catalogue() -> tuple[Mechanism, ...]:
    """Return all built-in mechanisms, sorted by name; two of one name raise ``UsageError``."""
    found = sorted(_walk(), key=lambda mechanism: mechanism.name)
    for first, second in pairwise(found):
        if first.name == second.name:
            raise UsageError(f"catalogue: {first.name!r} stands twice; names must be unique")
    return tuple(found)


def _walk() -> Iterator[Mechanism]:
    for module in pkgutil.walk_packages(reference.__path__, reference.__name__ + "."):
        yield from getattr(importlib.import_module(module.name), "MECHANISMS", ())
